package action

import "kingdom/wire"

func vaultRows() []Row {
	return []Row{
		{
			Type: wire.TypeRepoCreate, Domain: DomainLibrary, Ticks: 1, Epoch: gateCode, form: formRepoCreate,
			BoundOf: repoBound,
			Summary: "Make a repo of your own from files (2 ticks), or fork one (1 tick).",
		},
		{
			Type: wire.TypeSnapCreate, Domain: DomainLanguage, Ticks: 1, Epoch: gateCode, form: formSnapCreate,
			Summary: "Commit files to a repo; a chain whose head is the parent moves to the new snap.",
		},
		{
			Type: wire.TypeSnapGet, Domain: DomainLibrary, Ticks: 1, Read: true, Epoch: gateCode,
			Summary: "Read a snap: its parent, its tree, its main.star, who made it and why.",
		},
		{
			Type: wire.TypeObjectGet, Domain: DomainLibrary, Ticks: 1, Read: true, Epoch: gateFree,
			Summary: "Read an object: a file, or a directory with the ids of what is in it.",
		},
		{
			Type: wire.TypeObjectPut, Domain: DomainLanguage, Ticks: 1, Epoch: gateFree,
			Summary: "Store a file or another object.",
		},
		{
			Type: wire.TypeDeltaCompute, Domain: DomainDesign, Ticks: 2, Epoch: gateCode,
			Summary: "Compare the files of two snaps; the result is stored.",
		},
		{
			Type: wire.TypeMerge, Domain: DomainDesign, Ticks: 3, Epoch: gateCode,
			Summary: "Merge what two snaps changed since a third; the parent of the result is left, and no chain moves.",
		},
		{
			Type: wire.TypeChainCreate, Domain: DomainLibrary, Ticks: 1, Epoch: gateCode,
			Summary: "Create a chain (a branch) at a snap of the repo.",
		},
		{
			Type: wire.TypeChainAdvance, Domain: DomainLibrary, Ticks: 1, Epoch: gateCode,
			Summary: "Move a chain to a later snap, or delete it by leaving out new_head.",
		},
		{
			Type: wire.TypeTagCreate, Domain: DomainLibrary, Ticks: 1, Epoch: gateCode,
			Summary: "Give a snap a permanent name; with publish the repo enters the registry.",
		},
		{
			Type: wire.TypeRegistryQuery, Domain: DomainLibrary, Ticks: 1, Read: true, Epoch: gateCode,
			Summary: "Search the published repos.",
		},
		{
			Type: wire.TypeDependencyAdd, Domain: DomainLibrary, Ticks: 1, Epoch: gateCode,
			Summary: "Declare that a snap of your repo builds on a tag of another; you are told of its new tags.",
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
