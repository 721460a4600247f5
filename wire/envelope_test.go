package wire

import (
	"bytes"
	"crypto/ed25519"
	"encoding/binary"
	"errors"
	"testing"

	"github.com/vmihailenco/msgpack/v5"
	"pgregory.net/rapid"

	"kingdom/wire/codec"
)

func randomHeader(t *rapid.T) Header {
	h := Header{
		Version:   ProtocolVersion,
		Type:      MsgType(rapid.Uint16().Draw(t, "type")),
		Timestamp: Tick(rapid.Uint64().Draw(t, "tick") >> rapid.IntRange(0, 63).Draw(t, "shift")),
		BodyLen:   rapid.Uint32().Draw(t, "len") >> rapid.IntRange(0, 31).Draw(t, "shift"),
	}
	for _, b := range [][]byte{h.MsgID[:], h.Source[:], h.Target[:], h.BodyHash[:], h.Signature[:]} {
		copy(b, rapid.SliceOfN(rapid.Byte(), len(b), len(b)).Draw(t, "bytes"))
	}
	return h
}

func TestHeader_BytesOfLibrary(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := randomHeader(t)
		var buf bytes.Buffer
		enc := msgpack.NewEncoder(&buf)
		enc.UseCompactInts(true)
		err := errors.Join(enc.EncodeMapLen(9),
			enc.EncodeString("version"), enc.EncodeUint(uint64(h.Version)),
			enc.EncodeString("msg_type"), enc.EncodeUint(uint64(h.Type)),
			enc.EncodeString("msg_id"), enc.EncodeBytes(h.MsgID[:]),
			enc.EncodeString("source"), enc.EncodeBytes(h.Source[:]),
			enc.EncodeString("target"), enc.EncodeBytes(h.Target[:]),
			enc.EncodeString("timestamp"), enc.EncodeUint(uint64(h.Timestamp)),
			enc.EncodeString("body_len"), enc.EncodeUint(uint64(h.BodyLen)),
			enc.EncodeString("body_hash"), enc.EncodeBytes(h.BodyHash[:]),
			enc.EncodeString("signature"), enc.EncodeBytes(h.Signature[:]))
		if err != nil {
			t.Fatal(err)
		}
		b := h.AppendHeader(nil)
		if !bytes.Equal(b, buf.Bytes()) {
			t.Fatalf("own %x, library %x", b, buf.Bytes())
		}
		if len(b) < minHeader || len(b) > maxHeader {
			t.Fatalf("header of %d bytes", len(b))
		}
		var back Header
		if err := back.DecodeHeader(b); err != nil || back != h {
			t.Fatalf("round trip: %v", err)
		}
	})
}

func TestOpenFrame_Refusals(t *testing.T) {
	ping := pingEnvelope()
	good := ping.AppendFrame(nil)
	change := func(f func(b []byte) []byte) []byte { return f(bytes.Clone(good)) }
	// The same header with timestamp 7 in two bytes, and its length corrected.
	wide := change(func(b []byte) []byte {
		i := bytes.Index(b, []byte("timestamp")) + len("timestamp")
		b = append(b[:i], append([]byte{0xCC}, b[i:]...)...)
		binary.BigEndian.PutUint16(b[4:], binary.BigEndian.Uint16(b[4:])+1)
		return b
	})
	for name, c := range map[string]struct {
		frame []byte
		kind  codec.DecodeKind
	}{
		"empty":            {nil, codec.DecodeKindLength},
		"bad magic":        {change(func(b []byte) []byte { b[0] = 'X'; return b }), codec.DecodeKindMagic},
		"header cut":       {good[:100], codec.DecodeKindLength},
		"body cut":         {good[:len(good)-1], codec.DecodeKindLength},
		"trailing":         {append(bytes.Clone(good), 0), codec.DecodeKindLength},
		"version 2":        {change(func(b []byte) []byte { b[6+1+8] = 2; return b }), codec.DecodeKindVersion},
		"wide integer":     {wide, codec.DecodeKindNotCanonical},
		"key misspelt":     {change(func(b []byte) []byte { b[6+3] = 'V'; return b }), codec.DecodeKindUnknownField},
		"eight entries":    {change(func(b []byte) []byte { b[6] = 0x88; return b }), codec.DecodeKindMissingField},
		"header too short": {change(func(b []byte) []byte { binary.BigEndian.PutUint16(b[4:], 283); return b }), codec.DecodeKindLength},
		"too large":        {make([]byte, MaxEnvelope+1), codec.DecodeKindLength},
	} {
		if _, err := OpenFrame(c.frame); !errors.Is(err, &codec.DecodeError{Kind: c.kind}) {
			t.Errorf("%s: %v, want %s", name, err, c.kind)
		}
	}
}

// What is said of a frame that is cut points to the byte where the missing part should begin.
func TestOpenFrame_Bounds(t *testing.T) {
	ping := pingEnvelope()
	good := ping.AppendFrame(nil)
	header := len(good) - len(ping.Body)
	for name, c := range map[string]struct {
		frame  []byte
		offset int
	}{
		"one byte of the header is missing": {good[:header-1], 4},
		"the body is missing":               {good[:header], header},
		"a byte too many":                   {append(bytes.Clone(good), 0), header},
	} {
		_, err := OpenFrame(c.frame)
		var d *codec.DecodeError
		if !errors.As(err, &d) || d.Kind != codec.DecodeKindLength || d.Offset != c.offset {
			t.Errorf("%s: %v, want an error at byte %d", name, err, c.offset)
		}
	}
	bare := NewEnvelope(TypePing, SystemID(SystemNexus), SystemID(SystemVault), 7, nil)
	if e, err := OpenFrame(bare.AppendFrame(nil)); err != nil || len(e.Body) != 0 || e.Header != bare.Header {
		t.Errorf("a frame without a body: %+v, %v", e, err)
	}
}

func TestAppendFrame_AfterOtherBytes(t *testing.T) {
	ping := pingEnvelope()
	if b := ping.AppendFrame([]byte("before")); string(b) != "before"+string(ping.AppendFrame(nil)) {
		t.Errorf("%x", b)
	}
}

func TestEnvelope_ReceivePipeline(t *testing.T) {
	pub := SystemKey(SystemNexus).Public().(ed25519.PublicKey)
	for name, c := range map[string]struct {
		spoil func(e *Envelope)
		code  uint32
	}{
		"body":      {func(e *Envelope) { e.Body = []byte{0x90} }, CodeBadBodyHash},
		"msg_id":    {func(e *Envelope) { e.MsgID[0]++ }, CodeBadHeader},
		"timestamp": {func(e *Envelope) { e.Timestamp++ }, CodeBadHeader},
		"signature": {func(e *Envelope) { e.Signature[0]++ }, CodeBadSignature},
	} {
		e := pingEnvelope()
		c.spoil(&e)
		var d *codec.DecodeError
		if err := e.Check(pub); !errors.As(err, &d) {
			t.Errorf("%s: accepted", name)
		} else if code := ProtocolCode(d); code != c.code {
			t.Errorf("%s: code %#04x, want %#04x", name, code, c.code)
		}
	}
	e := pingEnvelope()
	if err := e.Verify(SystemKey(SystemVault).Public().(ed25519.PublicKey)); err == nil {
		t.Error("another system's key verifies")
	}
	e.Sign(SystemKey(SystemVault)) // VAULT_0 speaks in the name of NEXUS_0
	if err := e.Verify(SystemKey(SystemVault).Public().(ed25519.PublicKey)); err == nil {
		t.Error("a key verifies what another source says")
	}
	if e.AddressedTo(SystemID(SystemNexus)) || !e.AddressedTo(SystemID(SystemVault)) {
		t.Error("PING goes to VAULT_0 alone")
	}
	e.Target = Broadcast
	if !e.AddressedTo(SystemID(SystemNexus)) {
		t.Error("a broadcast reaches everybody")
	}
}

func TestNewEnvelope_NonceDistinguishesEqualRequests(t *testing.T) {
	claim := &BountyClaim{BountyID: Hash{1}, Claimer: AgentID{2}}
	one := NewEnvelope(TypeBountyClaim, AgentID{2}, SystemID(SystemAgora), 9, AppendBody(nil, claim, 0))
	twin := NewEnvelope(TypeBountyClaim, AgentID{2}, SystemID(SystemAgora), 9, AppendBody(nil, claim, 0))
	other := NewEnvelope(TypeBountyClaim, AgentID{2}, SystemID(SystemAgora), 9, AppendBody(nil, claim, 1))
	if one.MsgID != twin.MsgID || one.MsgID == other.MsgID {
		t.Error("msg_id must be a function of the content, and the nonce part of it")
	}
}
