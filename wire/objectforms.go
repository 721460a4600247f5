package wire

// Codecs of the maps that travel inside a field of bytes.
var (
	GenomeCodec               = NewCodec[Genome]()
	SpawnProposalCodec        = NewCodec[SpawnProposal]()
	KillProposalCodec         = NewCodec[KillProposal]()
	ParamProposalCodec        = NewCodec[ParamProposal]()
	EpochProposalCodec        = NewCodec[EpochProposal]()
	DisputeProposalCodec      = NewCodec[DisputeProposal]()
	InterventionProposalCodec = NewCodec[InterventionProposal]()
	ContentCodec              = NewCodec[Content]()
	MustCompileCodec          = NewCodec[MustCompile]()
	MustPassTestsCodec        = NewCodec[MustPassTests]()
	MustBeReviewedCodec       = NewCodec[MustBeReviewed]()
	CustomCheckCodec          = NewCodec[CustomCheck]()
	SnapConditionCodec        = NewCodec[SnapCondition]()
	ProofConditionCodec       = NewCodec[ProofCondition]()
	ReviewConditionCodec      = NewCodec[ReviewCondition]()
	VoteConditionCodec        = NewCodec[VoteCondition]()
	ResourceMemoCodec         = NewCodec[ResourceMemo]()
	BlocksCodec               = NewCodec[[]ContentBlock]()
)

func (*SpawnProposal) objectForm(string) objectForm { return objectForm{typed: GenomeCodec} }

func (p *ProposalSubmit) objectForm(string) objectForm {
	switch p.Kind {
	case ProposalKindSpawnAgent:
		return objectForm{typed: SpawnProposalCodec}
	case ProposalKindKillAgent:
		return objectForm{typed: KillProposalCodec}
	case ProposalKindChangeParam:
		return objectForm{typed: ParamProposalCodec}
	case ProposalKindEpochAdvance:
		return objectForm{typed: EpochProposalCodec}
	}
	return objectForm{text: TextContent}
}

func (*MsgPost) objectForm(string) objectForm { return objectForm{text: TextContent} }

func (*Message) objectForm(string) objectForm { return objectForm{text: TextContent} }

func (r *BountyRequirement) objectForm(string) objectForm {
	switch r.Kind {
	case RequirementKindMustCompile:
		return objectForm{typed: MustCompileCodec}
	case RequirementKindMustPassTests:
		return objectForm{typed: MustPassTestsCodec}
	case RequirementKindMustBeReviewed:
		return objectForm{typed: MustBeReviewedCodec}
	}
	return objectForm{typed: CustomCheckCodec}
}

func (c *EscrowCondition) objectForm(string) objectForm {
	switch c.Kind {
	case EscrowConditionKindVaultSnapExists:
		return objectForm{typed: SnapConditionCodec}
	case EscrowConditionKindForgeProof:
		return objectForm{typed: ProofConditionCodec}
	case EscrowConditionKindReviewApproved:
		return objectForm{typed: ReviewConditionCodec}
	case EscrowConditionKindGovernanceVote:
		return objectForm{typed: VoteConditionCodec}
	}
	return objectForm{}
}

func (t *Transfer) objectForm(string) objectForm {
	if t.Kind == TransferKindResourceBuy {
		return objectForm{typed: ResourceMemoCodec}
	}
	return objectForm{}
}

// bodyForm is that of an Oracle body: a list of blocks, or text for one paragraph.
var bodyForm = objectForm{typed: BlocksCodec, list: true, text: TextBody}

func (*EntryDraft) objectForm(string) objectForm  { return bodyForm }
func (*EntryUpdate) objectForm(string) objectForm { return bodyForm }
func (*OracleEntry) objectForm(string) objectForm { return bodyForm }

// TextContent returns the canonical content {text: s}.
func TextContent(s string) []byte { return ContentCodec.Append(nil, &Content{Text: &s}) }

// TextBody returns the canonical body of one PARAGRAPH.
func TextBody(s string) []byte {
	blocks := []ContentBlock{{Paragraph: &ParagraphBlock{Text: s}}}
	return BlocksCodec.Append(nil, &blocks)
}
