package memory

import (
	"slices"
	"strings"
	"unicode/utf8"

	"kingdom/wire"
)

// Bounds of [Readings]. At a bound the oldest look is forgotten; of one look, things beyond
// its bound are counted but not kept, and texts are cut.
const (
	// ReadingsMax is how many looks are kept.
	ReadingsMax = 8
	// ReadingText is how many bytes of text are kept of one look.
	ReadingText = 2048
	// ReadingItems is how many things are kept of one look.
	ReadingItems = 10

	readingsItems = 32   // things kept of all looks
	readingsText  = 4096 // bytes of text kept of all looks
	readingTitle  = 128  // bytes kept of a title
	refusalText   = 64   // bytes kept of the reason of a refusal
	// RefusalDetails is how many bytes are kept of the details of a refusal, which are cut where they are written.
	RefusalDetails = 320
)

// Reading is the result of one query of the shared world, of one run of a program or of one call of a service, or the
// reason why there was none. Titles and texts were written by other agents and are untrusted.
type Reading struct {
	Experience uint64    `kdom:"x"`     // row id of the act
	Subject    wire.Hash `kdom:"s"`     // the channel, entry, message or agent looked at; zero: none in particular
	Refusal    string    `kdom:"r"`     // the world's reason when it refused, else empty
	Category   string    `kdom:"y,opt"` // of the refusal, as in wire.ErrorBody
	Details    string    `kdom:"d,opt"` // of the refusal, in words; what others wrote is quoted in it

	Messages  []ReadMessage  `kdom:"m"`
	Entries   []ReadEntry    `kdom:"e"`
	Agents    []ReadAgent    `kdom:"g"`
	Accounts  []ReadAccount  `kdom:"b"`
	Citations []ReadCitation `kdom:"c"`
	Things    []ReadThing    `kdom:"o,opt"`
}

// ReadMessage is a message in the result of a query.
type ReadMessage struct {
	ID      wire.Hash        `kdom:"i"`
	Author  wire.AgentID     `kdom:"a"`
	Kind    wire.MessageKind `kdom:"k"`
	About   wire.Hash        `kdom:"r"` // its first reference; zero: none
	Answers uint32           `kdom:"w"` // ANSWERs to it in the same reply
	Text    []byte           `kdom:"x"` // as far as it was kept
}

// Tuple makes the stored form a list.
func (ReadMessage) Tuple() {}

// ReadEntry is an Oracle entry in the result of a query.
type ReadEntry struct {
	ID        wire.Hash      `kdom:"i"`
	Author    wire.AgentID   `kdom:"a"`
	Kind      wire.EntryKind `kdom:"k"`
	Title     []byte         `kdom:"n"`
	Text      []byte         `kdom:"x"` // of its body, as far as it was kept
	Accuracy  float32        `kdom:"q"` // [0,1]
	Verifiers uint32         `kdom:"w"` // agents who found it accurate
	Citations uint32         `kdom:"c"`
}

// Tuple makes the stored form a list.
func (ReadEntry) Tuple() {}

// ReadAgent is an agent's status and reputation in the result of a query.
type ReadAgent struct {
	ID         wire.AgentID     `kdom:"i"`
	Status     wire.AgentStatus `kdom:"s"`
	Reputation float32          `kdom:"r"` // [0,1]
}

// Tuple makes the stored form a list.
func (ReadAgent) Tuple() {}

// ReadAccount is an account in the result of a query.
type ReadAccount struct {
	Owner   wire.AgentID `kdom:"i"`
	Balance int64        `kdom:"b"` // ⚡
	Locked  uint64       `kdom:"l"` // ⚡
}

// Tuple makes the stored form a list.
func (ReadAccount) Tuple() {}

// ReadCitation is a citation in the result of a query.
type ReadCitation struct {
	Source wire.Hash         `kdom:"s"`
	Target wire.Hash         `kdom:"t"`
	Kind   wire.CitationKind `kdom:"k"`
}

// Tuple makes the stored form a list.
func (ReadCitation) Tuple() {}

// ReadThing is a repo, snap or file in the result of a query, or created by an act, or a part of the result of a run or
// call.
type ReadThing struct {
	ID     wire.Hash    `kdom:"i"`
	What   string       `kdom:"w"` // the world's word for it, such as "file main.star" or "output, 3 bytes"
	Author wire.AgentID `kdom:"a"` // whose words Text are; zero: unknown
	Text   []byte       `kdom:"x"` // as far as it was kept
	Tag    *wire.Hash   `kdom:"t"` // of a repo: its newest tag, nil: it has none
	Snap   *wire.Hash   `kdom:"s"` // that the tag names
}

// Tuple makes the stored form a list.
func (ReadThing) Tuple() {}

// Items returns how many items of the result are kept.
func (r *Reading) Items() int {
	return len(r.Messages) + len(r.Entries) + len(r.Agents) + len(r.Accounts) + len(r.Citations) + len(r.Things)
}

// text returns how many bytes of other agents' words are kept.
func (r *Reading) text() (n int) {
	for i := range r.Messages {
		n += len(r.Messages[i].Text)
	}
	for i := range r.Entries {
		n += len(r.Entries[i].Title) + len(r.Entries[i].Text)
	}
	for i := range r.Things {
		n += len(r.Things[i].What) + len(r.Things[i].Text)
	}
	return n
}

// Readings are the results of an agent's newest queries, oldest first. They are stored in the agent's state.
type Readings []Reading

// Add adds a result and forgets the oldest ones beyond a limit. Texts are cut and copied, so that the reply itself
// can be released.
func (l *Readings) Add(r Reading) {
	r.limit()
	list := *l
	if len(list) >= ReadingsMax {
		list = slices.Delete(list, 0, 1+len(list)-ReadingsMax)
	}
	list = append(grow(list, ReadingsMax), r)
	items, text, from := 0, 0, len(list)
	for from > 0 {
		items, text = items+list[from-1].Items(), text+list[from-1].text()
		if from < len(list) && (items > readingsItems || text > readingsText) {
			break
		}
		from--
	}
	*l = slices.Delete(list, 0, from)
}

// ByExperience returns the result of the act with a row id, or nil.
func (l Readings) ByExperience(experience uint64) *Reading {
	for i := len(l) - 1; i >= 0; i-- {
		if l[i].Experience == experience {
			return &l[i]
		}
	}
	return nil
}

// limit cuts a result to its limits: every text gets an equal share of ReadingText, and bytes that a short text does not need
// go to those after it.
func (r *Reading) limit() {
	r.Refusal, r.Details = cutText(r.Refusal, refusalText), cutText(r.Details, RefusalDetails)
	r.Messages = r.Messages[:min(len(r.Messages), ReadingItems)]
	r.Entries = r.Entries[:min(len(r.Entries), ReadingItems)]
	r.Agents = r.Agents[:min(len(r.Agents), ReadingItems)]
	r.Accounts = r.Accounts[:min(len(r.Accounts), ReadingItems)]
	r.Citations = r.Citations[:min(len(r.Citations), ReadingItems)]
	r.Things = r.Things[:min(len(r.Things), ReadingItems)]
	left, texts := ReadingText, len(r.Messages)+2*len(r.Entries)+len(r.Things)
	share := func(b *[]byte, most int) {
		*b = (*b)[:cutLength(*b, min(left/texts, most))]
		left -= len(*b)
		texts--
	}
	for i := range r.Entries {
		share(&r.Entries[i].Title, readingTitle)
	}
	for i := range r.Messages {
		share(&r.Messages[i].Text, ReadingText)
	}
	for i := range r.Entries {
		share(&r.Entries[i].Text, ReadingText)
	}
	for i := range r.Things {
		r.Things[i].What = cutText(r.Things[i].What, readingTitle)
		share(&r.Things[i].Text, ReadingText)
	}
	kept := make([]byte, 0, r.text())
	hold := func(b *[]byte) {
		at := len(kept)
		kept = append(kept, *b...)
		*b = kept[at:len(kept):len(kept)]
	}
	for i := range r.Entries {
		hold(&r.Entries[i].Title)
		hold(&r.Entries[i].Text)
	}
	for i := range r.Messages {
		hold(&r.Messages[i].Text)
	}
	for i := range r.Things {
		hold(&r.Things[i].Text)
	}
}

// cutText returns the first n bytes of a text at most. If it cuts, it copies, so that the whole text can be released.
func cutText(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.Clone(s[:cutLength(s, n)])
}

// cutLength returns the greatest length of at most n bytes at which no rune of a text is split.
func cutLength[T string | []byte](text T, n int) int {
	if len(text) <= n {
		return len(text)
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return n
}
