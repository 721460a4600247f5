package wire

import (
	"fmt"
	"reflect"
)

// payloadType is one payload struct with its plan.
type payloadType struct {
	plan
	node *structNode
}

// payloads holds the plan of every payload struct by its Go type; it is filled once below and
// never changes.
var payloads = map[reflect.Type]*payloadType{}

func payloadOf[T any]() *payloadType {
	t := reflect.TypeFor[T]()
	if p, ok := payloads[t]; ok {
		return p
	}
	p := &payloadType{plan: newPlan(t)}
	p.node = p.root.(*structNode)
	payloads[t] = p
	return p
}

var (
	ackType        = payloadOf[Ack]()
	errorBodyCodec = NewCodec[ErrorBody]()
	_              = payloadOf[ErrorBody]()
)

// requestTypes are the bodies of messages that are sent on their own: requests, triggers and
// deliveries.
var requestTypes = map[MsgType]*payloadType{
	TypePing:           payloadOf[Ping](),
	TypeSubscribe:      payloadOf[Subscribe](),
	TypeUnsubscribe:    payloadOf[Unsubscribe](),
	TypeEvent:          payloadOf[EventRecord](),
	TypeAgentSpawnReq:  payloadOf[AgentSpawnReq](),
	TypeAgentStatus:    payloadOf[AgentStatusMsg](),
	TypeTickAlloc:      payloadOf[TickAlloc](),
	TypeWorldState:     payloadOf[WorldState](),
	TypeProposalSubmit: payloadOf[ProposalSubmit](),
	TypeProposalVote:   payloadOf[ProposalVote](),
	TypeProposalResult: payloadOf[ProposalResult](),
	TypeChannelCreate:  payloadOf[ChannelCreate](),
	TypeMsgPost:        payloadOf[MsgPost](),
	TypeMsgQuery:       payloadOf[MsgQuery](),
	TypeSignalSend:     payloadOf[SignalSend](),
	TypeBountyCreate:   payloadOf[BountyCreate](),
	TypeBountyClaim:    payloadOf[BountyClaim](),
	TypeBountySubmit:   payloadOf[BountySubmit](),
	TypeBountyReview:   payloadOf[BountyReview](),
	TypeReviewRequest:  payloadOf[ReviewRequest](),
	TypeReviewSubmit:   payloadOf[ReviewSubmit](),
	TypeEntryPublish:   payloadOf[EntryPublish](),
	TypeEntryUpdate:    payloadOf[EntryUpdate](),
	TypeEntryQuery:     payloadOf[EntryQuery](),
	TypeEntryVerify:    payloadOf[EntryVerify](),
	TypeEntryGet:       payloadOf[EntryGet](),
	TypeCitationAdd:    payloadOf[CitationAdd](),
	TypeCitationQuery:  payloadOf[CitationQuery](),
	TypeTransfer:       payloadOf[Transfer](),
	TypeBalanceQuery:   payloadOf[BalanceQuery](),
	TypeEscrowCreate:   payloadOf[EscrowCreate](),
	TypeEscrowRelease:  payloadOf[EscrowRelease](),
	TypeEscrowRefund:   payloadOf[EscrowRefund](),
	TypeStakeCreate:    payloadOf[StakeCreate](),
	TypeStakeResolve:   payloadOf[StakeResolve](),
	TypeEconomyReport:  payloadOf[EconomyReport](),
}

// replyTypes are the fields of a reply beside ref_msg_id: of the reply code itself, or, for
// an ACK, under the code of the request it answers. A request without an entry gets a plain
// ACK.
var replyTypes = map[MsgType]*payloadType{
	TypePong:           payloadOf[Pong](),
	TypeSubscribe:      payloadOf[SubscribeAck](),
	TypeAgentSpawnAck:  payloadOf[AgentSpawnAck](),
	TypeAgentStatus:    payloadOf[AgentStatusReply](),
	TypeProposalSubmit: payloadOf[ProposalSubmitAck](),
	TypeChannelCreate:  payloadOf[ChannelCreateAck](),
	TypeMsgPost:        payloadOf[MsgPostAck](),
	TypeMsgQuery:       payloadOf[MsgQueryReply](),
	TypeBountyCreate:   payloadOf[BountyCreateAck](),
	TypeBountySubmit:   payloadOf[BountySubmitAck](),
	TypeReviewRequest:  payloadOf[ReviewRequestAck](),
	TypeEntryPublish:   payloadOf[EntryPublishAck](),
	TypeEntryUpdate:    payloadOf[EntryUpdateAck](),
	TypeEntryQuery:     payloadOf[EntryQueryReply](),
	TypeEntryGet:       payloadOf[EntryGetReply](),
	TypeCitationQuery:  payloadOf[CitationQueryReply](),
	TypeTransfer:       payloadOf[TransferAck](),
	TypeBalanceQuery:   payloadOf[BalanceQueryReply](),
	TypeEscrowCreate:   payloadOf[EscrowCreateAck](),
	TypeStakeCreate:    payloadOf[StakeCreateAck](),
	TypeEconomyReport:  payloadOf[EconomicReport](),
}

func structOf(payload any) (*structNode, reflect.Value) {
	v := reflect.ValueOf(payload)
	if v.Kind() != reflect.Pointer || v.IsNil() {
		panic(fmt.Sprintf("wire: payload %T is not a pointer to a payload struct", payload))
	}
	p, ok := payloads[v.Type().Elem()]
	if !ok {
		panic(fmt.Sprintf("wire: %T is no payload of the protocol", payload))
	}
	return p.node, v.Elem()
}

func decodeNew(p *payloadType, op string, b []byte, k *reserved) (any, error) {
	if p == nil {
		return nil, &DecodeError{Kind: DecodeKindUnknownType, Op: op}
	}
	v := reflect.New(p.typ)
	r := newReader(b)
	defer r.free()
	err := p.node.decodeWith(r, v.Elem(), k)
	if err == nil {
		err = r.end()
	}
	if err != nil {
		return nil, during(err, op)
	}
	return v.Interface(), nil
}

// NewRequest returns a pointer to a zero request payload, nil for a code without one.
func NewRequest(t MsgType) any {
	if p, ok := requestTypes[t]; ok {
		return reflect.New(p.typ).Interface()
	}
	return nil
}

// RequestShape describes the JSON form of a request's parameters, nil for a code without
// a payload.
func RequestShape(t MsgType) *Shape {
	if p, ok := requestTypes[t]; ok {
		return p.node.shape()
	}
	return nil
}

// RequestFromJSON builds the payload of a request from a mind's parameters.
func RequestFromJSON(t MsgType, raw []byte, names AliasResolver) (any, error) {
	const op = "read parameters of "
	p, ok := requestTypes[t]
	if !ok {
		return nil, &DecodeError{Kind: DecodeKindUnknownType, Op: op + t.String()}
	}
	v := reflect.New(p.typ)
	if err := readJSON(p.node, raw, v.Elem(), names); err != nil {
		return nil, during(err, op+t.String())
	}
	return v.Interface(), nil
}

// AppendPayloadJSON appends the JSON form of any payload of the protocol: a request, a reply
// or an event. payload is a pointer to its struct.
func AppendPayloadJSON(dst []byte, payload any) []byte {
	n, v := structOf(payload)
	return n.appendJSON(dst, v)
}

// AppendPayload appends the canonical map of a payload without reserved keys: the form in
// which events hold theirs. payload is a pointer to its struct.
func AppendPayload(dst []byte, payload any) []byte {
	n, v := structOf(payload)
	return n.append(dst, v)
}
