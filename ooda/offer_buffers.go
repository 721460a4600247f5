package ooda

import (
	"kingdom/llm"
	"kingdom/wire"
	"kingdom/wire/action"
)

// OfferBuffers are the buffers in which a turn builds its affordances. They are empty between slots, so turns share them: there
// need to be as many as slots run at the same time. If minds never wait for anything outside, that is one per worker.
type OfferBuffers struct {
	list     []llm.Affordance
	refs     []offerRef // parallel to list
	stepped  []uint64   // row ids of the plans whose next step was looked for
	payloads payloads
}

// NewOfferBuffers returns empty buffers.
func NewOfferBuffers() *OfferBuffers {
	return &OfferBuffers{list: make([]llm.Affordance, 0, maxOffers), refs: make([]offerRef, 0, maxOffers), payloads: newPayloads()}
}

// noOfferBuffers are the buffers of a turn between slots. They stay empty.
var noOfferBuffers = &OfferBuffers{}

// AttachTo lets a turn use the buffers for the slot that begins. A turn that gets none creates its own and keeps them.
func (b *OfferBuffers) AttachTo(t *Turn) { t.offers.OfferBuffers = b }

// DetachFrom takes the buffers back from the turn after the last Act of a slot.
func (b *OfferBuffers) DetachFrom(t *Turn) {
	t.offers.OfferBuffers, t.prompt.Affordances = noOfferBuffers, nil
}

// payloads holds the payloads of the frequent affordances. They are reused by the next Ask, when the prompt is gone.
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
