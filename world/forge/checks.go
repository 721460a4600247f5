package forge

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"

	"kingdom/wire"
	"kingdom/world"
	"kingdom/world/forge/program"
)

// checkMemory is the memory quota of a check, in bytes.
const checkMemory = maxMemory

// checkRun runs the checks of a submission and holds their result.
type checkRun struct {
	loader *loader
	done   bool
	failed *wire.FailedCheck // the first check that fails; nil: none does
	ticks  uint64
}

// CheckTask returns the task that runs the checks of work for the request in seat. If the claimer's CPU quota is too
// small, the request will be refused and nothing is run.
func (d *Daemon) CheckTask(t wire.Tick, seat int, work world.Submission) world.Task {
	if d.cpu.left(work.Claimer) < work.Limit() {
		return world.Task{Seats: []int{seat}, Run: func(world.Answer) []any { return []any{nil} }}
	}
	x := &checkRun{loader: d.newLoader(t)}
	return world.Task{
		Seats: []int{seat},
		Reads: func() []wire.Missing {
			x.run(&work)
			return x.loader.takeMissing()
		},
		Run: func(world.Answer) []any {
			x.loader.closed = true
			return []any{x}
		},
	}
}

// Check returns the first check that work fails, nil if it passes all, and charges its claimer for the checks. Checks that
// were not prepared are refused: when the tick began the work had to be refused for another reason, which an earlier
// request of this tick has removed.
func (d *Daemon) Check(c *world.Context, prepared any, work world.Submission) (failed *wire.FailedCheck, r *world.Refusal) {
	if r := d.cpu.require(c, work.Claimer, work.Limit()); r != nil {
		return nil, r
	}
	x, ok := prepared.(*checkRun)
	if !ok {
		return nil, refusal(wire.CategoryConflict, "busy")
	}
	if !x.done {
		panic("forge: what " + work.Claimer.Alias() + " submits was not checked in the prepare stage")
	}
	d.cpu.charge(work.Claimer, x.ticks)
	return x.failed, nil
}

// run makes the checks in order until one fails. If something is not loaded yet it stops; the next call starts over.
func (x *checkRun) run(work *world.Submission) {
	x.ticks, x.failed = 0, nil
	for i := 0; i < len(work.Checks) && x.failed == nil; i++ {
		ok := false
		if x.failed, ok = x.check(work, &work.Checks[i]); !ok {
			return
		}
	}
	x.done = true
}

// check makes one check. ok is false if something is not loaded yet.
func (x *checkRun) check(work *world.Submission, check *world.ProgramCheck) (failed *wire.FailedCheck, ok bool) {
	text, ok := x.file(work.Claimer, work.Snap, check.Path)
	if !ok || text == nil {
		return failedCheck(check, "", 0, "the snap has no file "+string(check.Path)+" that you may read"), ok
	}
	// The claimer pays for reading the text as for loading a module in a run: out of the ticks of the check.
	reading := min(parseTicks(len(text)), check.Ticks)
	x.ticks += reading
	if reading == check.Ticks {
		failed = failedCheck(check, submitted, 0, fmt.Sprintf("reading the file takes %d forge ticks, and the requirement has %d", parseTicks(len(text)), check.Ticks))
		failed.Fault = faultOf(program.OutOfTicks)
		return failed, true
	}
	subject, err := program.CompileAs(submitted, text)
	if err != nil {
		return compileFailure(check, submitted, err), true
	}
	j := job{owner: work.Claimer, code: subject, input: program.Input{Steps: (check.Ticks - reading) * program.StepsPerTick, Memory: checkMemory}}
	self := submitted // name of the program that is run
	switch {
	case check.Test != nil:
		test, err := x.loader.read(readKey{kind: program.KindLoad, id: *check.Test})
		if err != nil {
			return failedCheck(check, tester, 0, "the test cannot be read"), !errors.Is(err, program.ErrMissing)
		}
		if j.code, err = x.loader.programs.CompileReadOnly(test); err != nil {
			return compileFailure(check, tester, err), true
		}
		self = tester
		j.input.Stdin = text
		j.input.Bind = map[string]*program.Program{submitted: subject}
	case subject.Exports("main"): // run its top level alone: a program that loads it does not call main
		if j.code, err = x.loader.programs.CompileReadOnly([]byte(`load("submission", "main")`)); err != nil {
			panic("forge: the program that loads a submission does not compile: " + err.Error())
		}
		j.input.Bind = map[string]*program.Program{submitted: subject}
	}
	r, ok := x.loader.run(j)
	if !ok {
		return nil, false
	}
	x.ticks += r.Ticks()
	if r.State == program.Halted {
		return nil, true
	}
	failed = failedCheck(check, cmp.Or(r.Module, self), r.Line, r.Message)
	failed.Fault = faultOf(r.Fault)
	return failed, true
}

// file returns the text of an ATOM under the tree of a snap, nil if there is none that a may read. The keys of path are
// separated by slashes. ok is false if something is not loaded yet.
func (x *checkRun) file(a wire.AgentID, snap wire.Hash, path []byte) (text []byte, ok bool) {
	at, known := x.loader.code.Root(snap)
	if !known {
		return nil, true
	}
	for _, key := range bytes.Split(path, []byte("/")) {
		tree, ok := x.loader.tree(at, a)
		if tree == nil {
			return nil, ok
		}
		if at, known = entryOf(tree, key); !known {
			return nil, true
		}
	}
	text, err := x.loader.read(readKey{program.KindLoad, at, a})
	if err != nil {
		return nil, !errors.Is(err, program.ErrMissing)
	}
	if text == nil {
		text = []byte{}
	}
	return text, true
}

// tree reads a TREE. t is nil if there is none that a may read; ok is false if it is not loaded yet.
func (x *loader) tree(id wire.Hash, a wire.AgentID) (t *wire.Tree, ok bool) {
	if o, _ := x.code.Object(id); o.Type != wire.ObjectTree {
		return nil, true
	}
	data, err := x.read(readKey{program.KindVault, id, a})
	if err != nil {
		return nil, !errors.Is(err, program.ErrMissing)
	}
	t = &wire.Tree{}
	if err := wire.TreeCodec.DecodeCanonical(data, t); err != nil {
		panic("forge: the stored tree " + id.String() + " cannot be read: " + err.Error())
	}
	return t, true
}

func entryOf(t *wire.Tree, key []byte) (wire.Hash, bool) {
	for i := range t.Entries {
		if bytes.Equal(t.Entries[i].Key, key) {
			return t.Entries[i].Value, true
		}
	}
	return wire.Hash{}, false
}

// AgentLeft stops the services of an agent that is DEAD, and ends its sandboxes.
func (d *Daemon) AgentLeft(c *world.Context, a wire.AgentID) {
	for _, id := range append([]wire.Hash{}, d.sandboxes.byOwner[a]...) {
		d.end(c, id, me)
	}
}
