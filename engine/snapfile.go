package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"kingdom/engine/durable"
	"kingdom/engine/journal"
	"kingdom/wire"
	"kingdom/wire/codec"
	"kingdom/world"
)

const (
	snapMeta recordKind = iota + 16
	snapRow
	snapHead
	snapMind
	snapPacked // records of the other kinds, compressed
)

type snapMetaRecord struct {
	Cycle cycleRecord `kdom:"cycle"`
}

var (
	snapMetaCodec = codec.New[snapMetaRecord]()
	snapRowCodec  = codec.New[world.Row]()
	snapHeadCodec = codec.New[world.Head]()
	snapMindCodec = codec.New[snapMindRecord]()
)

// write writes a snapshot record by record, since that of a large population should not be in memory as a whole. The
// world comes from img, the agents are read from the store.
func (s snapFiles) write(ctx context.Context, img *Image, thoughts wire.Hash, ids []wire.AgentID) error {
	path := s.path(img.Cycle.Cycle)
	err := os.MkdirAll(filepath.Dir(path), 0o777)
	if err == nil {
		err = durable.WriteFile(path, func(w io.Writer) error { return s.put(ctx, w, img, thoughts, ids) })
	}
	if err != nil {
		return fmt.Errorf("write snapshot: %w", err)
	}
	return s.thin()
}

func (s snapFiles) put(ctx context.Context, w io.Writer, img *Image, thoughts wire.Hash, ids []wire.AgentID) error {
	number := uint32(img.Cycle.Cycle)
	buf := journal.AppendHeader(nil, number, s.run.digest())
	if _, err := w.Write(buf); err != nil {
		return err
	}
	n := uint64(0)
	record := func(kind recordKind, body func([]byte) []byte) error {
		buf = journal.AppendRecord(buf[:0], number, n, kind, body)
		n++
		_, err := w.Write(buf)
		return err
	}
	meta := snapMetaRecord{newCycleRecord(&img.Cycle, thoughts)}
	if err := record(snapMeta, func(b []byte) []byte { return snapMetaCodec.Append(b, &meta) }); err != nil {
		return err
	}
	pack, err := newPacker(record)
	if err != nil {
		return err
	}
	put := pack.add
	for i := range img.Rows {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := put(snapRow, func(b []byte) []byte { return snapRowCodec.Append(b, &img.Rows[i]) }); err != nil {
			return err
		}
	}
	for i := range img.Heads {
		if err := put(snapHead, func(b []byte) []byte { return snapHeadCodec.Append(b, &img.Heads[i]) }); err != nil {
			return err
		}
	}
	for _, id := range ids {
		rec, err := readMind(ctx, s.db, id)
		if err != nil {
			return err
		}
		if err := put(snapMind, func(b []byte) []byte { return snapMindCodec.Append(b, &rec) }); err != nil {
			return err
		}
	}
	return pack.flush()
}

// read reads the snapshot of a cycle.
func (s snapFiles) read(ctx context.Context, c wire.Cycle) (*Image, wire.Hash, error) {
	seg, err := journal.OpenSegment(s.path(c), uint32(c), s.run.digest())
	if err != nil {
		return nil, wire.Hash{}, err
	}
	defer seg.Close()
	var f snapFile
	defer f.packed.close()
	for {
		kind, body, err := seg.Next()
		switch {
		case errors.Is(err, io.EOF) && f.meta != nil:
			f.img.Cycle = f.meta.Cycle.row()
			if err := f.recall(ctx, s.db); err != nil {
				return nil, wire.Hash{}, err
			}
			return &f.img, f.meta.Cycle.Thoughts, nil
		case errors.Is(err, io.EOF):
			return nil, wire.Hash{}, seg.Corrupt("the file has no cycle row")
		case errors.Is(err, journal.ErrTorn):
			return nil, wire.Hash{}, seg.Corrupt("the file ends inside it")
		case err != nil:
			return nil, wire.Hash{}, err
		}
		if err := f.addRecord(kind, body); err != nil {
			return nil, wire.Hash{}, seg.Corrupt(err.Error())
		}
	}
}

// snapFile collects the records of a snapshot while it is read.
type snapFile struct {
	meta      *snapMetaRecord
	img       Image
	omissions []omission // of each of the image's agents
	packed    unpacker
}

// omission says where the store has the rows of an agent that a snapshot leaves out.
type omission struct {
	agent wire.AgentID
	where []byte // argument of Recall; nil: nothing is left out
}

func (f *snapFile) addRecord(kind recordKind, b []byte) error {
	switch kind {
	case snapPacked:
		return f.packed.each(b, f.addRecord)
	case snapMeta:
		f.meta = new(snapMetaRecord)
		return snapMetaCodec.DecodeCanonical(b, f.meta)
	case snapRow:
		var r world.Row
		err := snapRowCodec.DecodeCanonical(b, &r)
		f.img.Rows = append(f.img.Rows, r)
		return err
	case snapHead:
		var h world.Head
		err := snapHeadCodec.DecodeCanonical(b, &h)
		f.img.Heads = append(f.img.Heads, h)
		return err
	case snapMind:
		var m snapMindRecord
		err := snapMindCodec.DecodeCanonical(b, &m)
		f.img.Minds = append(f.img.Minds, m.rows())
		f.omissions = append(f.omissions, omission{m.Agent, m.Past})
		return err
	default:
		return fmt.Errorf("unknown kind %d", kind)
	}
}
