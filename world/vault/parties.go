package vault

import "kingdom/wire"

// repoOf returns the repo that an event is about, zero if there is none.
func repoOf(e *wire.Event) wire.Hash {
	switch p := e.Payload.(type) {
	case *wire.RepoCreatedEvent:
		return p.RepoID
	case *wire.SnapCreatedEvent:
		return p.RepoID
	case *wire.ChainCreatedEvent:
		return p.RepoID
	case *wire.ChainAdvancedEvent:
		return p.RepoID
	case *wire.ChainDeletedEvent:
		return p.RepoID
	case *wire.TagCreatedEvent:
		return p.RepoID
	case *wire.MergeCompletedEvent:
		return p.RepoID
	case *wire.RepoForkedEvent:
		return p.NewRepo
	case *wire.DependencyAddedEvent:
		return p.FromRepo
	case *wire.DependencyUpdatedEvent:
		return p.RepoID
	case *wire.RegistryPublishedEvent:
		return p.RepoID
	case *wire.ClaimCreatedEvent:
		return p.RepoID
	}
	return wire.Hash{}
}

// Parties are the owners of the repos that e is about.
func (d *Daemon) Parties(e *wire.Event, add func(wire.AgentID)) {
	owner := func(id wire.Hash) {
		if r := d.store.repos.Get(id); r != nil {
			add(r.Owner)
		}
	}
	owner(repoOf(e))
	switch p := e.Payload.(type) {
	case *wire.RepoForkedEvent:
		owner(p.SourceRepo)
	case *wire.DependencyAddedEvent:
		owner(p.ToRepo)
	case *wire.ReviewRequestedEvent:
		owner(p.Repo)
	}
}
