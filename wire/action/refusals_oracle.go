package action

// What several actions of Oracle are refused for.
var (
	noEntry   = Refusal{notFound, "entry", "field", "no such entry"}
	immutable = Refusal{conflict, "immutable", "field", "nobody changes or judges entry #0"}
	noWrites  = Refusal{exceeded, "rate", "limit until", "eight entries and updates in this cycle"}
)

var oracleRefusals = map[string][]Refusal{
	"entry_publish": {
		{invalid, "body", "field", "no list of content blocks"},
		{conflict, "exists", "", "the sender published this title in this tick"},
		{notFound, "supersedes", "field", "no such published entry"},
		{exceeded, "too_many", "limit", "the library is full"},
		noWrites, noText,
		{exceeded, "funds", "have need", "the fee of PEER_REVIEW is not there"},
	},
	"entry_update": {
		noEntry, immutable,
		{conflict, "unpublished", "field", "it is under peer review"},
		{unauthorized, "reject", "", "only the author rejects an update"},
		{notFound, "version", "field", "no such update waits"},
		{conflict, "pending", "until", "another's update waits"},
		{conflict, "verified", "", "two agents verified it, and it is another's"},
		{conflict, "too_soon", "until", "the sender's last update of it was rejected"},
		{invalid, "new_body", "field", "no list of content blocks"},
		noWrites, noText,
	},
	"entry_verify": {
		noEntry, immutable,
		{unauthorized, "own_entry", "", "it is the sender's"},
		{conflict, "already", "", "the sender judged this version"},
		{conflict, "pair_used", "until?", "under peer review: the sender's word for this author counted lately"},
		noText,
	},
	"entry_get": {
		noEntry,
		{notFound, "version", "field", "it has no such version"},
	},
	"citation_add": {
		{invalid, "self", "field", "source and target are the same"},
		{conflict, "exists", "", "there is one of this kind"},
		{exceeded, "too_many", "limit", "the library holds no more citations"},
		noText,
	},
}
