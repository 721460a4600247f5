package memory

import (
	"slices"

	"kingdom/wire"
)

// Limits of a notebook. At a limit the oldest item is dropped, finished ones before unfinished ones.
const (
	notebookEntries  = 48
	NotebookMessages = 48
	notebookPeers    = 32
	notebookClaims   = 16
	NotebookReleases = 4
	notebookObjects  = 16
	notebookChannels = 16
	notebookEarning  = 16
	NotebookText     = 384 // bytes kept of a text that was read
	notebookOffers   = 24
)

// Notebook is what an agent has seen and done in the shared world, as far as it needs it to know what is still worth
// doing: entries and messages with what it did with them, reputations of peers, and counters of the current cycle. It
// is private, limited, and part of the agent's state.
type Notebook struct {
	Notes
	entries, messages, peers prefixes      // of Entries, Messages and Peers
	messageArray             []MessageNote // the backing array of Messages once it is full
}

// Notes is the content of a notebook and its stored form. The lists change their order
// through the methods of [Notebook] only.
type Notes struct {
	Entries  []EntryNote   `kdom:"entries"`  // oldest first
	Messages []MessageNote `kdom:"messages"` // oldest first
	Peers    []PeerNote    `kdom:"peers"`    // oldest first
	Claims   []ClaimNote   `kdom:"claims"`   // who took which bounty last; oldest first
	Releases []wire.Hash   `kdom:"releases"` // own claims to give back
	Objects  []ObjectNote  `kdom:"objects"`  // what the last step of each goal's plan made or found; oldest first
	Channels []ChannelNote `kdom:"channels"` // those that agents opened; oldest first
	Works    []WorkNote    `kdom:"works"`    // programs it writes or judges; oldest first
	Earning  []EarningNote `kdom:"earning"`  // acts since the last income that may bring some; oldest first
	Offers   []OfferNote   `kdom:"offers"`   // bounties that were offered; oldest first
	Ended    []EndedNote   `kdom:"ended"`    // goals that ended since the last thought; oldest first
	Rested   RestNote      `kdom:"rested"`   // the last rest
	News     []NewsNote    `kdom:"news"`     // events of the cycle before that no prompt told; oldest first

	Born    bool      `kdom:"born"`    // the first slot is over
	Earned  uint64    `kdom:"earned"`  // ⚡ ever received, as last seen
	Forgot  wire.Tick `kdom:"forgot"`  // messages up to this tick that are not noted are finished
	Closed  wire.Tick `kdom:"closed"`  // entries up to this tick that are not noted are finished
	Looked  wire.Tick `kdom:"looked"`  // tick of the last look at the channels
	Browsed wire.Tick `kdom:"browsed"` // tick of the last look at the entries
	// LookPause and BrowsePause are how many cycles the agent lets pass before it looks again for messages, and for
	// entries, that no event told of.
	LookPause   uint8 `kdom:"look_pause"`
	BrowsePause uint8 `kdom:"browse_pause"`

	Turns      uint32     `kdom:"turns"`     // looks at channels so far; selects the next channel
	Novel      wire.Cycle `kdom:"novel"`     // cycle of the last voluntary experiment
	Called     wire.Cycle `kdom:"called"`    // cycle of the last call of a service
	Posts      uint32     `kdom:"posts"`     // messages of the running cycle
	Published  uint32     `kdom:"published"` // entries of the running cycle
	Asked      uint32     `kdom:"asked"`     // questions of the running cycle
	Judged     uint32     `kdom:"judged"`    // verdicts of the running cycle
	Bought     uint64     `kdom:"bought"`    // ticks bought in the running cycle
	Slot       uint64     `kdom:"slot"`      // slots of the running cycle so far
	Worked     bool       `kdom:"worked"`    // something productive was done in the running cycle
	IdleCycles uint32     `kdom:"barren"`    // cycles in a row without a productive act
	Rest       uint64     `kdom:"rest"`      // slots that the agent still skips, unless something mentions it
	Fruitless  uint64     `kdom:"fruitless"` // requests without effect, minus those with effect and an allowance per cycle; at least 0
	Pause      uint64     `kdom:"pause"`     // slots that the agent skips in any case, because Fruitless was too high
	Active     uint32     `kdom:"active"`    // agents that are awake, this one too, as the world said last
}

// EntryNote is one Oracle entry that the agent knows of.
type EntryNote struct {
	ID     wire.Hash      `kdom:"i"`
	Author wire.AgentID   `kdom:"a"`
	Kind   wire.EntryKind `kdom:"k"`
	At     wire.Tick      `kdom:"t"` // published
	Title  []byte         `kdom:"n"`
	Text   []byte         `kdom:"x"` // empty until read; cleared once judged
	Own    bool           `kdom:"o"`
	Read   bool           `kdom:"r"`
	Judged bool           `kdom:"j"` // verified by this agent, or its own
	Paid   bool           `kdom:"p"` // somebody paid for an entry about the same when it was published, or its author asked for this agent's verdict
	// Verdicts are those of others that were noticed, Disputed those of them that were not ACCURATE.
	Verdicts uint8 `kdom:"v"`
	Disputed uint8 `kdom:"d"`
	// Vouched are the ACCURATE ones of verifiers whose own work was found right at least twice as often as wrong.
	Vouched uint8 `kdom:"u"`
	// Verdict is this agent's own, a [wire.Verdict]; 0: none.
	Verdict uint8 `kdom:"y"`
	// Since is the cycle of that verdict plus one until the agent knows what others made of the entry, else 0.
	Since    wire.Cycle `kdom:"s"`
	Accuracy float32    `kdom:"q"` // [0,1], after the newest verdict that was noticed
	// Pending is the version of the update by another than the author that waits, 0: none; Corrected says that this agent
	// has offered one.
	Pending   uint32 `kdom:"w"`
	Corrected bool   `kdom:"z"`
}

// Agree returns how many verdicts of other agents agree with the majority. While there are few, one against many does
// not decide.
func (n *EntryNote) Agree() uint8 { return max(n.Verdicts-min(n.Disputed, n.Verdicts), n.Disputed) }

// Opinion is the result of reading a message.
type Opinion uint8

// Values of [Opinion].
const (
	OpinionNone     Opinion = iota // it changed little
	OpinionFor                     // it answered the reader, or confirmed an author whom the reader trusted little
	OpinionDoubt                   // it contradicts what the reader has counted
	OpinionRepeated                // it says what the reader was told before
)

// Addressee says whom a message is addressed to.
type Addressee uint8

// Values of [Addressee].
const (
	AddresseeNone  Addressee = iota // nobody, or nobody whom the reader knows
	AddresseeSelf                   // the reader
	AddresseeOther                  // an agent that the reader knows
)

// ObjectNote is what the last successful step of a goal's plan created or found.
type ObjectNote struct {
	Goal   wire.Hash `kdom:"g"`
	Object wire.Hash `kdom:"o"`
}

// ChannelNote is a channel that an agent opened.
type ChannelNote struct {
	ID      wire.Hash    `kdom:"i"`
	Name    []byte       `kdom:"n"` // its creator's words
	Creator wire.AgentID `kdom:"a"`
}

// EarningNote is an act that may earn a reward later.
type EarningNote struct {
	Goal wire.Hash `kdom:"g"`
	Kind uint8     `kdom:"k"` // ordinal of the goal's kind
	Verb string    `kdom:"v"` // what was done, see llm.Affordance
}

// CycleEnd ends a cycle: it counts the cycles without a productive act.
func (l *Notebook) CycleEnd() {
	if l.IdleCycles++; l.Worked {
		l.IdleCycles = 0
	}
	l.Worked = false
}

// NoteEarning notes an act that may earn a reward later.
func (l *Notebook) NoteEarning(n EarningNote) {
	if len(l.Earning) >= notebookEarning {
		l.Earning = slices.Delete(l.Earning, 0, 1)
	}
	l.Earning = append(grow(l.Earning, notebookEarning), n)
}

// PeerNote is the last known reputation of a peer.
type PeerNote struct {
	ID         wire.AgentID `kdom:"i"`
	Reputation float32      `kdom:"r"`
	At         wire.Tick    `kdom:"t"`
}

// Count adds one to a counter, which stays at its maximum.
func Count(n *uint8) {
	if *n < 255 {
		*n++
	}
}

// CycleStart resets the counters of the cycle.
func (l *Notebook) CycleStart() {
	l.Posts, l.Published, l.Asked, l.Judged, l.Bought, l.Slot, l.Rest = 0, 0, 0, 0, 0, 0, 0
	l.Pause = 0
}

// Entry returns the note of an entry, or nil. It is valid until the next SeeEntry.
func (l *Notebook) Entry(id wire.Hash) *EntryNote {
	if i := findNote(&l.entries, l.Entries, &id, func(n *EntryNote) *wire.Hash { return &n.ID }); i >= 0 {
		return &l.Entries[i]
	}
	return nil
}

// SeeEntry notes an entry, unless it is known.
func (l *Notebook) SeeEntry(n EntryNote) *EntryNote {
	if p := l.Entry(n.ID); p != nil {
		return p
	}
	if len(l.Entries) >= notebookEntries {
		i := l.entryToForget(n.Own)
		l.Closed = max(l.Closed, l.Entries[i].At)
		l.Entries = slices.Delete(l.Entries, i, i+1)
		l.entries = slices.Delete(l.entries, i, i+1)
	}
	l.Entries = append(grow(l.Entries, notebookEntries), n)
	l.entries = append(l.entries, prefixOf(&n.ID))
	return &l.Entries[len(l.Entries)-1]
}

// entryToForget returns the index of the entry to drop: the oldest own one if one more of them would be too many; else the
// one of oldestOfDominantAuthor; else the oldest judged one of others, unless it is among the newest half; else the oldest.
func (l *Notebook) entryToForget(own bool) int {
	const ownMax = notebookEntries / 4
	first, count := -1, 0
	for i := range l.Entries {
		if l.Entries[i].Own {
			if count++; first < 0 {
				first = i
			}
		}
	}
	if count > ownMax || own && count == ownMax {
		return first
	}
	if i := l.oldestOfDominantAuthor(); i >= 0 {
		return i
	}
	return max(0, slices.IndexFunc(l.Entries[:notebookEntries/2], func(n EntryNote) bool { return n.Judged && !n.Own }))
}

// oldestOfDominantAuthor returns the index of the oldest unjudged entry of the author with most of them, if they are more than
// twice an equal share of the notebook among its authors; else -1. So entries that the agent ignores, however many, do not
// displace those that it has judged.
func (l *Notebook) oldestOfDominantAuthor() int {
	var authors [notebookEntries]struct{ first, oldest, unread uint8 } // first and oldest are indices of entries
	var byID [4 * notebookEntries]uint8                                // index of an author plus one; 0: free
	n, most := 0, 0
	for i := range l.Entries {
		e := &l.Entries[i]
		slot := int(e.Author[0]) % len(byID) // ids are hashes, so that most are found at once
		for byID[slot] > 0 && l.Entries[authors[byID[slot]-1].first].Author != e.Author {
			slot = (slot + 1) % len(byID)
		}
		if byID[slot] == 0 {
			authors[n].first = uint8(i)
			n++
			byID[slot] = uint8(n)
		}
		if e.Judged {
			continue
		}
		at := int(byID[slot]) - 1
		a := &authors[at]
		if a.unread == 0 {
			a.oldest = uint8(i)
		}
		if a.unread++; a.unread > authors[most].unread {
			most = at
		}
	}
	if n == 0 || int(authors[most].unread)*n <= 2*notebookEntries {
		return -1
	}
	return int(authors[most].oldest)
}

// Peer returns the note of a peer, or nil. It is valid until the next SeePeer.
func (l *Notebook) Peer(id wire.AgentID) *PeerNote {
	if i := l.findPeer(&id); i >= 0 {
		return &l.Peers[i]
	}
	return nil
}

func (l *Notebook) findPeer(id *wire.AgentID) int {
	return findNote(&l.peers, l.Peers, id, func(n *PeerNote) *wire.AgentID { return &n.ID })
}

// SeePeer notes a peer's reputation.
func (l *Notebook) SeePeer(id wire.AgentID, reputation float32, at wire.Tick) {
	i := l.findPeer(&id)
	if i < 0 && len(l.Peers) >= notebookPeers {
		i = 0
	}
	if i >= 0 {
		l.Peers = slices.Delete(l.Peers, i, i+1)
		l.peers = slices.Delete(l.peers, i, i+1)
	}
	l.Peers = append(l.Peers, PeerNote{ID: id, Reputation: reputation, At: at})
	l.peers = append(l.peers, prefixOf(&id))
}

// SetObject notes the object of a goal's last step.
func (l *Notebook) SetObject(goal, object wire.Hash) {
	i := slices.IndexFunc(l.Objects, func(n ObjectNote) bool { return n.Goal == goal })
	switch {
	case i >= 0:
		l.Objects = slices.Delete(l.Objects, i, i+1)
	case len(l.Objects) >= notebookObjects:
		l.Objects = slices.Delete(l.Objects, 0, 1)
	}
	l.Objects = append(l.Objects, ObjectNote{Goal: goal, Object: object})
}

// Object returns the object of a goal's last step.
func (l *Notebook) Object(goal wire.Hash) (wire.Hash, bool) {
	for i := range l.Objects {
		if l.Objects[i].Goal == goal {
			return l.Objects[i].Object, true
		}
	}
	return wire.Hash{}, false
}

// TruncatedCopy returns a copy of a text, cut to the length that the notebook keeps.
func TruncatedCopy(text []byte) []byte { return slices.Clone(Truncate(text)) }

// Truncate returns a text, cut to the length that the notebook keeps, without copying it. Nobody may change it.
func Truncate(text []byte) []byte {
	n := min(len(text), NotebookText)
	return text[:n:n]
}

// Channel returns the note of a channel that an agent opened, or nil.
func (l *Notebook) Channel(id wire.Hash) *ChannelNote {
	for i := range l.Channels {
		if l.Channels[i].ID == id {
			return &l.Channels[i]
		}
	}
	return nil
}

// SeeChannel notes a channel that an agent opened.
func (l *Notebook) SeeChannel(n ChannelNote) {
	if l.Channel(n.ID) != nil {
		return
	}
	if len(l.Channels) >= notebookChannels {
		l.Channels = slices.Delete(l.Channels, 0, 1)
	}
	l.Channels = append(l.Channels, n)
}
