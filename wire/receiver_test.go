package wire

import (
	"bufio"
	"bytes"
	"crypto/ed25519"
	"encoding/binary"
	"errors"
	"testing"

	"kingdom/wire/codec"
)

// vaultDoor receives for VAULT_0 from NEXUS_0 and agent 1 of the zero seed, and serves PING
// and EVENT.
func vaultDoor() *Receiver {
	self := SystemID(SystemVault)
	keys := map[AgentID]ed25519.PublicKey{}
	for _, k := range []ed25519.PrivateKey{SystemKey(SystemNexus), AgentKey(Hash{}, 1)} {
		pub := k.Public().(ed25519.PublicKey)
		keys[IDOf(pub)] = pub
	}
	return &Receiver{
		Self:  &self,
		KeyOf: func(a AgentID) ed25519.PublicKey { return keys[a] },
		Decode: func(h *Header, body []byte) (any, error) {
			if h.Type != TypePing && h.Type != TypeMsgPost {
				return nil, &codec.DecodeError{Kind: codec.DecodeKindUnknownType, Op: "decode " + h.Type.String()}
			}
			p, _, err := DecodeRequest(h.Type, body)
			return p, err
		},
	}
}

// sent makes a frame from agent 1 to VAULT_0 at tick 7, changed by f before it is signed.
func sent(t MsgType, body []byte, f func(e *Envelope)) []byte {
	key := AgentKey(Hash{}, 1)
	e := NewEnvelope(t, IDOf(key.Public().(ed25519.PublicKey)), SystemID(SystemVault), 7, body)
	if f != nil {
		f(&e)
		e.MsgID = e.computeMsgID()
	}
	e.Sign(key)
	return e.AppendFrame(nil)
}

func TestReceiver_FirstFailureDecides(t *testing.T) {
	ping := []byte{0x80}
	spoil := func(f func(e *Envelope)) []byte {
		e, err := OpenFrame(sent(TypePing, bytes.Clone(ping), nil))
		if err != nil {
			t.Fatal(err)
		}
		f(&e)
		return e.AppendFrame(nil)
	}
	for name, c := range map[string]struct {
		frame []byte
		now   Tick
		drop  bool
		code  uint32
	}{
		"good":                     {frame: sent(TypePing, ping, nil), now: 7},
		"to everybody":             {frame: sent(TypePing, ping, func(e *Envelope) { e.Target = Broadcast }), now: 7},
		"no frame":                 {frame: []byte("KDOM"), now: 7, drop: true},
		"trailing byte":            {frame: append(sent(TypePing, ping, nil), 0), now: 7, drop: true},
		"for somebody else":        {frame: sent(TypePing, ping, func(e *Envelope) { e.Target = SystemID(SystemMint) }), now: 7, drop: true},
		"from a stranger":          {frame: sent(TypePing, ping, func(e *Envelope) { e.Source = AgentID{1} }), now: 7, drop: true},
		"from a system not listed": {frame: sent(TypePing, ping, func(e *Envelope) { e.Source = SystemID(SystemMint) }), now: 7, drop: true},
		"other body":               {frame: spoil(func(e *Envelope) { e.Body[0] = 0x90 }), now: 7, code: CodeBadBodyHash},
		"other msg_id":             {frame: spoil(func(e *Envelope) { e.MsgID[0]++ }), now: 7, code: CodeBadHeader},
		"other signature":          {frame: spoil(func(e *Envelope) { e.Signature[0]++ }), now: 7, code: CodeBadSignature},
		"signed by another":        {frame: sent(TypePing, ping, func(e *Envelope) { e.Source = SystemID(SystemNexus) }), now: 7, code: CodeBadSignature},
		"of the tick before":       {frame: sent(TypePing, ping, nil), now: 8, code: CodeReplayOrStale},
		"of the tick after":        {frame: sent(TypePing, ping, nil), now: 6, code: CodeReplayOrStale},
		"type not served":          {frame: sent(TypeBalanceQuery, ping, nil), now: 7, code: CodeUnknownType},
		"body with another key":    {frame: sent(TypePing, []byte("\x81\xa1x\x01"), nil), now: 7, code: CodeBadBody},
		"stale and not served":     {frame: sent(TypeBalanceQuery, ping, nil), now: 8, code: CodeReplayOrStale},
		"bad body, bad signature":  {frame: spoil(func(e *Envelope) { e.Body[0] = 0x90; e.Signature[0]++ }), now: 7, code: CodeBadBodyHash},
	} {
		got, err := vaultDoor().Receive(c.frame, c.now)
		if !c.drop && c.code == 0 {
			if _, ok := got.Payload.(*Ping); err != nil || !ok {
				t.Errorf("%s: %T, %v", name, got.Payload, err)
			}
			continue
		}
		var no *ReceiveError
		if !errors.As(err, &no) {
			t.Errorf("%s: accepted", name)
		} else if no.Code != c.code {
			t.Errorf("%s: code %#04x (%v), want %#04x", name, no.Code, err, c.code)
		}
		if silent := errors.Is(err, ErrNotAddressed); silent != (name == "for somebody else") {
			t.Errorf("%s: silent %v", name, silent)
		}
	}
}

func TestReceiver_WithoutSelfAcceptsAnyTarget(t *testing.T) {
	r := vaultDoor()
	r.Self = nil
	if _, err := r.Receive(sent(TypePing, []byte{0x80}, func(e *Envelope) { e.Target = AgentID{9} }), 7); err != nil {
		t.Error(err)
	}
}

func TestSplitFrames(t *testing.T) {
	one, two := sent(TypePing, []byte{0x80}, nil), sent(TypeMsgPost, AppendBody(nil, &benchPost, 1), nil)
	split := func(b []byte) (frames [][]byte, err error) {
		s := bufio.NewScanner(bytes.NewReader(b))
		s.Buffer(make([]byte, 16), MaxEnvelope)
		s.Split(SplitFrames)
		for s.Scan() {
			frames = append(frames, bytes.Clone(s.Bytes()))
		}
		return frames, s.Err()
	}
	whole := append(bytes.Clone(one), two...)
	got, err := split(whole)
	if err != nil || len(got) != 2 || !bytes.Equal(got[0], one) || !bytes.Equal(got[1], two) {
		t.Errorf("%d frames, %v", len(got), err)
	}
	huge, err := OpenFrame(one)
	if err != nil {
		t.Fatal(err)
	}
	huge.BodyLen = MaxEnvelope
	for name, c := range map[string]struct {
		b    []byte
		kind codec.DecodeKind
	}{
		"cut":            {whole[:len(whole)-1], codec.DecodeKindLength},
		"cut in header":  {whole[:len(one)+30], codec.DecodeKindLength},
		"cut in magic":   {whole[:len(one)+2], codec.DecodeKindLength},
		"other bytes":    {append(bytes.Clone(one), "KDOX"...), codec.DecodeKindMagic},
		"long header":    {[]byte("KDOM\xff\xff"), codec.DecodeKindLength},
		"broken header":  {append([]byte("KDOM\x01\x1c"), make([]byte, 284)...), codec.DecodeKindType},
		"body too large": {huge.AppendFrame(nil), codec.DecodeKindLength},
	} {
		if _, err := split(c.b); !errors.Is(err, &codec.DecodeError{Kind: c.kind}) {
			t.Errorf("%s: %v, want %s", name, err, c.kind)
		}
	}
}

// A stream is refused as soon as the bytes that are there cannot become a frame, and not
// before.
func TestSplitFrames_Bounds(t *testing.T) {
	long := sent(TypeMsgPost, make([]byte, 1<<16), func(e *Envelope) { e.Timestamp = 1 << 40 })
	if n := binary.BigEndian.Uint16(long[4:]); n != maxHeader {
		t.Fatalf("the header has %d bytes, want the longest", n)
	}
	ping, err := OpenFrame(sent(TypePing, []byte{0x80}, nil))
	if err != nil {
		t.Fatal(err)
	}
	// largest is PING's header with a body that makes the frame one of MaxEnvelope + more bytes.
	largest := func(more int) []byte {
		e := ping
		e.BodyLen = 1 << 17 // in five bytes, as the final length is
		e.BodyLen = uint32(MaxEnvelope - len(e.AppendHeader(nil)) - framePrefix + more)
		e.Body = nil
		return e.AppendFrame(nil)
	}
	for name, c := range map[string]struct {
		b       []byte
		advance int
		ok      bool
	}{
		"the longest header":            {long, len(long), true},
		"a header that is too long":     {[]byte("KDOM\x01\x2b"), 0, false},
		"the largest frame begins":      {largest(0), 0, true},
		"a frame too large by one byte": {largest(1), 0, false},
		"a frame far too large":         {largest(200), 0, false},
		"no body yet":                   {long[:framePrefix+maxHeader], 0, true},
		"a second frame begins":         {append(bytes.Clone(long), "KD"...), len(long), true},
	} {
		advance, frame, err := SplitFrames(c.b, false)
		if (err == nil) != c.ok || advance != c.advance || len(frame) != advance {
			t.Errorf("%s: a frame of %d bytes, %v", name, advance, err)
		}
	}
}

// FuzzReceiver feeds streams of bytes to the way in: whatever passes is a frame whose bytes
// follow from its content, addressed to the endpoint, signed by its source and of this tick.
func FuzzReceiver(f *testing.F) {
	ping, post := sent(TypePing, []byte{0x80}, nil), sent(TypeMsgPost, AppendBody(nil, &benchPost, 1), nil)
	f.Add(append(bytes.Clone(ping), post...), uint64(7))
	f.Add(post[:len(post)-1], uint64(7))
	f.Add(sent(TypePing, []byte("\x81\xa5nonce\x01"), nil), uint64(7))
	f.Add(sent(TypePing, []byte{0x80}, func(e *Envelope) { e.Target, e.Timestamp = Broadcast, 1<<40 }), uint64(1<<40))
	f.Add([]byte("KDOM\x01\x1c"), uint64(0))
	door := vaultDoor()
	f.Fuzz(func(t *testing.T, stream []byte, now uint64) {
		s := bufio.NewScanner(bytes.NewReader(stream))
		s.Buffer(nil, MaxEnvelope)
		s.Split(SplitFrames)
		for s.Scan() {
			got, err := door.Receive(s.Bytes(), Tick(now))
			var no *ReceiveError
			if err != nil {
				if !errors.As(err, &no) {
					t.Fatalf("an error of another type: %v", err)
				}
				if _, _, known := ProtocolReason(no.Code); no.Code != 0 && !known {
					t.Fatalf("%v has the unknown code %#04x", err, no.Code)
				}
				continue
			}
			e := got.Envelope
			if !bytes.Equal(e.AppendFrame(nil), s.Bytes()) || got.Payload == nil || e.Timestamp != Tick(now) || !e.AddressedTo(*door.Self) {
				t.Fatalf("%+v passed", e.Header)
			}
			if err := e.Check(door.KeyOf(e.Source)); err != nil {
				t.Fatal(err)
			}
		}
	})
}
