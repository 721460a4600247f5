package engine

import "sync/atomic"

// barrier opens when everybody expected has arrived; who came when is forgotten.
type barrier struct {
	left atomic.Int64
	open chan struct{}
}

func newBarrier() *barrier { return &barrier{open: make(chan struct{}, 1)} }

// expect sets how many will arrive, before the first can.
func (b *barrier) expect(n int) { b.left.Store(int64(n)) }

func (b *barrier) arrive() {
	if b.left.Add(-1) == 0 {
		b.open <- struct{}{}
	}
}

// wait returns when all have arrived. It must be called once per expect of n > 0.
func (b *barrier) wait() { <-b.open }
