package program

import (
	"math/bits"

	"go.starlark.net/starlark"
)

// liveSize estimates the bytes that the run keeps alive: the source, what it was given, what it
// wrote, and all that its global and local variables reach, each container once. It stops
// when it is past the quota.
func (r *run) liveSize(globals ...starlark.StringDict) uint64 {
	w := liveWalk{seen: map[any]struct{}{}, limit: r.in.Memory}
	w.bytes = uint64(r.in.Program.size + len(r.in.Stdin) + len(r.out))
	for _, v := range r.in.Env { //house:sorted a sum
		w.bytes += uint64(len(v))
	}
	for _, g := range globals {
		w.names(g)
	}
	for _, m := range r.loaded {
		w.names(m.globals)
	}
	for depth := range r.thread.CallStackDepth() {
		f := r.thread.DebugFrame(depth)
		if fn, ok := f.Callable().(*starlark.Function); ok {
			w.push(fn)
		}
		for i := range f.NumLocals() {
			if _, v := f.Local(i); v != nil {
				w.push(v)
			}
		}
		w.drain()
	}
	w.drain()
	return w.bytes
}

// liveWalk walks values with a list of those still to visit instead of recursion, so that no value is too deep.
type liveWalk struct {
	bytes, limit uint64
	seen         map[any]struct{}
	todo         []starlark.Value
}

func (w *liveWalk) names(d starlark.StringDict) {
	w.pushAll(d)
	w.drain()
}

// pushAll takes globals in the order of their names: where the walk stops must not depend on
// the order of a map. Guards, which are globals too, do not count.
func (w *liveWalk) pushAll(d starlark.StringDict) {
	for _, name := range d.Keys() {
		if name[0] != '$' {
			w.push(d[name])
		}
	}
}

func (w *liveWalk) drain() {
	for len(w.todo) > 0 && w.bytes <= w.limit {
		v := w.todo[len(w.todo)-1]
		w.todo = w.todo[:len(w.todo)-1]
		w.inside(v)
	}
}

// once reports whether p is visited for the first time.
func (w *liveWalk) once(p any) bool {
	if _, seen := w.seen[p]; seen {
		return false
	}
	w.seen[p] = struct{}{}
	return true
}

// push counts a value and keeps it to be walked, if there is something within.
func (w *liveWalk) push(v starlark.Value) {
	switch v := v.(type) {
	case starlark.Int:
		w.bytes += 8 + bitLen(v)/8
	case starlark.String:
		w.bytes += uint64(len(v)) + 16
	case starlark.Bytes:
		w.bytes += uint64(len(v)) + 16
	case starlark.Float:
		w.bytes += 8
	case starlark.Bool, starlark.NoneType: // there is one of each
	case elems:
		w.push(v.text)
	case codepoints:
		w.push(v.text)
	case byteElems:
		w.push(v.data)
	case assignTarget:
		w.push(v.Value)
	case indexRef:
		w.todo = append(w.todo, v.x, v.i, v.old)
	default:
		w.todo = append(w.todo, v)
	}
}

func (w *liveWalk) inside(v starlark.Value) {
	switch v := v.(type) {
	case starlark.Tuple:
		if len(v) > 0 && !w.once(&v[0]) {
			return
		}
		w.bytes += 32 + slotSize*uint64(len(v))
		for _, e := range v {
			w.push(e)
		}
	case *starlark.List:
		if !w.once(v) {
			return
		}
		w.bytes += 32 + slotSize*uint64(v.Len())
		for i := range v.Len() {
			w.push(v.Index(i))
		}
	case *starlark.Dict:
		if !w.once(v) {
			return
		}
		w.bytes += 32 + 2*slotSize*uint64(v.Len())
		for k, e := range v.Entries() {
			w.push(k)
			w.push(e)
		}
	case *starlark.Set:
		if !w.once(v) {
			return
		}
		w.bytes += 32 + slotSize*uint64(v.Len())
		for e := range v.Elements() {
			w.push(e)
		}
	case *starlark.Function:
		w.function(v)
	case *starlark.Builtin:
		w.bytes += 16
		if v.Receiver() != nil && w.once(v) {
			w.push(v.Receiver())
		}
	default: // ranges and modules
		w.bytes += 16
	}
}

func bitLen(v starlark.Int) uint64 {
	if i, ok := v.Int64(); ok {
		return uint64(bits.Len64(uint64(max(i, -i))))
	}
	return uint64(v.BigInt().BitLen())
}

// function walks what a function holds: the globals of its module, its defaults and the
// variables of the functions around it.
func (w *liveWalk) function(f *starlark.Function) {
	if !w.once(f) {
		return
	}
	w.bytes += 64
	if w.once(f.Module()) {
		w.pushAll(f.Globals())
	}
	for i := range f.NumParams() {
		if v := f.ParamDefault(i); v != nil {
			w.push(v)
		}
	}
	for i := range f.NumFreeVars() {
		if _, v := f.FreeVar(i); v != nil {
			w.push(v)
		}
	}
}

// freeze makes the globals of a module immutable. The interpreter's own recursion visits tuples and functions as often as
// they occur, so they are measured first.
func (r *run) freeze(globals starlark.StringDict) error {
	f := freezeWalk{seen: map[any]struct{}{}, limit: max(r.in.Memory, 1<<16)}
	for _, name := range globals.Keys() {
		f.add(globals[name], 0)
	}
	if f.deep || f.spent > f.limit {
		return r.guard.trip(OutOfMemory, "the globals of a module are too large or too deep to be frozen: shared parts count each time")
	}
	if err := r.guard.chargeRead(f.spent); err != nil {
		return err
	}
	globals.Freeze()
	return nil
}

type freezeWalk struct {
	seen         map[any]struct{}
	spent, limit uint64
	deep         bool
}

func (f *freezeWalk) add(v starlark.Value, depth int) {
	f.spent += slotSize
	if f.spent > f.limit || f.deep {
		return
	}
	if depth > maxLevels {
		f.deep = true
		return
	}
	switch v := v.(type) {
	case starlark.Tuple:
		for _, e := range v {
			f.add(e, depth+1)
		}
	case *starlark.List:
		if _, seen := f.seen[v]; !seen {
			f.seen[v] = struct{}{}
			for i := range v.Len() {
				f.add(v.Index(i), depth+1)
			}
		}
	case *starlark.Dict:
		if _, seen := f.seen[v]; !seen {
			f.seen[v] = struct{}{}
			for k, e := range v.Entries() {
				f.add(k, depth+1)
				f.add(e, depth+1)
			}
		}
	case *starlark.Set:
		if _, seen := f.seen[v]; !seen {
			f.seen[v] = struct{}{}
			for e := range v.Elements() {
				f.add(e, depth+1)
			}
		}
	case *starlark.Function:
		for i := range v.NumParams() {
			if d := v.ParamDefault(i); d != nil {
				f.add(d, depth+1)
			}
		}
		for i := range v.NumFreeVars() {
			if _, e := v.FreeVar(i); e != nil {
				f.add(e, depth+1)
			}
		}
	case *starlark.Builtin:
		if v.Receiver() != nil {
			f.add(v.Receiver(), depth+1)
		}
	}
}
