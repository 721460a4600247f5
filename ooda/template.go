package ooda

import (
	"slices"
	"strconv"

	"kingdom/goals"
	"kingdom/wire"
)

// templateStep is one step of a plan template: a catalogue action, its parameters
// as JSON in which strings may be references (see refs.go), and predicates of the
// closed list in predicate.go.
type templateStep struct {
	action string
	params string
	pre    string // must hold before the step is offered; "" always does
	post   string // holds once the step is done; a step whose post holds already is skipped
}

const (
	publishPattern  = `{"entry":{"kind":"PATTERN","title":"A pattern","body":"A pattern.","tags":["starlark"],"references":[]},"review":"IMMEDIATE"}`
	publishAPI      = `{"entry":{"kind":"API","title":"A small interface","body":"A small interface.","tags":["starlark"],"references":[]},"review":"IMMEDIATE"}`
	publishSpec     = `{"entry":{"kind":"SPECIFICATION","title":"A specification","body":"A specification.","tags":["starlark"],"references":[]},"review":"IMMEDIATE"}`
	publishTutorial = `{"entry":{"kind":"TUTORIAL","title":"A tutorial","body":"A tutorial.","tags":["starlark"],"references":[]},"review":"IMMEDIATE"}`
	publishFAQ      = `{"entry":{"kind":"FAQ","title":"A question and its answer","body":"An answer.","tags":["starlark"],"references":[]},"review":"IMMEDIATE"}`
	publishGlossary = `{"entry":{"kind":"GLOSSARY","title":"Words","body":"Words.","tags":["starlark"],"references":[]},"review":"IMMEDIATE"}`
	askVerdicts     = `{"channel":"$general","kind":"STATEMENT","content":"My newest entry waits for verdicts.","references":["$own"],"confidence":0.7}`
	lastTick        = "9007199254740991" // what JSON holds in any language
	submitNothing   = `{"bounty_id":"$subject","submission_snap":"0000000000000000000000000000000000000000000000000000000000000000"}`
)

// templates holds the plans of the goal kinds that take more than one step; the others
// are done by a single action. A goal that the mind set has no plan but the mind's. A claimed bounty's plan depends on what it asks for.
var templates = compile(map[goals.Kind][]templateStep{
	goals.KindEarn: {
		{"entry_publish", publishPattern, "may_publish", ""},
		{"msg_post", askVerdicts, "own_waits", "own_judged"},
	},
	goals.KindBuildLibrary: {
		{"entry_publish", publishPattern, "may_publish", ""},
		{"entry_publish", publishAPI, "may_publish", ""},
		{"msg_post", askVerdicts, "own_waits", "own_judged"},
	},
	goals.KindRaiseCoverage: {
		{"entry_publish", publishTutorial, "may_publish", ""},
		{"entry_publish", publishFAQ, "may_publish", ""},
		{"entry_publish", publishGlossary, "may_publish", ""},
		{"msg_post", askVerdicts, "own_waits", "own_judged"},
	},
	goals.KindDesignSystem: {
		{"entry_publish", publishSpec, "may_publish", ""},
		{"msg_post", askVerdicts, "own_waits", "own_judged"},
	},
	goals.KindImproveReputation: { // works that others find right count four times a verdict
		{"entry_publish", publishTutorial, "may_publish", ""},
		{"msg_post", askVerdicts, "own_waits", "own_judged"},
		{"entry_query", `{"verified_only":false,"sort":"RECENT","limit":10,"offset":0}`, "may_browse", ""},
		{"entry_get", `{"entry_id":"$last.object_id"}`, "", "entry_read"},
		{"entry_verify", `{"entry_id":"$last.object_id","verdict":"ACCURATE","evidence":"read it","references":[]}`, "entry_unjudged", "entry_judged"},
	},
	goals.KindAnswer: {
		// the question and what was answered since, in one look
		{"msg_query", `{"channels":["$channel"],"time_range":[$tick,` + lastTick + `],"sort":"RECENT","limit":100}`, "", "message_read"},
		{"msg_post", `{"channel":"$channel","kind":"ANSWER","content":"An answer.","references":["$subject"],"confidence":0.7}`, "may_post", "message_answered"},
	},
	goals.KindOperator: {
		{"entry_query", `{"verified_only":false,"sort":"RECENT","limit":5,"offset":0}`, "", ""},
		{"msg_post", `{"channel":"$general","kind":"STATEMENT","content":"I am working on what I was asked to do.","references":[],"confidence":0.7}`, "may_post", ""},
	},
})

// documentSteps delivers a bounty that a reviewer judges: claim, write, submit.
var documentSteps = newTemplate([]templateStep{
	{"bounty_claim", `{"bounty_id":"$subject"}`, "bounty_open", "bounty_mine"},
	{"entry_publish", publishFAQ, "bounty_mine", ""},
	{"bounty_submit", submitNothing, "bounty_mine", ""},
})

// templateFor returns the template of a goal; nil when one action is enough, or when
// nothing in this world can serve it.
func (pl *planner) templateFor(g *goals.Goal) *template {
	if g.Kind() != goals.KindClaimBounty {
		plan, _ := served(g)
		return templates[plan]
	}
	b := pl.seen.bounty(g.Subject())
	if b == nil {
		b = pl.seen.claim(g.Subject())
	}
	if b == nil {
		return nil
	}
	return bountySteps(b)
}

// bountySteps turns the requirements of a bounty into steps. Programs are not written by a plan:
// what comes next depends on how they ran (program.go).
func bountySteps(b *wire.BountyView) *template {
	for i := range b.Requirements {
		switch q := &b.Requirements[i]; q.Kind {
		case wire.RequirementKindMustCompile, wire.RequirementKindMustPassTests:
			return nil
		case wire.RequirementKindCustom:
			c, ok := q.Custom()
			switch {
			case !ok:
			case c.Check == wire.CheckOracleVerified && c.Kind != nil && c.Count != nil:
				return verifiedSteps(*c.Kind, *c.Count)
			case c.Check == wire.CheckOracleAnswered && c.Question != nil:
				return answeredSteps(*c.Question)
			}
		default: // nothing to do for the others
		}
	}
	return documentSteps
}

// answeredSteps delivers a bounty that asks for an entry about a question: it must name the
// question, and two others must find it accurate.
func answeredSteps(question wire.Hash) *template {
	steps := slices.Clone(answerSteps.steps)
	steps[1].Action = stepCodec.Bytes(&stepAction{"entry_publish", publishAnswer(question)})
	return &template{answerSteps.names, steps}
}

// answerSteps is the plan for no question in particular: all but the entry is the same for each.
var answerSteps = newTemplate([]templateStep{
	{"bounty_claim", `{"bounty_id":"$subject"}`, "answer_wanted", "bounty_mine"},
	{"entry_publish", publishAnswer(wire.Hash{}), "bounty_mine", ""},
	{"msg_post", askVerdicts, "may_post", "own_judged"},
	{"bounty_submit", submitNothing, "answer_verified", ""},
})

func publishAnswer(question wire.Hash) string {
	return `{"entry":{"kind":"FAQ","title":"A question and its answer","body":"An answer.","tags":["starlark"],"references":["` +
		question.String() + `"]},"review":"IMMEDIATE"}`
}

// maxVerified is how many verified entries a bounty may ask for before an agent
// thinks it is out of reach within a lease.
const maxVerified = 8

// verifiedSteps delivers a bounty that asks for verified entries of a kind.
func verifiedSteps(k wire.EntryKind, count uint32) *template {
	if count > maxVerified {
		return nil
	}
	publish := `{"entry":{"kind":"` + k.String() + `","title":"For a bounty","body":"For a bounty.","tags":["starlark"],"references":[]},"review":"IMMEDIATE"}`
	steps := []templateStep{{"bounty_claim", `{"bounty_id":"$subject"}`, "bounty_open", "bounty_mine"}}
	for i := range count { // an entry that was written for another goal counts as well
		written := "entries_written:" + k.String() + ":" + strconv.FormatUint(uint64(i)+1, 10)
		steps = append(steps, templateStep{"entry_publish", publish, "bounty_mine", written})
	}
	verified := "entries_verified:" + k.String() + ":" + strconv.FormatUint(uint64(count), 10)
	return newTemplate(append(
		steps,
		templateStep{"msg_post", askVerdicts, "may_post", "own_judged"},
		templateStep{"bounty_submit", submitNothing, verified, ""},
	))
}
