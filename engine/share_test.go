package engine

import (
	"strings"
	"sync/atomic"
	"testing"
)

func TestAgentPool_EachRunsEveryPartOnce(t *testing.T) {
	for _, workers := range []int{1, 3, 64} {
		pool := &agentPool{workers: workers}
		var ran [40]atomic.Int32
		pool.each(len(ran), func(i int) { ran[i].Add(1) })
		for i := range ran {
			if n := ran[i].Load(); n != 1 {
				t.Errorf("%d workers: part %d ran %d times", workers, i, n)
			}
		}
		pool.each(0, func(int) { t.Error("a part of nothing ran") })
	}
}

// A panic reaches the caller with the place where it began, and the other parts are done.
func TestAgentPool_EachPassesPanicsOn(t *testing.T) {
	pool := &agentPool{workers: 2}
	var done atomic.Int32
	defer func() {
		p, ok := recover().(*worldPanic)
		if !ok || p.value != "part 3" || !strings.Contains(string(p.stack), "share_test.go") {
			t.Errorf("the caller sees %+v", p)
		}
		if n := done.Load(); n != 7 {
			t.Errorf("%d other parts were done; want 7", n)
		}
	}()
	pool.each(8, func(i int) {
		if i == 3 {
			panic("part 3")
		}
		done.Add(1)
	})
}
