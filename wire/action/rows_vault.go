package action

import "kingdom/wire"

func vaultRows() []Row {
	return []Row{
		{
			Type: wire.TypeRepoCreate, Domain: DomainLibrary, Ticks: 1, Epoch: gateCode, form: formRepoCreate,
			BoundOf: repoBound,
			Summary: "Make a repo of your own from files, or fork one; forking costs 1 tick, else 2.",
		},
		{
			Type: wire.TypeSnapCreate, Domain: DomainLanguage, Ticks: 1, Epoch: gateCode, form: formSnapCreate,
			Summary: "Commit files to a repo; on the head of a chain the chain moves along.",
		},
		{
			Type: wire.TypeSnapGet, Domain: DomainLibrary, Ticks: 1, Read: true, Epoch: gateCode,
			Summary: "Read a snap: its parent, its tree, who made it and why.",
		},
		{
			Type: wire.TypeObjectGet, Domain: DomainLibrary, Ticks: 1, Read: true, Epoch: gateFree,
			Summary: "Read an object: a file, or a directory with the ids of what is in it.",
		},
		{
			Type: wire.TypeObjectPut, Domain: DomainLanguage, Ticks: 1, Epoch: gateFree,
			Summary: "Store a file or another object; its id is the hash of its content.",
		},
		{
			Type: wire.TypeDeltaCompute, Domain: DomainDesign, Ticks: 2, Epoch: gateCode,
			Summary: "Compare the files of two snaps; the result is stored.",
		},
		{
			Type: wire.TypeMerge, Domain: DomainDesign, Ticks: 3, Epoch: gateCode,
			Summary: "Join what two snaps changed since a third; the result lies on left, and no chain moves.",
		},
		{
			Type: wire.TypeChainCreate, Domain: DomainLibrary, Ticks: 1, Epoch: gateCode,
			Summary: "Open a branch at a snap of the repo.",
		},
		{
			Type: wire.TypeChainAdvance, Domain: DomainLibrary, Ticks: 1, Epoch: gateCode,
			Summary: "Move a branch to a later snap; without new_head delete it.",
		},
		{
			Type: wire.TypeTagCreate, Domain: DomainLibrary, Ticks: 1, Epoch: gateCode,
			Summary: "Give a snap a name for good; with publish the repo enters the registry.",
		},
		{
			Type: wire.TypeRegistryQuery, Domain: DomainLibrary, Ticks: 1, Read: true, Epoch: gateCode,
			Summary: "Search the published repos.",
		},
		{
			Type: wire.TypeDependencyAdd, Domain: DomainLibrary, Ticks: 1, Epoch: gateCode,
			Summary: "Declare that a snap of your repo builds on a tag of another; you hear of its new tags.",
		},
		{
			Type: wire.TypeDependencyNotify, Domain: DomainLibrary, Epoch: gateCode, SystemOnly: true,
			Summary: "Tells the owner of dependents that a repo has a new tag.",
		},
	}
}

// repoBound returns the cost of a REPO_CREATE. A fork costs less, because it shares all objects with its source.
func repoBound(payload any, _ *wire.View) Cost {
	if q, ok := payload.(*wire.RepoCreate); ok && q.ForkOf != nil {
		return Cost{Ticks: 1}
	}
	return Cost{Ticks: 2}
}
