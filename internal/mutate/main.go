// Command mutate breaks a package in many small ways, one at a time, and lists the ways
// that no test of the package notices: missing tests, or code that does nothing.
//
//	go run ./internal/mutate ./goals ./world/mint
//
// A comparison is turned round or moved by its bound, an operand of && or || is dropped, an
// arithmetic operator is exchanged, a number is raised by one, a statement is left out. All
// changes of a package are compiled into one test binary and switched on one by one, and
// each is shown only to the tests that come through it, so that one takes milliseconds.
// It fails when a package's tests notice a smaller share than docs/HACKING.md says, by more
// than a point: a change that never ends, or that a test with a clock notices, may go either way.
//
// It stands outside the tick, writes only to a temporary folder, and owes the caller
// nothing but the list.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
)

func main() {
	var o options
	flag.StringVar(&o.file, "file", "", "change only files whose name contains this")
	flag.IntVar(&o.every, "every", 1, "try one of so many changes, to look at a large package quickly; no share is compared then")
	flag.StringVar(&o.table, "table", "docs/HACKING.md", "the page with the share that each package's tests must notice")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: go run ./internal/mutate [flags] PACKAGE...")
		flag.PrintDefaults()
	}
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := o.run(ctx, os.Stdout, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		stop()
		os.Exit(1)
	}
}

type options struct {
	file  string
	every int
	table string
}

// run measures the packages one after the other and fails after the last when one of them
// fell short.
func (o *options) run(ctx context.Context, out io.Writer, patterns []string) error {
	if len(patterns) == 0 {
		return errors.New("no package named; for example: go run ./internal/mutate ./goals")
	}
	if o.every < 1 {
		return fmt.Errorf("-every %d: must be 1 or more", o.every)
	}
	floors, err := readFloors(o.table)
	if err != nil {
		return err
	}
	pkgs, err := load(ctx, patterns)
	if err != nil {
		return err
	}
	var short []string
	for _, p := range pkgs {
		r, err := o.measure(ctx, out, p)
		if err != nil {
			return fmt.Errorf("%s: %w", p.PkgPath, err)
		}
		fmt.Fprintf(out, "%s\n", r)
		floor, listed := floors[r.name]
		switch {
		case o.file != "" || o.every > 1:
		case !listed:
			fmt.Fprintf(out, "%s has no row in %s yet: %s\n", r.name, o.table, r.row())
		case r.percent()+1 < floor:
			short = append(short, fmt.Sprintf("%s %d %% of %d %%", r.name, r.percent(), floor))
		}
	}
	if len(short) > 0 {
		return fmt.Errorf("tests notice less than %s says: %s; write tests for what is listed above", o.table, strings.Join(short, ", "))
	}
	return nil
}
