package mcp

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"kingdom/watch"
)

// A question waits until what the run has written is read, and after some seconds is answered with a note that more is to come.
func TestReady_Waits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{Run{Watcher: watch.New(watch.Run{})}} // nobody follows it
		began := time.Now()
		note, err := s.ready(t.Context())
		if waited := time.Since(began); err != nil || waited != readyWait || !strings.Contains(note, "still being read") {
			t.Errorf("after %v: %q %v", waited, note, err)
		}
	})
}
