package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"kingdom/engine"
	"kingdom/wire"
)

func newJournal(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "journal",
		Short: "Export the messages or thoughts of a run, so that others can verify or repeat it",
	}
	cmd.AddCommand(newJournalExport(a), newJournalVerify(a), newJournalImport(a))
	return group(cmd)
}

func newJournalExport(a *app) *cobra.Command {
	var file, thoughts, store string
	cmd := &cobra.Command{
		Use:   "export RUN --frames FILE | --thoughts FILE",
		Short: "Write all signed envelopes of a run as KDOM frames, or its thoughts as a cassette",
		Long: "--frames: execute a run again from its bootstrap, as replay does, and write all its messages as consecutive signed\n" +
			"KDOM frames: requests and their replies, events, and the WORLD_STATE that ends each cycle. docs/WIRE.md is\n" +
			"sufficient to verify them. FILE must not exist; it appears when it is complete. - is standard output.\n" +
			"With --json there is one object per cycle: cycle, requests, envelope_chain, world_hash; and a last one: run, file,\n" +
			"frames, requests, replies, events, bytes, cycles, world_hash, wall_ms.\n\n" +
			"--thoughts: write the recorded answers of models, with the scenario, into one compressed file (a cassette). With it\n" +
			"journal import, or run --minds recorded:FILE, repeats the run without a network. A cassette contains no key, but it\n" +
			"contains the scenario with the names of endpoints and models. Fields of --json: run, file, thoughts, cycles,\n" +
			"world_hash, models.",
		Example: "  kingdom journal export runs/epoch0-42 --frames epoch0.kdom\n" +
			"  kingdom journal export runs/epoch0-42 --frames - | node examples/decoder/decode.mjs -\n" +
			"  kingdom journal export runs/epoch0-llm-42 --thoughts epoch0.thoughts",
		Args: args(1, "a run directory"),
		RunE: func(cmd *cobra.Command, names []string) error {
			switch {
			case file != "" && thoughts != "":
				return usagef("journal export takes one of --frames and --thoughts, and both are given; leave one out, and give the command again for the other")
			case file == "" && thoughts == "":
				return usagef("journal export needs --frames FILE or --thoughts FILE; - is standard output")
			case (file == "-" || thoughts == "-") && a.json:
				return usagef("- as the file and --json both want standard output; write to a file")
			case thoughts != "":
				return a.exportThoughts(cmd.Context(), names[0], thoughts, store)
			}
			return a.exportFrames(cmd.Context(), names[0], file, store)
		},
	}
	cmd.Flags().StringVar(&file, "frames", "", "file for the frames; it must not exist; - is standard output")
	cmd.Flags().StringVar(&thoughts, "thoughts", "", "file for the thoughts; it must not exist; - is standard output")
	cmd.Flags().StringVar(&store, storeFlag, "", "location of the run's store, if it differs from run.json")
	return cmd
}

// exportFrames writes the frames of a run and says how many there were.
func (a *app) exportFrames(ctx context.Context, dir, file, store string) (err error) {
	began := time.Now()
	run, err := openRun(ctx, dir, store)
	if err != nil {
		return err
	}
	defer captureClose(&err, run.store.Close)
	out, err := a.newFrameFile(file)
	if err != nil {
		return err
	}
	defer out.discard()
	thinker := replayMind(run.scenario)
	a.limitMemory()
	prog := newProgress(a, run.state.Last)
	w := &frameWriter{app: a, out: out}
	sum, err := engine.Replay(ctx, run.config, engine.ReplayOptions{
		Dir: dir, Store: run.store, Mind: thinker, Frames: w,
		Warn:     func(msg string) { fmt.Fprintln(a.err, "kingdom: "+msg) },
		Progress: prog.replayed,
	})
	prog.done()
	if err != nil {
		return &exportError{err}
	}
	if err := out.commit(); err != nil {
		return err
	}
	if a.json {
		a.jsonLine(map[string]any{
			"run": dir, "file": file, "frames": w.frames, "requests": w.requests, "replies": w.replies, "events": w.events, "bytes": w.bytes,
			"cycles": sum.Cycles, "world_hash": sum.WorldHash.String(), "wall_ms": time.Since(began).Milliseconds(),
		})
		return nil
	}
	say := a.out
	if file == "-" {
		say = a.err
	}
	fmt.Fprintf(say, "%s: %d frames (%d requests, %d replies, %d events), %d bytes; world hash %s\n",
		dir, w.frames, w.requests, w.replies, w.events, w.bytes, sum.WorldHash)
	return nil
}

// exportError is an error of the re-execution, with the note that nothing was exported. It keeps the
// exit code of its cause.
type exportError struct{ cause error }

func (e *exportError) Error() string {
	if stop, ok := asError[*engine.InterruptedError](e.cause); ok {
		return fmt.Sprintf("interrupted at tick %d of the re-execution; nothing was exported", stop.Tick)
	}
	return fmt.Sprintf("%v; nothing was exported", e.cause)
}

func (e *exportError) Unwrap() error { return e.cause }

// frameWriter writes envelopes as frames and counts them.
type frameWriter struct {
	app *app
	out io.Writer
	buf []byte

	frames, requests, replies, events, bytes uint64
	requestsBefore                           uint64 // requests before the open cycle
}

// Frame writes one envelope.
func (w *frameWriter) Frame(e *wire.Envelope) error {
	_, system := wire.SystemOf(e.Source)
	switch {
	case e.Type == wire.TypeEvent:
		w.events++
	case !system:
		w.requests++
	case e.Target != wire.Broadcast:
		w.replies++
	}
	w.frames++
	w.buf = e.AppendFrame(w.buf[:0])
	w.bytes += uint64(len(w.buf))
	if _, err := w.out.Write(w.buf); err != nil {
		return fmt.Errorf("write frames: %w", err)
	}
	return nil
}

// Cycle prints the fingerprint of a cycle.
func (w *frameWriter) Cycle(row *engine.CycleRow) error {
	if w.app.json {
		w.app.jsonLine(map[string]any{
			"cycle": row.Cycle, "requests": w.requests - w.requestsBefore, "envelope_chain": row.Envelopes.String(), "world_hash": row.WorldHash.String(),
		})
	}
	w.requestsBefore = w.requests
	return nil
}
