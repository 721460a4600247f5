package forge

import (
	"strings"
	"testing"

	"kingdom/wire"
	"kingdom/wire/codec"
	"kingdom/world/forge/program"
)

// Running the program of a proof again under the same conditions confirms it, and under others names what differs.
func TestProofVerify_RerunNamesWhatDiffers(t *testing.T) {
	l := newLab(t)
	text := "load('vault:MODULE', 'half')\nemit(str(half(int(str(stdin)))))\nfor k in env:\n    emit(k)\nif half(3):\n    pass\n"
	module := l.atom(5, "def half(n):\n    return n // 2\n")
	text = strings.Replace(text, "MODULE", module.String(), 1)
	env := codec.BinMap{{Key: "k", Value: []byte("v")}}
	id := l.must(1, &wire.SandboxCreate{Code: l.atom(1, text), MemoryQuota: 65_536, TickBudget: 100, Input: []byte("42"), Environment: env}).Body.(*wire.SandboxCreateAck).SandboxID
	l.must(1, &wire.ExecStart{SandboxID: id})
	l.must(1, &wire.ProofRequest{SandboxID: id})
	proof := l.c.Deliveries[0].Message.Body.(*wire.ExecutionProof)
	load := func(id wire.Hash) ([]byte, error) {
		if o, ok := l.v.objects[id]; ok {
			return o.data, nil
		}
		return nil, program.ErrAbsent
	}
	good := Evidence{Source: []byte(text), Input: []byte("42"), Environment: env, TickBudget: 100, Memory: 65_536, Load: load}
	for name, c := range map[string]struct {
		edit func(p *wire.ExecutionProof, e *Evidence)
		want string // in the error, empty for none
	}{
		"right":            {func(*wire.ExecutionProof, *Evidence) {}, ""},
		"forged":           {func(p *wire.ExecutionProof, _ *Evidence) { p.TicksUsed++ }, "signature"},
		"another program":  {func(_ *wire.ExecutionProof, e *Evidence) { e.Source = append(e.Source, '\n') }, "source"},
		"another input":    {func(_ *wire.ExecutionProof, e *Evidence) { e.Input = []byte("43") }, "input"},
		"another output":   {func(_ *wire.ExecutionProof, e *Evidence) { e.Environment = nil }, "output differs"},
		"a smaller budget": {func(_ *wire.ExecutionProof, e *Evidence) { e.TickBudget = 1 }, "output differs"},
		"a missing module": {func(_ *wire.ExecutionProof, e *Evidence) {
			e.Load = func(wire.Hash) ([]byte, error) { return nil, program.ErrAbsent }
		}, "output differs"},
		"a module unread": {func(_ *wire.ExecutionProof, e *Evidence) {
			e.Load = func(wire.Hash) ([]byte, error) { return nil, program.ErrMissing }
		}, "is not there"},
		"other forge ticks": {func(p *wire.ExecutionProof, _ *Evidence) { p.TicksUsed++; p.Sign() }, "forge ticks"},
		"another trace":     {func(p *wire.ExecutionProof, _ *Evidence) { p.TraceHash[0]++; p.Sign() }, "trace"},
	} {
		p, e := *proof, good
		e.Source = append([]byte{}, good.Source...)
		c.edit(&p, &e)
		err := Verify(&p, e)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// prove runs a text as agent 0 and has the run proven.
func (l *lab) prove(text string) (sandbox wire.Hash, p *wire.ExecutionProof, ack *wire.ProofRequestAck) {
	l.t.Helper()
	sandbox = l.run(text).SandboxID
	ack = l.must(0, &wire.ProofRequest{SandboxID: sandbox}).Body.(*wire.ProofRequestAck)
	return sandbox, l.c.Deliveries[0].Message.Body.(*wire.ExecutionProof), ack
}

// Proved accepts the proofs that Forge made for runs that halted, and no others.
func TestProved_AcceptsProofsOfRunsThatHalted(t *testing.T) {
	l := newLab(t)
	_, halted, _ := l.prove("emit('x')\n")
	_, faulted, _ := l.prove("x = 1 // 0\n")
	changed := *halted
	changed.TicksUsed++
	changed.Sign()
	for name, c := range map[string]struct {
		proof *wire.ExecutionProof
		want  bool
	}{"halted": {halted, true}, "faulted": {faulted, false}, "changed": {&changed, false}} {
		if got := l.Proved(c.proof); got != c.want {
			t.Errorf("%s: %t, want %t", name, got, c.want)
		}
	}
}

// A proof that is asked for again stays as it was made first.
func TestProve_AgainChangesNothing(t *testing.T) {
	l := newLab(t)
	box, p, _ := l.prove("emit('x')\n")
	before, made := l.State().Hash(), l.sandboxes.proofs.Get(proofID(p)).Tick
	l.must(0, &wire.ProofRequest{SandboxID: box})
	if made != l.c.Tick-1 || l.State().Hash() != before {
		t.Errorf("made in tick %d, now %d; the state changed: %t", made, l.c.Tick, l.State().Hash() != before)
	}
}

// A proof costs twice the agent ticks of the run.
func TestProve_TakesTwiceTheTicksOfTheRun(t *testing.T) {
	l := newLab(t)
	box := l.must(0, &wire.SandboxCreate{Code: l.atom(0, "while True:\n    pass\n"), MemoryQuota: 65_536, TickBudget: 250}).Body.(*wire.SandboxCreateAck).SandboxID
	run := l.must(0, &wire.ExecStart{SandboxID: box}).Body.(*wire.ExecStartAck).Ticks
	proof := l.must(0, &wire.ProofRequest{SandboxID: box}).Body.(*wire.ProofRequestAck).Ticks
	if run != 3 || proof != 6 {
		t.Errorf("%d and %d ticks, want 3 and 6", run, proof)
	}
}

// The proof of a run that used up its budget is confirmed by the same budget.
func TestProofVerify_RunOutOfTicks(t *testing.T) {
	l := newLab(t)
	const text = "while True:\n    pass\n"
	_, p, _ := l.prove(text)
	if err := Verify(p, Evidence{Source: []byte(text), TickBudget: 100, Memory: 65_536}); err != nil {
		t.Error(err)
	}
}
