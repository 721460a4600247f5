package worldtest

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// changed are the rules that were rewritten because agents could live off the old ones or off each other by them: the
// transcript of each, in which honest agents get what they are due and the exploit does not; and what the exploit is told
// or comes to there, as the transcript shows it.
var changed = []struct{ rule, transcript, fails string }{
	{"answers of queries are cut to what fits", "agora/testdata/bounds.txt", `cut=\[\$m`},
	{"entries are cut to what fits", "oracle/testdata/bounds.txt", `cut=\[\$e`},
	{"text has a quota", "agora/testdata/bounds.txt", `QUOTA_EXCEEDED text_quota`},
	{"text of the library has a quota", "oracle/testdata/bounds.txt", `QUOTA_EXCEEDED text_quota`},
	{"the creator judges its own bounty", "agora/testdata/bounty.txt", `bounty_review: ERROR UNAUTHORIZED not_reviewer`},
	{"open review is decided by a majority of at least two", "agora/testdata/refusals.txt", `bounty_review: ERROR CONFLICT pair_used`},
	{"who rejected never claims", "agora/testdata/refusals.txt", `bounty_claim: ERROR UNAUTHORIZED rejecter`},
	{"a claim has a lease, and how it ended bars", "agora/testdata/lease.txt", `barred`},
	{"a claim that is given back bars", "agora/testdata/released.txt", `bounty_claim: ERROR CONFLICT barred`},
	{"accomplices do not pass a bounty around", "agora/testdata/relay.txt", `bounty_claim: ERROR CONFLICT barred`},
	{"three failed checks end a claim", "agora/testdata/programs.txt", `bounty_rejected .*reason="?check_failed`},
	{"another's snap is no work of one's own", "agora/testdata/programs.txt", `bounty_submit: ERROR`},
	{"what is submitted is decided before it expires", "agora/testdata/bounty.txt", `bounty_completed`},
	{"a dispute costs its bond and the claimer's market", "agora/testdata/disputes.txt", `bounty_claim: ERROR CONFLICT barred`},
	{"parties of a dispute have no vote", "agora/testdata/disputes.txt", `proposal_vote: ERROR UNAUTHORIZED party`},
	{"a creator has 32 bounties at most", "agora/testdata/crowded.txt", `bounty_create: ERROR QUOTA_EXCEEDED too_many_open`},
	{"half of the board is shown from a drawn place", "agora/testdata/crowded.txt", `bounty \$b\d+ reward 2 `},
	{"requests for review close", "agora/testdata/refusals.txt", `review_submit: ERROR CONFLICT closed`},
	{"requests for review are few per author", "agora/testdata/refusals.txt", `review_request: ERROR QUOTA_EXCEEDED too_many_open`},
	{"a review is paid by a third agent's word, once per pair", "agora/testdata/bugs.txt", `reason="review"`},
	{"a bug takes a third voice, once per snap and pair", "agora/testdata/bugs.txt", `reason="bug"`},
	{"an entry fulfils one bounty, and a friend vouches once", "agora/testdata/farmed.txt", `bounty_submit: ACK status=CLAIMED`},
	{"subjects are closed", "agora/testdata/subjects.txt", `BARRED`},
	{"gap bounties take an entry that two verified, over pairs", "oracle/testdata/gap.txt", `bounty_claim: ERROR CONFLICT claim_limit`},
	{"who asked does not answer for pay", "oracle/testdata/gap.txt", `bounty_claim: ERROR UNAUTHORIZED own_bounty`},
	{"verdicts are on a version", "oracle/testdata/pingpong.txt", `verified_by=\[\]|new_accuracy=`},
	{"strangers do not change what two have verified", "oracle/testdata/library.txt", `entry_update: ERROR CONFLICT verified`},
	{"whose update was rejected rests", "oracle/testdata/library.txt", `entry_update: ERROR CONFLICT too_soon`},
	{"peer review goes over pairs", "oracle/testdata/discards.txt", `entry_verify: ERROR CONFLICT pair_used`},
	{"citations count agents", "oracle/testdata/citations.txt", `entries=\[\] cut`},
	{"rewards flow over pairs and a pool", "mint/testdata/pool.txt", `transfer_failed .*reason="reward_cap"`},
	{"money in a circle makes no name", "mint/testdata/circles.txt", `escrow_create: ERROR QUOTA_EXCEEDED too_many_open`},
	{"stakes close at half-time and win what others lose", "mint/testdata/stakes.txt", `stake_create: ERROR CONFLICT closed`},
	{"whoever lives pays upkeep", "mint/testdata/upkeep.txt", `kind=UPKEEP`},
	{"grants of the reserve are earmarked", "nexus/testdata/sponsor.txt", `transfer: ERROR QUOTA_EXCEEDED funds`},
	{"kin are one voice", "nexus/testdata/sponsor.txt", `reason="entry"`},
	{"a sponsor waits for its next newcomer", "nexus/testdata/sponsor.txt", `proposal_submit: ERROR CONFLICT too_soon`},
	{"every proposal locks a bond, and deadlines are far enough", "nexus/testdata/governance.txt", `proposal_submit: ERROR INVALID_REQUEST deadline`},
	{"two proposals per author", "nexus/testdata/governance.txt", `proposal_submit: ERROR QUOTA_EXCEEDED two_open`},
	{"a quorum takes heads and a third of the weight", "nexus/testdata/puppets.txt", `passed=false .*quorum_met=false`},
	{"reputation counts over pairs", "nexus/testdata/names.txt", `reputation_updated`},
	{"operators pay for newcomers with what is there", "nexus/testdata/newcomers.txt", `agent_spawn_req: ERROR QUOTA_EXCEEDED population_cap`},
	{"an object has a home", "vault/testdata/objects.txt", `object_get: ERROR UNAUTHORIZED read`},
	{"popularity, notices and royalties count once per owner", "vault/testdata/popularity.txt", `DEPENDENCY_NOTIFY repo_id=\$repo1 new_tag=\$tag4 dependents=\[\$repo2 \$repo3\]`},
	{"what others write into an open repo makes no name", "vault/testdata/forged.txt", `popularity=0`},
	{"who calls pays for the time of a call that faults", "forge/testdata/services.txt", `fault=`},
	{"parsing is paid for", "forge/testdata/refusals.txt", `QUOTA_EXCEEDED cpu_quota`},
	{"a killed service pays for its cycle", "forge/testdata/kill.txt", `amount=10`},
}

// TestChangedRules: each rule that was rewritten has a transcript that shows what becomes of the exploit. That a refusal
// leaves the state as it was is checked where transcripts run.
func TestChangedRules(t *testing.T) {
	for _, c := range changed {
		raw, err := os.ReadFile("../" + c.transcript)
		if err != nil {
			t.Errorf("%s: %v", c.rule, err)
			continue
		}
		shows := regexp.MustCompile(c.fails)
		var outputs []string
		for block := range strings.SplitSeq(string(raw), "\n\n") {
			_, output, _ := strings.Cut(block, "----\n")
			outputs = append(outputs, output)
		}
		if !shows.MatchString(strings.Join(outputs, "\n")) {
			t.Errorf("%s: %s does not show %s", c.rule, c.transcript, c.fails)
		}
	}
}
