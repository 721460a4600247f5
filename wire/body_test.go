package wire

import (
	"bytes"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kingdom/wire/codec"
)

func TestRequest_ReservedKeys(t *testing.T) {
	claim := &BountyClaim{BountyID: Hash{1}, Claimer: AgentID{2}}
	plain := AppendBody(nil, claim, 0)
	if plain[0] != 0x82 {
		t.Errorf("a request without nonce has head %x, want a map of 2", plain[0])
	}
	full := AppendBody(nil, claim, 3)
	if !bytes.HasSuffix(full, []byte("\xa5nonce\x03")) || full[0] != 0x83 {
		t.Errorf("the nonce must come last: %x", full)
	}
	got, nonce, err := DecodeRequest(TypeBountyClaim, full)
	if err != nil || nonce != 3 {
		t.Fatalf("nonce %d, %v", nonce, err)
	}
	if d := cmp.Diff(any(claim), got); d != "" {
		t.Error(d)
	}
	if _, nonce, err := DecodeRequest(TypeBountyClaim, plain); err != nil || nonce != 0 {
		t.Errorf("nonce %d, %v", nonce, err)
	}
}

func TestRequest_BadReservedKeys(t *testing.T) {
	ping := func(pairs string, n int) []byte { return append(codec.AppendMapLen(nil, n), pairs...) }
	for name, c := range map[string]struct {
		body []byte
		kind codec.DecodeKind
	}{
		"nonce zero":   {ping("\xa5nonce\x00", 1), codec.DecodeKindNotCanonical},
		"nonce twice":  {ping("\xa5nonce\x01\xa5nonce\x02", 2), codec.DecodeKindDuplicateField},
		"nonce text":   {ping("\xa5nonce\xa11", 1), codec.DecodeKindType},
		"a stream":     {ping("\xa6stream\xc3", 1), codec.DecodeKindUnknownField},
		"a reference":  {AppendReply(nil, Hash{}, nil), codec.DecodeKindUnknownField},
		"unknown key":  {ping("\xa1x\x01", 1), codec.DecodeKindUnknownField},
		"empty body":   {nil, codec.DecodeKindSyntax},
		"trailing nil": {ping("\xc0", 0), codec.DecodeKindTrailing},
	} {
		if _, _, err := DecodeRequest(TypePing, c.body); !errors.Is(err, &codec.DecodeError{Kind: c.kind}) {
			t.Errorf("%s: %v, want %s", name, err, c.kind)
		}
	}
	if _, _, err := DecodeRequest(TypeTranslateRequest, []byte{0x80}); !errors.Is(err, &codec.DecodeError{Kind: codec.DecodeKindUnknownType}) {
		t.Errorf("a message of a daemon that does not exist: %v", err)
	}
}

func TestReply_ReferenceComesFirst(t *testing.T) {
	ref := Hash{9}
	body := AppendReply(nil, ref, &BountyCreateAck{BountyID: Hash{7}})
	if !bytes.HasPrefix(body, append([]byte("\x82\xaaref_msg_id\xc4\x20"), ref[:]...)) {
		t.Errorf("reply body %x", body)
	}
	got, gotRef, err := DecodeReply(TypeAck, TypeBountyCreate, body)
	if err != nil || gotRef != ref {
		t.Fatalf("ref %s, %v", gotRef, err)
	}
	if d := cmp.Diff(any(&BountyCreateAck{BountyID: Hash{7}}), got); d != "" {
		t.Error(d)
	}
	if got, _, err := DecodeReply(TypeAck, TypeBountyClaim, AppendReply(nil, ref, nil)); err != nil {
		t.Error(err)
	} else if _, ok := got.(*Ack); !ok {
		t.Errorf("a request without extras is answered by %T", got)
	}
	if _, _, err := DecodeReply(TypeBalanceQuery, TypeBalanceQuery, AppendBody(nil, &BalanceQueryReply{}, 0)); !errors.Is(err, &codec.DecodeError{Kind: codec.DecodeKindMissingField}) {
		t.Errorf("a reply without reference: %v", err)
	}
}

func TestReply_Error(t *testing.T) {
	ref := Hash{4}
	e := &ErrorBody{RefMsgID: &ref, Code: CodeNoTicks, Category: CategoryQuotaExceeded.String(), Message: []byte("no_ticks")}
	e.Context.Set("need", []byte("2"))
	e.Context.Set("have", []byte("1"))
	got, gotRef, err := DecodeReply(TypeError, TypePing, AppendReply(nil, ref, e))
	if err != nil || gotRef != ref {
		t.Fatalf("ref %s, %v", gotRef, err)
	}
	if d := cmp.Diff(any(e), got); d != "" {
		t.Error(d)
	}
	if e.Context[0].Key != "have" {
		t.Error("a codec.BinMap keeps its keys in order")
	}
}

func TestErrorCode_Table(t *testing.T) {
	for _, c := range []struct {
		s    System
		c    Category
		code uint32
	}{
		{SystemNexus, CategoryNotFound, 0x0100},
		{SystemVault, CategoryConflict, 0x0201},
		{SystemAgora, CategoryUnauthorized, 0x0302},
		{SystemOracle, CategoryInvalidRequest, 0x0403},
		{SystemForge, CategoryQuotaExceeded, 0x0504},
		{SystemNexus, CategoryInternal, 0x01FF},
		{SystemForge, CategoryInternal, 0x0505},
		{SystemMint, CategoryNotFound, 0x0600},
		{SystemMint, CategoryConflict, 0x0601},
		{SystemMint, CategoryQuotaExceeded, 0x0602},
		{SystemMint, CategoryInvalidRequest, 0x0603},
		{SystemMint, CategoryUnauthorized, 0x0604},
		{SystemMint, CategoryInternal, 0x06FF},
		{SystemPortal, CategoryQuotaExceeded, 0x0701},
		{SystemPortal, CategoryInvalidRequest, 0x0704},
		{SystemRegistry, CategoryUnauthorized, 0x0902},
		{SystemSession, CategoryInternal, 0x0AFF},
	} {
		if got := ErrorCode(c.s, c.c); got != c.code {
			t.Errorf("%s %s = %#04x, want %#04x", c.s, c.c, got, c.code)
		}
	}
	if c, reason, ok := ProtocolReason(CodeEpochLocked); !ok || c != CategoryUnauthorized || reason != "epoch_locked" {
		t.Errorf("0x000F = %s %s %v", c, reason, ok)
	}
}

// eventOf returns the event of a record, the reverse of RecordOf.
func eventOf(r *EventRecord) (Event, error) {
	p, err := DecodePayload(r.Kind, r.Payload)
	return Event{
		ID: r.ID, Timestamp: r.Timestamp, Origin: r.Origin, System: r.System, Kind: r.Kind,
		Payload: p, Parent: r.Parent,
	}, err
}

func TestEventRecord_SignAndRestore(t *testing.T) {
	parent := EventID{1, SystemID(SystemNexus)}
	e := Event{
		ID: EventID{7<<32 | 5, SystemID(SystemAgora)}, Timestamp: 7, Origin: AgentID{1}, System: SystemAgora,
		Kind: KindBountyClaimed, Payload: &BountyClaimedEvent{BountyID: Hash{1}, Claimer: AgentID{1}, Tick: 7}, Parent: &parent,
	}
	r := RecordOf(&e)
	r.Sign()
	if err := r.Verify(); err != nil {
		t.Fatal(err)
	}
	back, err := eventOf(&r)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(e, back); d != "" {
		t.Error(d)
	}
	r.Timestamp++
	if r.Verify() == nil {
		t.Error("a changed event verifies")
	}
}

func TestCalendar(t *testing.T) {
	c := Calendar{TicksPerCycle: 256}
	if c.Cycle(255) != 0 || c.Cycle(256) != 1 || c.First(2) != 512 || c.Last(0) != 255 || c.Offset(513) != 1 {
		t.Error("cycles of 256 ticks are misplaced")
	}
}

func TestEventID_Order(t *testing.T) {
	a, b, c := EventID{1, AgentID{9}}, EventID{2, AgentID{1}}, EventID{2, AgentID{2}}
	if a.Compare(b) != -1 || c.Compare(b) != 1 || b.Compare(b) != 0 {
		t.Error("events order by lamport, then emitter")
	}
}
