package memory

import (
	"slices"

	"kingdom/wire"
)

// ClaimNote says who claimed a bounty last.
type ClaimNote struct {
	Bounty  wire.Hash    `kdom:"b"`
	Claimer wire.AgentID `kdom:"a"`
	At      wire.Tick    `kdom:"t"`
}

// OfferNote is a bounty that was offered. It is kept until newer ones push it out.
type OfferNote struct {
	Bounty     wire.Hash       `kdom:"b"`
	Difficulty wire.Difficulty `kdom:"d"`
	Measure    Measure         `kdom:"m"` // that it asks an entry about; 0: none
	Tried      bool            `kdom:"y"` // a claim of it failed
	At         wire.Tick       `kdom:"t"` // when it became free
	Claimed    wire.Tick       `kdom:"c"` // 0: it is free
	Again      wire.Tick       `kdom:"w"` // when the agent considers it again; the largest tick: it has decided
}

// Work returns the kind of work that the bounty asks for.
func (n *OfferNote) Work() BountyWork {
	if n.Measure != 0 {
		return BountyWorkEntry
	}
	return BountyWorkOther
}

// Offer notes a bounty that was offered.
func (l *Notebook) Offer(n OfferNote) {
	if len(l.Offers) >= notebookOffers {
		l.Offers = slices.Delete(l.Offers, 0, 1)
	}
	l.Offers = append(l.Offers, n)
}

// Offered returns the note of a bounty that was offered, or nil.
func (l *Notebook) Offered(bounty wire.Hash) *OfferNote {
	for i := range l.Offers {
		if l.Offers[i].Bounty == bounty {
			return &l.Offers[i]
		}
	}
	return nil
}

// Claim notes who claimed a bounty, and when. If the same claimer is noted already, the earlier tick stays.
func (l *Notebook) Claim(bounty wire.Hash, claimer wire.AgentID, at wire.Tick) {
	i := slices.IndexFunc(l.Claims, func(n ClaimNote) bool { return n.Bounty == bounty })
	switch {
	case i >= 0:
		if l.Claims[i].Claimer == claimer {
			at = l.Claims[i].At
		}
		l.Claims = slices.Delete(l.Claims, i, i+1)
	case len(l.Claims) >= notebookClaims:
		l.Claims = slices.Delete(l.Claims, 0, 1)
	}
	l.Claims = append(l.Claims, ClaimNote{Bounty: bounty, Claimer: claimer, At: at})
}

// Unclaim forgets who claimed a bounty: it is open again, or over.
func (l *Notebook) Unclaim(bounty wire.Hash) {
	l.Claims = slices.DeleteFunc(l.Claims, func(n ClaimNote) bool { return n.Bounty == bounty })
}

// Claimer returns who claimed a bounty last, as far as this agent noticed.
func (l *Notebook) Claimer(bounty wire.Hash) (wire.AgentID, bool) {
	for i := range l.Claims {
		if l.Claims[i].Bounty == bounty {
			return l.Claims[i].Claimer, true
		}
	}
	return wire.AgentID{}, false
}

// ClaimedAt returns when a bounty was claimed.
func (l *Notebook) ClaimedAt(bounty wire.Hash) (wire.Tick, bool) {
	for i := range l.Claims {
		if l.Claims[i].Bounty == bounty {
			return l.Claims[i].At, true
		}
	}
	return 0, false
}

// Release notes a claim that must be given back; Released removes it.
func (l *Notebook) Release(bounty wire.Hash) {
	if len(l.Releases) < NotebookReleases && !slices.Contains(l.Releases, bounty) {
		l.Releases = append(l.Releases, bounty)
	}
}

// Released removes a claim from those to give back.
func (l *Notebook) Released(bounty wire.Hash) {
	if i := slices.Index(l.Releases, bounty); i >= 0 {
		l.Releases = slices.Delete(l.Releases, i, i+1)
	}
}
