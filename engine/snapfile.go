package engine

import (
	"errors"
	"fmt"
	"io"

	"kingdom/wire"
	"kingdom/world"
)

const (
	snapMeta recordKind = iota + 16
	snapRow
	snapHead
	snapMind
)

type snapMetaRecord struct {
	Cycle cycleRecord `kdom:"cycle"`
	Base  bool        `kdom:"base"`
}

type snapRowRecord struct {
	System wire.System `kdom:"system"`
	Table  string      `kdom:"table"`
	Key    []byte      `kdom:"key"`
	Body   []byte      `kdom:"body"`
}

type snapHeadRecord struct {
	System wire.System `kdom:"system"`
	Table  string      `kdom:"table"`
	Digest wire.Hash   `kdom:"digest"`
	Count  uint64      `kdom:"count"`
}

var (
	snapMetaCodec = wire.NewCodec[snapMetaRecord]()
	snapRowCodec  = wire.NewCodec[snapRowRecord]()
	snapHeadCodec = wire.NewCodec[snapHeadRecord]()
	snapMindCodec = wire.NewCodec[snapMindRecord]()
)

func (e *Engine) encodeSnapshot(img *Image, thoughts wire.Hash, minds delta, base bool) []byte {
	run, number := e.cfg.Identity(), uint32(img.Cycle.Cycle)
	out := appendHeader(nil, number, run.digest())
	n := uint64(0)
	put := func(kind recordKind, body func([]byte) []byte) {
		out = appendRecord(out, number, n, func(dst []byte) []byte { return body(append(dst, byte(kind))) })
		n++
	}
	meta := snapMetaRecord{Cycle: newCycleRecord(&img.Cycle, thoughts), Base: base}
	put(snapMeta, func(b []byte) []byte { return snapMetaCodec.Append(b, &meta) })
	for _, r := range img.Rows {
		rec := snapRowRecord{r.System, r.Table, r.Key, r.Body}
		put(snapRow, func(b []byte) []byte { return snapRowCodec.Append(b, &rec) })
	}
	for _, h := range img.Heads {
		rec := snapHeadRecord(h)
		put(snapHead, func(b []byte) []byte { return snapHeadCodec.Append(b, &rec) })
	}
	for _, id := range sortedIDs(minds) {
		compact(minds[id])
		rec := newSnapMind(id, minds[id])
		put(snapMind, func(b []byte) []byte { return snapMindCodec.Append(b, &rec) })
	}
	return out
}

type snapFile struct {
	meta  snapMetaRecord
	img   Image
	minds []snapMindRecord
}

// drop forgets the world of an older file; only the newest counts.
func (f *snapFile) drop(older bool) {
	if older {
		f.img = Image{}
	}
}

func (e *Engine) readSnapFile(c wire.Cycle) (*snapFile, error) {
	run := e.cfg.Identity()
	s, err := openSegment(e.snapshotPath(c), uint32(c), run.digest())
	if err != nil {
		return nil, err
	}
	defer s.close()
	f := &snapFile{}
	for {
		body, err := s.next()
		switch {
		case errors.Is(err, io.EOF):
			f.img.Cycle = f.meta.Cycle.row()
			return f, nil
		case errors.Is(err, errTorn):
			return nil, s.corrupt("the file ends inside it")
		case err != nil:
			return nil, err
		}
		if err := f.take(recordKind(body[0]), body[1:]); err != nil {
			return nil, s.corrupt(err.Error())
		}
	}
}

func (f *snapFile) take(kind recordKind, b []byte) error {
	switch kind {
	case snapMeta:
		return snapMetaCodec.DecodeCanonical(b, &f.meta)
	case snapRow:
		var r snapRowRecord
		err := snapRowCodec.DecodeCanonical(b, &r)
		f.img.Rows = append(f.img.Rows, world.Row{System: r.System, Table: r.Table, Key: r.Key, Body: r.Body})
		return err
	case snapHead:
		var h snapHeadRecord
		err := snapHeadCodec.DecodeCanonical(b, &h)
		f.img.Heads = append(f.img.Heads, world.Head(h))
		return err
	case snapMind:
		var m snapMindRecord
		err := snapMindCodec.DecodeCanonical(b, &m)
		f.minds = append(f.minds, m)
		return err
	}
	return fmt.Errorf("unknown kind %d", kind)
}
