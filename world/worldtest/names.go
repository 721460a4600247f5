package worldtest

import (
	"crypto/sha256"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"kingdom/wire"
	"kingdom/world/agora"
)

// names gives ids names that do not change when a hash does.
type names struct {
	byName map[string]string   // "$b1" → 64 hex digits
	byID   map[[32]byte]string // the other way
	count  map[string]int
}

func newNames() *names {
	n := &names{byName: map[string]string{}, byID: map[[32]byte]string{}, count: map[string]int{}}
	for s := wire.SystemNexus; s <= wire.SystemSession; s++ {
		n.set("$"+lower(s.String()), wire.SystemID(s))
	}
	n.set("$reserve", wire.ReserveID)
	for _, c := range agora.SystemChannels() {
		n.set("#"+c, wire.ChannelID(c))
	}
	n.set("$entry0", sha256.Sum256([]byte("GENESIS_SPEC_ENTRY_0")))
	n.set("$zero", [32]byte{})
	return n
}

func (n *names) set(name string, id [32]byte) {
	n.byName[name], n.byID[id] = fmt.Sprintf("%x", id), name
}

// meet names an id with the next number of its kind, unless it has a name.
func (n *names) meet(kind string, id [32]byte) {
	if _, ok := n.byID[id]; !ok {
		n.count[kind]++
		n.set(fmt.Sprintf("$%s%d", kind, n.count[kind]), id)
	}
}

// of is the name of an id, or its first eight hex digits.
func (n *names) of(id [32]byte) string {
	if name, ok := n.byID[id]; ok {
		return name
	}
	return fmt.Sprintf("%x…", id[:4])
}

// macro is a name that stands for much of something.
var macro = regexp.MustCompile(`^\$(text|ids|objects|tower)([0-9]+)$`)

var macros = map[string]func(n int) string{
	"text": func(n int) string { return strings.Repeat("x", n) },
	"ids": func(n int) string {
		out := make([]string, n)
		for i := range out {
			out[i] = fmt.Sprintf("\"%064x\"", i)
		}
		return "[" + strings.Join(out, ",") + "]"
	},
	"objects": func(n int) string {
		return "[" + strings.TrimSuffix(strings.Repeat(`{"type_tag":1,"data":"x"},`, n), ",") + "]"
	},
	"tower": tower,
}

// tower is the root and the objects of a file and n directories above it, each of which holds the one below it twice: n + 1
// objects, and 2^n paths that lead to the file.
func tower(n int) string {
	below := wire.TreeEntry{Value: wire.ObjectID(wire.ObjectAtom, []byte("x")), Kind: wire.TreeEntryKindAtom}
	objects := []string{`{"type_tag":1,"data":"x"}`}
	for range n {
		left, right := below, below
		left.Key, right.Key = []byte("a"), []byte("b")
		data := wire.TreeCodec.Append(nil, &wire.Tree{Entries: []wire.TreeEntry{left, right}})
		objects = append(objects, fmt.Sprintf(`{"type_tag":2,"data":"hex:%x"}`, data))
		below = wire.TreeEntry{Value: wire.ObjectID(wire.ObjectTree, data), Kind: wire.TreeEntryKindTree}
	}
	return fmt.Sprintf(`"root":"%s","objects":[%s]`, below.Value, strings.Join(objects, ","))
}

var reference = regexp.MustCompile(`[$#][a-z]+[0-9]*`)

// longText is how many letters $long stands for: more than a list of results shows.
const longText = 5_000

// expand replaces the names in a command's JSON by ids, and $long, $textN, $idsN, $objectsN and $towerN by what they
// stand for.
func (n *names) expand(text string) string {
	return reference.ReplaceAllStringFunc(text, func(name string) string {
		if m := macro.FindStringSubmatch(name); m != nil {
			count, _ := strconv.Atoi(m[2])
			return macros[m[1]](count)
		}
		if name == "$long" {
			return strings.Repeat("x", longText)
		}
		if id, ok := n.byName[name]; ok {
			return id
		}
		return name
	})
}
