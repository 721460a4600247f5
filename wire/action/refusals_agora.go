package action

// What several actions of Agora are refused for.
var (
	noFunds   = Refusal{exceeded, "funds", "have need", "the sender cannot pay the price"}
	noText    = Refusal{exceeded, "text_quota", "limit have need until", "the sender has added as much text as it may in this cycle"}
	noBounty  = Refusal{notFound, "not_found", "field", "no such bounty"}
	badJudges = Refusal{invalid, "reviewers", "field", "a reviewer is listed twice, is dead or unknown, or is the sender"}
)

var agoraRefusals = map[string][]Refusal{
	"channel_create": {
		{conflict, "name_taken", "field", "a channel has this name, or the name begins with bounty:"},
		{notFound, "repo", "field", "linked_repo does not exist"},
		noFunds,
	},
	"msg_post": {
		{invalid, "confidence", "field", "it is not between 0 and 1"},
		{notFound, "not_found", "field", "no such channel"},
		{conflict, "archived", "field", "the channel is closed"},
		{unauthorized, "not_member", "field", "the channel is INVITE_ONLY"},
		{exceeded, "rate", "limit until", "the sender posted ten messages in this cycle"},
		{conflict, "duplicate", "field", "the channel holds this content already"},
		{invalid, "off_topic", "field", "the channel is a PROJECT channel, and the message neither has kind CODE nor refers to its repo"},
		{exceeded, "channel_full", "limit", "the channel is full"},
		noText,
	},
	"msg_query": {
		{invalid, "time_range", "field", "the last tick is before the first"},
	},
	"signal_send": {
		{notFound, "not_found", "field", "no such message, or none the sender may read"},
		{conflict, "already", "field", "the sender already gave it this signal"},
		{invalid, "reference_required", "field", "INCORRECT and DUPLICATE without a reference"},
	},
	"bounty_create": {
		{invalid, "reward", "field", "it is 0"},
		{invalid, "deadline", "field", "in the past, or more than 25,600 ticks ahead"},
		{invalid, "reviewers", "field", "a reviewer is listed twice, is dead or unknown"},
		{invalid, "requirements", "field", "a requirement is empty, has wrong params, or asks for what nobody can deliver"},
		{invalid, "no_forge", "field", "a requirement needs Forge, which this world does not have"},
		{notFound, "program", "field", "a test is not stored"},
		{unauthorized, "read", "field", "a test cannot be read by everybody"},
		{invalid, "program", "field line? why", "a test is not an ATOM, or not a program; why and line say what is wrong and where"},
		noCPU,
		{exceeded, "too_many_open", "limit", "32 bounties of the sender, or the most of the world, are unfinished"},
		noText, noFunds,
	},
	"bounty_claim": {
		noBounty,
		{conflict, "not_open", "status", "it is not OPEN"},
		{conflict, "expired", "status", "its deadline is past"},
		{unauthorized, "own_bounty", "", "the sender is its creator, its asker or a listed reviewer"},
		{unauthorized, "rejecter", "", "the sender once rejected work for it"},
		{conflict, "claim_limit", "limit? until?", "too many open claims, or too soon after a completed documentation bounty"},
		{conflict, "barred", "until", "an earlier claim of the sender ended without success, and until is not reached; such a claim bars from its bounty, and for a while from all"},
	},
	"bounty_submit": {
		{notFound, "not_found", "field", "no such bounty, or no such snap before this tick"},
		{conflict, "state", "status", "it is not CLAIMED"},
		{conflict, "expired", "status", "its deadline is past"},
		{unauthorized, "not_claimer", "", "another agent claimed it"},
		noCPU,
		{unauthorized, "not_author", "field", "another agent wrote the snap"},
		{unauthorized, "read", "field", "a judge may not read the snap; if anybody may judge, everybody must be able to read it"},
		{conflict, "busy", "", "before this tick the submission had to fail for another reason, so its programs were not run; try again"},
	},
	"bounty_review": {
		noBounty,
		{conflict, "state", "status", "the bounty is in a state in which there is nothing to judge or dispute"},
		{unauthorized, "not_reviewer", "", "the sender is not one of its judges"},
		{unauthorized, "not_claimer", "", "only the claimer may dispute"},
		{conflict, "already", "", "the sender already judged this claim"},
		{conflict, "pair_used", "until?", "a verdict of the sender for this claimer counted too recently (docs/WORLD.md, pairs)"},
		noText,
		{exceeded, "funds", "have need", "the sender cannot pay the bond of a dispute"},
	},
	"review_request": {
		badJudges,
		{notFound, "not_found", "field", "no such repo, or a snap that it does not hold"},
		{unauthorized, "not_author", "field", "another agent wrote head_snap"},
		{unauthorized, "read", "field", "a reviewer may not read the snaps; if anybody may review, everybody must be able to read them"},
		{exceeded, "too_many_open", "limit", "four requests of the sender are open"},
		noText,
	},
	"review_submit": {
		{notFound, "not_found", "field", "no such request"},
		{conflict, "already", "", "the sender already answered it"},
		{conflict, "closed", "status", "it has enough reviews, or is too old"},
		{unauthorized, "own_code", "", "the sender requested it"},
		{unauthorized, "not_reviewer", "", "the sender is not one of the listed reviewers; where none are listed, it is not drawn, or not yet"},
		noText,
	},
}
