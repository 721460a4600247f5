package main

import (
	"runtime"
	"runtime/metrics"
	"testing"
	"time"
)

// A small heap grows by a fixed room, a large one by a share.
func TestGCPercent(t *testing.T) {
	for live, want := range map[uint64]int{0: 1600, 1 << 20: 1600, 20 << 20: 320, 64 << 20: 100, 80 << 20: 80, 128 << 20: 70, 640 << 20: 70, 1 << 30: 50, 1280 << 20: 40, 8 << 30: 40} {
		if got := gcPercent(live); got != want {
			t.Errorf("with %d live bytes the heap grows by %d %%, want %d", live, got, want)
		}
	}
}

// Each collection sets how far the heap grows until the next.
func TestGCTuner_FollowsLiveHeap(t *testing.T) {
	t.Setenv("GOGC", "") // where it is set it is the user's word
	startGCTuner()
	percent := []metrics.Sample{{Name: "/gc/gogc:percent"}}
	reaches := func(what string, fits func(p uint64) bool) {
		t.Helper()
		for until := time.Now().Add(time.Minute); ; runtime.Gosched() {
			runtime.GC()
			if metrics.Read(percent); fits(percent[0].Value.Uint64()) {
				return
			}
			if time.Now().After(until) {
				t.Fatalf("with %s the heap grows by %d %%", what, percent[0].Value.Uint64())
			}
		}
	}
	func() {
		ballast := make([]byte, 500<<20)
		reaches("500 MiB live", func(p uint64) bool { return p == mostGrowth })
		runtime.KeepAlive(ballast)
	}()
	reaches("little live", func(p uint64) bool { return p > mostGrowth })
}
