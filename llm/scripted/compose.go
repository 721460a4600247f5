package scripted

import (
	"bytes"
	"strconv"
	"strings"

	"kingdom/llm"
	"kingdom/wire"
	"kingdom/wire/codec"
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

// entry composes an Oracle entry of the kind offered: it states what the agent has counted, or shows a
// pattern of Starlark that it knows.
func (w *writer) entry(payload *wire.EntryPublish) {
	f := w.a.Finding
	if f == nil {
		w.dst = w.a.Action.AppendJSON(w.dst, payload)
		return
	}
	w.raw(`{"entry":{"kind":`)
	w.str(payload.Entry.Kind.String())
	w.raw(`,"title":`)
	w.str(f.Title)
	w.raw(`,"body":[`)
	if !w.isDefective() {
		w.body(f, 1)
	}
	w.raw(`],"tags":[`)
	w.str(f.Tag)
	w.raw(`,`)
	if f.Pattern {
		w.str(f.Subject)
	} else {
		w.str(tagOf(f.Subject) + "-" + f.Tag)
	}
	w.raw(`],"references":`)
	w.hashes(payload.Entry.References)
	w.raw(`},"review":`)
	w.str(payload.Review.String())
	w.raw(`}`)
}

// tagOf makes one word of a subject.
func tagOf(subject string) string { return strings.ReplaceAll(strings.ToLower(subject), " ", "-") }

// body writes content blocks. share scales the usual probability of mistakes: 1 for a new entry, 0.5 for an update, which
// the agent checks more carefully.
func (w *writer) body(f *llm.Finding, share float64) {
	if f.Pattern {
		if p := findTopic([]byte(f.Subject)); p != nil {
			w.pattern(p, w.chance(float64(share*w.careless())))
			return
		}
	}
	says := f.Says
	if w.chance(float64(share * w.hasty())) {
		says = misstate(f)
	}
	w.raw(`{"ASSERTION":{"claim":`)
	w.str(says)
	w.raw(`,"proof":null,"confidence":`)
	w.ratio(float64(f.N) / float64(f.N+1))
	w.raw(`}},{"PARAGRAPH":{"text":`)
	w.str("Counted by " + w.p.Alias + " itself: " + strconv.FormatUint(uint64(f.N), 10) + " observations up to cycle " +
		strconv.FormatUint(f.Cycle, 10) + ", the newest sixteen weighing most.")
	w.raw(`}}`)
	if w.careful() {
		w.raw(`,{"DEFINITION":{"term":`)
		w.str(f.Subject)
		w.raw(`,"meaning":`)
		w.str("what this is about; more of its kind is under " + f.Tag)
		w.raw(`}}`)
	}
}

// careful draws with probability 1 - speed.
func (w *writer) careful() bool { return w.chance(1 - float64(w.p.Speed)) }

// pattern writes the blocks of a pattern of Starlark. The careful write more kinds of blocks.
func (w *writer) pattern(f *fragment, wrong bool) {
	source := f.right
	if wrong {
		source = f.wrong
	}
	w.raw(`{"CODE":{"language":"starlark","source":`)
	w.str(source)
	w.raw(`}},{"PARAGRAPH":{"text":`)
	w.str(f.sentence)
	w.raw(`}}`)
	if w.careful() {
		w.raw(`,{"EXAMPLE":{"input":`)
		w.str(f.input)
		w.raw(`,"expected_output":`)
		w.str(f.output)
		w.raw(`,"forge_verified":false}}`)
	}
	if w.careful() {
		w.raw(`,{"WARNING":{"severity":"CAUTION","text":`)
		w.str(f.caution)
		w.raw(`}}`)
	}
}

func (w *writer) update(payload *wire.EntryUpdate) {
	f := w.a.Finding
	if f == nil {
		w.dst = w.a.Action.AppendJSON(w.dst, payload)
		return
	}
	w.raw(`{"entry_id":`)
	w.hash(payload.EntryID)
	w.raw(`,"new_body":[`)
	if !w.isDefective() {
		w.body(f, 0.5)
	}
	w.raw(`],"change_note":`)
	w.dst = codec.AppendJSONString(w.dst, payload.ChangeNote)
	w.raw(`}`)
}

// verdict judges an entry: what it states by what the agent has counted itself, a program by its
// words. A known mistake is found by those who know the topic; they misjudge little else.
func (w *writer) verdict(payload *wire.EntryVerify) {
	v, why := wire.VerdictAccurate, "read it; nothing that I know contradicts it"
	if own, said := w.a.Finding, w.a.Said; own != nil && said != nil {
		v, why = own.Verdict(said), "My own count: "+own.Says
	} else if fault := findFault(w.a.Text); fault != nil && !w.chance(w.careless()) {
		v, why = wire.VerdictInaccurate, fault.caution
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
	w.raw(`{"channel":`)
	w.hash(payload.Channel)
	w.raw(`,"kind":`)
	w.str(payload.Kind.String())
	w.raw(`,"content":{"text":`)
	w.str(w.words(payload) + " (" + w.p.Alias + ", cycle " + strconv.FormatUint(uint64(w.p.Cycle), 10) + "." + strconv.FormatUint(w.p.Slot, 10) + ")")
	w.raw(`},"references":`)
	w.hashes(payload.References)
	w.raw(`,"confidence":`)
	w.ratio(w.confidence())
	w.raw(`}`)
}

// words are what a post says.
func (w *writer) words(payload *wire.MsgPost) string {
	f := w.a.Finding
	switch w.a.Compose {
	case llm.ComposeQuestion:
		return w.question()
	case llm.ComposeAnswer:
		return "To " + w.a.Author + ": " + w.reply()
	case llm.ComposeArgument:
		text := "I propose: " + string(w.a.Text)
		if f != nil {
			text += " " + f.Says + "."
		}
		return text
	case llm.ComposeCall:
		return w.call(wire.AgentID(payload.References[0]).Alias())
	default:
		if f == nil {
			return "I am at work for " + w.purpose() + "."
		}
		if f.Pattern {
			return "My newest entry in Oracle is " + f.Title + ". A reader who tries the program would help."
		}
		return "My newest entry in Oracle: " + f.Says + ranking(f) + "." + exampleOf(f) + " Who has counted otherwise should say so."
	}
}

// ranking says how many of the other findings of its kind have a lower value.
func ranking(f *llm.Finding) string {
	others := strconv.FormatUint(uint64(f.Among), 10)
	switch {
	case f.Among == 0:
		return ""
	case f.Above == f.Among:
		return ", more than each of " + others + " others that I have counted"
	case f.Above == 0:
		return ", less than any of " + others + " others that I have counted"
	default:
		return ", more than " + strconv.FormatUint(uint64(f.Above), 10) + " of " + others + " others that I have counted"
	}
}

// exampleOf names a thing that is an example of a finding.
func exampleOf(f *llm.Finding) string {
	if len(f.Shows) == 0 {
		return ""
	}
	return " I think of " + strconv.Quote(string(f.Shows)) + "."
}

// call returns the text that calls a sleeper and says what for.
func (w *writer) call(sleeper string) string {
	text := "Calling " + sleeper + ": are you there?"
	switch f := w.a.Finding; {
	case f != nil && f.Asks != "":
		return text + " Nobody has told me yet: " + f.Asks + " You write about " + f.Tag + "."
	case f != nil:
		return text + " My entry " + strconv.Quote(f.Title) + " waits for verdicts, and you write about " + f.Tag + "."
	}
	if len(w.a.Text) > 0 {
		return text + " You hold my bounty " + strconv.Quote(string(w.a.Text)) + ", and I wait for it."
	}
	return text
}

// question asks for what the agent wants to know, and says what for.
func (w *writer) question() string {
	f := w.a.Finding
	if f == nil {
		return "What should I know for " + w.purpose() + "?"
	}
	text := f.Asks + " I ask for " + w.purpose()
	switch thing := strconv.Quote(string(w.a.Text)); {
	case w.a.Before != "":
		text += ", before I try " + w.a.Before + " on " + thing
	case len(w.a.Text) > 0:
		text += ", because of " + thing
	}
	if f.N > 0 {
		text += "; I have seen it " + strconv.FormatUint(uint64(f.N), 10) + " times only"
	}
	if b := w.a.Besides; b != nil {
		text += ". What I have counted: " + b.Says
	}
	return text + "."
}

// reply says what the agent knows of a question, and what else of the same.
func (w *writer) reply() string {
	f := w.a.Finding
	if f == nil {
		if p := findTopic(w.a.Text); p != nil {
			return w.advice(p)
		}
		return "I have seen nothing of that myself."
	}
	if p := findTopic([]byte(f.Subject)); f.Pattern && p != nil {
		return w.advice(p)
	}
	text := f.Says + ", by my own count" + ranking(f) + "." + exampleOf(f)
	if b := w.a.Besides; b != nil {
		text += " Besides: " + b.Says + "."
	}
	return text
}

// advice explains a pattern of Starlark. It may be wrong if the agent does not know the topic.
func (w *writer) advice(p *fragment) string {
	if w.chance(w.careless()) {
		return p.topic + ": I think it cannot be done without a class."
	}
	return p.topic + ": " + p.sentence + " So " + p.input + " gives " + p.output + "."
}

// confidence returns how sure the agent is of what it writes: n/(n+1) for what it has counted n times.
func (w *writer) confidence() float64 {
	if f := w.a.Finding; f != nil && f.N > 0 {
		return float64(f.N) / float64(f.N+1)
	}
	return w.a.Know
}

func (w *writer) bountyReview(payload *wire.BountyReview) {
	v := payload.Verdict
	why := string(payload.Comments)
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
		v, why = wire.ReviewVerdictRequestChanges, "I would do it in another way"
	}
	w.raw(`{"request":`)
	w.hash(payload.Request)
	w.raw(`,"verdict":`)
	w.str(v.String())
	w.raw(`,"comments":[],"overall":`)
	w.str(why)
	w.raw(`}`)
}

// vote repeats the vote of the offer, which follows from what the agent expects of the proposal.
func (w *writer) vote(payload *wire.ProposalVote) {
	w.raw(`{"proposal_id":`)
	w.hash(payload.ProposalID)
	w.raw(`,"vote":` + strconv.FormatBool(payload.Vote) + `}`)
}

// signal judges a message as the offer does, by what the agent has counted. What only the mind knows, a pattern
// of Starlark, it judges itself.
func (w *writer) signal(payload *wire.SignalSend) {
	kind := payload.Kind
	if w.a.Said == nil && findTopic(w.a.Text) != nil && bytes.Contains(w.a.Text, []byte("cannot be done")) && !w.chance(w.careless()) {
		kind = wire.SignalKindDisagree
	}
	w.raw(`{"target":`)
	w.hash(payload.Target)
	w.raw(`,"kind":`)
	w.str(kind.String())
	w.raw(`,"reference":`)
	if payload.Reference != nil {
		w.hash(*payload.Reference)
	} else {
		w.raw(`null`)
	}
	w.raw(`}`)
}
