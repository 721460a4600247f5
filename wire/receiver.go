package wire

import (
	"crypto/ed25519"
	"errors"
	"fmt"

	"kingdom/wire/codec"
)

// Receiver is the one way in for frames from outside the process: the checks of
// docs/WIRE.md, receiving, from the first byte to the typed body. What follows, a repeated msg_id and the
// sender's rights, needs the world and is judged at commit. A Receiver holds no state.
type Receiver struct {
	// Self is the endpoint's id: frames that are neither for it nor for everybody are
	// dropped. Nil reads all frames, as one does who checks recorded traffic.
	Self *AgentID
	// KeyOf returns the public key of a source, nil for one that nobody knows here. The keys
	// of systems are public constants, so a receiver of agents' frames knows no system.
	KeyOf func(source AgentID) ed25519.PublicKey
	// Decode reads a body. It refuses a type that is not served here with a [codec.DecodeError] of
	// [codec.DecodeKindUnknownType].
	Decode func(h *Header, body []byte) (payload any, err error)
}

// Received is a frame that passed.
type Received struct {
	Envelope Envelope // its body shares memory with the frame
	Payload  any      // what Decode made of the body
}

// ErrNotAddressed is wrapped in the ReceiveError of a frame for another receiver, which is dropped and not logged.
var ErrNotAddressed = errors.New("addressed to somebody else")

// ReceiveError says why a frame goes no further.
type ReceiveError struct {
	// Code is the protocol code to answer with; 0 means to drop the frame without an answer.
	Code uint32
	// MsgID is what the frame calls itself, for the answer; zero if the header is unreadable.
	MsgID Hash
	Err   error
}

// Error says what is wrong with which message.
func (e *ReceiveError) Error() string {
	if e.MsgID.IsZero() {
		return fmt.Sprintf("receive frame: %v", e.Err)
	}
	return fmt.Sprintf("receive message %s: %v", e.MsgID, e.Err)
}

// Unwrap returns the reason.
func (e *ReceiveError) Unwrap() error { return e.Err }

// Receive checks one whole frame; now is the open tick. Every error is a *ReceiveError; the
// first failure decides.
func (r *Receiver) Receive(frame []byte, now Tick) (Received, error) {
	e, err := OpenFrame(frame)
	if err != nil {
		return Received{}, &ReceiveError{Err: err}
	}
	drop := func(err error) (Received, error) { return Received{}, &ReceiveError{MsgID: e.MsgID, Err: err} }
	refuse := func(err error) (Received, error) {
		return Received{}, &ReceiveError{Code: ProtocolCode(err), MsgID: e.MsgID, Err: err}
	}
	if r.Self != nil && !e.AddressedTo(*r.Self) {
		return drop(ErrNotAddressed)
	}
	key := r.KeyOf(e.Source)
	if key == nil {
		return drop(fmt.Errorf("nobody here knows its source %s", e.Source))
	}
	if err := e.Check(key); err != nil {
		return refuse(err)
	}
	if e.Timestamp != now {
		return Received{}, &ReceiveError{
			Code: CodeReplayOrStale, MsgID: e.MsgID,
			Err: fmt.Errorf("its timestamp is tick %d, but tick %d is open", e.Timestamp, now),
		}
	}
	payload, err := r.Decode(&e.Header, e.Body)
	if err != nil {
		return refuse(err)
	}
	return Received{Envelope: e, Payload: payload}, nil
}

// SplitFrames is a split function for bufio.Scanner: it cuts consecutive frames apart and
// checks no more of them than it needs for their lengths.
func SplitFrames(data []byte, atEOF bool) (advance int, frame []byte, err error) {
	n, err := frameLen(data)
	switch {
	case err != nil:
		return 0, nil, err
	case n > 0 && len(data) >= n:
		return n, data[:n], nil
	case atEOF && len(data) > 0:
		return 0, nil, &codec.DecodeError{Kind: codec.DecodeKindLength, Op: "split frames", Offset: len(data), Want: "a whole frame at the end"}
	}
	return 0, nil, nil
}

// frameLen is the length of the frame that data begins with, 0 while too little of it is
// there to tell.
func frameLen(data []byte) (int, error) {
	const op = "split frames"
	if n := min(len(data), len(frameMagic)); string(data[:n]) != frameMagic[:n] {
		return 0, &codec.DecodeError{Kind: codec.DecodeKindMagic, Op: op, Want: "KDOM"}
	}
	if len(data) < framePrefix {
		return 0, nil
	}
	n := framePrefix + int(data[4])<<8 + int(data[5])
	if n > framePrefix+maxHeader {
		return 0, &codec.DecodeError{Kind: codec.DecodeKindLength, Op: op, Offset: 4, Want: "a header of 284 to 298 bytes"}
	}
	if len(data) < n {
		return 0, nil
	}
	var h Header
	if err := h.DecodeHeader(data[framePrefix:n]); err != nil {
		return 0, err
	}
	if h.BodyLen > uint32(MaxEnvelope-n) {
		return 0, &codec.DecodeError{Kind: codec.DecodeKindLength, Op: op, Field: "body_len", Want: "a frame of at most 1048576 bytes"}
	}
	return n + int(h.BodyLen), nil
}
