package program

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"strings"

	"go.starlark.net/starlark"

	"kingdom/wire"
)

// Run executes a program: its top level, then main(stdin) if main is callable, or the
// function of in.Call.
func Run(in Input) (res Result) {
	r := newRun(&in)
	defer func() {
		// No panic of the interpreter is known that the guards let through; if there is one, it is
		// a fault of the program that provoked it, the same on every machine.
		if p := recover(); p != nil {
			res = r.result(nil, nil, faultf(InvalidInstruction, "panic: %v", p))
		}
	}()
	reply, state, err := r.execute()
	if err == nil {
		err = r.measureLive()
	}
	return r.result(reply, state, err)
}

// run is the state of one run.
type run struct {
	in     *Input
	thread *starlark.Thread
	guard  *guard
	names  starlark.StringDict // predeclared names

	modules map[string]*module  // by the name in the load line
	loaded  []*module           // the same, in the order of the loads
	loading []*Program          // the program and, within it, what it is loading; the last one runs
	globals starlark.StringDict // of the program, once its top level has run

	out   []byte
	log   []byte
	trace trace

	missing *Missing
	live    uint64 // estimated live size in bytes, when last measured
}

func newRun(in *Input) *run {
	r := &run{in: in, modules: map[string]*module{}, trace: trace{sha256.New()}}
	r.thread = &starlark.Thread{Name: "forge", Load: r.load, OnMaxSteps: r.onStepLimit, Print: r.print}
	r.thread.SetMaxExecutionSteps(r.nextCheck())
	m := &meter{thread: r.thread, budget: in.Steps, quota: in.Memory}
	r.guard = &guard{meter: m, keys: tables{m: m, collisions: map[uint32]*collision{}}}
	r.names = r.predeclared()
	return r
}

func (r *run) execute() (reply, state []byte, err error) {
	p := r.in.Program
	r.loading = []*Program{p}
	globals, err := p.code.Init(r.thread, r.names)
	r.globals = globals
	if err != nil {
		return nil, nil, err
	}
	if c := r.in.Call; c != nil {
		return r.call(c, globals)
	}
	main, ok := globals["main"].(starlark.Callable)
	if !ok {
		return nil, nil, nil
	}
	v, err := starlark.Call(r.thread, main, starlark.Tuple{starlark.Bytes(r.in.Stdin)}, nil)
	if err != nil {
		return nil, nil, err
	}
	text, err := r.text(v)
	if err != nil {
		return nil, nil, err
	}
	return nil, nil, r.write(string(text))
}

// call runs the function of a service. A pair is reply and new state, anything else a reply.
func (r *run) call(c *Call, globals starlark.StringDict) (reply, state []byte, err error) {
	f, ok := globals[c.Name].(starlark.Callable)
	if !ok || !isName(c.Name) {
		return nil, nil, faultf(InvalidAddress, "no global function %s", truncate(c.Name))
	}
	old := starlark.Value(starlark.None)
	if len(c.State) > 0 {
		if old, err = r.fromJSON(string(c.State)); err != nil {
			return nil, nil, faultf(InvalidInstruction, "state: %s", err)
		}
	}
	v, err := starlark.Call(r.thread, f, starlark.Tuple{starlark.Bytes(c.Data), old}, nil)
	if err != nil {
		return nil, nil, err
	}
	if pair, ok := v.(starlark.Tuple); ok && len(pair) == 2 {
		if state, err = r.toJSON(pair[1]); err != nil {
			return nil, nil, err
		}
		if len(state) > MaxState {
			return nil, nil, faultf(ChannelError, "new state of %d bytes as JSON, at most %d", len(state), MaxState)
		}
		v = pair[0]
	}
	if reply, err = r.text(v); err == nil && len(reply) > MaxOutput {
		err = faultf(ChannelError, "reply of %d bytes, at most %d", len(reply), MaxOutput)
	}
	return reply, state, err
}

// text returns the bytes that a value has on a channel: strings and bytes as they are, nothing for None, JSON for all else.
func (r *run) text(v starlark.Value) ([]byte, error) {
	switch v := v.(type) {
	case starlark.NoneType:
		return nil, nil
	case starlark.String:
		return []byte(v), nil
	case starlark.Bytes:
		return []byte(v), nil
	}
	return r.toJSON(v)
}

// nextCheck returns the step at which the interpreter calls onStepLimit next: the next multiple of 1,000, or the first
// step beyond the budget.
func (r *run) nextCheck() uint64 {
	next := (r.thread.Steps/StepsPerTick + 1) * StepsPerTick
	if r.in.Steps < next {
		return r.in.Steps + 1
	}
	return next
}

// onStepLimit is called by the interpreter at the step that nextCheck returned. It extends the trace and checks the
// limits of the run.
func (r *run) onStepLimit(t *starlark.Thread) {
	depth := t.CallStackDepth()
	var line int32
	if depth > 0 {
		line = t.CallFrame(0).Pos.Line
	}
	r.trace.tick(t.Steps, uint32(depth), uint32(line))
	switch {
	case t.Steps > r.in.Steps:
		t.Cancel(cancelTicks)
	case depth > MaxDepth:
		t.Cancel(cancelDepth)
	default:
		g := r.guard
		g.sinceMeasure += (t.Steps - g.countedSteps) * unseenPerStep
		g.countedSteps = t.Steps
		if g.sinceMeasure >= max(firstMeasure, r.live) && r.measureLive() != nil {
			t.Cancel(cancelMemory)
		}
	}
	t.SetMaxExecutionSteps(r.nextCheck())
}

// measureLive estimates the live size and ends the run if that exceeds the quota.
func (r *run) measureLive() error {
	r.live, r.guard.sinceMeasure = r.liveSize(r.globals), 0
	if r.in.probe != nil {
		r.in.probe()
	}
	if r.live > r.in.Memory {
		return r.guard.trip(OutOfMemory, cancelMemory)
	}
	return nil
}

// Reasons given to Thread.Cancel. faultOf recognises them in the error.
const (
	cancelTicks  = "step budget used up"
	cancelDepth  = "call depth above 1000"
	cancelMemory = "live size above the memory quota"
)

func (r *run) result(reply, state []byte, err error) Result {
	res := Result{State: Halted, Steps: r.thread.Steps, Memory: r.live, Output: r.out, Log: r.log, Reply: reply, NewState: state}
	if r.missing != nil {
		return Result{State: Stopped, Missing: r.missing}
	}
	switch f := r.guard.fault; {
	case f != nil:
		err = &faultAt{f, err}
	case err == nil && r.thread.Steps > r.in.Steps:
		err = faultf(OutOfTicks, cancelTicks)
	}
	res.Steps = min(res.Steps, r.in.Steps)
	if err == nil {
		r.trace.halt(res.Steps)
	} else {
		res.State, res.Reply, res.NewState = Faulted, nil, nil
		res.Fault = faultOf(err)
		res.Message = truncate(err.Error())
		res.Module, res.Line = faultPosition(err)
		r.trace.fault(res.Fault, res.Steps)
	}
	res.Trace = r.trace.sum()
	return res
}

// faultPosition returns the module and line of the innermost Starlark frame of an error. If the top level of a module
// failed, that is a frame of the module, not the load line.
func faultPosition(err error) (module string, line uint32) {
	var e *starlark.EvalError
	if !errors.As(err, &e) {
		return "", 0
	}
	for inner := e; errors.As(e.Unwrap(), &inner); {
		e = inner
	}
	for i := len(e.CallStack) - 1; i >= 0; i-- {
		if pos := e.CallStack[i].Pos; pos.Line > 0 {
			if module = pos.Filename(); module == "<invalid>" { // what an empty name is called
				module = ""
			}
			return module, uint32(pos.Line)
		}
	}
	return "", 0
}

// faultOf classifies an error of the interpreter by its text. The texts belong to the pinned version; a test checks each
// one that is used here.
func faultOf(err error) Fault {
	var own *faultError
	if errors.As(err, &own) {
		return own.fault
	}
	text := err.Error()
	switch {
	case strings.HasSuffix(text, cancelTicks):
		return OutOfTicks
	case strings.HasSuffix(text, cancelMemory):
		return OutOfMemory
	case strings.HasSuffix(text, cancelDepth), strings.HasSuffix(text, "Starlark stack overflow"):
		return StackOverflow
	case strings.HasSuffix(text, "by zero"):
		return DivideByZero
	}
	for _, part := range addressTexts {
		if strings.Contains(text, part) {
			return InvalidAddress
		}
	}
	return InvalidInstruction
}

// addressTexts are parts of the texts of errors about something that does not exist.
var addressTexts = []string{
	" out of range", " not in dict", "missing key", "empty dict", "empty set", "field or method", "referenced before assignment",
	"key not found", "substring not found", "value not in list", "element not found",
}

// trace hashes the records of what a run did.
type trace struct{ h hash.Hash }

func (t trace) load(id wire.Hash) {
	t.h.Write([]byte{'L'})
	t.h.Write(id[:])
}

func (t trace) emit(step uint64, data string) {
	t.record('E', step)
	t.h.Write(be32(uint32(len(data))))
	t.h.Write([]byte(data))
}

func (t trace) tick(step uint64, depth, line uint32) {
	t.record('T', step)
	t.h.Write(be32(depth))
	t.h.Write(be32(line))
}

func (t trace) halt(steps uint64) { t.record('H', steps) }

func (t trace) fault(f Fault, steps uint64) {
	t.h.Write([]byte{'F', byte(f)})
	t.h.Write(be64(steps))
}

func (t trace) record(kind byte, step uint64) {
	t.h.Write([]byte{kind})
	t.h.Write(be64(step))
}

func (t trace) sum() (h wire.Hash) {
	t.h.Sum(h[:0])
	return h
}

func be32(v uint32) []byte { return []byte{byte(v >> 24), byte(v >> 16), byte(v >> 8), byte(v)} }

func be64(v uint64) []byte { return append(be32(uint32(v>>32)), be32(uint32(v))...) }

// stop ends the run because a reader has an object not in memory.
func (r *run) stop(kind Kind, id wire.Hash) error {
	r.missing = &Missing{kind, id}
	return fmt.Errorf("object %s is not in memory", id)
}
