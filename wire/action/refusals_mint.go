package action

// What several actions of Mint are refused for.
var (
	noEscrow  = Refusal{notFound, "escrow", "field", "no such escrow"}
	notParty  = Refusal{unauthorized, "not_party", "", "the sender is neither its owner nor its beneficiary"}
	notLocked = Refusal{invalid, "state", "status", "it is not LOCKED"}
	noAmount  = Refusal{invalid, "amount", "field", "it is 0, or larger than any balance can be"}
)

var mintRefusals = map[string][]Refusal{
	"transfer": {
		noAmount,
		{invalid, "kind", "field", "it is neither DIRECT nor a purchase from the treasury"},
		{invalid, "self", "field", "the sender pays itself"},
		{notFound, "account", "field", "no living agent has this account"},
		noFunds,
	},
	"resource_buy": {
		{invalid, "amount", "field limit?", "it is 0, or more than may be bought"},
		noFunds,
	},
	"balance_query": {
		{notFound, "account", "field", "nobody has this account"},
	},
	"escrow_create": {
		noAmount,
		{invalid, "deadline", "field limit", "in the past, or more than 25,600 ticks ahead"},
		{invalid, "beneficiary", "field", "it is the sender, or not a living agent"},
		{exceeded, "too_many_open", "limit", "32 escrows of the sender are open"},
		{invalid, "conditions", "field", "a condition does not have the params of its kind"},
		noFunds,
	},
	"escrow_release": {
		noEscrow, notParty, notLocked,
		{invalid, "beneficiary", "field", "it is not the beneficiary of the escrow, or it is the owner"},
		{notFound, "account", "field", "no living agent has this account"},
		{invalid, "conditions", "field", "the sender is the beneficiary, and not all conditions hold"},
		{exceeded, "funds", "have need", "the balance of the owner must cover all its locks and, unless the escrow has a beneficiary and conditions, the upkeep that it owes"},
	},
	"escrow_refund": {
		noEscrow, notParty, notLocked,
		{unauthorized, "deadline", "until", "the sender is the owner, and the deadline is not past"},
	},
	"stake_create": {
		{notFound, "proposal", "field", "no such proposal"},
		{conflict, "closed", "status limit", "the proposal is settled, or the first half of its voting time is over"},
		{conflict, "already", "", "the sender already has a stake on it"},
		{invalid, "amount", "field", "it is 0, or larger than any balance can be"},
		noFunds,
	},
}
