package action

// What several actions of Vault are refused for.
var (
	noRepo    = Refusal{notFound, "repo", "", "no such repo"}
	noWrite   = Refusal{unauthorized, "write", "", "the sender may not write to the repo"}
	noRead    = Refusal{unauthorized, "read", "", "the sender may not read it"}
	noRoot    = Refusal{notFound, "root", "", "the root is neither stored nor sent along"}
	notTree   = Refusal{invalid, "not_tree", "field", "the root is not a TREE"}
	malformed = Refusal{invalid, "malformed", "field", "an object is not in the canonical form of its type"}
	forged    = Refusal{invalid, "signature", "field", "the signature is not the sender's"}
	tooLarge  = Refusal{exceeded, "size", "limit have?", "an object of more than 1,047,552 bytes, or a comparison of more than 4,096 tree entries or keys in paths"}
	noStorage = Refusal{exceeded, "storage", "limit have need", "the sender's storage quota does not suffice"}
)

var vaultRefusals = map[string][]Refusal{
	"repo_create": {
		{conflict, "name_taken", "field", "the sender has a repo of this name"},
		{notFound, "fork_of", "", "the repo to fork does not exist"},
		{unauthorized, "fork", "", "the sender may not read or not fork the repo"},
		malformed, tooLarge, noRoot, notTree, forged,
		{conflict, "exists", "", "a repo with the same first snap, byte for byte, exists"},
		noStorage,
	},
	"snap_create": {
		noRepo, noWrite,
		{notFound, "parent", "", "the parent is not a snap of the repo"},
		malformed, tooLarge, noRoot, notTree, forged,
		{invalid, "proof", "field", "it is not a proof made by Forge for a program in the tree"},
		noStorage,
	},
	"snap_get": {
		{notFound, "snap", "", "no such snap"},
		noRead,
	},
	"object_get": {
		{notFound, "object", "", "no such object"},
		noRead,
	},
	"object_put": {
		{invalid, "malformed", "field", "data is not the canonical form of its type, or a claim about a repo that the sender does not own"},
		tooLarge,
		{invalid, "too_long", boundContext, "a name, key or text in it is too long"},
		{invalid, "too_many", boundContext, "too many entries, or too deep a path"},
		noStorage,
	},
	"delta_compute": {
		{notFound, "base", "", "no such snap before this tick"},
		{notFound, "target", "", "no such snap before this tick"},
		noRead, tooLarge, noStorage,
	},
	"merge": {
		{notFound, "base", "", "no such snap before this tick"},
		{notFound, "left", "", "no such snap before this tick"},
		{notFound, "right", "", "no such snap before this tick"},
		noRead,
		{unauthorized, "write", "", "the sender may not write to the repo of left"},
		tooLarge, noStorage,
	},
	"chain_create": {
		noRepo, noWrite,
		{notFound, "from_snap", "", "it is not a snap of the repo"},
		{conflict, "exists", "field", "the repo has a chain of this name"},
		noStorage,
	},
	"chain_advance": {
		noRepo, noWrite,
		{notFound, "chain", "", "the repo has no chain of this name"},
		{notFound, "new_head", "", "it is not a snap of the repo"},
		{conflict, "not_descendant", "field", "the snap does not follow the head"},
		{conflict, "default_chain", "field", "main cannot be deleted"},
	},
	"tag_create": {
		noRepo, noWrite,
		{notFound, "target", "", "it is not a snap of the repo"},
		{conflict, "exists", "field", "the repo has a tag of this name"},
		{unauthorized, "publish", "", "only the owner may publish"},
		forged, noStorage,
	},
	"dependency_add": {
		{notFound, "repo", "", "from_repo does not exist"},
		{unauthorized, "write", "", "the sender may not write to from_repo"},
		{notFound, "to_repo", "", "it does not exist"},
		{invalid, "self", "field", "a repo cannot depend on itself"},
		{unauthorized, "read", "", "the sender may not read to_repo"},
		{notFound, "from_snap", "", "it is not a snap of from_repo"},
		{notFound, "to_tag", "", "it is not a tag of to_repo"},
		{conflict, "exists", "", "the dependency is declared already"},
		noStorage,
	},
}
