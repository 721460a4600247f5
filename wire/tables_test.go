package wire

import (
	"bytes"
	"crypto/ed25519"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"kingdom/wire/codec"
)

// ticksPer is a calendar with cycles of 10 ticks.
var ticksPer = Calendar{TicksPerCycle: 10}

func TestCalendar_Conversions(t *testing.T) {
	for _, tt := range []struct {
		at     Tick
		cycle  Cycle
		offset uint64
	}{{0, 0, 0}, {9, 0, 9}, {10, 1, 0}, {29, 2, 9}, {30, 3, 0}} {
		if got := ticksPer.Cycle(tt.at); got != tt.cycle {
			t.Errorf("tick %d is in cycle %d, want %d", tt.at, got, tt.cycle)
		}
		if got := ticksPer.Offset(tt.at); got != tt.offset {
			t.Errorf("tick %d is at %d of its cycle, want %d", tt.at, got, tt.offset)
		}
	}
	if a, b := ticksPer.First(3), ticksPer.Last(3); a != 30 || b != 39 {
		t.Errorf("cycle 3 is from %d to %d, want 30 to 39", a, b)
	}
}

// A claim lasts as long as it may, but ends before half of the time to the deadline is over; at least a cycle.
func TestCalendar_ClaimCycles(t *testing.T) {
	for left, want := range map[Cycle]uint64{0: 1, 1: 1, 3: 1, 4: 1, 5: 1, 6: 2, 7: 2, 8: 3, 10: 4, 12: 4, 99: 4} {
		if got := ticksPer.ClaimCycles(39, ticksPer.First(3+left), 4); got != want {
			t.Errorf("%d cycles before the deadline: %d, want %d", left, got, want)
		}
	}
}

func TestCompare_EventsAndRecords(t *testing.T) {
	events := []EventID{{1, AgentID{1}}, {1, AgentID{2}}, {2, AgentID{1}}, {3, AgentID{}}}
	records := []RecordID{{1, "a", 1}, {1, "a", 2}, {1, "b", 0}, {2, "a", 0}}
	for i := range 4 {
		for j := range 4 {
			want := min(1, max(-1, i-j))
			if got := events[i].Compare(events[j]); got != want {
				t.Errorf("event %v to %v: %d, want %d", events[i], events[j], got, want)
			}
			if got := records[i].Compare(records[j]); got != want {
				t.Errorf("record %v to %v: %d, want %d", records[i], records[j], got, want)
			}
		}
	}
}

// Parts are missing only in a reply that is none of an error.
func TestReply_Without(t *testing.T) {
	missing := []Missing{{}}
	if r := (Reply{}).Without(missing); len(r.Missing) != 1 {
		t.Error("the missing part is forgotten")
	}
	if r := (Reply{Err: &ErrorBody{}}).Without(missing); len(r.Missing) != 0 {
		t.Error("a part of an error is missing")
	}
}

func TestFetchFailure_ByItsBeginning(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "timeout": "timeout", "timeout: after 10 s": "timeout", "redirects: 11": "redirects", "no route": "fetch_failed", "a timeout": "fetch_failed",
	} {
		if got := FetchFailure(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestBountyOf_EachEvent(t *testing.T) {
	b := Hash{5}
	for _, p := range []any{
		&BountyCreatedEvent{BountyID: b}, &BountyClaimedEvent{BountyID: b}, &BountySubmittedEvent{BountyID: b}, &BountyCompletedEvent{BountyID: b},
		&BountyRejectedEvent{BountyID: b}, &BountyDisputedEvent{BountyID: b}, &BountyExpiredEvent{BountyID: b}, &BountyReopenedEvent{BountyID: b},
	} {
		if got := BountyOf(&Event{Payload: p}); got != b {
			t.Errorf("%T is about %v", p, got)
		}
	}
	if got := BountyOf(&Event{Payload: &TickEvent{Tick: 5}}); !got.IsZero() {
		t.Errorf("a tick is about bounty %v", got)
	}
}

// The type of a reply, and which fields it has beside ref_msg_id; the fields of a message that is sent on its own.
func TestReplyTo_EachForm(t *testing.T) {
	shape := func(p *codec.Plan) *codec.Shape { return p.Shape() }
	for _, tt := range []struct {
		request, reply MsgType
		shape          *codec.Shape
	}{
		{TypePing, TypePong, shape(messages[TypePong].reply)},
		{TypeAgentSpawnReq, TypeAgentSpawnAck, shape(payloads[reflect.TypeFor[AgentSpawnAck]()])},
		{TypeWebRequest, TypeWebResponse, shape(payloads[reflect.TypeFor[WebResponse]()])},
		{TypeSignalSend, TypeAck, nil},
		{TypeMsgPost, TypeAck, shape(payloads[reflect.TypeFor[MsgPostAck]()])},
		{TypeMsgQuery, TypeMsgQuery, shape(payloads[reflect.TypeFor[MsgQueryReply]()])},
		{TypePong, 0, nil},
		{TypeBridgeStatus, 0, nil},
		{0x0999, 0, nil},
	} {
		if reply, s := ReplyTo(tt.request); reply != tt.reply || s != tt.shape {
			t.Errorf("%s is answered by %s with %p, want %s with %p", tt.request, reply, s, tt.reply, tt.shape)
		}
	}
	for of, want := range map[MsgType]*codec.Shape{
		TypeError: errorShape, TypePing: shape(messages[TypePing].request), TypeMsgPost: shape(messages[TypeMsgPost].request),
		TypeExecResult: shape(messages[TypeExecResult].reply), TypeBridgeStatus: nil, 0x0999: nil,
	} {
		if got := MessageShape(of); got != want {
			t.Errorf("%s has the form %p, want %p", of, got, want)
		}
	}
	if EventShape(KindTick) != eventKinds[KindTick].payload.Shape() || EventShape(KindGlossaryUpdated) != nil || EventShape(0x0999) != nil {
		t.Error("an event has the form of its payload, if it has one")
	}
}

func TestErrorCodes_OfEachSystem(t *testing.T) {
	for _, tt := range []struct {
		s    System
		want [6]uint32
	}{
		{SystemNexus, [6]uint32{0x0100, 0x0101, 0x0102, 0x0103, 0x0104, 0x01FF}},
		{SystemForge, [6]uint32{0x0500, 0x0501, 0x0502, 0x0503, 0x0504, 0x0505}},
		{SystemMint, [6]uint32{0x0600, 0x0601, 0x0604, 0x0603, 0x0602, 0x06FF}},
		{SystemPortal, [6]uint32{0x07FF, 0x07FF, 0x0705, 0x0704, 0x0701, 0x07FF}},
	} {
		for i, want := range tt.want {
			if got := ErrorCode(tt.s, Category(i+1)); got != want {
				t.Errorf("%s, %s: %#04x, want %#04x", tt.s, Category(i+1), got, want)
			}
		}
	}
	for code, want := range map[uint32]string{
		CodeBadHeader: "bad_header", CodeSystemOnly: "system_only", CodeBadBody: "bad_body", 0: "", 0x0100: "", CodeAgentNotFound: "",
	} {
		if c, reason, ok := ProtocolReason(code); reason != want || ok != (want != "") || ok != (c != 0) {
			t.Errorf("%#04x: %s %q, %t; want %q", code, c, reason, ok, want)
		}
	}
}

// Custom reads the check of a CUSTOM requirement only.
func TestRequirement_Custom(t *testing.T) {
	params := CustomCheckCodec.Append(nil, &CustomCheck{Check: "NICE"})
	for _, tt := range []struct {
		r  BountyRequirement
		ok bool
	}{
		{BountyRequirement{Kind: RequirementKindCustom, Params: params}, true},
		{BountyRequirement{Kind: RequirementKindMustCompile, Params: params}, false},
		{BountyRequirement{Kind: RequirementKindCustom, Params: []byte{1}}, false},
	} {
		if c, ok := tt.r.Custom(); ok != tt.ok || ok && c.Check != "NICE" {
			t.Errorf("%s %q: %+v, %t", tt.r.Kind, tt.r.Params, c, ok)
		}
	}
}

func TestTextOf_Contents(t *testing.T) {
	kind := ContentBugReport
	for content, want := range map[string]string{
		string(TextContent("hello")): "hello", string(TextContent("")): "", "no map": "", string(ContentCodec.Append(nil, &Content{Type: &kind})): "",
	} {
		if got := TextOf([]byte(content)); got != want {
			t.Errorf("%q: %q, want %q", content, got, want)
		}
	}
	for n, ok := range map[int]bool{6: false, 7: true} { // the head of a text, and the shortest text
		if text, got := ContentText(TextContent("")[:n]); got != ok || len(text) != 0 {
			t.Errorf("%d bytes: %q, %t", n, text, got)
		}
	}
}

// Each kind has maps of its own inside a field of bytes.
func TestObjectForms_ByKind(t *testing.T) {
	is := func(name string, o codec.ObjectOwner, want any) {
		t.Helper()
		if got := o.ObjectForm("").Typed; got != want {
			t.Errorf("%s: %T", name, got)
		}
	}
	for k, want := range map[ProposalKind]any{
		ProposalKindSpawnAgent: SpawnProposalCodec, ProposalKindKillAgent: KillProposalCodec, ProposalKindChangeParam: ParamProposalCodec,
		ProposalKindEpochAdvance: EpochProposalCodec, ProposalKindCustom: nil,
	} {
		is(k.String(), &ProposalSubmit{Kind: k}, want)
	}
	for k, want := range map[RequirementKind]any{
		RequirementKindMustCompile: MustCompileCodec, RequirementKindMustPassTests: MustPassTestsCodec,
		RequirementKindMustBeReviewed: MustBeReviewedCodec, RequirementKindCustom: CustomCheckCodec,
	} {
		is(k.String(), &BountyRequirement{Kind: k}, want)
	}
	for k, want := range map[EscrowConditionKind]any{
		EscrowConditionKindVaultSnapExists: SnapConditionCodec, EscrowConditionKindForgeProof: ProofConditionCodec,
		EscrowConditionKindReviewApproved: ReviewConditionCodec, EscrowConditionKindGovernanceVote: VoteConditionCodec, 0: nil,
	} {
		is(k.String(), &EscrowCondition{Kind: k}, want)
	}
	is("a purchase", &Transfer{Kind: TransferKindResourceBuy}, ResourceMemoCodec)
	is("a transfer", &Transfer{Kind: TransferKindDirect}, nil)
	for k, want := range map[ObjectType]any{
		ObjectAtom: nil, ObjectTree: TreeCodec, ObjectSnap: SnapCodec, ObjectDelta: DeltaCodec, ObjectChain: ChainExportCodec,
		ObjectTag: TagCodec, ObjectClaim: ClaimCodec, 99: nil,
	} {
		name := fmt.Sprint("object ", k)
		is(name, &ObjectPut{TypeTag: k}, want)
		is(name, &InlineObject{TypeTag: k}, want)
		is(name, &ObjectGetReply{TypeTag: k}, want)
		if plain := (&ObjectPut{TypeTag: k}).ObjectForm("").Plain; plain != (want == nil) {
			t.Errorf("%s takes any bytes: %t", name, plain)
		}
	}
}

// A signature is that of one key over all other fields; a key of another length is refused.
func TestSigned_EveryFieldCounts(t *testing.T) {
	key, other := AgentKey(Hash{}, 1), AgentKey(Hash{}, 2)
	pub, foreign := key.Public().(ed25519.PublicKey), other.Public().(ed25519.PublicKey)
	for _, tt := range []struct {
		name  string
		make  func() any // signed
		edits []func(v any)
	}{
		{"snap", func() any {
			s := &Snap{Root: Hash{1}, Author: IDOf(pub), Message: []byte("m")}
			s.Sign(key)
			return s
		}, []func(v any){
			func(v any) { v.(*Snap).Parent = &Hash{9} },
			func(v any) { v.(*Snap).Root = Hash{9} },
			func(v any) { v.(*Snap).Author = AgentID{9} },
			func(v any) { v.(*Snap).Message = []byte("n") },
			func(v any) { v.(*Snap).Proof = &[]byte{9} },
			func(v any) { v.(*Snap).Signature[0]++ },
		}},
		{"tag", func() any {
			s := &Tag{Name: []byte("v1"), Target: Hash{1}, Author: IDOf(pub), Message: []byte("m")}
			s.Sign(key)
			return s
		}, []func(v any){
			func(v any) { v.(*Tag).Name = []byte("v2") },
			func(v any) { v.(*Tag).Target = Hash{9} },
			func(v any) { v.(*Tag).Author = AgentID{9} },
			func(v any) { v.(*Tag).Message = []byte("n") },
			func(v any) { v.(*Tag).Signature[0]++ },
		}},
		{"claim", func() any {
			s := &Claim{RepoID: Hash{1}, Owner: IDOf(pub), License: []byte("MIT")}
			s.Sign(key)
			return s
		}, []func(v any){
			func(v any) { v.(*Claim).RepoID = Hash{9} },
			func(v any) { v.(*Claim).Owner = AgentID{9} },
			func(v any) { v.(*Claim).License = []byte("BSD") },
			func(v any) { v.(*Claim).Signature[0]++ },
		}},
	} {
		verify := func(v any, pub ed25519.PublicKey) (out []bool) {
			out = append(out, v.(interface {
				Verify(pub ed25519.PublicKey) bool
			}).Verify(pub))
			if o, ok := v.(interface {
				VerifyOwn(pub ed25519.PublicKey) bool
			}); ok {
				out = append(out, o.VerifyOwn(pub))
			}
			return out
		}
		if slices.Contains(verify(tt.make(), pub), false) {
			t.Errorf("%s: its own signature is refused", tt.name)
		}
		for _, bad := range []ed25519.PublicKey{foreign, nil, pub[:31], append(slices.Clone(pub), 0)} {
			if slices.Contains(verify(tt.make(), bad), true) {
				t.Errorf("%s: accepted with a key of %d bytes", tt.name, len(bad))
			}
		}
		for i, edit := range tt.edits {
			v := tt.make()
			if edit(v); slices.Contains(verify(v, pub), true) {
				t.Errorf("%s: accepted after edit %d", tt.name, i)
			}
		}
	}
	proof := ExecutionProof{Program: Hash{1}, TicksUsed: 5}
	proof.Sign()
	if !proof.Verify() {
		t.Error("a proof of Forge is refused")
	}
	if proof.TicksUsed++; proof.Verify() {
		t.Error("a changed proof is accepted")
	}
}

// What the runtime completes: a TREE is sorted, and a CLAIM without owner and signature is its agent's.
func TestObjectPut_Complete(t *testing.T) {
	key := AgentKey(Hash{}, 1)
	me := AgentIDAt(Hash{}, 1)
	tree := Tree{Entries: []TreeEntry{{Key: []byte("b"), Kind: 1}, {Key: []byte("a"), Kind: 1}}}
	q := &ObjectPut{TypeTag: ObjectTree, Data: TreeCodec.Append(nil, &tree)}
	q.Complete(me, key)
	var got Tree
	if err := TreeCodec.DecodeCanonical(q.Data, &got); err != nil || len(got.Entries) != 2 || string(got.Entries[0].Key) != "a" {
		t.Errorf("tree %+v, %v", got, err)
	}
	for _, tt := range []struct {
		name string
		c    Claim
		mine bool
	}{
		{"nobody's", Claim{RepoID: Hash{1}, License: []byte("MIT")}, true},
		{"another's", Claim{RepoID: Hash{1}, License: []byte("MIT"), Owner: AgentID{9}}, false},
		{"signed", Claim{RepoID: Hash{1}, License: []byte("MIT"), Signature: Signature{9}}, false},
	} {
		data := ClaimCodec.Append(nil, &tt.c)
		q := &ObjectPut{TypeTag: ObjectClaim, Data: data}
		q.Complete(me, key)
		var c Claim
		if err := ClaimCodec.DecodeCanonical(q.Data, &c); err != nil {
			t.Fatal(err)
		}
		if mine := c.Owner == me && c.Verify(key.Public().(ed25519.PublicKey)); mine != tt.mine || !mine && !bytes.Equal(q.Data, data) {
			t.Errorf("a claim that is %s: %+v", tt.name, c)
		}
	}
	for _, kind := range []ObjectType{ObjectAtom, ObjectTree, ObjectClaim} {
		q := &ObjectPut{TypeTag: kind, Data: []byte("no map")}
		if q.Complete(me, key); string(q.Data) != "no map" {
			t.Errorf("type %d: %q", kind, q.Data)
		}
	}
}

// Ten systems and the reserve are known by their ids; all else is an agent.
func TestSystemOf_EachID(t *testing.T) {
	for s := SystemNexus; s <= SystemSession; s++ {
		if got, ok := SystemOf(SystemID(s)); !ok || got != s || !IsSystem(SystemID(s)) || SystemName(s) != s.String()+"_0" {
			t.Errorf("%s is known as %s, %t", s, got, ok)
		}
	}
	for _, id := range []AgentID{ReserveID, {1}, AgentIDAt(Hash{}, 1)} {
		if s, ok := SystemOf(id); ok || s != 0 || IsSystem(id) != (id == ReserveID) {
			t.Errorf("%s is system %s, %t", id.Alias(), s, ok)
		}
	}
	if id := (AgentID{0x12, 0x34, 0x56, 0x78, 0x9A}); id.Alias() != "12345678" || !strings.HasPrefix(id.String(), "123456789a") {
		t.Errorf("alias %s", id.Alias())
	}
}

// An envelope's key must be the one that its source is the hash of.
func TestEnvelope_VerifyNeedsItsSourcesKey(t *testing.T) {
	key := AgentKey(Hash{}, 1)
	pub := key.Public().(ed25519.PublicKey)
	e := NewEnvelope(TypePing, IDOf(pub), SystemID(SystemNexus), 256, []byte{0x80})
	e.Sign(key)
	if err := e.Verify(pub); err != nil {
		t.Error(err)
	}
	for _, bad := range []ed25519.PublicKey{nil, pub[:31], AgentKey(Hash{}, 2).Public().(ed25519.PublicKey)} {
		if e.Verify(bad) == nil {
			t.Errorf("accepted with a key of %d bytes", len(bad))
		}
	}
	e.Source = IDOf(pub[:31])
	if e.Verify(pub[:31]) == nil {
		t.Error("accepted with a short key that its source is the hash of")
	}
}

// An event names who caused it and every agent in its payload, also those in lists and optional fields.
func TestEvent_NamesItsAgents(t *testing.T) {
	named := func(payload any) (out string) {
		e := &Event{Origin: AgentID{1}, Payload: payload}
		e.EachNamed(func(a AgentID) { out += fmt.Sprint(a[0]) })
		for n := range byte(9) {
			if got := e.Names(AgentID{n}); got != strings.Contains(out, fmt.Sprint(n)) {
				t.Errorf("%T names agent %d: %t", payload, n, got)
			}
		}
		return out
	}
	for _, tt := range []struct {
		payload any
		want    string
	}{
		{&TickEvent{}, "1"},
		{&BountyClaimedEvent{Claimer: AgentID{2}}, "12"},
		{&ReviewRequestedEvent{Author: AgentID{3}, Reviewers: []AgentID{{4}, {5}}}, "1345"},
	} {
		if got := named(tt.payload); got != tt.want {
			t.Errorf("%T names %s, want %s", tt.payload, got, tt.want)
		}
	}
	parent := EventID{7, AgentID{8}}
	e := &Event{ID: EventID{9, SystemID(SystemAgora)}, Timestamp: 3, Origin: AgentID{1}, System: SystemAgora, Kind: KindBountyExpired, Payload: &BountyExpiredEvent{BountyID: Hash{2}}, Parent: &parent}
	r := RecordOf(e)
	back, err := eventOf(&r)
	if err != nil || back.ID != e.ID || back.Timestamp != 3 || back.Origin != e.Origin || back.System != e.System || back.Kind != e.Kind || *back.Parent != parent || BountyOf(&back) != (Hash{2}) {
		t.Errorf("%+v comes back as %+v, %v", e, back, err)
	}
	r.Kind = KindGlossaryUpdated
	if _, err := eventOf(&r); err == nil {
		t.Error("an event without payload is read")
	}
}
