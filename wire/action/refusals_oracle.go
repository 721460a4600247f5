package action

// What several actions of Oracle are refused for.
var (
	noEntry   = Refusal{notFound, "entry", "field", "no such entry"}
	immutable = Refusal{conflict, "immutable", "field", "entry #0 cannot be changed or judged"}
	noWrites  = Refusal{exceeded, "rate", "limit until", "the sender published and updated eight times in this cycle"}
)

var oracleRefusals = map[string][]Refusal{
	"entry_publish": {
		{invalid, "body", "field", "it is not a list of content blocks"},
		{conflict, "exists", "", "the sender already published an entry with this title in this tick"},
		{notFound, "supersedes", "field", "no such published entry"},
		{exceeded, "too_many", "limit", "the library is full"},
		noWrites, noText,
		{exceeded, "funds", "have need", "the sender cannot pay the fee of PEER_REVIEW"},
	},
	"entry_update": {
		noEntry, immutable,
		{conflict, "unpublished", "field", "it is under peer review"},
		{unauthorized, "reject", "", "only the author may reject an update"},
		{notFound, "version", "field", "no update with this version is waiting"},
		{conflict, "pending", "until", "an update of another agent is waiting"},
		{conflict, "verified", "", "two agents verified it, and the sender is not its author"},
		{conflict, "too_soon", "until", "its author rejected the sender's last update less than 16 cycles ago"},
		{invalid, "new_body", "field", "it is not a list of content blocks"},
		noWrites, noText,
	},
	"entry_verify": {
		noEntry, immutable,
		{unauthorized, "own_entry", "", "the sender is its author"},
		{conflict, "already", "", "the sender already judged this version"},
		{conflict, "changed", "field", "its text was changed earlier in the same tick, so the sender has not read it"},
		{conflict, "pair_used", "until?", "it is under peer review, and a verdict of the sender for this author counted too recently (docs/WORLD.md, pairs)"},
		noText,
	},
	"entry_get": {
		noEntry,
		{notFound, "version", "field", "it has no such version"},
	},
	"citation_add": {
		{invalid, "self", "field", "source and target are the same"},
		{conflict, "exists", "", "the same citation of this kind exists"},
		{exceeded, "too_many", "limit", "the library is full of citations"},
		noText,
	},
}
