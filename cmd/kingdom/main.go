// Command kingdom runs, replays and inspects worlds of agents. It builds the
// object graph and prints; what happens in a tick is the business of the packages
// below it. docs/CLI.md is generated from its commands.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// The first Ctrl-C asks the run to stop at a tick boundary; giving the signal
	// back lets a second one end the process at once, which resume survives too.
	context.AfterFunc(ctx, stop)
	os.Exit(execute(ctx, os.Args[1:], os.Stdout, os.Stderr))
}
