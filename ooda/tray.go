package ooda

import (
	"kingdom/llm"
	"kingdom/wire"
	"kingdom/wire/action"
)

// Tray is the memory in which a turn lays out its affordances. It is empty between slots, so there need to be only as
// many as turns that are in a slot at the same time. If minds never wait for anything outside, that is one per
// worker.
type Tray struct {
	list     []llm.Affordance
	refs     []offerRef // parallel to list
	payloads payloads
}

// NewTray returns an empty tray.
func NewTray() *Tray {
	return &Tray{list: make([]llm.Affordance, 0, maxOffers), refs: make([]offerRef, 0, maxOffers), payloads: newPayloads()}
}

// noTray is the tray of a turn between slots. It stays empty.
var noTray = &Tray{}

// LendTo gives the tray to a turn for the slot that begins. A turn without one creates its own and keeps it.
func (x *Tray) LendTo(t *Turn) { t.offers.Tray = x }

// TakeFrom takes the tray back after the last Act of a slot and clears it.
func (x *Tray) TakeFrom(t *Turn) { t.offers.Tray, t.prompt.Affordances = noTray, nil }

// payloads are those of the frequent affordances. They are used again at the next Ask,
// when the prompt is gone.
type payloads struct {
	gets      stock[wire.EntryGet]
	verifies  stock[wire.EntryVerify]
	signals   stock[wire.SignalSend]
	votes     stock[wire.ProposalVote]
	reviews   stock[wire.BountyReview]
	updates   stock[wire.EntryUpdate]
	citations stock[wire.CitationAdd]
	publishes stock[wire.EntryPublish]
	findings  stock[llm.Finding]

	look     wire.MsgQuery
	lookAt   []wire.Hash
	browse   wire.EntryQuery
	authors  []wire.AgentID // of the entries that it is to show
	after    wire.Tick      // just before the oldest of them was published
	question wire.MsgPost
	status   wire.AgentStatusMsg
	rest     action.Rest
	call     wire.MsgPost
	callRef  [1]wire.Hash
	askedOf  wire.AgentID // whom the question is addressed to; zero: nobody
	askedRef [1]wire.Hash
}

// newPayloads sets how many affordances of each frequent kind a slot offers at most.
func newPayloads() payloads {
	return payloads{
		gets:      make(stock[wire.EntryGet], 0, 4),
		verifies:  make(stock[wire.EntryVerify], 0, 4),
		signals:   make(stock[wire.SignalSend], 0, 4),
		votes:     make(stock[wire.ProposalVote], 0, 4),
		reviews:   make(stock[wire.BountyReview], 0, 2), // claims given back included
		updates:   make(stock[wire.EntryUpdate], 0, 2),
		citations: make(stock[wire.CitationAdd], 0, 2),
		publishes: make(stock[wire.EntryPublish], 0, 4),
		findings:  make(stock[llm.Finding], 0, 24),
	}
}

// stock holds the payloads of one kind that this slot uses; its capacity never grows.
type stock[T any] []T

// add puts a payload in and returns its place; nil when the stock is full.
func (s *stock[T]) add(v T) *T {
	if len(*s) == cap(*s) {
		return nil
	}
	*s = append(*s, v)
	return &(*s)[len(*s)-1]
}
