package engine

import (
	"errors"
	"testing"

	"kingdom/wire"
)

// reel is a frame sink that keeps what a run exports.
type reel struct {
	frames []wire.Envelope
	chains []wire.Hash
	stopAt int // frames; 0: never
}

var errReelFull = errors.New("no room")

func (r *reel) Frame(e *wire.Envelope) error {
	r.frames = append(r.frames, *e)
	if len(r.frames) == r.stopAt {
		return errReelFull
	}
	return nil
}

func (r *reel) Cycle(row *CycleRow) error {
	r.chains = append(r.chains, row.Envelopes)
	return nil
}

// Exported frames are signed whether the run signs early or not, and are equal to the byte.
func TestReplay_ExportedFramesAreEqualWithLazyAndEagerSignatures(t *testing.T) {
	dir, store := recordRun(t, testMind("42"))
	var said [2]reel
	for i, lazy := range []bool{true, false} {
		cfg := testConfig("42", 8)
		cfg.SignaturesLazy = lazy
		sum, err := Replay(t.Context(), cfg, ReplayOptions{Dir: dir, Store: store, Mind: testMind("42"), Frames: &said[i]})
		if err != nil || sum.Cycles != 4 {
			t.Fatalf("lazy %v: %+v, %v", lazy, sum, err)
		}
	}
	if len(said[0].frames) != len(said[1].frames) || len(said[0].chains) != 5 {
		t.Fatalf("%d and %d frames, %d cycles", len(said[0].frames), len(said[1].frames), len(said[0].chains))
	}
	requests, replies := 0, 0
	for i := range said[0].frames {
		a, b := &said[0].frames[i], &said[1].frames[i]
		if a.Header != b.Header || string(a.Body) != string(b.Body) || a.Signature == (wire.Signature{}) {
			t.Fatalf("frame %d differs: %+v, %+v", i, a.Header, b.Header)
		}
		switch {
		case !wire.IsSystem(a.Source):
			requests++
		case a.Target != wire.Broadcast:
			replies++
			if before := &said[0].frames[i-1]; before.Source != a.Target || before.Target != a.Source || before.Timestamp != a.Timestamp {
				t.Fatalf("frame %d is no reply to the one before", i)
			}
		}
	}
	if requests == 0 || requests != replies {
		t.Errorf("%d requests, %d replies", requests, replies)
	}
}

func TestReplay_ErrorOfFrameSinkStopsIt(t *testing.T) {
	dir, store := recordRun(t, testMind("42"))
	for _, n := range []int{1, 500} { // in the bootstrap, in a tick
		r := reel{stopAt: n}
		_, err := Replay(t.Context(), testConfig("42", 8), ReplayOptions{Dir: dir, Store: store, Mind: testMind("42"), Frames: &r})
		if !errors.Is(err, errReelFull) || len(r.frames) != n {
			t.Errorf("after %d frames: %v", len(r.frames), err)
		}
	}
}

// The list of a population that no envelope can hold is an error, not a panic.
func TestExport_EventTooLargeForEnvelopeIsError(t *testing.T) {
	var r reel
	x := exporter{sink: &r}
	roll := &wire.Event{Kind: wire.KindAgentsSpawned, System: wire.SystemNexus, Payload: &wire.AgentsSpawnedEvent{AgentIDs: make([]wire.AgentID, 30_900)}}
	if err := x.exportEvents([]*wire.Event{roll}); err == nil || len(r.frames) > 0 {
		t.Errorf("%d frames, %v", len(r.frames), err)
	}
	roll.Payload = &wire.AgentsSpawnedEvent{AgentIDs: make([]wire.AgentID, 30_800)}
	x = exporter{sink: &r}
	if err := x.exportEvents([]*wire.Event{roll}); err != nil || len(r.frames) != 1 || len(r.frames[0].AppendFrame(nil)) > wire.MaxEnvelope {
		t.Errorf("%d frames, %v", len(r.frames), err)
	}
}
