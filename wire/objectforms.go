package wire

import "kingdom/wire/codec"

// Codecs of the maps that travel inside a field of bytes.
var (
	GenomeCodec               = codec.New[Genome]()
	SpawnProposalCodec        = codec.New[SpawnProposal]()
	KillProposalCodec         = codec.New[KillProposal]()
	ParamProposalCodec        = codec.New[ParamProposal]()
	EpochProposalCodec        = codec.New[EpochProposal]()
	DisputeProposalCodec      = codec.New[DisputeProposal]()
	InterventionProposalCodec = codec.New[InterventionProposal]()
	ContentCodec              = codec.New[Content]()
	MustCompileCodec          = codec.New[MustCompile]()
	MustPassTestsCodec        = codec.New[MustPassTests]()
	MustBeReviewedCodec       = codec.New[MustBeReviewed]()
	CustomCheckCodec          = codec.New[CustomCheck]()
	SnapConditionCodec        = codec.New[SnapCondition]()
	ProofConditionCodec       = codec.New[ProofCondition]()
	ReviewConditionCodec      = codec.New[ReviewCondition]()
	VoteConditionCodec        = codec.New[VoteCondition]()
	ResourceMemoCodec         = codec.New[ResourceMemo]()
	BlocksCodec               = codec.New[[]ContentBlock]()
)

// ObjectForm implements [codec.ObjectOwner].
func (*SpawnProposal) ObjectForm(string) codec.ObjectForm {
	return codec.ObjectForm{Typed: GenomeCodec}
}

// ObjectForm implements [codec.ObjectOwner].
func (p *ProposalSubmit) ObjectForm(string) codec.ObjectForm {
	switch p.Kind {
	case ProposalKindSpawnAgent:
		return codec.ObjectForm{Typed: SpawnProposalCodec}
	case ProposalKindKillAgent:
		return codec.ObjectForm{Typed: KillProposalCodec}
	case ProposalKindChangeParam:
		return codec.ObjectForm{Typed: ParamProposalCodec}
	case ProposalKindEpochAdvance:
		return codec.ObjectForm{Typed: EpochProposalCodec}
	default:
		return codec.ObjectForm{Text: TextContent}
	}
}

// ObjectForm implements [codec.ObjectOwner].
func (*MsgPost) ObjectForm(string) codec.ObjectForm { return codec.ObjectForm{Text: TextContent} }

// ObjectForm implements [codec.ObjectOwner].
func (*Message) ObjectForm(string) codec.ObjectForm { return codec.ObjectForm{Text: TextContent} }

// ObjectForm implements [codec.ObjectOwner].
func (r *BountyRequirement) ObjectForm(string) codec.ObjectForm {
	switch r.Kind {
	case RequirementKindMustCompile:
		return codec.ObjectForm{Typed: MustCompileCodec}
	case RequirementKindMustPassTests:
		return codec.ObjectForm{Typed: MustPassTestsCodec}
	case RequirementKindMustBeReviewed:
		return codec.ObjectForm{Typed: MustBeReviewedCodec}
	default:
		return codec.ObjectForm{Typed: CustomCheckCodec}
	}
}

// ObjectForm implements [codec.ObjectOwner].
func (c *EscrowCondition) ObjectForm(string) codec.ObjectForm {
	switch c.Kind {
	case EscrowConditionKindVaultSnapExists:
		return codec.ObjectForm{Typed: SnapConditionCodec}
	case EscrowConditionKindForgeProof:
		return codec.ObjectForm{Typed: ProofConditionCodec}
	case EscrowConditionKindReviewApproved:
		return codec.ObjectForm{Typed: ReviewConditionCodec}
	case EscrowConditionKindGovernanceVote:
		return codec.ObjectForm{Typed: VoteConditionCodec}
	default:
		return codec.ObjectForm{}
	}
}

// ObjectForm implements [codec.ObjectOwner].
func (t *Transfer) ObjectForm(string) codec.ObjectForm {
	if t.Kind == TransferKindResourceBuy {
		return codec.ObjectForm{Typed: ResourceMemoCodec}
	}
	return codec.ObjectForm{}
}

// bodyForm is that of an Oracle body: a list of blocks, or text for one paragraph.
var bodyForm = codec.ObjectForm{Typed: BlocksCodec, List: true, Text: TextBody}

// ObjectForm implements [codec.ObjectOwner].
func (*EntryDraft) ObjectForm(string) codec.ObjectForm { return bodyForm }

// ObjectForm implements [codec.ObjectOwner].
func (*EntryUpdate) ObjectForm(string) codec.ObjectForm { return bodyForm }

// ObjectForm implements [codec.ObjectOwner].
func (*OracleEntry) ObjectForm(string) codec.ObjectForm { return bodyForm }

// objectForm is that of the content of an object: JSON may give the fields of all types but ATOM,
// which is any bytes.
func objectForm(t ObjectType) codec.ObjectForm {
	switch t {
	case ObjectTree:
		return codec.ObjectForm{Typed: TreeCodec}
	case ObjectSnap:
		return codec.ObjectForm{Typed: SnapCodec}
	case ObjectDelta:
		return codec.ObjectForm{Typed: DeltaCodec}
	case ObjectChain:
		return codec.ObjectForm{Typed: ChainExportCodec}
	case ObjectTag:
		return codec.ObjectForm{Typed: TagCodec}
	case ObjectClaim:
		return codec.ObjectForm{Typed: ClaimCodec}
	}
	return codec.ObjectForm{Plain: true}
}

// ObjectForm implements [codec.ObjectOwner].
func (q *ObjectPut) ObjectForm(string) codec.ObjectForm { return objectForm(q.TypeTag) }

// ObjectForm implements [codec.ObjectOwner].
func (o *InlineObject) ObjectForm(string) codec.ObjectForm { return objectForm(o.TypeTag) }

// ObjectForm implements [codec.ObjectOwner].
func (r *ObjectGetReply) ObjectForm(string) codec.ObjectForm { return objectForm(r.TypeTag) }

// TextContent returns the canonical content {Text: s}.
func TextContent(s string) []byte { return ContentCodec.Append(nil, &Content{Text: &s}) }

// TextBody returns the canonical body of one PARAGRAPH.
func TextBody(s string) []byte {
	blocks := []ContentBlock{{Paragraph: &ParagraphBlock{Text: s}}}
	return BlocksCodec.Append(nil, &blocks)
}
