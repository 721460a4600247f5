package wire

// reserved collects the keys that may stand beside a payload's own: nonce and stream in a
// request, ref_msg_id in a reply.
type reserved struct {
	request bool
	reply   bool

	ref       Hash
	nonce     uint64
	stream    bool
	hasRef    bool
	hasNonce  bool
	hasStream bool
}

// take reads the value of a key that the payload does not have; a nil receiver knows none.
func (k *reserved) take(r *reader, key string) error {
	var seen *bool
	var err error
	switch {
	case k == nil:
	case key == "nonce" && k.request:
		seen = &k.hasNonce
		k.nonce, err = r.uint(1<<64-1, "an integer from 1")
		if err == nil && k.nonce == 0 {
			err = r.fail(DecodeKindRange, "an integer from 1")
		}
	case key == "stream" && k.request:
		seen = &k.hasStream
		k.stream, err = r.bool()
	case key == "ref_msg_id" && k.reply:
		seen = &k.hasRef
		var n int
		if n, err = r.binLen(); err == nil && n != len(k.ref) {
			err = r.fail(DecodeKindLength, "32 bytes")
		} else if err == nil {
			err = r.full(k.ref[:])
		}
	}
	switch {
	case seen == nil:
		err = r.fail(DecodeKindUnknownField, "")
	case err == nil && *seen:
		err = r.fail(DecodeKindDuplicateField, "")
	}
	if seen != nil {
		*seen = true
	}
	return within(err, key)
}

// RequestOptions are the reserved keys of a request.
type RequestOptions struct {
	// Nonce tells apart requests that would else be equal; it counts from 1, 0 is absent.
	Nonce uint64
	// Stream asks for the reply in chunks.
	Stream bool
}

// AppendRequest appends the body of a request: the payload's fields, then the reserved keys
// that are used. payload is a pointer to a request struct of this package.
func AppendRequest(dst []byte, payload any, o RequestOptions) []byte {
	n, v := structOf(payload)
	count := n.count(v)
	if o.Nonce > 0 {
		count++
	}
	if o.Stream {
		count++
	}
	dst = n.appendFields(AppendMapLen(dst, count), v)
	if o.Nonce > 0 {
		dst = AppendUint(AppendString(dst, "nonce"), o.Nonce)
	}
	if o.Stream {
		dst = AppendBool(AppendString(dst, "stream"), true)
	}
	return dst
}

// AppendBody is AppendRequest with a nonce only.
func AppendBody(dst []byte, payload any, nonce uint64) []byte {
	return AppendRequest(dst, payload, RequestOptions{Nonce: nonce})
}

// DecodeRequest reads the body of a request into a new payload struct of its type.
func DecodeRequest(t MsgType, body []byte) (payload any, nonce uint64, err error) {
	payload, o, err := DecodeRequestOptions(t, body)
	return payload, o.Nonce, err
}

// DecodeRequestOptions is DecodeRequest and returns all reserved keys.
func DecodeRequestOptions(t MsgType, body []byte) (any, RequestOptions, error) {
	k := reserved{request: true}
	payload, err := decodeNew(requestTypes[t], "decode "+t.String(), body, &k)
	return payload, RequestOptions{k.nonce, k.stream}, err
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
	n, v := structOf(payload)
	dst = AppendMapLen(dst, n.count(v)+1)
	dst = AppendBytes(AppendString(dst, "ref_msg_id"), ref[:])
	return n.appendFields(dst, v)
}

// DecodeReply reads the body of a reply. t is the reply's own type and request the type of
// what it answers, which decides the fields of an ACK.
func DecodeReply(t, request MsgType, body []byte) (payload any, ref Hash, err error) {
	op := "decode reply " + t.String()
	if t == TypeError {
		var e ErrorBody
		if err := during(errorBodyCodec.Decode(body, &e), op); err != nil {
			return nil, ref, err
		}
		if e.RefMsgID != nil {
			ref = *e.RefMsgID
		}
		return &e, ref, nil
	}
	key := t
	if t == TypeAck {
		key = request
	}
	k := reserved{reply: true}
	typ := replyTypes[key]
	if typ == nil && t == TypeAck && requestTypes[request] != nil {
		typ = ackType
	}
	payload, err = decodeNew(typ, op, body, &k)
	if err == nil && !k.hasRef {
		err = &DecodeError{Kind: DecodeKindMissingField, Op: op, Field: "ref_msg_id"}
	}
	return payload, k.ref, err
}
