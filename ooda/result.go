package ooda

import (
	"fmt"
	"unicode/utf8"

	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
)

// failureOf says why a result is a failure: a refusal or a fault; "": it is none.
func failureOf(r *wire.Reply) string {
	var fault *wire.FaultCode
	switch b := r.Body.(type) {
	case *wire.ExecResult:
		fault = b.Fault
	case *wire.ServiceResult:
		fault = b.Fault
	}
	switch {
	case r.Err != nil:
		return "refused: " + string(r.Err.Message)
	case fault != nil:
		return "it faulted: " + fault.String()
	}
	return ""
}

// How many bytes of a result are kept, as a prompt quotes them.
const (
	messageRoom = 200 // what went wrong
	outputRoom  = 400
	logRoom     = 300
)

// showResult keeps what the result of an act showed with the act, as is done with a reply, so that the next prompt
// shows it.
func (rr *replyReader) showResult(experience uint64, act *memory.Act, body any) {
	var things []memory.ReadThing
	switch b := body.(type) {
	case *wire.ExecResult:
		things = rr.readRun(b)
	case *wire.ServiceResult:
		things = rr.readCall(b)
	}
	if len(things) == 0 {
		return
	}
	look := memory.Reading{Experience: experience, Things: things}
	if act.Subject != nil {
		look.Subject = *act.Subject
	}
	rr.agent.Memory.Readings.Add(look)
}

// readRun shows the result of a run: first what went wrong. The program is the agent's own or, as far as that is known,
// of the author whose work it reviews.
func (rr *replyReader) readRun(b *wire.ExecResult) (out []memory.ReadThing) {
	author := wire.AgentID{}
	if w := rr.notes.WorkIn(b.SandboxID); w != nil && w.Kind == memory.WorkReview {
		if r := rr.seen.review(w.About); r != nil {
			author = r.Author
		}
	}
	if b.Fault != nil {
		x := memory.ReadThing{What: "fault", Author: author, Text: excerpt(b.Message, messageRoom)}
		if b.Line > 0 {
			x.What = fmt.Sprintf("fault in line %d", b.Line)
		}
		if b.Module != nil {
			x.What, x.ID = x.What+" of module", *b.Module
		}
		out = append(out, x)
	}
	if b.Fault == nil && len(b.Output) == 0 {
		out = append(out, memory.ReadThing{What: "no output"})
	}
	out = appendPart(out, "output", b.Output, outputRoom, author)
	return appendPart(out, "log", b.Log, logRoom, author)
}

// readCall shows the result of a call, in the words of the owner of the service if it is another agent's and in view.
func (rr *replyReader) readCall(b *wire.ServiceResult) (out []memory.ReadThing) {
	owner := wire.AgentID{}
	for i := range rr.seen.services {
		if s := &rr.seen.services[i]; s.ID == b.ServiceID {
			owner = s.Owner
		}
	}
	if b.Fault != nil && len(b.Message) > 0 {
		out = append(out, memory.ReadThing{What: "fault of the service", Author: owner, Text: excerpt(b.Message, messageRoom)})
	}
	return appendPart(out, "reply of the service", b.Data, outputRoom, owner)
}

// appendPart shows one part of a result and how much of it, nothing if it is empty.
func appendPart(out []memory.ReadThing, name string, text []byte, room int, author wire.AgentID) []memory.ReadThing {
	if len(text) == 0 {
		return out
	}
	kept := excerpt(text, room)
	what := name + ", " + llm.Count(uint64(len(text)), "byte")
	if len(kept) < len(text) {
		what += fmt.Sprintf(", the last %d left out", len(text)-len(kept))
	}
	return append(out, memory.ReadThing{What: what, Author: author, Text: kept})
}

// excerpt returns the beginning of a text that takes at most room bytes as a quotation, without its quotes. What is no
// text takes up to six times its length.
func excerpt(text []byte, room int) []byte {
	for n := min(len(text), room); ; {
		for back := 1; back < utf8.UTFMax && 0 < n && n < len(text) && !utf8.RuneStart(text[n]); back++ {
			n--
		}
		over := len(llm.Words(text[:n]).String()) - len(`""`) - room
		if over <= 0 {
			return text[:n]
		}
		n -= min(n, (over+5)/6)
	}
}
