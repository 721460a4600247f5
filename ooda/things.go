package ooda

import (
	"bytes"
	"fmt"

	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
)

// newRepo is a repo that was created. Its first snap has the same id.
const newRepo = "new repo"

// readThings are the things of Vault that a reply shows, or that the request made: without their
// ids a mind could not go on with them. subject is what the request was about.
func readThings(subject wire.Hash, body any) []memory.ReadThing {
	one := func(id wire.Hash, what string) []memory.ReadThing { return []memory.ReadThing{{ID: id, What: what}} }
	switch b := body.(type) {
	case *wire.RepoCreateAck:
		return one(b.RepoID, newRepo)
	case *wire.SnapCreateAck:
		return one(b.SnapID, "new snap")
	case *wire.ObjectPutAck:
		return one(b.ObjectID, "stored object")
	case *wire.TagCreateAck:
		return one(b.TagID, "new tag")
	case *wire.MergeReply:
		return readMerge(b)
	case *wire.DeltaComputeReply:
		return readDelta(&b.Delta)
	case *wire.SnapGetReply:
		out := []memory.ReadThing{{ID: b.Snap.Root, What: "tree of the snap", Author: b.Snap.Author, Text: b.Snap.Message}}
		if b.Snap.Parent != nil {
			out = append(out, memory.ReadThing{ID: *b.Snap.Parent, What: "snap before it"})
		}
		files := listed(b.Entries, memory.ReadingItems-len(out))
		for i := range files {
			if string(b.Entries[i].Key) == wire.ProgramFile {
				files[i].Author, files[i].Text = b.Snap.Author, b.Program
			}
		}
		return append(out, files...)
	case *wire.ObjectGetReply:
		return readObject(subject, b)
	case *wire.RegistryQueryReply:
		var out []memory.ReadThing
		for i := range b.Entries[:min(len(b.Entries), memory.ReadingItems)] {
			e := &b.Entries[i]
			what := fmt.Sprintf("repo %q, quality %.2f, used by %d", e.Name, e.Quality, e.Popularity)
			t := memory.ReadThing{ID: e.RepoID, What: what, Author: e.Author, Text: e.Description}
			if e.Tag != nil && e.Snap != nil {
				tag, snap := *e.Tag, *e.Snap // a copy, which does not keep the reply alive
				t.Tag, t.Snap = &tag, &snap
			}
			out = append(out, t)
		}
		return out
	}
	return nil
}

// readObject shows a file with its text, and a directory with what is in it.
func readObject(id wire.Hash, b *wire.ObjectGetReply) []memory.ReadThing {
	var tree wire.Tree
	if b.TypeTag != wire.ObjectTree || wire.TreeCodec.Decode(b.Data, &tree) != nil {
		return []memory.ReadThing{{ID: id, What: fmt.Sprintf("object of %d bytes", len(b.Data)), Text: b.Data}}
	}
	return listed(tree.Entries, memory.ReadingItems)
}

// listed shows the first entries of a directory, most of them at the most.
func listed(entries []wire.TreeEntry, most int) (out []memory.ReadThing) {
	for i := range entries[:min(len(entries), most)] {
		e := &entries[i]
		out = append(out, memory.ReadThing{ID: e.Value, What: fmt.Sprintf("%s %q", e.Kind, e.Key)})
	}
	return out
}

func readMerge(b *wire.MergeReply) []memory.ReadThing {
	out := []memory.ReadThing{{ID: b.Result, What: "merged snap, " + llm.Count(uint64(len(b.Conflicts)), "conflict")}}
	for i := range b.Conflicts[:min(len(b.Conflicts), memory.ReadingItems-1)] {
		out = append(out, readOp("conflict, right side ", &b.Conflicts[i].RightOp))
	}
	return out
}

func readDelta(d *wire.Delta) []memory.ReadThing {
	var out []memory.ReadThing
	for i := range d.Ops[:min(len(d.Ops), memory.ReadingItems)] {
		out = append(out, readOp("", &d.Ops[i]))
	}
	return out
}

func readOp(before string, o *wire.DeltaOp) memory.ReadThing {
	verb, path, id := "other", [][]byte(nil), wire.Hash{}
	switch {
	case o.Insert != nil:
		verb, path, id = "INSERT", o.Insert.Path, o.Insert.ObjectID
	case o.Delete != nil:
		verb, path = "DELETE", o.Delete.Path
	case o.Replace != nil:
		verb, path, id = "REPLACE", o.Replace.Path, o.Replace.NewID
	}
	return memory.ReadThing{ID: id, What: fmt.Sprintf("%s%s %q", before, verb, bytes.Join(path, []byte("/")))}
}
