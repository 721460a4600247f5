package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"kingdom/wire"
	"kingdom/wire/traffic"
)

func newJournalVerify(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "verify FILE",
		Short: "Verify a file of frames without the run that wrote it",
		Long: "Verify every frame of a file written by journal export: bytes, hashes, ids, signatures, bodies and order. FILE - is\n" +
			"standard input. No run directory is needed; the keys are derived from the world seed in the first event. If a\n" +
			"frame is wrong, the first such frame is named and the exit code is 1. With --json the cycles are printed in the form\n" +
			"of journal export, so that the two can be compared; the last object is: file, frames, requests, replies, events,\n" +
			"cycles, wall_ms.",
		Args: args(1, "a file of frames"),
		RunE: func(cmd *cobra.Command, names []string) (err error) {
			began := time.Now()
			in, err := openFrames(names[0], standardInput(cmd))
			if err != nil {
				return err
			}
			defer captureClose(&err, in.Close)
			cycles, n, err := a.verifyFrames(in)
			if err != nil {
				return fmt.Errorf("verify %s: %w", names[0], err)
			}
			if a.json {
				a.jsonLine(map[string]any{
					"file": names[0], "frames": n.Frames, "requests": n.Requests, "replies": n.Replies, "events": n.Events,
					"cycles": cycles, "wall_ms": time.Since(began).Milliseconds(),
				})
				return nil
			}
			fmt.Fprintf(a.out, "%s: %d frames verified (%d requests, %d replies, %d events) of %d cycles and the bootstrap\n",
				names[0], n.Frames, n.Requests, n.Replies, n.Events, cycles)
			return nil
		},
	}
}

// verifyFrames reads frames to the end and returns the last cycle that they hold.
func (a *app) verifyFrames(in io.Reader) (last wire.Cycle, n traffic.Counts, err error) {
	s := bufio.NewScanner(in)
	s.Buffer(nil, wire.MaxEnvelope)
	s.Split(wire.SplitFrames)
	r := traffic.NewReader()
	at := 0 // where the next frame begins
	for s.Scan() {
		done, err := r.Add(s.Bytes())
		if err != nil {
			return 0, n, fmt.Errorf("frame %d: %w", r.Counts().Frames+1, err)
		}
		at += len(s.Bytes())
		if done == nil {
			continue
		}
		last = done.Cycle
		if a.json {
			a.jsonLine(map[string]any{
				"cycle": done.Cycle, "requests": done.Requests, "envelope_chain": done.Envelopes.String(), "world_hash": done.WorldHash.String(),
			})
		}
	}
	if err := s.Err(); err != nil && at == 0 {
		return 0, n, fmt.Errorf("it does not begin with a frame: %w; want a file of kingdom journal export RUN --frames FILE", err)
	} else if err != nil {
		return 0, n, fmt.Errorf("frame %d, which begins at byte %d of the file: %w; the frames before it are good, kingdom journal export RUN --frames FILE writes all of them anew", r.Counts().Frames+1, at, err)
	}
	if at == 0 {
		return 0, n, errors.New("it is empty; want a file of kingdom journal export RUN --frames FILE")
	}
	return last, r.Counts(), r.Done()
}
