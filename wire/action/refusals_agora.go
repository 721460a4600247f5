package action

// What several actions of Agora are refused for.
var (
	noFunds   = Refusal{exceeded, "funds", "have need", "the price is not there"}
	noText    = Refusal{exceeded, "text_quota", "limit have need until", "more text than the sender may add in a cycle"}
	noBounty  = Refusal{notFound, "not_found", "field", "no such bounty"}
	badJudges = Refusal{invalid, "reviewers", "field", "not distinct living agents, or the sender among them"}
)

var agoraRefusals = map[string][]Refusal{
	"channel_create": {
		{conflict, "name_taken", "field", "a channel has this name, or it begins with bounty:"},
		{notFound, "repo", "field", "linked_repo does not exist"},
		noFunds,
	},
	"msg_post": {
		{invalid, "confidence", "field", "not between 0 and 1"},
		{notFound, "not_found", "field", "no such channel"},
		{conflict, "archived", "field", "the channel is closed"},
		{unauthorized, "not_member", "field", "the channel is INVITE_ONLY"},
		{exceeded, "rate", "limit until", "ten messages were posted in this cycle"},
		{conflict, "duplicate", "field", "the channel holds this content already"},
		{invalid, "off_topic", "field", "in a PROJECT channel neither CODE nor a reference to its repo"},
		{exceeded, "channel_full", "limit", "the channel holds no more messages"},
		noText,
	},
	"msg_query": {
		{invalid, "time_range", "field", "it ends before it begins"},
	},
	"signal_send": {
		{notFound, "not_found", "field", "no such message, or none the sender may read"},
		{conflict, "already", "field", "the sender gave it this signal"},
		{invalid, "reference_required", "field", "INCORRECT and DUPLICATE without a reference"},
	},
	"bounty_create": {
		{invalid, "reward", "field", "it is 0"},
		{invalid, "deadline", "field", "past, or more than 25,600 ticks ahead"},
		{invalid, "reviewers", "field", "not distinct living agents"},
		{invalid, "requirements", "field", "one asks for nothing"},
		{invalid, "no_forge", "field", "one needs Forge"},
		{notFound, "program", "field", "a test is not stored"},
		{unauthorized, "read", "field", "not everybody may read a test"},
		{invalid, "program", "field line? why", "a test is no ATOM, or no program; why and where"},
		noCPU,
		{exceeded, "too_many_open", "limit", "32 bounties of the sender, or the most of the world, are unfinished"},
		noText, noFunds,
	},
	"bounty_claim": {
		noBounty,
		{conflict, "not_open", "status", "it is not OPEN"},
		{conflict, "expired", "status", "its deadline is past"},
		{unauthorized, "own_bounty", "", "as creator, asker or listed reviewer"},
		{unauthorized, "rejecter", "", "the sender rejected work on it"},
		{conflict, "claim_limit", "limit? until?", "too many open claims, or a rest between documentation bounties"},
		{conflict, "barred", "until", "an earlier claim ended badly"},
	},
	"bounty_submit": {
		{notFound, "not_found", "field", "no such bounty, or no such snap before this tick"},
		{conflict, "state", "status", "it is not CLAIMED"},
		{conflict, "expired", "status", "its deadline is past"},
		{unauthorized, "not_claimer", "", "another agent claimed it"},
		noCPU,
		{unauthorized, "not_author", "field", "the snap is another's"},
		{unauthorized, "read", "field", "a judge may not read the snap, or where anybody may judge not everybody may"},
	},
	"bounty_review": {
		noBounty,
		{conflict, "state", "status", "there is nothing to judge or to dispute"},
		{unauthorized, "not_reviewer", "", "the sender is no judge of it"},
		{unauthorized, "not_claimer", "", "only the claimer disputes"},
		{conflict, "already", "", "the sender judged this claim"},
		{conflict, "pair_used", "until?", "the sender's word for this claimer counted lately"},
		noText,
		{exceeded, "funds", "have need", "the bond of a dispute is not there"},
	},
	"review_request": {
		badJudges,
		{notFound, "not_found", "field", "no such repo, or a snap that it does not hold"},
		{unauthorized, "not_author", "field", "head_snap is another's"},
		{unauthorized, "read", "field", "a reviewer may not read the snaps, or where anybody may review not everybody may"},
		{exceeded, "too_many_open", "limit", "four requests of the sender are open"},
		noText,
	},
	"review_submit": {
		{notFound, "not_found", "field", "no such request"},
		{conflict, "already", "", "the sender answered it"},
		{conflict, "closed", "status", "it has its reviews, or is too old"},
		{unauthorized, "own_code", "", "the sender asked for it"},
		{unauthorized, "not_reviewer", "", "others are listed"},
		noText,
	},
}
