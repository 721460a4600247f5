//go:build unix && !race

package main

import (
	"slices"

	"kingdom/wire"
)

// words tells apart what a coalition's own word made due to its members, which the rules bound, and
// what it got because it convinced somebody else. It follows the verdicts on entries and the votes,
// as Oracle, Nexus and Mint do: no adversary draws on the treasury by anything else.
type words struct {
	pairs   wire.Cycle
	entries map[wire.Hash]*judged
	author  map[wire.Hash]wire.AgentID // of proposals
	used    map[word]wire.Cycle        // first cycle in which the pair counts again
	first   uint64                     // ⚡ of entries under the first rules: 10 for each that two others ever found accurate
	own     map[wire.AgentID]uint64    // ⚡ due by words of accomplices alone
	heard   map[wire.AgentID]uint64    // ⚡ due by a word of somebody else
}

type judged struct {
	author   wire.AgentID
	by       []wire.AgentID // ACCURATE verdicts on the present version, in order
	ever     int            // ACCURATE verdicts on any version
	rewarded bool
	pending  uint32 // version of a stranger that waits
}

type word struct {
	vote     bool
	from, to wire.AgentID
}

func newWords() words {
	return words{
		entries: map[wire.Hash]*judged{}, author: map[wire.Hash]wire.AgentID{}, used: map[word]wire.Cycle{},
		own: map[wire.AgentID]uint64{}, heard: map[wire.AgentID]uint64{},
	}
}

// read takes in an event of cycle now.
func (w *words) read(circle map[wire.AgentID]string, now wire.Cycle, e *wire.Event) {
	switch x := e.Payload.(type) {
	case *wire.EntryPublishedEvent:
		w.entries[x.EntryID] = &judged{author: x.Author}
	case *wire.EntryUpdatedEvent:
		if j := w.entries[x.EntryID]; j != nil && (x.Author == j.author || x.Version == j.pending) {
			j.by = nil // nobody has judged the new text
		} else if j != nil {
			j.pending = x.Version
		}
	case *wire.EntryVerifiedEvent:
		if j := w.entries[x.EntryID]; j != nil && x.Verdict == wire.VerdictAccurate {
			if j.ever++; j.ever == 2 {
				w.first += 10
			}
			j.by = append(j.by, x.Verifier)
			w.credit(circle, now, j)
		}
	case *wire.ProposalCreatedEvent:
		w.author[x.ProposalID] = x.Author
	case *wire.ProposalVotedEvent:
		w.due(circle, now, 1, x.Voter, word{true, w.author[x.ProposalID], x.Voter})
	}
}

// credit is what the first two verdicts over unused pairs are worth.
func (w *words) credit(circle map[wire.AgentID]string, now wire.Cycle, j *judged) {
	var counting []word
	for _, v := range j.by {
		if p := (word{false, v, j.author}); now >= w.used[p] && len(counting) < 2 {
			counting = append(counting, p)
		}
	}
	if !j.rewarded && len(counting) == 2 {
		j.rewarded = true
		w.due(circle, now, 20, j.author, counting...) // 10, and 10 more if it fulfils a bounty
	}
}

// due books a reward over unused pairs.
func (w *words) due(circle map[wire.AgentID]string, now wire.Cycle, most uint64, payee wire.AgentID, over ...word) {
	if slices.ContainsFunc(over, func(p word) bool { return p.from == p.to || now < w.used[p] }) {
		return
	}
	book := w.own
	for _, p := range over {
		w.used[p] = now + w.pairs
		if circle[payee] == "" || circle[p.from] != circle[payee] {
			book = w.heard
		}
	}
	book[payee] += most
}
