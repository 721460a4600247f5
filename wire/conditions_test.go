package wire

import (
	"crypto/ed25519"
	"errors"
	"fmt"
	"strings"
	"testing"

	"kingdom/wire/codec"
)

func TestEventRecord_VerifiesTheEmitter(t *testing.T) {
	record := func() EventRecord {
		r := RecordOf(&Event{
			ID: EventID{9, SystemID(SystemMint)}, Timestamp: 3, Origin: AgentID{1}, System: SystemMint,
			Kind: KindBountyExpired, Payload: &BountyExpiredEvent{BountyID: Hash{2}},
		})
		r.Sign()
		return r
	}
	if r := record(); r.Verify() != nil {
		t.Fatalf("an untouched event: %v", r.Verify())
	}
	for name, spoil := range map[string]func(r *EventRecord){
		"another emitter": func(r *EventRecord) { r.ID.Agent = SystemID(SystemAgora); r.Sign() }, // the key is Mint's, the id is not
		"agent as emitter": func(r *EventRecord) {
			key := AgentKey(Hash{}, 1)
			r.ID.Agent = IDOf(key.Public().(ed25519.PublicKey))
			copy(r.Signature[:], ed25519.Sign(key, r.AppendUnsigned(nil)))
		},
		"another system": func(r *EventRecord) { r.System = SystemAgora },
		"lamport":        func(r *EventRecord) { r.ID.Lamport++ },
		"payload":        func(r *EventRecord) { r.Payload[len(r.Payload)-1] ^= 1 },
		"parent":         func(r *EventRecord) { r.Parent = &r.ID },
		"signature":      func(r *EventRecord) { r.Signature[63] ^= 1 },
	} {
		r := record()
		spoil(&r)
		if err := r.Verify(); !errors.Is(err, &codec.DecodeError{Kind: codec.DecodeKindSignature}) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestProtocolCode_OfEveryKind(t *testing.T) {
	want := map[codec.DecodeKind]uint32{
		codec.DecodeKindBodyHash: CodeBadBodyHash, codec.DecodeKindMsgID: CodeBadHeader,
		codec.DecodeKindSignature: CodeBadSignature, codec.DecodeKindUnknownType: CodeUnknownType,
	}
	for k := codec.DecodeKindLength; k <= codec.DecodeKindAlias; k++ {
		code, ok := want[k]
		if !ok {
			code = CodeBadBody
		}
		if got := ProtocolCode(fmt.Errorf("outside: %w", &codec.DecodeError{Kind: k})); got != code {
			t.Errorf("%s: %#04x, want %#04x", k, got, code)
		}
	}
	if got := ProtocolCode(errors.New("other")); got != CodeBadBody {
		t.Errorf("any other error: %#04x", got)
	}
}

func TestTables_NamesAreUniqueAndCodesKnown(t *testing.T) {
	seen := map[string]bool{}
	for code, m := range messages {
		if m.name == "" || seen[m.name] || code.String() != m.name {
			t.Errorf("message %#04x is named %q", uint16(code), m.name)
		}
		seen[m.name] = true
		if (NewRequest(code) != nil) != (m.request != nil) || (RequestShape(code) != nil) != (m.request != nil) {
			t.Errorf("%s: request and table disagree", m.name)
		}
		if s, ok := code.System(); ok != (code >= 0x0100 && code < 0x0900) || ok && s != System(code>>8) {
			t.Errorf("%s belongs to %s, %v", m.name, s, ok)
		}
	}
	for kind, e := range eventKinds {
		if e.name == "" || e.name != strings.ToLower(e.name) || kind.String() != e.name {
			t.Errorf("event %#04x is named %q", uint16(kind), e.name)
		}
		if (NewEventPayload(kind) != nil) != (e.payload != nil) {
			t.Errorf("%s: payload and table disagree", e.name)
		}
	}
	if MsgType(0x0999).String() != "MSG_0x0999" || EventKind(0x0999).String() != "event_0x0999" {
		t.Error("an unknown code shows its number")
	}
	for _, code := range []MsgType{0x00FF, 0x0900} {
		if _, ok := code.System(); ok {
			t.Errorf("%s belongs to a daemon", code)
		}
	}
	if _, err := DecodePayload(KindTranslationCompleted, []byte{0x80}); !errors.Is(err, &codec.DecodeError{Kind: codec.DecodeKindUnknownType}) {
		t.Errorf("an event without payload: %v", err)
	}
	if _, err := RequestFromJSON(TypeBridgeStatus, []byte(`{}`), nil); !errors.Is(err, &codec.DecodeError{Kind: codec.DecodeKindUnknownType}) {
		t.Errorf("parameters of a message without payload: %v", err)
	}
	if _, err := DecodePayload(KindTick, []byte{0x80}); err == nil || !strings.Contains(err.Error(), "decode tick") {
		t.Errorf("an empty tick: %v", err)
	}
}

func TestPayload_RefusesForeignValues(t *testing.T) {
	var none *Ping
	for name, payload := range map[string]any{"nil": nil, "nil pointer": none, "no pointer": Ping{}, "foreign": &struct{}{}} {
		func() {
			defer func() {
				if r := recover(); r == nil || !strings.HasPrefix(fmt.Sprint(r), "wire: ") {
					t.Errorf("%s: %v", name, r)
				}
			}()
			AppendPayload(nil, payload)
		}()
	}
}

func TestEnvelope_LongestBody(t *testing.T) {
	longest := MaxEnvelope - framePrefix - maxHeader
	e := NewEnvelope(TypePing, AgentID{}, AgentID{}, 1<<63, make([]byte, longest))
	if frame := e.AppendFrame(nil); len(frame) > MaxEnvelope {
		t.Errorf("a frame of %d bytes", len(frame))
	} else if _, err := OpenFrame(frame); err != nil {
		t.Error(err)
	}
	defer func() {
		if recover() == nil {
			t.Error("a longer body does not panic")
		}
	}()
	NewEnvelope(TypePing, AgentID{}, AgentID{}, 0, make([]byte, longest+1))
}

func TestOpenFrame_AtItsBounds(t *testing.T) {
	for n, want := range map[int]codec.DecodeKind{5: codec.DecodeKindLength, 6: codec.DecodeKindMagic, MaxEnvelope: codec.DecodeKindMagic, MaxEnvelope + 1: codec.DecodeKindLength} {
		if _, err := OpenFrame(make([]byte, n)); !errors.Is(err, &codec.DecodeError{Kind: want}) {
			t.Errorf("%d bytes: %v, want %s", n, err, want)
		}
	}
	ping := pingEnvelope()
	header := ping.AppendHeader(nil)
	var h Header
	for n, want := range map[int]codec.DecodeKind{minHeader - 1: codec.DecodeKindLength, maxHeader + 1: codec.DecodeKindLength, maxHeader: codec.DecodeKindTrailing} {
		if err := h.DecodeHeader(append(header[:min(n, len(header)):min(n, len(header))], make([]byte, max(0, n-len(header)))...)); !errors.Is(err, &codec.DecodeError{Kind: want}) {
			t.Errorf("a header of %d bytes: %v, want %s", n, err, want)
		}
	}
	widest := Header{Version: 1, Type: 0xFFFF, Timestamp: 1<<64 - 1, BodyLen: 1<<32 - 1}
	if b := widest.AppendHeader(nil); len(b) != maxHeader || h.DecodeHeader(b) != nil || h != widest {
		t.Errorf("the widest header of %d bytes does not come back", len(b))
	}
}

func TestReadContent_ByKeyAndType(t *testing.T) {
	id := Hash{5}
	hex := id.String()
	for name, c := range map[string]struct {
		content string
		ok      func(c *Content) bool
	}{
		"id as text":           {"\x81\xa9bounty_id\xd9\x40" + hex, func(c *Content) bool { return c.BountyID != nil && *c.BountyID == id }},
		"id as bytes":          {"\x81\xa9bounty_id\xc4\x20" + string(id[:]), func(c *Content) bool { return c.BountyID != nil && *c.BountyID == id }},
		"id too short":         {"\x81\xa9bounty_id\xc4\x1f" + string(id[:31]), func(c *Content) bool { return c.BountyID == nil }},
		"id under another key": {"\x81\xa5other\xc4\x20" + string(id[:]), func(c *Content) bool { return c.BountyID == nil }},
		"no hex":               {"\x81\xa9bounty_id\xa2zz", func(c *Content) bool { return c.BountyID == nil }},
		"title as bytes":       {"\x81\xa5title\xc4\x01x", func(c *Content) bool { return c.Title != nil && string(*c.Title) == "x" }},
		"text as bytes":        {"\x81\xa4text\xc4\x01x", func(c *Content) bool { return c.Text == nil }},
		"deadline":             {"\x81\xa8deadline\x07", func(c *Content) bool { return c.Deadline != nil && *c.Deadline == 7 }},
		"negative reward":      {"\x81\xa6reward\xff", func(c *Content) bool { return c.Reward == nil }},
		"reward":               {"\x81\xa6reward\x07", func(c *Content) bool { return c.Reward != nil && *c.Reward == 7 }},
		"type":                 {"\x81\xa4type\xa1q", func(c *Content) bool { return c.Type != nil && *c.Type == "q" }},
		"foreign types":        {"\x83\xa1a\xc0\xa1b\xc3\xa1c\x81\xa1d\x90", func(c *Content) bool { return *c == Content{} }},
		"text after other":     {"\x82\xa1a\x92\x01\x02\xa4text\xa1x", func(c *Content) bool { return c.Text != nil && *c.Text == "x" }},
	} {
		got, err := ReadContent([]byte(c.content))
		if err != nil || !c.ok(&got) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

func TestReply_OfEveryRequest(t *testing.T) {
	for code, m := range messages {
		if m.request == nil {
			continue
		}
		payload, plan := any(&Ack{}), m.reply
		if plan != nil {
			payload = plan.New()
		}
		ref := Hash{1}
		if plan == nil || code == TypeBountyCreate { // a reply with enums cannot be zero
			got, gotRef, err := DecodeReply(TypeAck, code, AppendReply(nil, ref, payload))
			if err != nil || gotRef != ref || fmt.Sprintf("%T", got) != fmt.Sprintf("%T", payload) {
				t.Errorf("%s: %T of %s, %v", code, got, gotRef, err)
			}
		}
	}
	for _, c := range [][2]MsgType{{TypeAck, TypeBridgeStatus}, {TypeBridgeStatus, TypeBridgeStatus}, {TypeAck, 0x0999}, {TypeMsgPost + 0x7000, TypePing}} {
		if _, _, err := DecodeReply(c[0], c[1], AppendReply(nil, Hash{}, nil)); !errors.Is(err, &codec.DecodeError{Kind: codec.DecodeKindUnknownType}) {
			t.Errorf("%s to %s: %v", c[0], c[1], err)
		}
	}
	if _, ref, err := DecodeReply(TypeError, TypePing, AppendReply(nil, Hash{}, &ErrorBody{Code: 1})); err != nil || !ref.IsZero() {
		t.Errorf("an error without reference: %s, %v", ref, err)
	}
	twice := append([]byte{0x82}, strings.Repeat("\xaaref_msg_id\xc4\x20"+string(make([]byte, 32)), 2)...)
	if _, _, err := DecodeReply(TypeAck, TypePing, twice); !errors.Is(err, &codec.DecodeError{Kind: codec.DecodeKindDuplicateField}) {
		t.Errorf("two references: %v", err)
	}
}

func TestIDs_OrderAndHex(t *testing.T) {
	a, b := Hash{1}, Hash{2}
	if a.Compare(b) != -1 || b.Compare(a) != 1 || a.Compare(a) != 0 || a.IsZero() || !(Hash{}).IsZero() {
		t.Error("hashes order bytewise")
	}
	if (AgentID{}).IsZero() != true || (AgentID{31: 1}).IsZero() || (AgentID{1}).Compare(AgentID{2}) != -1 {
		t.Error("ids order bytewise")
	}
	text := strings.Repeat("0f", 31) + "Ab"
	h, err := ParseHash(text)
	if err != nil || h.String() != strings.ToLower(text) {
		t.Errorf("%s, %v", h, err)
	}
	for _, bad := range []string{"", text[:63], text + "0", text[:63] + "g", "/" + text[1:], ":" + text[1:], "@" + text[1:], "`" + text[1:]} {
		if h, err := ParseHash(bad); err == nil || !strings.Contains(err.Error(), "parse hash") || !h.IsZero() {
			t.Errorf("%q: %s, %v", bad, h, err)
		}
		if _, err := ParseAgentID(bad); err == nil || !strings.Contains(err.Error(), "parse agent id") {
			t.Errorf("%q as an agent id: %v", bad, err)
		}
	}
}

func TestWakeCause_Names(t *testing.T) {
	for i, want := range []string{"INVALID(0)", "operator", "goal", "mention", "timer", "message", "INVALID(6)"} {
		if got := WakeCause(i).String(); got != want {
			t.Errorf("cause %d is %q, want %q", i, got, want)
		}
	}
}
