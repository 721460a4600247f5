package scripted

import (
	"bytes"

	"kingdom/llm"
	"kingdom/wire"
)

// params writes the parameters of the choice.
func (w *writer) params() {
	switch payload := w.a.Params.(type) {
	case *wire.EntryPublish:
		w.entry(payload)
	case *wire.EntryUpdate:
		w.update(payload)
	case *wire.EntryVerify:
		w.verdict(payload)
	case *wire.MsgPost:
		w.message(payload)
	case *wire.BountyReview:
		w.bountyReview(payload)
	case *wire.ReviewSubmit:
		w.review(payload)
	case *wire.ProposalVote:
		w.vote(payload)
	case *wire.SignalSend:
		w.signal(payload)
	case *wire.RepoCreate:
		w.repo(payload)
	case *wire.SnapCreate:
		w.snap(payload)
	case *wire.TagCreate:
		w.tag(payload)
	case nil:
		w.raw(`{}`)
	default:
		w.dst = w.a.Action.AppendJSON(w.dst, w.a.Params)
	}
}

// entry composes an Oracle entry of the kind offered. The careful write more
// kinds of blocks, the careless wrong code.
func (w *writer) entry(payload *wire.EntryPublish) {
	f := findWorldTopic(w.a.Text)
	if f == nil {
		f = w.pick()
	}
	w.raw(`{"entry":{"kind":`)
	w.str(payload.Entry.Kind.String())
	w.raw(`,"title":`)
	w.str(f.title)
	w.raw(`,"body":[`)
	w.body(f, w.chance(w.careless()))
	w.raw(`],"tags":[`)
	if f.right != "" {
		w.raw(`"starlark",`)
	}
	w.str(f.topic)
	w.raw(`],"references":`)
	w.hashes(payload.Entry.References)
	w.raw(`},"review":`)
	w.str(payload.Review.String())
	w.raw(`}`)
}

// body writes content blocks.
func (w *writer) body(f *fragment, wrong bool) {
	source := f.right
	if wrong {
		source = f.wrong
	}
	if source != "" {
		w.raw(`{"CODE":{"language":"starlark","source":`)
		w.str(source)
		w.raw(`}},`)
	}
	w.raw(`{"PARAGRAPH":{"text":`)
	w.str(f.sentence)
	w.raw(`}}`)
	care := 1 - float64(w.p.Speed)
	if source != "" && w.chance(care) {
		w.raw(`,{"EXAMPLE":{"input":`)
		w.str(f.input)
		w.raw(`,"expected_output":`)
		w.str(f.output)
		w.raw(`,"forge_verified":false}}`)
	}
	if f.caution != "" && w.chance(care) {
		w.raw(`,{"WARNING":{"severity":"CAUTION","text":`)
		w.str(f.caution)
		w.raw(`}}`)
	}
	if w.chance(care) {
		w.raw(`,{"DEFINITION":{"term":`)
		w.str(f.topic)
		w.raw(`,"meaning":`)
		w.str(f.sentence)
		w.raw(`}}`)
	}
}

func (w *writer) update(payload *wire.EntryUpdate) {
	f := findTopic(w.a.Text)
	if f == nil {
		f = w.pick()
	}
	w.raw(`{"entry_id":`)
	w.hash(payload.EntryID)
	w.raw(`,"new_body":[`)
	w.body(f, w.chance(float64(0.5*w.careless())))
	w.raw(`],"change_note":"checked the code again"}`)
}

// verdict judges an entry by its words: a known wrong program is found by most,
// a right one is now and then misjudged.
func (w *writer) verdict(payload *wire.EntryVerify) {
	v, why := wire.VerdictAccurate, "read it; nothing contradicts it"
	fault := findFault(w.a.Text)
	slip := w.chance(float64(0.5 * w.careless()))
	switch {
	case fault != nil && !slip:
		v, why = wire.VerdictInaccurate, fault.caution
	case fault != nil:
		why = "looks right"
	case slip && w.chance(0.5):
		v, why = wire.VerdictPartiallyAccurate, "could not check every claim"
	case slip:
		v, why = wire.VerdictInaccurate, "the example failed for me"
	case len(w.a.Text) < 200 && w.chance(0.3):
		v, why = wire.VerdictPartiallyAccurate, "right, but there is no example"
	}
	w.raw(`{"entry_id":`)
	w.hash(payload.EntryID)
	w.raw(`,"verdict":`)
	w.str(v.String())
	w.raw(`,"evidence":`)
	w.str(why)
	w.raw(`,"references":[]}`)
}

// message composes a post. The agent's alias and the cycle make it a text that
// the channel has not seen.
func (w *writer) message(payload *wire.MsgPost) {
	f := findTopic(w.a.Text)
	if f == nil {
		f = findWorldTopic(w.a.Text)
	}
	if f == nil {
		f = w.pick()
	}
	w.raw(`{"channel":`)
	w.hash(payload.Channel)
	w.raw(`,"kind":`)
	w.str(payload.Kind.String())
	w.raw(`,"content":{"text":"`)
	switch w.a.Compose {
	case llm.ComposeQuestion:
		if w.chance(0.5) {
			w.phrase(worldQuestions[w.rng.IntN(len(worldQuestions))], worldTopics[w.rng.IntN(len(worldTopics))].topic)
		} else {
			w.phrase(questions[w.rng.IntN(len(questions))], f.topic)
		}
	case llm.ComposeAnswer:
		w.raw(`To `)
		w.raw(w.a.Author)
		w.raw(`: `)
		w.raw(f.topic)
		if w.chance(w.careless()) {
			w.raw(`: I think it cannot be done without a class.`)
		} else {
			w.raw(`: `)
			w.raw(f.sentence)
		}
	case llm.ComposeCall:
		w.raw(`Calling `)
		w.raw(wire.AgentID(payload.References[0]).Alias())
		w.raw(`: are you there? Somebody should look at `)
		w.raw(f.topic)
	default:
		w.phrase(announcements[w.rng.IntN(len(announcements))], f.topic)
	}
	w.raw(` (`)
	w.raw(w.p.Alias)
	w.raw(`, cycle `)
	w.num(uint64(w.p.Cycle))
	w.raw(`.`)
	w.num(w.p.Slot)
	w.raw(`)"},"references":`)
	w.hashes(payload.References)
	w.raw(`,"confidence":`)
	w.ratio(0.4 + float64(0.6*w.rng.Float64()))
	w.raw(`}`)
}

func (w *writer) bountyReview(payload *wire.BountyReview) {
	v := payload.Verdict
	why := "meets its requirements"
	if w.a.Compose == llm.ComposeReview {
		if fault := w.faultOf(); fault != "" && !w.chance(float64(0.5*w.careless())) {
			v, why = wire.BountyVerdictReject, fault
		} else if w.chance(0.1) {
			v, why = wire.BountyVerdictReject, "does not do what was asked"
		}
	} else if v == wire.BountyVerdictDispute {
		why = "it passes its tests"
	}
	w.raw(`{"bounty_id":`)
	w.hash(payload.BountyID)
	w.raw(`,"verdict":`)
	w.str(v.String())
	w.raw(`,"comments":`)
	w.str(why)
	w.raw(`}`)
}

func (w *writer) review(payload *wire.ReviewSubmit) {
	v, why := wire.ReviewVerdictApprove, "read the change"
	if fault := w.faultOf(); fault != "" && !w.chance(float64(0.5*w.careless())) {
		v, why = wire.ReviewVerdictRequestChanges, fault
	} else if w.chance(0.15) {
		v = wire.ReviewVerdictRequestChanges
	}
	w.raw(`{"request":`)
	w.hash(payload.Request)
	w.raw(`,"verdict":`)
	w.str(v.String())
	w.raw(`,"comments":[],"overall":`)
	w.str(why)
	w.raw(`}`)
}

// vote follows the social: they favour what helps all. An offer to vote against is a judgement
// that stands.
func (w *writer) vote(payload *wire.ProposalVote) {
	yes := payload.Vote && w.chance(0.6+float64(0.35*float64(w.p.Collab)))
	w.raw(`{"proposal_id":`)
	w.hash(payload.ProposalID)
	if yes {
		w.raw(`,"vote":true}`)
		return
	}
	w.raw(`,"vote":false}`)
}

// signal judges a message. Kinds that need a reference are not composed.
func (w *writer) signal(payload *wire.SignalSend) {
	kind := payload.Kind
	if f := findTopic(w.a.Text); f != nil && bytes.Contains(w.a.Text, []byte("cannot be done")) && !w.chance(w.careless()) {
		kind = wire.SignalKindDisagree
	}
	w.raw(`{"target":`)
	w.hash(payload.Target)
	w.raw(`,"kind":`)
	w.str(kind.String())
	w.raw(`,"reference":null}`)
}
