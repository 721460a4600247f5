// Package worldtest runs transcripts against a world: text files of commands, each
// with the whole of what can be observed after it, rewritten by `go test -update`
// and reviewed as a diff. Only tests import it.
//
// A transcript is a list of blocks separated by blank lines. A block is one or
// more command lines, a line `----`, and the output. Lines that begin with # are
// comments. The commands:
//
//	world [n=8] [seed=42] [ticks=256] [gates=default] [wake=8] [balance=100] [base=64] [cap=n+8] [text=…] [upkeep=0] [autospawn=…]
//	    starts a world (implied by the first other command) and runs cycle 0
//	agent K action {json}
//	    agent K (1 = the first spawned) sends an action in a tick of its own
//	together
//	    the agent lines that follow in this block share one tick
//	agent K nops N
//	    K's runtime reports a streak of N NOPs
//	tick [T]
//	    steps to the next tick, or to offset T of the cycle
//	endcycle [K:cause …]
//	    runs the cycle's end, with wake requests
//	cycles N
//	    runs N whole cycles in which every ACTIVE agent consumes one tick
//	idle N
//	    runs N whole cycles in which nobody does
//	epoch N
//	    runs whole cycles until the world is in epoch N (4 takes n=16)
//	outside URL STATUS TYPE TEXT, outside URL timeout|redirects|WORD
//	    what the outside answers from here on when URL is fetched; \n in TEXT is a new line
//	operator K dormant|dead, spawn ROLE [fund=50] [parent=K|nobody] [genome=ROLE] [seeds=0]
//	    operator inputs at a boundary
//	subjects K ID …
//	    says which of the things are closed to agent K, and how
//	board K
//	    shows the bounties that agent K sees
//	view K, agents, balances, report
//	    shows what agent K sees, the roster, the money, the last economic report
//	hide KIND …
//	    leaves events of these kinds out of the output from here on
//
// In JSON, $long is a text of 5,000 letters, $text9 one of 9, $ids9 a list of nine ids and $objects9 one of nine objects;
// $tower9 is the root and the objects of nine nested directories, each with the one below it twice. In JSON and in the output things have names: $a1 … are the agents, $nexus,
// $mint … the systems, $reserve the reserve, #general … the channels, $b1 bounties,
// $m1 messages, $p1 proposals, $e1 entries, $x1 escrows, $s1 stakes, $c1 channels,
// $r1 reviews, $genesis and $repo1 repos, $snap1 snaps, $tag1 tags, $tree1 trees that were read, $o1 objects, $box1 sandboxes, $starlark and $service1 services, in the order in which agents made them or an event named them.
package worldtest
