package wire

import (
	"crypto/sha256"
	"slices"
)

// MaxChunk is the greatest length of a chunk's data in bytes.
const MaxChunk = 1 << 19

// MaxStream bounds what a [StreamJoiner] collects: 64 chunks.
const MaxStream = 64 * MaxChunk

// StreamChunk is the body of one piece of a streamed reply.
type StreamChunk struct {
	RefMsgID Hash   `kdom:"ref_msg_id"`
	StreamID Hash   `kdom:"stream_id"`
	Seq      uint32 `kdom:"seq"`
	Data     []byte `kdom:"data"`
}

// StreamEnd is the body that closes a streamed reply. Total counts the chunks before it, Hash
// is the SHA-256 of their data joined.
type StreamEnd struct {
	RefMsgID Hash   `kdom:"ref_msg_id"`
	StreamID Hash   `kdom:"stream_id"`
	Seq      uint32 `kdom:"seq"`
	End      bool   `kdom:"end"`
	Total    uint32 `kdom:"total"`
	Hash     Hash   `kdom:"hash"`
}

var (
	streamChunkCodec = NewCodec[StreamChunk]()
	streamEndCodec   = NewCodec[StreamEnd]()
)

// SplitStream cuts the body of a reply to the request ref into the bodies of its stream.
func SplitStream(ref Hash, body []byte) [][]byte {
	var out [][]byte
	var seq uint32
	for data := range slices.Chunk(body, MaxChunk) {
		c := StreamChunk{RefMsgID: ref, StreamID: ref, Seq: seq, Data: data}
		out = append(out, streamChunkCodec.Append(nil, &c))
		seq++
	}
	end := StreamEnd{RefMsgID: ref, StreamID: ref, Seq: seq, End: true, Total: seq, Hash: sha256.Sum256(body)}
	return append(out, streamEndCodec.Append(nil, &end))
}

// StreamJoiner collects the bodies of one stream in order. The zero value is ready.
type StreamJoiner struct {
	ref  Hash
	next uint32
	data []byte
	done bool
}

// Add takes the next body. When the stream is complete it returns the joined body of the plain
// reply; until then body is nil.
func (s *StreamJoiner) Add(b []byte) (body []byte, err error) {
	if s.done {
		return nil, streamError(DecodeKindTrailing, "seq", "nothing after the end")
	}
	var c StreamChunk
	if err := streamChunkCodec.Decode(b, &c); err == nil {
		return nil, s.chunk(&c)
	}
	var e StreamEnd
	if err := streamEndCodec.Decode(b, &e); err != nil {
		return nil, err
	}
	if err := s.order(e.RefMsgID, e.StreamID, e.Seq); err != nil {
		return nil, err
	}
	if !e.End || e.Total != s.next {
		return nil, streamError(DecodeKindValue, "total", "the number of chunks")
	}
	if sha256.Sum256(s.data) != e.Hash {
		return nil, streamError(DecodeKindBodyHash, "hash", "SHA-256 of the joined data")
	}
	s.done = true
	return s.data, nil
}

func (s *StreamJoiner) chunk(c *StreamChunk) error {
	if err := s.order(c.RefMsgID, c.StreamID, c.Seq); err != nil {
		return err
	}
	if len(c.Data) > MaxChunk || len(s.data)+len(c.Data) > MaxStream {
		return streamError(DecodeKindLength, "data", "at most 524288 bytes per chunk, 64 chunks")
	}
	s.ref = c.RefMsgID
	s.data = append(s.data, c.Data...)
	s.next++
	return nil
}

func (s *StreamJoiner) order(ref, stream Hash, seq uint32) error {
	if ref != stream || s.next > 0 && ref != s.ref {
		return streamError(DecodeKindValue, "stream_id", "the request's msg_id in every piece")
	}
	if seq != s.next {
		return streamError(DecodeKindValue, "seq", "pieces in order")
	}
	return nil
}

func streamError(k DecodeKind, field, want string) error {
	return &DecodeError{Kind: k, Op: "join stream", Field: field, Want: want}
}
