package action

import (
	"bytes"
	"slices"
	"strings"

	"kingdom/wire"
	"kingdom/wire/codec"
)

// RepoCreate are the parameters of repo_create. A mind gives files by path, and its runtime builds the objects.
type RepoCreate struct {
	Name         []byte               `kdom:"name"`
	Files        *codec.TextMap       `kdom:"files"`
	Message      []byte               `kdom:"message,default"`
	AccessPolicy *wire.AccessPolicy   `kdom:"access_policy"`
	ForkOf       *wire.Hash           `kdom:"fork_of"`
	Root         *wire.Hash           `kdom:"root"`
	Objects      *[]wire.InlineObject `kdom:"objects"`
}

// SnapCreate are the parameters of snap_create.
type SnapCreate struct {
	RepoID  wire.Hash            `kdom:"repo_id"`
	Parent  *wire.Hash           `kdom:"parent"`
	Files   *codec.TextMap       `kdom:"files"`
	Message []byte               `kdom:"message,default"`
	Proof   *[]byte              `kdom:"proof"`
	Root    *wire.Hash           `kdom:"root"`
	Objects *[]wire.InlineObject `kdom:"objects"`
}

var (
	repoCreateCodec = codec.New[RepoCreate]()
	snapCreateCodec = codec.New[SnapCreate]()
)

// DefaultAccess returns the policy of a repo that was created without one.
func DefaultAccess() wire.AccessPolicy {
	return wire.AccessPolicy{Read: wire.ReadAccess{Public: true}, Write: wire.WriteAccess{OwnerOnly: true}, Fork: true}
}

// message returns the request that these parameters ask for. Fields that the runtime fills stay zero.
func (p *RepoCreate) message() (*wire.RepoCreate, error) {
	q := &wire.RepoCreate{Name: p.Name, AccessPolicy: DefaultAccess(), Root: p.Root, Message: p.Message, ForkOf: p.ForkOf, Objects: p.Objects}
	if p.AccessPolicy != nil {
		q.AccessPolicy = *p.AccessPolicy
	}
	if p.ForkOf != nil && len(p.Message) == 0 {
		q.Message = wire.ForkNoteCodec.Append(nil, &wire.ForkNote{ForkOf: *p.ForkOf})
	}
	if p.Files == nil {
		return q, nil
	}
	root, objects, err := treeOf(*p.Files, p.Root, p.Objects)
	q.Root, q.Objects = &root, &objects
	return q, err
}

// message returns the request that these parameters ask for. Fields that the runtime fills stay zero.
func (p *SnapCreate) message() (*wire.SnapCreate, error) {
	q := &wire.SnapCreate{RepoID: p.RepoID, Parent: p.Parent, Message: p.Message, Proof: p.Proof, Objects: p.Objects}
	switch {
	case p.Files != nil:
		root, objects, err := treeOf(*p.Files, p.Root, p.Objects)
		q.Root, q.Objects = root, &objects
		return q, err
	case p.Root == nil:
		return nil, &codec.DecodeError{Kind: codec.DecodeKindMissingField, Field: "files"}
	}
	q.Root = *p.Root
	return q, nil
}

// repoCreateOf and snapCreateOf read back the parameters, objects as they are sent.
func repoCreateOf(q *wire.RepoCreate) RepoCreate {
	return RepoCreate{Name: q.Name, Message: q.Message, AccessPolicy: &q.AccessPolicy, ForkOf: q.ForkOf, Root: q.Root, Objects: q.Objects}
}

func snapCreateOf(q *wire.SnapCreate) SnapCreate {
	return SnapCreate{RepoID: q.RepoID, Parent: q.Parent, Message: q.Message, Proof: q.Proof, Root: &q.Root, Objects: q.Objects}
}

// storedPrefix begins the text of a file that is stored already, before its id.
const storedPrefix = "object:"

// directory is a TREE that is being built: what it holds, by name.
type directory map[string]*node

// node is a directory, or a file that is to be stored or is there already.
type node struct {
	dir  directory
	text []byte
	id   *wire.Hash
}

// treeOf returns the id of the root of a tree with these files, and the objects to store, each directory after what is
// in it. Files must not be given together with root or objects.
func treeOf(files codec.TextMap, root *wire.Hash, objects *[]wire.InlineObject) (wire.Hash, []wire.InlineObject, error) {
	if root != nil || objects != nil {
		return wire.Hash{}, nil, badFiles("either files, or root and objects")
	}
	top := directory{}
	for _, f := range files {
		if err := top.add(f.Key, f.Value); err != nil {
			return wire.Hash{}, nil, err
		}
	}
	var out []wire.InlineObject
	id := top.objects(&out)
	return id, out, nil
}

func badFiles(want string) error {
	return &codec.DecodeError{Kind: codec.DecodeKindValue, Field: "files", Want: want}
}

func (d directory) add(path, text string) error {
	keys := strings.Split(path, "/")
	if len(keys) > wire.MaxPath {
		return badFiles("paths of at most 32 names")
	}
	for _, k := range keys[:len(keys)-1] {
		n := d[k]
		if n == nil {
			n = &node{dir: directory{}}
			d[k] = n
		}
		if n.dir == nil {
			return badFiles("a path that is a file or a directory, not both: " + path)
		}
		d = n.dir
	}
	name := keys[len(keys)-1]
	if name == "" || slices.Contains(keys, "") || d[name] != nil {
		return badFiles("paths like lib/main.star, each once")
	}
	n := &node{text: []byte(text)}
	if hex, ok := strings.CutPrefix(text, storedPrefix); ok {
		id, err := wire.ParseHash(strings.TrimSpace(hex))
		if err != nil {
			return badFiles("the id of a stored object after " + storedPrefix)
		}
		n.id = &id
	}
	d[name] = n
	return nil
}

// objects appends what a directory consists of and returns its id.
func (d directory) objects(out *[]wire.InlineObject) wire.Hash {
	var t wire.Tree
	for name, n := range d { //house:sorted below
		t.Entries = append(t.Entries, wire.TreeEntry{Key: []byte(name), Kind: n.kind()})
	}
	slices.SortFunc(t.Entries, func(a, b wire.TreeEntry) int { return bytes.Compare(a.Key, b.Key) })
	for i := range t.Entries {
		e := &t.Entries[i]
		switch n := d[string(e.Key)]; {
		case n.dir != nil:
			e.Value = n.dir.objects(out)
		case n.id != nil:
			e.Value = *n.id
		default:
			e.Value = put(out, wire.ObjectAtom, n.text)
		}
	}
	return put(out, wire.ObjectTree, wire.TreeCodec.Append(nil, &t))
}

func (n *node) kind() wire.TreeEntryKind {
	if n.dir != nil {
		return wire.TreeEntryKindTree
	}
	return wire.TreeEntryKindAtom
}

func put(out *[]wire.InlineObject, t wire.ObjectType, data []byte) wire.Hash {
	*out = append(*out, wire.InlineObject{TypeTag: t, Data: data})
	return wire.ObjectID(t, data)
}
