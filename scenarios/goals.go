package scenarios

import (
	"crypto/sha256"
	"fmt"
	"strings"

	"kingdom/goals"
	"kingdom/wire"
	"kingdom/wire/action"
	"kingdom/world/oracle"
)

// StartGoal is a goal that agents of a group have from the start.
type StartGoal struct {
	Kind      GoalKind `key:"kind" default:"operator" doc:"Kind of goal (see the table below); operator for a goal that fits no other kind."`
	Text      string   `key:"text" default:"" range:"0..2000" doc:"What to achieve, in words, for minds that read; the scripted mind does not. Required for kind operator."`
	Layer     Layer    `key:"layer" default:"task" doc:"Layer of the goal stack. An aspiration replaces those of the role."`
	Domain    Domain   `key:"domain" default:"usual" doc:"Field of work, if not the usual one of the kind. For kind operator it determines what the scripted mind does."`
	Subject   string   `key:"subject" default:"" range:"0..64" doc:"What it is about, for the kinds claim_bounty, do_review, vote, answer and learn: 64 hex digits, or bounty:006, the first bounty, or entry:0, the first entry."`
	Predicate string   `key:"predicate" default:"" range:"0..64" doc:"kind operator: when the goal is reached. balance>=N, reputation>=X, or an action and how often it must be done from then on, such as entry_verify>=5. Without a predicate only an input done completes the goal."`
	Deadline  uint64   `key:"deadline_cycle" default:"0" range:"0..1000000" doc:"Cycle at whose first tick the goal is given up; 0 means never. In the last 512 ticks before it the goal becomes urgent."`
}

// GoalKind is the kind of a goal given from outside.
type GoalKind uint8

// Values of [GoalKind].
const (
	GoalOperator GoalKind = iota + 1
	GoalEarn
	GoalClaimBounty
	GoalDoReview
	GoalExplore
	GoalImproveReputation
	GoalMentor
	GoalBuildLibrary
	GoalRaiseCoverage
	GoalDesignSystem
	GoalTryNovel
	GoalLearn
	GoalVote
	GoalAnswer
)

// goalKinds are the kinds as agents have them.
var goalKinds = [...]goals.Kind{
	GoalOperator: goals.KindOperator, GoalEarn: goals.KindEarn, GoalClaimBounty: goals.KindClaimBounty, GoalDoReview: goals.KindDoReview,
	GoalExplore: goals.KindExplore, GoalImproveReputation: goals.KindImproveReputation, GoalMentor: goals.KindMentor,
	GoalBuildLibrary: goals.KindBuildLibrary, GoalRaiseCoverage: goals.KindRaiseCoverage, GoalDesignSystem: goals.KindDesignSystem,
	GoalTryNovel: goals.KindTryNovel, GoalLearn: goals.KindLearn, GoalVote: goals.KindVote, GoalAnswer: goals.KindAnswer,
}

func (GoalKind) EnumNames() []string {
	out := make([]string, 0, len(goalKinds)-1)
	for _, k := range goalKinds[1:] {
		out = append(out, k.String())
	}
	return out
}
func (v GoalKind) String() string { return goalKinds[v].String() }

// Domain is a field of work; usual means that of the goal's kind.
type Domain uint8

// Values of [Domain]; the others follow in the order of action.Domain.
const DomainUsual Domain = 1

func (Domain) EnumNames() []string {
	return append([]string{"usual"}, action.Domain(0).EnumNames()...)
}
func (v Domain) String() string { return v.EnumNames()[v-1] }

// Description returns the goal in the form that agents have. The goal must have been checked.
func (g *StartGoal) Description() goals.Description {
	d := goals.Description{Kind: goalKinds[g.Kind], Text: g.Text}
	if g.Domain != DomainUsual {
		d.Domain = action.Domain(g.Domain - DomainUsual)
	}
	if h, ok := subjectOf(g.Subject); ok {
		d.Subject = &h
	} else if g.Kind == GoalLearn {
		h := oracle.EntryZero
		d.Subject = &h
	}
	if p, err := goals.ParsePredicate(g.Predicate); err == nil {
		d.Predicate = p.String()
	}
	if d.Text == "" {
		d.Text = "As asked: " + strings.ReplaceAll(d.Kind.String(), "_", " ")
	}
	return d
}

// needsSubject says of the kinds that are about something whether it must be stated.
var needsSubject = map[GoalKind]bool{GoalClaimBounty: true, GoalDoReview: true, GoalVote: true, GoalAnswer: true, GoalLearn: false}

// subjectOf reads a subject.
func subjectOf(s string) (h wire.Hash, ok bool) {
	switch s {
	case "":
		return h, false
	case "entry:0":
		return oracle.EntryZero, true
	}
	if number, found := strings.CutPrefix(s, "bounty:"); found && len(number) == 3 && strings.Trim(number, "0123456789") == "" {
		return sha256.Sum256([]byte("KINGDOM_BOUNTY:" + number)), true
	}
	h, err := wire.ParseHash(s)
	return h, err == nil
}

// checkGoal checks a goal that is given in a cycle. What depends on its kind is left out if the kind is not known.
func (d *checker) checkGoal(g *StartGoal, path string, cycle uint64) {
	if d.valid(path+".kind") && (d.nodes[path+".kind"] != nil || !d.misspelled(path)) {
		d.checkGoalKind(g, path)
	}
	if g.Deadline != 0 && g.Deadline <= cycle && d.valid(path+".deadline_cycle") && d.valid(path+".cycle") {
		d.fail(d.at(path+".deadline_cycle"), path+".deadline_cycle", fmt.Sprintf("is %d", g.Deadline), fmt.Sprintf("want a cycle after %d, or 0", cycle))
	}
}

// checkGoalKind checks what a goal of its kind needs and reads.
func (d *checker) checkGoalKind(g *StartGoal, path string) {
	must, about := needsSubject[g.Kind]
	_, ok := subjectOf(g.Subject)
	const right = "want 64 hex digits, bounty:006 (the first bounty) or entry:0 (the first entry)"
	switch {
	case !d.valid(path + ".subject"):
	case g.Subject != "" && !about:
		d.fail(d.at(path+".subject"), path+".subject", "has no meaning for kind "+g.Kind.String(), "remove it, or take the kind claim_bounty, do_review, vote, answer or learn")
	case g.Subject != "" && !ok:
		d.fail(d.at(path+".subject"), path+".subject", fmt.Sprintf("is the text %q", g.Subject), right)
	case g.Subject == "" && must:
		if !d.misspelled(path) {
			d.fail(d.at(path), path+".subject", "is missing for kind "+g.Kind.String(), right)
		}
	}
	switch p, err := goals.ParsePredicate(g.Predicate); {
	case g.Predicate == "", !d.valid(path + ".predicate"):
	case g.Kind != GoalOperator:
		d.fail(d.at(path+".predicate"), path+".predicate", "has no meaning for kind "+g.Kind.String()+", which ends by its own rule", "remove it, or take the kind operator")
	case err != nil:
		wrong, want, _ := strings.Cut(err.Error(), "; ")
		if near := Nearest(p.Quantity, goals.Quantities()); near != "" && near != p.Quantity {
			want = fmt.Sprintf("did you mean %s? %s", near, want)
		}
		d.fail(d.at(path+".predicate"), path+".predicate", wrong, want)
	}
	if g.Kind == GoalOperator {
		d.needText(g.Text, path, "say what the goal is")
	}
}
