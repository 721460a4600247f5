package action

// What several actions of Mint are refused for.
var (
	noEscrow  = Refusal{notFound, "escrow", "field", "no such escrow"}
	notParty  = Refusal{unauthorized, "not_party", "", "neither its owner nor its beneficiary"}
	notLocked = Refusal{invalid, "state", "status", "it is not LOCKED"}
	noAmount  = Refusal{invalid, "amount", "field", "0, or more than there can be"}
)

var mintRefusals = map[string][]Refusal{
	"transfer": {
		noAmount,
		{invalid, "kind", "field", "not DIRECT, nor a purchase from the treasury"},
		{invalid, "self", "field", "to the sender"},
		{notFound, "account", "field", "nobody living has this account"},
		noFunds,
	},
	"resource_buy": {
		{invalid, "amount", "field limit?", "0, or more than may be bought"},
		noFunds,
	},
	"balance_query": {
		{notFound, "account", "field", "nobody has this account"},
	},
	"escrow_create": {
		noAmount,
		{invalid, "deadline", "field limit", "past, or more than 25,600 ticks ahead"},
		{invalid, "beneficiary", "field", "the sender, or nobody living"},
		{exceeded, "too_many_open", "limit", "32 escrows of the sender are open"},
		{invalid, "conditions", "field", "one has not the params of its kind"},
		noFunds,
	},
	"escrow_release": {
		noEscrow, notParty, notLocked,
		{invalid, "beneficiary", "field", "not the one it names, or its owner"},
		{notFound, "account", "field", "nobody living has this account"},
		{invalid, "conditions", "field", "to its beneficiary: not all conditions hold"},
		{exceeded, "funds", "have need", "to another than its owner: the owner has lived on it and owes it"},
	},
	"escrow_refund": {
		noEscrow, notParty, notLocked,
		{unauthorized, "deadline", "until", "to its owner: the deadline is not past"},
	},
	"stake_create": {
		{notFound, "proposal", "field", "no such proposal"},
		{conflict, "closed", "status limit", "settled, or past the first half of its vote"},
		{conflict, "already", "", "the sender staked on it"},
		{invalid, "amount", "field", "0, or more than there can be"},
		noFunds,
	},
}
