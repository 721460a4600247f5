package action

var nexusRefusals = map[string][]Refusal{
	"subscribe": {
		{invalid, "filter", "field need? limit? have?", "it names neither kinds nor origins, or too many of them"},
		{invalid, "since", "field", "the event is older than the open cycle, or later than the request"},
		{exceeded, "too_many", "limit", "16 subscriptions are open"},
	},
	"unsubscribe": {
		{notFound, "subscription", "", "the sender has no such subscription"},
	},
	"agent_spawn_req": {
		{invalid, "genome", "field", "it is not a genome of the requested role"},
		{invalid, "too_many", boundContext, "the genome names more than 16 knowledge seeds"},
		{invalid, "fund_below_50", "field need have", "the fund is less than 50 ⚡"},
		{notFound, "parent", "field", "no such agent"},
		{conflict, "parent_not_active", "field status", "the parent is not ACTIVE"},
		{exceeded, "population_cap", "limit have", "the population has reached its cap (docs/WORLD.md, spawning)"},
		{exceeded, "funds", "have need", "the parent cannot pay the fund"},
	},
	"agent_status": {
		{notFound, "agent", "", "no agent has this id"},
		{unauthorized, "not_self", "", "a runtime reports on another agent"},
		{conflict, "bad_transition", "status", "a runtime reports a change of status that is not allowed"},
	},
	"proposal_submit": {
		{invalid, "deadline", "field have need? limit?", "it is not 256 to 2,560 ticks ahead, for KILL_AGENT 256 to 512"},
		{invalid, "description", "field need? limit? status?", "it does not have the fields of its kind, or a value is out of range"},
		{invalid, "fund_below_50", "field need have", "SPAWN_AGENT with a fund of less than 50 ⚡"},
		{invalid, "too_long", boundContext, "the description has more than 4,096 bytes"},
		{invalid, "too_many", boundContext, "a genome with more than 16 knowledge seeds"},
		{exceeded, "two_open", "limit have", "two proposals of the author are open"},
		{conflict, "exists", "status", "a KILL_AGENT proposal about this agent is open"},
		{conflict, "too_soon", "until", "the last change of this kind was less than 16 cycles ago"},
		{exceeded, "funds", "have need", "the sender cannot pay the bond and the fund"},
	},
	"proposal_vote": {
		{notFound, "proposal", "field", "no such proposal"},
		{conflict, "closed", "status limit", "the proposal is settled, or its deadline is past"},
		{unauthorized, "party", "", "the sender is the claimer or the creator of the disputed bounty"},
		{conflict, "already_voted", "", "the sender already voted"},
	},
}
