package program

import (
	"go.starlark.net/starlark"
)

const (
	bytesPerStep  = 64       // what one step pays for
	firstLook     = 16 << 10 // bytes charged before the live size is looked at for the first time
	unseenPerStep = 4        // bytes that a step of the interpreter itself counts as allocated
	maxNesting    = 64       // levels of a value that a guard walks
	maxGrown      = 52 << 20 // bytes that a run may allocate in all: what operands hold is not seen otherwise
	intBits       = 4_096    // of the greatest integer
	intDigits     = 1_300    // of a decimal text that becomes an integer
)

// Sizes of what the interpreter allocates, bytes.
const (
	slotSize  = 16  // a value in a list or tuple
	listSize  = 32  // an empty list
	tableSize = 544 // an empty dict or set
	entrySize = 96  // an entry of a dict or set, its share of the table included
	boxSize   = 24  // a string, a bytes or a tuple as a value
)

// meter charges native work to the thread, before it is done.
type meter struct {
	thread *starlark.Thread
	budget uint64 // steps
	quota  uint64 // bytes
	since  uint64 // bytes charged since the last look at the live size
	grown  uint64 // bytes allocated in all
	seen   uint64 // steps that since has counted
	fault  *faultError
}

// trip ends the run; the first trip is the one that counts, whatever the interpreter makes
// of the error.
func (m *meter) trip(f Fault, text string) error {
	if m.fault == nil {
		m.fault = &faultError{f, text}
	}
	return m.fault
}

// steps charges n steps.
func (m *meter) steps(n uint64) error {
	if n > m.budget || m.thread.Steps > m.budget-n {
		m.thread.Steps = m.budget
		return m.trip(OutOfTicks, cancelTicks)
	}
	m.thread.Steps += n
	return nil
}

// walk charges for reading n bytes.
func (m *meter) walk(n uint64) error {
	if n < bytesPerStep/2 {
		return nil // the call that brought us here has paid for it
	}
	return m.steps((n + bytesPerStep - 1) / bytesPerStep)
}

// grow charges for allocating n bytes.
func (m *meter) grow(n uint64) error {
	if n > m.quota {
		return m.trip(OutOfMemory, "an operation needs more than the memory quota")
	}
	m.since += n
	if m.grown += n; m.grown > maxGrown {
		return m.trip(OutOfMemory, "more than 52 MiB allocated in all")
	}
	return m.walk(n)
}

// product multiplies sizes; what does not fit is more than any quota.
func product(a, b int) uint64 {
	if a <= 0 || b <= 0 {
		return 0
	}
	if uint64(a) > (1<<62)/uint64(b) {
		return 1 << 62
	}
	return uint64(a) * uint64(b)
}

// tree measures a value as the tree that hash, comparison and the like walk: what is shared
// counts each time. It charges what it measured and stops at the quota.
func (m *meter) tree(v starlark.Value) (uint64, error) {
	switch v := v.(type) {
	case starlark.Int:
		return intSize(v), nil
	case starlark.Bool, starlark.NoneType, starlark.Float:
		return 8, nil
	case starlark.String:
		return uint64(len(v)), m.walk(uint64(len(v)))
	}
	t := treeWalk{quota: max(m.quota, 1<<16)}
	t.add(v, 0)
	if t.bytes > t.quota || t.deep {
		return t.bytes, m.trip(OutOfMemory, "a value is too large or too deep to be walked: shared parts count each time")
	}
	return t.bytes, m.walk(t.bytes + t.extra)
}

type treeWalk struct {
	bytes, quota uint64
	extra        uint64 // work that is no size: looking up each key of a table
	deep         bool
}

func (t *treeWalk) add(v starlark.Value, depth int) {
	if t.bytes > t.quota || t.deep {
		return
	}
	if depth > maxNesting {
		t.deep = true
		return
	}
	switch v := v.(type) {
	case starlark.String:
		t.bytes += 16 + uint64(len(v))
	case starlark.Bytes:
		t.bytes += 16 + uint64(len(v))
	case starlark.Int:
		t.bytes += 8 + intSize(v)
	case starlark.Tuple:
		t.bytes += 32 + slotSize*uint64(len(v))
		for _, e := range v {
			t.add(e, depth+1)
		}
	case *starlark.List:
		t.bytes += 32 + slotSize*uint64(v.Len())
		for i := range v.Len() {
			t.add(v.Index(i), depth+1)
		}
	case *starlark.Dict:
		t.table(v.Len())
		for k, e := range v.Entries() {
			t.add(k, depth+1)
			t.add(e, depth+1)
		}
	case *starlark.Set:
		t.table(v.Len())
		for e := range v.Elements() {
			t.add(e, depth+1)
		}
	case *starlark.Builtin:
		t.bytes += 16
		if v.Receiver() != nil {
			t.add(v.Receiver(), depth+1)
		}
	default:
		t.bytes += 16
	}
}

func (t *treeWalk) table(n int) {
	t.bytes += 32 + 2*slotSize*uint64(n)
	t.extra += bytesPerStep * product(n, n/chainShare)
}

// intSize is the bytes of an integer beyond what a value needs.
func intSize(v starlark.Int) uint64 {
	if _, small := v.Int64(); small {
		return 8
	}
	return uint64(v.BigInt().BitLen() / 8)
}

// elements says how many values iterating over v gives, at most, and what each allocates
// when it is made; ok is false if v cannot be iterated over.
func elements(v starlark.Value) (n, each int, ok bool) {
	switch v := v.(type) {
	case *starlark.List:
		return v.Len(), 0, true
	case starlark.Tuple:
		return len(v), 0, true
	case *starlark.Dict:
		return v.Len(), 0, true
	case *starlark.Set:
		return v.Len(), 0, true
	case elems:
		return len(v.text), 0, true
	case codepoints:
		return len(v.text), boxSize, true
	case byteElems:
		return len(v.data), 0, true
	case starlark.Indexable:
		if v.Type() == "range" {
			return v.Len(), 48, true
		}
	}
	return 0, 0, false
}

// iterable charges for taking all elements of v and says how many there are, at most. What
// v cannot be iterated over is left to the native function to refuse.
func (m *meter) iterable(v starlark.Value) (int, error) {
	n, each, ok := elements(v)
	if !ok {
		return 0, nil
	}
	if each == 0 {
		return n, m.walk(product(n, slotSize))
	}
	return n, m.grow(product(n, slotSize+each))
}
