package ooda

import (
	"bytes"
	"strconv"

	"kingdom/goals"
	"kingdom/memory"
	"kingdom/wire"
)

// workReader keeps the notes of the agent's programs and reviews up to date.
type workReader struct{ *replyReader }

// followWorks updates the notes of works by the sandboxes in the view. A sandbox that is no longer there was dropped
// at the end of its cycle; that of a service, because its owner could not pay for it.
func (rr workReader) followWorks(v *wire.View) {
	for i := range rr.notes.Works {
		w := &rr.notes.Works[i]
		kept := w.Kind == memory.WorkService && (w.Stage == memory.WorkTried || w.Stage == memory.WorkDone)
		if w.Stage != memory.WorkSandboxed && w.Stage != memory.WorkRunning && !kept {
			continue
		}
		box := findSandbox(v.Sandboxes, w.Sandbox)
		switch {
		case box == nil:
			w.Stage, w.Sandbox = memory.WorkWritten, wire.Hash{}
		case kept:
		case box.State == wire.SandboxStateHalted:
			if w.Stage, w.Why = memory.WorkTried, nil; w.Kind != memory.WorkReview {
				rr.countRun(w, box)
			}
		case box.State == wire.SandboxStateFaulted:
			w.Stage, w.Why = memory.WorkFaulty, []byte("it faulted")
			if box.Fault != nil {
				w.Why = []byte("it faulted: " + box.Fault.String())
			}
			rr.learnFault("exec_start", w)
		}
	}
}

// takeProofs stores each delivered proof with the work that it belongs to.
func (rr workReader) takeProofs(v *wire.View) {
	for i := range v.Deliveries {
		p, ok := v.Deliveries[i].Body.(*wire.ExecutionProof)
		if !ok {
			continue
		}
		if w := rr.workWith(p.Program); w != nil && w.Stage == memory.WorkTried {
			w.Proof = wire.ExecutionProofCodec.Append(nil, p)
		}
	}
}

func findSandbox(list []wire.SandboxView, id wire.Hash) *wire.SandboxView {
	for i := range list {
		if list[i].ID == id {
			return &list[i]
		}
	}
	return nil
}

// noteWork updates the note of the work that a request was about.
func (rr workReader) noteWork(p *pending, r *wire.Reply) {
	switch q := p.payload.(type) {
	case *wire.RepoCreate:
		ack, ok := r.Body.(*wire.RepoCreateAck)
		switch {
		case ok && q.ForkOf != nil:
			rr.noteFork(*q.ForkOf, ack)
		case ok && q.Root != nil:
			w := rr.workFor(p, q.Objects)
			w.Repo, w.First, w.Snap, w.Tags = ack.RepoID, ack.SnapID, ack.SnapID, 0
			rr.written(w, *q.Root, q.Objects)
		}
		if ok {
			rr.noteName(ack.RepoID, q.Name)
		}
	case *wire.SnapCreate:
		ack, ok := r.Body.(*wire.SnapCreateAck)
		w := rr.notes.WorkOf(q.RepoID)
		if !ok || w == nil || q.Parent == nil || *q.Parent != w.Snap {
			return // a side branch
		}
		if w.Stage == memory.WorkFaulty {
			w.Tries++
		}
		w.Snap, w.Bound = ack.SnapID, wire.Hash{}
		if q.Proof != nil {
			w.Proof, w.Proven = nil, true
			return
		}
		rr.written(w, q.Root, q.Objects)
	case *wire.SandboxCreate:
		if ack, ok := r.Body.(*wire.SandboxCreateAck); ok {
			if w := rr.workWith(q.Code); w != nil {
				move(w, memory.WorkSandboxed, rr.seen.tick)
				w.Sandbox = ack.SandboxID
			}
		}
	case *wire.ExecStart:
		if w := rr.notes.WorkIn(q.SandboxID); w != nil {
			move(w, memory.WorkRunning, rr.seen.tick)
		}
	case *wire.BountySubmit:
		rr.noteDelivered(q.BountyID, r)
	case *wire.TagCreate:
		if w := rr.notes.WorkOf(q.Repo); w != nil {
			move(w, memory.WorkTagged, rr.seen.tick)
			w.Tags++
			if q.Publish != nil {
				rr.goals.tell(&goals.Fact{Kind: goals.FactRegistered, Subject: q.Repo})
			}
		}
	case *wire.DependencyAdd:
		if w := rr.notes.WorkOf(q.FromRepo); w != nil {
			w.Bound = q.ToTag
		}
	case *wire.ServiceCall:
		rr.notes.Called = rr.seen.cycle
	case *wire.SandboxKill:
		if w := rr.notes.WorkIn(q.SandboxID); w != nil {
			move(w, memory.WorkWritten, rr.seen.tick)
			w.Sandbox = wire.Hash{}
		}
	case *wire.ServiceCreate:
		if w := rr.notes.WorkIn(q.Sandbox); w != nil {
			move(w, memory.WorkDone, rr.seen.tick)
		}
	default:
		rr.noteReviewing(p, r)
	}
}

// noteName notes the name of a new repo, if the agent works in it.
func (rr workReader) noteName(repo wire.Hash, name []byte) {
	if w := rr.notes.WorkOf(repo); w != nil {
		w.Name = bytes.Clone(name[:min(len(name), memory.WorkName)])
	}
}

// noteWorkRefused learns from a refusal what is wrong with a work.
func (rr workReader) noteWorkRefused(payload any, err *wire.ErrorBody) {
	switch q := payload.(type) {
	case *wire.SandboxCreate:
		if w := rr.workWith(q.Code); w != nil && string(err.Message) == "program" {
			w.Stage, w.Why = memory.WorkFaulty, []byte("it is no program")
			rr.learnFault("sandbox_create", w)
		}
	case *wire.TagCreate: // its name is taken
		if w := rr.notes.WorkOf(q.Repo); w != nil {
			w.Tags++
		}
	case *wire.DependencyAdd:
		if w := rr.notes.WorkOf(q.FromRepo); w != nil {
			w.Bound = q.ToTag
		}
	case *wire.SnapGet, *wire.ObjectGet:
		_, id := subjectOf(payload)
		for i := range rr.notes.Works {
			if w := &rr.notes.Works[i]; w.Kind == memory.WorkReview && (w.Snap == id || w.Root == id || w.Code == id) {
				w.Stage = memory.WorkWritten // it has to be judged as it is
			}
		}
	}
}

// workFor begins the note of the work for which a new repo was created.
func (rr workReader) workFor(p *pending, objects *[]wire.InlineObject) *memory.WorkNote {
	if g := rr.agent.Goals.Get(p.goal); g != nil && g.Kind() == goals.KindClaimBounty {
		return rr.notes.BeginWork(memory.WorkDelivery, g.Subject(), rr.seen.tick)
	}
	if objects != nil {
		for i := range *objects {
			if bytes.Contains((*objects)[i].Data, []byte("def serve(")) {
				return rr.notes.BeginWork(memory.WorkService, wire.Hash{}, rr.seen.tick)
			}
		}
	}
	return rr.notes.BeginWork(memory.WorkModule, wire.Hash{}, rr.seen.tick)
}

// workWith returns the work whose program or test has a hash; nil: none.
func (rr workReader) workWith(code wire.Hash) *memory.WorkNote {
	for i := range rr.notes.Works {
		if w := &rr.notes.Works[i]; !code.IsZero() && (w.Code == code || w.Try == code) {
			return w
		}
	}
	return nil
}

// move notes that a work came to another stage.
func move(w *memory.WorkNote, to memory.WorkStage, at wire.Tick) {
	w.Stage, w.At = to, at
}

// written notes a new version of a program.
func (rr workReader) written(w *memory.WorkNote, root wire.Hash, objects *[]wire.InlineObject) {
	move(w, memory.WorkWritten, rr.seen.tick)
	w.Root, w.Sandbox, w.Uses = root, wire.Hash{}, wire.Hash{}
	w.Proof, w.Proven = nil, false
	if objects == nil {
		return
	}
	for i := range *objects {
		x := &(*objects)[i]
		if x.TypeTag == wire.ObjectTree && x.ID() == root {
			w.Code, w.Try = filesOf(entriesOf(x.Data))
		}
	}
	for i := range *objects {
		x := &(*objects)[i]
		if x.TypeTag != wire.ObjectAtom || x.ID() != w.Code {
			continue
		}
		w.Defines = definedIn(x.Data)
		for j := range rr.seen.libraries {
			if l := &rr.seen.libraries[j]; loads(x.Data, l.Description) {
				w.Uses = l.Repo
			}
		}
	}
}

// tryFile is the key of a tree under which an author keeps the test of its program.
const tryFile = "try.star"

// entriesOf decodes a tree and returns its entries; nil if the data is no tree.
func entriesOf(data []byte) []wire.TreeEntry {
	var tree wire.Tree
	if wire.TreeCodec.Decode(data, &tree) != nil {
		return nil
	}
	return tree.Entries
}

// filesOf finds the program and the test in a directory; zero where there is none.
func filesOf(entries []wire.TreeEntry) (program, try wire.Hash) {
	for i := range entries {
		switch e := &entries[i]; string(e.Key) {
		case wire.ProgramFile:
			program = e.Value
		case tryFile:
			try = e.Value
		}
	}
	return program, try
}

// loads reports whether a program loads the library that a description names.
func loads(program, description []byte) bool {
	i := bytes.Index(description, []byte("vault:"))
	const length = len("vault:") + 64
	return i >= 0 && len(description) >= i+length && bytes.Contains(program, description[i:i+length])
}

// noteDelivered notes the result of the checks of a delivery.
func (rr workReader) noteDelivered(bounty wire.Hash, r *wire.Reply) {
	w := rr.notes.Work(memory.WorkDelivery, bounty)
	ack, ok := r.Body.(*wire.BountySubmitAck)
	if w == nil || !ok {
		return
	}
	switch ack.Status {
	case wire.BountyStatusCompleted:
		move(w, memory.WorkDone, rr.seen.tick)
	case wire.BountyStatusReviewing, wire.BountyStatusSubmitted:
		move(w, memory.WorkSent, rr.seen.tick)
	default:
		move(w, memory.WorkFaulty, rr.seen.tick)
		w.Why = []byte("it failed a check of the bounty")
		rr.learnFault("bounty_submit", w)
		if ack.Failed != nil { // in the words of the test, which is another's
			w.Why = failedWhy(ack.Failed)
		}
	}
}

// failedWhy says which check a delivery does not pass, and why.
func failedWhy(f *wire.FailedCheck) []byte {
	why := "it failed " + f.Kind.String()
	if f.Line > 0 {
		why += ", line " + strconv.FormatUint(uint64(f.Line), 10) + " of the " + string(f.Program)
	}
	return append([]byte(why+": "), f.Why...)
}

// learnFault keeps as a lesson why a program failed.
func (rr workReader) learnFault(name string, w *memory.WorkNote) {
	row := rr.seen.action(name)
	if row == nil {
		return
	}
	kind, subject := goals.KindBuildLibrary, goals.SubjectNone
	if w.Kind == memory.WorkDelivery {
		kind, subject = goals.KindClaimBounty, goals.SubjectBounty
	}
	key := lessonKeyOf(row, kind, subject, w.About)
	rr.agent.Memory.Knowledge.LearnLesson(key, append([]byte("a program of mine: "), w.Why...), false, rr.seen.tick)
}
