// Package traffic verifies recorded traffic: the frames that kingdom journal export writes
// (docs/WIRE.md, exported runs). It trusts nothing but the formulas of that page: every
// frame passes the one [wire.Receiver], keys follow from the world seed in the genesis
// event, and the envelope chain of each cycle is recomputed. It works on
// finished runs, outside any tick, and does no I/O: the caller cuts the stream with
// [wire.SplitFrames].
package traffic

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"

	"kingdom/wire"
)

// Reader verifies frames in the order of the file. Use [NewReader].
type Reader struct {
	receiver wire.Receiver
	keys     map[wire.AgentID]ed25519.PublicKey
	seed     wire.Hash
	begun    bool         // genesis was read
	born     uint64       // agents so far
	now      wire.Tick    // of the last frame
	waiting  *wire.Header // the request whose reply comes next
	turn     [40]byte     // tick and place in the commit order of the last request
	last     wire.EventID // newest event
	cycle    Cycle        // the open one
	between  bool         // the last frame ended a cycle
	counts   Counts       // of all frames so far
}

// Counts are the numbers of verified frames by kind.
type Counts struct {
	Frames, Requests, Replies, Events uint64
}

// Cycle is the result of verifying the frames of one cycle.
type Cycle struct {
	Cycle     wire.Cycle
	Requests  uint64
	Envelopes wire.Hash // envelope chain, recomputed
	WorldHash wire.Hash // as WORLD_STATE says, and the hash of the components that it names
}

// NewReader returns a reader that knows the ten systems and learns the agents from the frames.
func NewReader() *Reader {
	r := &Reader{keys: map[wire.AgentID]ed25519.PublicKey{}}
	for s := wire.SystemNexus; s <= wire.SystemSession; s++ {
		r.keys[wire.SystemID(s)] = publicOf(wire.SystemKey(s))
	}
	r.receiver = wire.Receiver{
		KeyOf:  func(a wire.AgentID) ed25519.PublicKey { return r.keys[a] },
		Decode: r.decode,
	}
	return r
}

func publicOf(k ed25519.PrivateKey) ed25519.PublicKey { return k.Public().(ed25519.PublicKey) }

// Counts returns how many frames were verified.
func (r *Reader) Counts() Counts { return r.counts }

// Done returns an error if the file must not end here, because a cycle is incomplete.
func (r *Reader) Done() error {
	if !r.between {
		return errors.New("the frames do not end with the WORLD_STATE of a cycle; the file is cut")
	}
	return nil
}

// Add verifies the next frame. A frame that ends a cycle returns it, every other one nil.
func (r *Reader) Add(frame []byte) (*Cycle, error) {
	if e, err := wire.OpenFrame(frame); err == nil && e.Timestamp > r.now {
		r.now = e.Timestamp // a recording's clock is its own; it never goes back
	}
	got, err := r.receiver.Receive(frame, r.now)
	if err != nil {
		return nil, err
	}
	done, err := r.take(&got)
	if err != nil {
		return nil, fmt.Errorf("message %s: %w", got.Envelope.MsgID, err)
	}
	r.counts.Frames++
	r.between = done != nil
	return done, nil
}

// decode reads the body of a reply where one is due, and of a request everywhere else.
func (r *Reader) decode(h *wire.Header, body []byte) (any, error) {
	if r.waiting == nil {
		p, _, err := wire.DecodeRequest(h.Type, body)
		return p, err
	}
	p, ref, err := wire.DecodeReply(h.Type, r.waiting.Type, body)
	if err == nil && ref != r.waiting.MsgID {
		err = fmt.Errorf("it answers %s, but the request before it is %s", ref, r.waiting.MsgID)
	}
	return p, err
}

// take puts a frame in its place among the others.
func (r *Reader) take(got *wire.Received) (*Cycle, error) {
	h := &got.Envelope.Header
	_, system := wire.SystemOf(h.Source)
	switch {
	case r.waiting != nil:
		return nil, r.reply(h)
	case !system:
		return nil, r.request(h)
	case h.Source != wire.SystemID(wire.SystemNexus) || h.Target != wire.Broadcast:
		return nil, fmt.Errorf("%s from %s to %s is neither a reply nor for everybody", h.Type, h.Source, h.Target)
	}
	switch p := got.Payload.(type) {
	case *wire.EventRecord:
		return nil, r.event(h, p)
	case *wire.WorldState:
		return r.state(p)
	}
	return nil, fmt.Errorf("%s is not for everybody", h.Type)
}

// request takes its place in the commit order and in the chain.
func (r *Reader) request(h *wire.Header) error {
	turn := r.turnOf(h)
	if bytes.Compare(turn[:], r.turn[:]) < 0 {
		return errors.New("it is not in commit order")
	}
	r.turn = turn
	var b [64]byte
	copy(b[:], r.cycle.Envelopes[:])
	copy(b[32:], h.MsgID[:])
	r.cycle.Envelopes = sha256.Sum256(b[:])
	r.cycle.Requests++
	r.counts.Requests++
	asked := *h
	r.waiting = &asked
	return nil
}

// turnOf is where a request stands among all: by tick, then by the hash of world seed, tick
// and source.
func (r *Reader) turnOf(h *wire.Header) (turn [40]byte) {
	binary.BigEndian.PutUint64(turn[:], uint64(h.Timestamp))
	b := append(r.seed[:len(r.seed):len(r.seed)], turn[:8]...)
	place := sha256.Sum256(append(b, h.Source[:]...))
	copy(turn[8:], place[:])
	return turn
}

func (r *Reader) reply(h *wire.Header) error {
	if h.Source != r.waiting.Target || h.Target != r.waiting.Source || h.Timestamp != r.waiting.Timestamp {
		return fmt.Errorf("the reply to %s must come from %s in the same tick", r.waiting.MsgID, r.waiting.Target)
	}
	r.waiting = nil
	r.counts.Replies++
	return nil
}

// event checks a record: its signature, its place, its payload, and the agents it brings.
func (r *Reader) event(h *wire.Header, e *wire.EventRecord) error {
	if err := e.Verify(); err != nil {
		return err
	}
	if e.Timestamp != h.Timestamp || e.ID.Lamport>>32 != uint64(h.Timestamp) {
		return fmt.Errorf("event %d is not of tick %d", e.ID.Lamport, h.Timestamp)
	}
	if r.begun && e.ID.Compare(r.last) <= 0 {
		return fmt.Errorf("event %d does not come after the one before", e.ID.Lamport)
	}
	p, err := wire.DecodePayload(e.Kind, e.Payload)
	if err != nil {
		return err
	}
	r.last = e.ID
	r.counts.Events++
	switch p := p.(type) {
	case *wire.GenesisEvent:
		r.begun, r.seed = true, p.WorldSeed
	case *wire.AgentsSpawnedEvent:
		for _, a := range p.AgentIDs {
			if err := r.enrol(a); err != nil {
				return err
			}
		}
	case *wire.AgentSpawnEvent:
		return r.enrol(p.AgentID)
	}
	if !r.begun {
		return errors.New("the first event must be genesis, which names the world seed")
	}
	return nil
}

// enrol learns the key of a newcomer, which the world seed and the order of births give.
func (r *Reader) enrol(a wire.AgentID) error {
	if r.keys[a] != nil {
		return nil
	}
	key := publicOf(wire.AgentKey(r.seed, r.born+1))
	if want := wire.IDOf(key); want != a {
		return fmt.Errorf("agent %d of this world seed is %s, not %s", r.born+1, want, a)
	}
	r.born++
	r.keys[a] = key
	return nil
}

// state ends a cycle.
func (r *Reader) state(s *wire.WorldState) (*Cycle, error) {
	if s.Cycle != r.cycle.Cycle {
		return nil, fmt.Errorf("it ends cycle %d, but cycle %d is open", s.Cycle, r.cycle.Cycle)
	}
	var b []byte
	for _, h := range []wire.Hash{s.NexusHash, s.VaultHash, s.AgoraHash, s.OracleHash, s.ForgeHash, s.MintHash, s.PortalHash} {
		b = append(b, h[:]...)
	}
	if sha256.Sum256(b) != s.WorldHash {
		return nil, fmt.Errorf("the world hash of cycle %d is not that of its components", s.Cycle)
	}
	done := r.cycle
	done.WorldHash = s.WorldHash
	r.cycle = Cycle{Cycle: done.Cycle + 1}
	return &done, nil
}
