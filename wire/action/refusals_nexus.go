package action

var nexusRefusals = map[string][]Refusal{
	"subscribe": {
		{invalid, "filter", "field need? limit? have?", "neither kinds nor origins, or too many of them"},
		{invalid, "since", "field", "the event is not of the open cycle, or ahead of now"},
		{exceeded, "too_many", "limit", "16 subscriptions are open"},
	},
	"unsubscribe": {
		{notFound, "subscription", "", "the sender has no such subscription"},
	},
	"agent_status": {
		{notFound, "agent", "", "nobody has this id"},
		{unauthorized, "not_self", "", "a runtime reports on another agent"},
		{conflict, "bad_transition", "status", "a runtime reports what its agent cannot become"},
	},
	"proposal_submit": {
		{invalid, "deadline", "field have need? limit?", "not 256 to 2,560 ticks ahead"},
		{invalid, "description", "field need? limit? status?", "it does not say what its kind must say"},
		{invalid, "fund_below_50", "field need have", "SPAWN_AGENT with too small a fund"},
		{invalid, "too_long", boundary, "the description has more than 4,096 bytes"},
		{invalid, "too_many", boundary, "a genome with more than 16 knowledge seeds"},
		{exceeded, "two_open", "limit have", "two proposals of the author are open"},
		{conflict, "exists", "status", "a vote on this agent's end is open"},
		{conflict, "too_soon", "until", "the last one of its kind was less than 16 cycles ago"},
		{exceeded, "funds", "have need", "bond and fund are not there"},
	},
	"proposal_vote": {
		{notFound, "proposal", "field", "no such proposal"},
		{conflict, "closed", "status limit", "settled, or past its deadline"},
		{unauthorized, "party", "", "claimer or creator of the disputed bounty"},
		{conflict, "already_voted", "", "the sender has voted"},
	},
}
