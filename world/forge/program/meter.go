package program

import (
	"go.starlark.net/starlark"
)

const (
	bytesPerStep  = 64       // native work that is charged as one step
	firstMeasure  = 16 << 10 // bytes charged before the live size is measured for the first time
	unseenPerStep = 4        // bytes that each step of the interpreter itself is assumed to allocate
	maxNesting    = 64       // levels of a value that a guard walks
	maxAllocated  = 52 << 20 // bytes that a run may allocate in all; the live size does not include operands
	intBits       = 4_096    // bits of the largest integer
	intDigits     = 1_300    // digits of a decimal text that is converted to an integer
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
	thread       *starlark.Thread
	budget       uint64 // steps
	quota        uint64 // bytes
	sinceMeasure uint64 // bytes charged since the live size was last measured
	allocated    uint64 // bytes allocated in all
	countedSteps uint64 // steps that are already included in sinceMeasure
	fault        *faultError
}

// trip ends the run with a fault. The first call decides the fault of the run, whatever the interpreter makes of the
// error.
func (m *meter) trip(f Fault, text string) error {
	if m.fault == nil {
		m.fault = &faultError{f, text}
	}
	return m.fault
}

// chargeSteps charges n steps.
func (m *meter) chargeSteps(n uint64) error {
	if n > m.budget || m.thread.Steps > m.budget-n {
		m.thread.Steps = m.budget
		return m.trip(OutOfTicks, cancelTicks)
	}
	m.thread.Steps += n
	return nil
}

// chargeRead charges for reading n bytes.
func (m *meter) chargeRead(n uint64) error {
	if n < bytesPerStep/2 {
		return nil // covered by the step of the call itself
	}
	return m.chargeSteps((n + bytesPerStep - 1) / bytesPerStep)
}

// chargeAlloc charges for allocating n bytes.
func (m *meter) chargeAlloc(n uint64) error {
	if n > m.quota {
		return m.trip(OutOfMemory, "an operation needs more than the memory quota")
	}
	m.sinceMeasure += n
	if m.allocated += n; m.allocated > maxAllocated {
		return m.trip(OutOfMemory, "more than 52 MiB allocated in all")
	}
	return m.chargeRead(n)
}

// product multiplies sizes and saturates at 1<<62, which exceeds every quota.
func product(a, b int) uint64 {
	if a <= 0 || b <= 0 {
		return 0
	}
	if uint64(a) > (1<<62)/uint64(b) {
		return 1 << 62
	}
	return uint64(a) * uint64(b)
}

// chargeTree measures a value as the tree that hashing and comparison walk: shared parts count each time. It charges for
// the size and stops at the quota.
func (m *meter) chargeTree(v starlark.Value) (uint64, error) {
	switch v := v.(type) {
	case starlark.Int:
		return intSize(v), nil
	case starlark.Bool, starlark.NoneType, starlark.Float:
		return 8, nil
	case starlark.String:
		return uint64(len(v)), m.chargeRead(uint64(len(v)))
	}
	t := treeWalk{quota: max(m.quota, 1<<16)}
	t.add(v, 0)
	if t.bytes > t.quota || t.deep {
		return t.bytes, m.trip(OutOfMemory, "a value is too large or too deep to be walked: shared parts count each time")
	}
	return t.bytes, m.chargeRead(t.bytes + t.extra)
}

type treeWalk struct {
	bytes, quota uint64
	extra        uint64 // work beyond the size: looking up each key of a table
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

// intSize returns the bytes of an integer beyond those of any value.
func intSize(v starlark.Int) uint64 {
	if _, small := v.Int64(); small {
		return 8
	}
	return uint64(v.BigInt().BitLen() / 8)
}

// elements returns the largest number of values that iterating over v gives, and the bytes that each one allocates. ok is
// false if v cannot be iterated over.
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

// chargeIteration charges for iterating over v and returns the largest number of elements. It leaves a value that cannot
// be iterated over to the native function to refuse.
func (m *meter) chargeIteration(v starlark.Value) (int, error) {
	n, each, ok := elements(v)
	if !ok {
		return 0, nil
	}
	if each == 0 {
		return n, m.chargeRead(product(n, slotSize))
	}
	return n, m.chargeAlloc(product(n, slotSize+each))
}
