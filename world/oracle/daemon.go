package oracle

import (
	"kingdom/wire"
	"kingdom/wire/codec"
	"kingdom/world"
)

// Self is ORACLE_0.
var Self = wire.SystemID(wire.SystemOracle)

var (
	entryCodec        = codec.New[Entry]()
	versionCodec      = codec.New[Version]()
	verificationCodec = codec.New[Verification]()
	approvalCodec     = codec.New[Approval]()
	citationCodec     = codec.New[Citation]()
	gapCodec          = codec.New[Gap]()
	restCodec         = codec.New[Rest]()
	counterCodec      = codec.New[Counter]()
	headCodec         = codec.New[wire.OracleEntry]()
)

// Daemon is ORACLE_0. It implements world.Daemon and world.Oracle.
type Daemon struct {
	*siblings
	rules *world.Rules

	state      *world.State
	entries    *entries
	discarded  *world.Table[wire.Hash, Entry] // by peer review; they are still read
	versions   *versions
	votes      *votes
	reviews    *peerReviews
	cooldowns  *cooldowns
	counters   *counters
	citations  *citations
	writer     *writer
	gaps       *gaps
	duplicates *duplicates
	ages       *ages
}

var (
	_ world.Daemon = (*Daemon)(nil)
	_ world.Oracle = (*Daemon)(nil)

	_ world.Preparer = (*Daemon)(nil)
)

// New returns an Oracle without entries.
func New(r *world.Rules) *Daemon {
	s := world.NewState(wire.SystemOracle)
	d := &Daemon{siblings: &siblings{}, rules: r, state: s}
	ids := newIDNumbers()
	d.versions = newVersions(s, ids)           // chains enter the hash in this order
	people := &world.Numbering[wire.AgentID]{} // who wrote or judged
	d.votes = newVotes(s, ids, people)
	d.citations = newCitations(s, r)
	d.entries = newEntries(s, ids, people, d.votes, d.citations)
	d.discarded = world.NewTable[wire.Hash](s, "discarded", entryCodec)
	d.reviews = newPeerReviews(s)
	d.cooldowns = newCooldowns(s)
	d.counters = newCounters(s)
	d.ages = &ages{rules: r, entries: d.entries}
	d.gaps = newGaps(s, r, d.siblings, d.entries)
	d.writer = &writer{siblings: d.siblings, rules: r, entries: d.entries, versions: d.versions, cooldowns: d.cooldowns, counters: d.counters, ages: d.ages}
	d.duplicates = &duplicates{rules: r, entries: d.entries}
	return d
}

// Attach gives Oracle its siblings.
func (d *Daemon) Attach(s *world.Siblings) {
	d.roster, d.ledger, d.forum, d.objects = s.Nexus, s.Mint, s.Agora, s.Objects
	d.ages.code, d.proofs = s.Vault, s.Proofs
}

// System names the daemon.
func (d *Daemon) System() wire.System { return wire.SystemOracle }

// State is Oracle's hashed state.
func (d *Daemon) State() *world.State { return d.state }

// Apply carries out one request.
func (d *Daemon) Apply(c *world.Context, req any) wire.Reply {
	if refusal := world.CheckBounds(req); refusal != nil {
		return c.Relay(wire.SystemOracle, refusal)
	}
	switch q := req.(type) {
	case *wire.EntryPublish:
		return d.writer.publish(c, q)
	case *wire.EntryUpdate:
		return d.writer.update(c, q)
	case *wire.EntryQuery:
		return d.query(c, q)
	case *wire.EntryVerify:
		return d.verify(c, q)
	case *wire.EntryGet:
		return d.get(c, q)
	case *wire.CitationAdd:
		return d.citationAdd(c, q)
	case *wire.CitationQuery:
		return d.citationQuery(c, q)
	}
	return c.RefuseCode(wire.CodeUnknownType, wire.CategoryInvalidRequest, "unknown_type")
}

func refuse(c *world.Context, cat wire.Category, reason string, details ...world.Detail) wire.Reply {
	return c.Refuse(wire.SystemOracle, cat, reason, details...)
}

func emit(c *world.Context, kind wire.EventKind, about wire.AgentID, payload any) {
	c.Emit(wire.SystemOracle, kind, c.Origin(wire.SystemOracle, about), payload, nil)
}

// Restored rebuilds the indexes that the chains' callbacks do not fill.
func (d *Daemon) Restored() {
	d.entries.restored(d.rules.Calendar)
	d.reviews.restored()
	d.cooldowns.restored()
}

// Entry returns an entry without its body; ok is false for unknown ones.
func (d *Daemon) Entry(id wire.Hash) (h wire.OracleEntry, ok bool) {
	e := d.entries.find(id)
	if e == nil {
		return wire.OracleEntry{}, false
	}
	d.entries.fillHead(e, &h, &listBuffers{})
	return h, true
}

// Show puts an entry into out with its newest body, and adds the body to missing if it is not in memory. For an
// unknown id it does nothing.
func (d *Daemon) Show(missing *[]wire.Missing, id wire.Hash, out *wire.OracleEntry) {
	if e := d.entries.find(id); e != nil {
		*out = wire.OracleEntry{}
		d.entries.fillHead(e, out, &listBuffers{})
		record, _ := d.versions.find(id, out.Version)
		d.versions.show(missing, out, record)
	}
}

// Entries counts the published entries.
func (d *Daemon) Entries() int { return len(d.entries.order) }

// Missing returns the contents that the end of cycle now needs and that are not in memory: waiting updates, and
// questions that may become bounties. They must be filled before Agora's CycleEnd, and nothing may be applied in
// between.
func (d *Daemon) Missing(now wire.Cycle) (missing []wire.Missing) {
	for _, e := range d.entries.dueUpdates(d.rules.Calendar, now) {
		d.versions.fetch(&missing, d.entries.idOf(e), d.entries.foreignEdits[e.number].pending.Version)
	}
	for _, q := range d.gaps.questions(now) {
		missing = append(missing, q.Missing...)
	}
	return missing
}
