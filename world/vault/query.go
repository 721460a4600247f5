package vault

import (
	"bytes"
	"cmp"
	"slices"

	"kingdom/wire"
	"kingdom/world"
)

// Bounds of REGISTRY_QUERY (docs/WORLD.md, Vault).
const (
	searchWindow = 4096 // number of newest listings that a query searches
	textWindow   = 1024 // the same with text_match
	scanFactor   = 4    // at most so many times the window are visited, including repos that the reader may not read
	textBytes    = 1024 // bytes of each name and description that text_match searches
)

// query carries out REGISTRY_QUERY: it filters the newest listings of the category, sorts them and cuts the page.
func (x *registry) query(c *world.Context, q *wire.RegistryQuery) wire.Reply {
	page := world.PageOf(q.Limit, q.Offset)
	found := x.search(c.Source, q)
	shown := world.Part(page, found)
	for i := range shown {
		if t := x.refs.findTag(x.refs.newest[shown[i].RepoID]); t != nil { // tags never change
			shown[i].Tag, shown[i].TagName, shown[i].Snap = t.Tag, &t.Name, &t.Head
		}
	}
	size := func(i int) int { return sizeOf(&shown[i]) }
	n := world.Fit(len(shown), size, size)
	return c.Answer(wire.TypeRegistryQuery, &wire.RegistryQueryReply{
		Entries: append([]wire.RegistryEntry{}, shown[:n]...), Next: page.Next(n, len(found)),
	})
}

// sizeOf returns an upper bound of the encoded size of an entry.
func sizeOf(e *wire.RegistryEntry) int {
	n := 384 + len(e.Name) + len(e.Description)
	if e.TagName != nil {
		n += len(*e.TagName)
	}
	for _, label := range e.Category {
		n += len(label) + 5
	}
	return n
}

// search returns the matches in the requested order, without repos that the reader may not read.
func (x *registry) search(reader wire.AgentID, q *wire.RegistryQuery) (found []wire.RegistryEntry) {
	list, window := x.order, searchWindow
	if q.Category != nil {
		list = x.byCategory[string(*q.Category)]
	}
	if q.TextMatch != nil {
		window = textWindow
	}
	steps := scanFactor * window                                     // else private repos would make a query arbitrarily long
	for i := len(list) - 1; i >= 0 && window > 0 && steps > 0; i-- { // newest first
		steps--
		repo := x.store.repos.Get(list[i])
		if !repo.mayRead(reader) {
			continue
		}
		window--
		l := x.Get(repo.ID)
		if q.TextMatch != nil && !mentions(repo.Name, *q.TextMatch) && !mentions(l.Description, *q.TextMatch) {
			continue
		}
		e := wire.RegistryEntry{
			RepoID: repo.ID, Name: repo.Name, Category: l.Category, Description: l.Description,
			Quality: x.quality(repo), Popularity: x.popularity(repo.ID), Author: repo.Owner,
		}
		if q.MinQuality == nil || e.Quality >= *q.MinQuality {
			found = append(found, e)
		}
	}
	switch q.Sort {
	case wire.RegistrySortQuality:
		slices.SortFunc(found, func(a, b wire.RegistryEntry) int {
			return cmp.Or(cmp.Compare(b.Quality, a.Quality), a.RepoID.Compare(b.RepoID))
		})
	case wire.RegistrySortPopularity:
		slices.SortFunc(found, func(a, b wire.RegistryEntry) int {
			return cmp.Or(cmp.Compare(b.Popularity, a.Popularity), a.RepoID.Compare(b.RepoID))
		})
	case wire.RegistrySortRecent: // as found
	}
	return found
}

func mentions(text, word []byte) bool { return bytes.Contains(text[:min(len(text), textBytes)], word) }

func contains(list [][]byte, x []byte) bool {
	return slices.ContainsFunc(list, func(y []byte) bool { return bytes.Equal(x, y) })
}
