package wire

import "kingdom/wire/codec"

// requestKeys may stand beside a request's own fields.
type requestKeys struct {
	// Nonce tells apart requests that would else be equal; it counts from 1.
	Nonce uint64 `kdom:"nonce,opt"`
}

// replyKeys stand beside a reply's own fields.
type replyKeys struct {
	// RefMsgID is the msg_id of the request.
	RefMsgID Hash `kdom:"ref_msg_id"`
}

var (
	requestKeysPlan = payloadOf[requestKeys]()
	replyKeysPlan   = payloadOf[replyKeys]()
	ackPlan         = payloadOf[Ack]()
	errorPlan       = payloadOf[ErrorBody]()
)

// AppendBody appends the body of a request: the payload's fields, then the nonce unless it is
// 0. payload is a pointer to a request struct of this package.
func AppendBody(dst []byte, payload any, nonce uint64) []byte {
	p := planOf(payload)
	if nonce == 0 {
		return p.Append(dst, payload)
	}
	dst = p.AppendFields(p.AppendHead(dst, payload, 1), payload)
	return codec.AppendUint(codec.AppendString(dst, "nonce"), nonce)
}

// DecodeRequest reads the body of a request into a new payload struct of its type.
func DecodeRequest(t MsgType, body []byte) (payload any, nonce uint64, err error) {
	var k requestKeys
	payload, err = decodeBoth(messages[t].request, body, requestKeysPlan, &k)
	return payload, k.Nonce, codec.WithOp(err, "decode "+t.String())
}

// AppendReply appends the body of a reply: ref_msg_id, then the payload's fields; payload nil
// is a plain ACK. An [ErrorBody] holds its own reference and is appended as it is.
func AppendReply(dst []byte, ref Hash, payload any) []byte {
	if e, ok := payload.(*ErrorBody); ok {
		return AppendPayload(dst, e)
	}
	if payload == nil {
		payload = &Ack{}
	}
	p := planOf(payload)
	dst = p.AppendHead(dst, payload, 1)
	dst = codec.AppendBytes(codec.AppendString(dst, "ref_msg_id"), ref[:])
	return p.AppendFields(dst, payload)
}

// DecodeReply reads the body of a reply. t is the reply's own type and request the type of
// what it answers, which decides the fields of an ACK.
func DecodeReply(t, request MsgType, body []byte) (payload any, ref Hash, err error) {
	var k replyKeys
	switch t {
	case TypeError:
		e := &ErrorBody{}
		if err = errorPlan.Decode(body, e); err == nil && e.RefMsgID != nil {
			k.RefMsgID = *e.RefMsgID
		}
		payload = e
	case TypeAck:
		p := messages[request].reply
		if p == nil && messages[request].request != nil {
			p = ackPlan
		}
		payload, err = decodeBoth(p, body, replyKeysPlan, &k)
	default:
		payload, err = decodeBoth(messages[t].reply, body, replyKeysPlan, &k)
	}
	if err != nil {
		return nil, Hash{}, codec.WithOp(err, "decode reply "+t.String())
	}
	return payload, k.RefMsgID, nil
}

// decodeBoth reads a body that holds a payload's fields and those of keys; p is nil for a
// code that has no payload.
func decodeBoth(p *codec.Plan, body []byte, keysPlan *codec.Plan, keys any) (any, error) {
	if p == nil {
		return nil, &codec.DecodeError{Kind: codec.DecodeKindUnknownType}
	}
	v := p.New()
	if err := p.DecodeBoth(body, v, keysPlan, keys); err != nil {
		return nil, err
	}
	return v, nil
}
