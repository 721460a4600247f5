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
	{"ten messages a cycle", "agora/testdata/refusals.txt", `msg_post: ERROR QUOTA_EXCEEDED rate`},
	{"a text once in a channel", "agora/testdata/discussion.txt", `msg_post: ERROR CONFLICT duplicate`},
	{"eight entries and updates a cycle", "oracle/testdata/refusals.txt", `entry_publish: ERROR QUOTA_EXCEEDED rate`},
	{"the creator judges its own bounty", "agora/testdata/bounty.txt", `bounty_review: ERROR UNAUTHORIZED not_reviewer`},
	{"open review is decided by a majority of at least two", "agora/testdata/refusals.txt", `bounty_review: ERROR CONFLICT pair_used`},
	{"a judge that says nothing has approved", "agora/testdata/silent.txt", `cycle 8 ends: .*\n  bounty_completed`},
	{"who sleeps through a delivery does not judge it", "agora/testdata/farmed.txt", `cycle 11 ends: .*\n  bounty_completed`},
	{"who judges in place of others is drawn", "agora/testdata/farmed.txt", `\$a8 bounty_review: ERROR UNAUTHORIZED not_reviewer`},
	{"who rejected never claims", "agora/testdata/refusals.txt", `bounty_claim: ERROR UNAUTHORIZED rejecter`},
	{"a claim has a lease, and how it ended bars", "agora/testdata/lease.txt", `barred`},
	{"a claim that is given back bars", "agora/testdata/released.txt", `bounty_claim: ERROR CONFLICT barred`},
	{"accomplices do not pass a bounty around", "agora/testdata/relay.txt", `bounty_claim: ERROR CONFLICT barred`},
	{"a claim in vain takes no time from others", "agora/testdata/lease.txt", `bounty_reopened .*reason="deadline"`},
	{"three failed checks end a claim", "agora/testdata/programs.txt", `bounty_rejected .*reason="?check_failed`},
	{"another's snap is no work of one's own", "agora/testdata/programs.txt", `bounty_submit: ERROR UNAUTHORIZED not_author`},
	{"what is submitted is decided before it expires", "agora/testdata/bounty.txt", `bounty_completed`},
	{"what nobody decides about is open again", "agora/testdata/transitions.txt", `bounty_reopened .*reason="undecided"`},
	{"a dispute costs its bond and the claimer's market", "agora/testdata/disputes.txt", `bounty_claim: ERROR CONFLICT barred`},
	{"parties of a dispute have no vote", "agora/testdata/disputes.txt", `proposal_vote: ERROR UNAUTHORIZED party`},
	{"a creator has 32 bounties at most", "agora/testdata/crowded.txt", `bounty_create: ERROR QUOTA_EXCEEDED too_many_open`},
	{"half of the board is shown from a drawn place", "agora/testdata/crowded.txt", `bounty \$b\d+ reward 2 `},
	{"who reviews what names nobody is drawn", "agora/testdata/drawn.txt", `review_submit: ERROR UNAUTHORIZED not_reviewer`},
	{"requests for review close", "agora/testdata/refusals.txt", `review_submit: ERROR CONFLICT closed`},
	{"requests for review are few per author", "agora/testdata/refusals.txt", `review_request: ERROR QUOTA_EXCEEDED too_many_open`},
	{"a review is paid by a third agent's word, once per pair", "agora/testdata/bugs.txt", `reason="review"`},
	{"a bug takes a third voice, once per snap and pair", "agora/testdata/bugs.txt", `reason="bug"`},
	{"an entry fulfils one bounty, and a friend vouches once", "agora/testdata/farmed.txt", `bounty_submit: ACK status=CLAIMED`},
	{"subjects are closed", "agora/testdata/subjects.txt", `BARRED`},
	{"gap bounties take an entry that two verified, over pairs", "oracle/testdata/gap.txt", `bounty_claim: ERROR CONFLICT claim_limit`},
	{"what a documentation bounty pays earns no reward besides", "oracle/testdata/gap.txt", `cycle 2 ends: [^\n]*\n\$a8`},
	{"documentation bounties leave half of the pool", "oracle/testdata/half.txt", `cycle 2 ends: .*\n  transfer_completed .*reason="entry"`},
	{"who asked does not answer for pay", "oracle/testdata/gap.txt", `bounty_claim: ERROR UNAUTHORIZED own_bounty`},
	{"verdicts are on a version", "oracle/testdata/pingpong.txt", `verified_by=\[\]|new_accuracy=`},
	{"strangers do not change what two have verified", "oracle/testdata/library.txt", `entry_update: ERROR CONFLICT verified`},
	{"whose update was rejected rests", "oracle/testdata/library.txt", `entry_update: ERROR CONFLICT too_soon`},
	{"peer review goes over pairs", "oracle/testdata/discards.txt", `entry_verify: ERROR CONFLICT pair_used`},
	{"citations count agents", "oracle/testdata/citations.txt", `entries=\[\] cut`},
	{"rewards flow over pairs and a pool", "mint/testdata/pool.txt", `transfer_failed .*reason="reward_cap"`},
	{"money in a circle makes no name", "mint/testdata/circles.txt", `escrow_create: ERROR QUOTA_EXCEEDED too_many_open`},
	{"stakes close at half-time and win what others lose", "mint/testdata/stakes.txt", `stake_create: ERROR CONFLICT closed`},
	{"an escrow takes the word that it names", "mint/testdata/conditions.txt", `escrow_release: ERROR INVALID_REQUEST conditions`},
	{"what may be bought for a cycle is bounded", "mint/testdata/economy.txt", `resource_buy: ERROR INVALID_REQUEST amount .*limit=38`},
	{"whoever lives pays upkeep", "mint/testdata/upkeep.txt", `kind=UPKEEP`},
	{"upkeep takes nothing that is promised", "mint/testdata/promised.txt", `amount=80 tax=4 kind=BOUNTY_REWARD`},
	{"grants of the reserve are earmarked", "nexus/testdata/sponsor.txt", `transfer: ERROR QUOTA_EXCEEDED funds`},
	{"kin are one voice", "nexus/testdata/sponsor.txt", `cycle 7 ends: .*\n.*\n\$a3 entry_verify: ACK\ncycle 8 ends: .*\n.*reason="entry"`},
	{"a sponsor waits for its next newcomer", "nexus/testdata/sponsor.txt", `proposal_submit: ERROR CONFLICT too_soon`},
	{"every proposal locks a bond, and deadlines are far enough", "nexus/testdata/governance.txt", `proposal_submit: ERROR INVALID_REQUEST deadline`},
	{"two proposals per author", "nexus/testdata/governance.txt", `proposal_submit: ERROR QUOTA_EXCEEDED two_open`},
	{"nobody is tried again for sixteen cycles", "nexus/testdata/spared.txt", `proposal_submit: ERROR CONFLICT too_soon`},
	{"a vote for which nobody cares spares nobody", "nexus/testdata/spared.txt", `\$a2 proposal_submit: ACK proposal_id=\$p3`},
	{"a parameter rests after its change", "nexus/testdata/passed.txt", `proposal_submit: ERROR CONFLICT too_soon`},
	{"a quorum takes heads and a third of the weight", "nexus/testdata/puppets.txt", `passed=false .*quorum_met=false`},
	{"votes without a quorum make no name", "nexus/testdata/puppets.txt", `\$a3 LIBRARIAN ACTIVE reputation 0 inactive 0`},
	{"votes of sleepers do not count", "nexus/testdata/puppets.txt", `total_voters=5 quorum_met=true`},
	{"reputation counts over pairs", "nexus/testdata/names.txt", `reputation_updated \[\$a1\] agent_id=\$a1 old_reputation=0 new_reputation=0.075`},
	{"operators pay for newcomers with what is there", "nexus/testdata/newcomers.txt", `agent_spawn_req: ERROR QUOTA_EXCEEDED population_cap`},
	{"an object has a home", "vault/testdata/objects.txt", `object_get: ERROR UNAUTHORIZED read`},
	{"popularity, notices and royalties count once per owner", "vault/testdata/popularity.txt", `DEPENDENCY_NOTIFY repo_id=\$repo1 new_tag=\$tag4 dependents=\[\$repo2 \$repo3\]`},
	{"what others write into an open repo makes no name", "vault/testdata/forged.txt", `popularity=0`},
	{"every record has a payer", "vault/testdata/refusals.txt", `tag_create: ERROR QUOTA_EXCEEDED storage`},
	{"directories that are shared count along each path", "vault/testdata/shared.txt", `merge: ERROR QUOTA_EXCEEDED size`},
	{"who calls pays for the time of a call that faults", "forge/testdata/services.txt", `fault=`},
	{"parsing is paid for", "forge/testdata/refusals.txt", `QUOTA_EXCEEDED cpu_quota`},
	{"a killed service pays for its cycle", "forge/testdata/kill.txt", `amount=10`},
	{"a persistent sandbox is paid in advance", "forge/testdata/kill.txt", `cycle 4 ends: .*\n  sandbox_killed (.*\n)*\$a1 70 locked 0`},
	{"what only prints itself is no language", "forge/testdata/language.txt", `cycle 7 ends: epoch 4, (.*\n)*.*new_epoch=5 trigger="sovereignty"`},
}

// changedByTests are rewritten rules whose exploit no transcript can show: it takes a text that only a program makes, such as a
// forged proof, names that take many cycles to earn, or every agent of a world at once.
var changedByTests = []struct{ rule, folder, test string }{
	{"a proof is Forge's own", "world/realm", "TestProof_OnlyForgesOwnReleasesEscrow"},
	{"a proof is of a run that halted", "world/realm", "TestProof_OfFaultedRunReleasesNoEscrow"},
	{"an example is verified by its proof alone", "world/oracle", "TestExamples_StayVerifiedOnlyWithForgesProof"},
	{"an agent's praise makes an entry once", "world/agora", "TestCrystallize_SignalsOfOneAgentCountOnce"},
	{"those who judge in place of others are drawn", "world/agora", "TestJudge_ReplacementsAreDrawnByLot"},
	{"friends clear one claim in vain in sixteen cycles", "world/agora", "TestClaim_BountiesOfFriendsClearOneClaimInSixteenCycles"},
	{"requests for reviews hide no submission", "world/agora", "TestAppendReviews_FloodHidesNothing"},
	{"a discussion is about its creator's proposal", "world/agora", "TestDiscussion_IsAboutTheCreatorsProposal"},
	{"proposals hide no other", "world/nexus", "TestOpenProposals_FloodHidesNothing"},
	{"rewards and stimulus share a pool", "world/mint", "TestPool_BoundsRewardsOfColludingAgents"},
	{"debts are no income of the pool", "world/mint", "TestPool_UnpaidDebtsAreNoIncome"},
	{"a newcomer loses its own money, not the grant", "world/mint", "TestGrant_LossesReduceOwnMoneyNotGrant"},
	{"a debtor loses what it has left", "world/mint", "TestStake_OfDebtorLosesWhatIsLeft"},
	{"money that is set aside pays for life", "world/mint", "TestUpkeep_IsOwedByLockedMoney"},
	{"money that is set aside is taxed", "world/mint", "TestProgressiveTax_CountsLockedMoney"},
}

// Each rule that was rewritten has a transcript that shows how the exploit fails. That a refusal changes no state is
// checked where transcripts run.
func TestChangedRules_EachHasATranscript(t *testing.T) {
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
	for _, c := range changedByTests {
		if !tested(t, "../../"+c.folder, c.test) {
			t.Errorf("%s: %s has no test %s", c.rule, c.folder, c.test)
		}
	}
}
