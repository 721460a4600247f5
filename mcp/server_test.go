package mcp

import (
	"context"
	"errors"
	"testing"

	"kingdom/watch"
)

// A question waits until the run is known: an answer of before would lack what happened.
func TestReady_Waits(t *testing.T) {
	s := &server{Run{Watcher: watch.New(watch.Run{})}} // nobody follows it
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.ready(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("an answer about a run that nobody has read: %v", err)
	}
}
