// Command kingdom runs, replays and inspects worlds of agents. It connects the
// packages of the module and prints results; what happens in a tick is the task of the
// other packages. docs/CLI.md is generated from its commands.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// A terminal that is closed asks for the same. It may send its signal twice, from the shell and from the system, so that signal
	// stays caught; and under nohup, which has it ignored, the run goes on.
	if !signal.Ignored(syscall.SIGHUP) {
		ctx, _ = signal.NotifyContext(ctx, syscall.SIGHUP)
	}
	// The first Ctrl-C asks the run to stop at a tick boundary. Then the default handling of the
	// signal is restored, so a second one ends the process at once; resume works after that, too.
	context.AfterFunc(ctx, stop)
	os.Exit(execute(ctx, os.Args[1:], os.Stdout, os.Stderr))
}
