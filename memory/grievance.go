package memory

import (
	"bytes"
	"slices"

	"kingdom/wire"
)

// Complaint is something that agents suffer from in their society. The list is closed: each complaint has a fixed
// text for proposals, so that voters recognise which of their own grievances a proposal is about.
type Complaint uint8

// Values of [Complaint].
const (
	ComplaintUnanswered  Complaint = iota + 1 // questions that nobody answered
	ComplaintUnjudged                         // entries that nobody judged
	ComplaintUndelivered                      // bounties that were claimed and not delivered, or that nobody claimed
	ComplaintAsleep                           // dormant agents that the agent had to do with
	ComplaintForfeited                        // rewards that were earned and not paid
	ComplaintRefused                          // acts that the world refused, by its reason
	ComplaintCopied                           // entries whose content somebody published again
	ComplaintRebuffed                         // corrections that were rejected
	ComplaintChanged                          // programs that changed although others build on them
	complaints           = int(ComplaintChanged)
)

// demands are the texts of proposals. The text about refusals is followed by the reason of the refusal.
var demands = [complaints + 1]string{
	ComplaintUnanswered:  "Who can answer a question answers it before the cycle is over.",
	ComplaintUnjudged:    "Who publishes an entry judges another one that waits for a verdict.",
	ComplaintUndelivered: "Who claims a bounty delivers it before it claims another.",
	ComplaintAsleep:      "Who goes to sleep gives back first what others wait for.",
	ComplaintForfeited:   "Rewards that were earned are paid, if later.",
	ComplaintRefused:     "It should not be refused any more: ",
	ComplaintCopied:      "Who would state what an entry states already cites that one.",
	ComplaintRebuffed:    "Who rejects a correction counts anew before.",
	ComplaintChanged:     "Who changes a program that others build on asks them before.",
}

const (
	grievancesMax = 32
	// reasonMax bounds the reason of a refusal, in bytes.
	reasonMax = 48
	// grievanceHalfLife is the number of cycles after which a grievance counts half.
	grievanceHalfLife = 8
	// ProposalPause is for how many cycles an agent that saw a proposal does not propose the same.
	ProposalPause = 6
)

// ProposalText returns the text of a proposal about a complaint. subject is the reason of a refusal, nil for other
// complaints.
func (c Complaint) ProposalText(subject []byte) string { return demands[c] + string(subject) }

// ParseProposalText returns what a proposal is about; ok is false if it is about none of the complaints.
func ParseProposalText(text []byte) (c Complaint, subject []byte, ok bool) {
	for c = 1; int(c) <= complaints; c++ {
		rest, found := bytes.CutPrefix(text, []byte(demands[c]))
		if found && (len(rest) == 0) == (c != ComplaintRefused) && len(rest) <= reasonMax {
			return c, rest, true
		}
	}
	return 0, nil, false
}

// Grievance is how often an agent recently suffered from something, and how often it caused the same to others.
type Grievance struct {
	Complaint Complaint  `kdom:"c"`
	Subject   []byte     `kdom:"s"` // the reason of a refusal; else empty
	Suffered  uint32     `kdom:"n"`
	Caused    uint32     `kdom:"f"`
	Proposed  wire.Cycle `kdom:"p"` // when a proposal about it was seen last, plus one; 0: never
	Own       wire.Hash  `kdom:"o"` // the agent's own proposal about it that it has not argued for yet; zero: none
}

// Tuple makes the stored form a list.
func (Grievance) Tuple() {}

// Grievances are the grievances of an agent. They are stored in the agent's state.
type Grievances []Grievance

// Get returns the grievance about something, or nil.
func (l Grievances) Get(c Complaint, subject []byte) *Grievance {
	for i := range l {
		if l[i].Complaint == c && bytes.Equal(l[i].Subject, subject) {
			return &l[i]
		}
	}
	return nil
}

// Argued notes that nothing is left to argue for a proposal: it was argued for, or it has ended.
func (l Grievances) Argued(proposal wire.Hash) {
	for i := range l {
		if l[i].Own == proposal {
			l[i].Own = wire.Hash{}
		}
	}
}

func (l *Grievances) getOrAdd(c Complaint, subject []byte) *Grievance {
	subject = subject[:min(len(subject), reasonMax)]
	if g := l.Get(c, subject); g != nil {
		return g
	}
	if len(*l) >= grievancesMax {
		least := 0
		for i := range *l {
			if (*l)[i].Suffered < (*l)[least].Suffered {
				least = i
			}
		}
		*l = slices.Delete(*l, least, least+1)
	}
	*l = append(*l, Grievance{Complaint: c, Subject: bytes.Clone(subject)})
	return &(*l)[len(*l)-1]
}

// Suffer counts that the agent suffered from something.
func (l *Grievances) Suffer(c Complaint, subject []byte) { count32(&l.getOrAdd(c, subject).Suffered) }

// Cause counts that others suffered because of the agent.
func (l *Grievances) Cause(c Complaint) { count32(&l.getOrAdd(c, nil).Caused) }

func count32(n *uint32) {
	if *n < 1<<32-1 {
		*n++
	}
}

// NoteProposal notes that somebody made a proposal about something.
func (l *Grievances) NoteProposal(c Complaint, subject []byte, at wire.Cycle) {
	l.getOrAdd(c, subject).Proposed = at + 1
}

// CycleStart reduces grievances with time.
func (l *Grievances) CycleStart(at wire.Cycle) {
	if at%grievanceHalfLife != 0 {
		return
	}
	for i := range *l {
		g := &(*l)[i]
		g.Suffered, g.Caused = g.Suffered/2, g.Caused/2
	}
	*l = slices.DeleteFunc(*l, func(g Grievance) bool {
		return g.Suffered == 0 && g.Caused == 0 && g.Own.IsZero() && (g.Proposed == 0 || g.Proposed+ProposalPause <= at)
	})
}

// Worst returns the largest grievance, minus what the agent caused itself, among those about which nobody made a
// proposal recently; nil if there is none.
func (l Grievances) Worst(at wire.Cycle) (worst *Grievance) {
	for i := range l {
		g := &l[i]
		if g.Proposed > 0 && at < g.Proposed+ProposalPause {
			continue
		}
		if g.Suffered > g.Caused && (worst == nil || g.Suffered-g.Caused > worst.Suffered-worst.Caused) {
			worst = g
		}
	}
	return worst
}
