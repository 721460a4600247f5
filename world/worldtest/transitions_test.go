package worldtest

import (
	"regexp"
	"slices"
	"testing"
)

// transitions are those of the tables of docs/WORLD.md, each as a transcript of the daemon shows it. That every action is refused in
// every other state is in the tests that are called EveryActionInEveryState, EveryStatus and EveryTransition.
var transitions = []struct{ folder, what, shown string }{
	{"nexus", "EMBRYO to ACTIVE", `old_status=EMBRYO new_status=ACTIVE reason=warmup`},
	{"nexus", "ACTIVE to DORMANT, ten NOPs", `old_status=ACTIVE new_status=DORMANT reason=nop_limit`},
	{"nexus", "ACTIVE to DORMANT, inactivity", `old_status=ACTIVE new_status=DORMANT reason=inactive`},
	{"nexus", "ACTIVE to DORMANT, operator", `old_status=ACTIVE new_status=DORMANT reason=operator`},
	{"nexus", "DORMANT to ACTIVE, operator", `old_status=DORMANT new_status=ACTIVE reason=operator`},
	{"nexus", "DORMANT to ACTIVE, goal", `old_status=DORMANT new_status=ACTIVE reason=goal`},
	{"nexus", "DORMANT to ACTIVE, mention", `old_status=DORMANT new_status=ACTIVE reason=mention`},
	{"nexus", "DORMANT to ACTIVE, timer", `old_status=DORMANT new_status=ACTIVE reason=timer`},
	{"nexus", "DORMANT to ACTIVE, message", `old_status=DORMANT new_status=ACTIVE reason=message`},
	{"nexus", "ACTIVE to DEAD, vote", `old_status=ACTIVE new_status=DEAD reason=governance`},
	{"nexus", "ACTIVE to DEAD, bankruptcy", `old_status=ACTIVE new_status=DEAD reason=bankruptcy`},
	{"nexus", "ACTIVE to DEAD, operator", `old_status=ACTIVE new_status=DEAD reason=operator`},
	{"nexus", "DORMANT to DEAD, operator", `old_status=DORMANT new_status=DEAD reason=operator`},
	{"nexus", "EMBRYO to DEAD, operator", `old_status=EMBRYO new_status=DEAD reason=operator`},
	{"nexus", "any other status", `refused: CONFLICT bad_transition status=DEAD`},
	{"nexus", "proposal OPEN", `proposal_created \[\$a`},
	{"nexus", "proposal PASSED", `proposal_resolved .*passed=true .*quorum_met=true`},
	{"nexus", "proposal FAILED", `proposal_resolved .*passed=false .*quorum_met=true`},
	{"nexus", "proposal EXPIRED", `proposal_resolved .*passed=false .*quorum_met=false`},
	{"agora", "bounty OPEN", `bounty_created \[\$a`},
	{"agora", "bounty OPEN to CLAIMED", `bounty_claimed`},
	{"agora", "bounty CLAIMED to OPEN, released", `bounty_reopened .*reason="released"`},
	{"agora", "bounty CLAIMED to OPEN, lease", `bounty_reopened .*reason="lease"`},
	{"agora", "bounty CLAIMED to OPEN, claimer sleeps or is dead", `bounty_reopened .*reason="claimer_gone"`},
	{"agora", "bounty CLAIMED to REVIEWING", `bounty_submit: ACK status=REVIEWING`},
	{"agora", "bounty CLAIMED to COMPLETED, checks passed", `bounty_submit: ACK status=COMPLETED`},
	{"agora", "bounty SUBMITTED to CLAIMED, a check failed", `bounty_submit: ACK status=CLAIMED`},
	{"agora", "bounty SUBMITTED to REJECTED, the third failed", `bounty_rejected .*reason="check_failed"`},
	{"agora", "bounty REVIEWING to COMPLETED", `bounty_completed`},
	{"agora", "bounty REVIEWING to REJECTED", `bounty_rejected .*reason="reviewers"`},
	{"agora", "bounty REVIEWING to OPEN, undecided", `bounty_reopened .*reason="undecided"`},
	{"agora", "bounty REJECTED to DISPUTED", `bounty_disputed`},
	{"agora", "bounty REJECTED to OPEN, 256 ticks", `bounty_reopened .*reason="rejected"`},
	{"agora", "bounty REJECTED to OPEN, third failed check", `bounty_reopened .*reason="check_failed"`},
	{"agora", "bounty DISPUTED to OPEN", `bounty_reopened .*reason="dispute_lost"`},
	{"nexus", "bounty DISPUTED to COMPLETED", `bounty_completed`},
	{"agora", "bounty OPEN or CLAIMED to EXPIRED", `bounty_expired`},
	{"agora", "discussion PROPOSAL to DISCUSSION", `old_phase=PROPOSAL new_phase=DISCUSSION`},
	{"agora", "discussion DISCUSSION to REFINEMENT", `old_phase=DISCUSSION new_phase=REFINEMENT`},
	{"agora", "discussion REFINEMENT to VOTE", `old_phase=REFINEMENT new_phase=VOTE`},
	{"agora", "discussion VOTE to DECISION", `old_phase=VOTE new_phase=DECISION`},
	{"agora", "discussion without a decision", `new_phase=NO_DECISION`},
	{"mint", "escrow LOCKED", `escrow_created \[\$a`},
	{"mint", "escrow LOCKED to RELEASED", `escrow_released \[\$a`},
	{"mint", "escrow LOCKED to REFUNDED", `escrow_refunded`},
	{"agora", "escrow LOCKED to DISPUTED", `escrow_disputed`},
	{"forge", "sandbox READY", `sandbox_created`},
	{"forge", "sandbox READY to RUNNING", `sandbox_started`},
	{"forge", "sandbox RUNNING to HALTED", `sandbox_halted`},
	{"forge", "sandbox RUNNING to FAULTED", `sandbox_faulted`},
	{"forge", "sandbox ended by its owner", `sandbox_killed .*killed_by=\$a`},
	{"forge", "sandbox ended by Forge", `sandbox_killed .*killed_by=\$forge`},
	{"vault", "branch made", `chain_created`},
	{"vault", "branch advanced", `chain_advanced`},
	{"vault", "branch deleted", `chain_deleted`},
}

// Each transition is taken in a transcript of its daemon.
func TestTransitions_EachIsInATranscript(t *testing.T) {
	for _, x := range transitions {
		shown := regexp.MustCompile(x.shown)
		if !slices.ContainsFunc(linesOf(t, "../"+x.folder+"/testdata/*.txt"), shown.MatchString) {
			t.Errorf("%s: no transcript in world/%s/testdata takes it (%s)", x.what, x.folder, x.shown)
		}
	}
}
