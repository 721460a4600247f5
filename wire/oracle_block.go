package wire

// ContentBlock is one piece of an Oracle entry's body; exactly one variant is set.
type ContentBlock struct {
	Section    *SectionBlock    `kdom:"SECTION"`
	Paragraph  *ParagraphBlock  `kdom:"PARAGRAPH"`
	Code       *CodeBlock       `kdom:"CODE"`
	Definition *DefinitionBlock `kdom:"DEFINITION"`
	Assertion  *AssertionBlock  `kdom:"ASSERTION"`
	Table      *TableBlock      `kdom:"TABLE"`
	Reference  *ReferenceBlock  `kdom:"REFERENCE"`
	Warning    *WarningBlock    `kdom:"WARNING"`
	Example    *ExampleBlock    `kdom:"EXAMPLE"`
}

// Union marks the type as a union enum.
func (ContentBlock) Union() {}

// SectionBlock groups blocks under a heading.
type SectionBlock struct {
	Heading  string         `kdom:"heading"`
	Children []ContentBlock `kdom:"children"`
}

// ParagraphBlock is running text.
type ParagraphBlock struct {
	Text string `kdom:"text"`
}

// CodeBlock is source text, optionally the copy of a Vault object.
type CodeBlock struct {
	Language string `kdom:"language"`
	Source   string `kdom:"source"`
	VaultRef *Hash  `kdom:"vault_ref"`
}

// DefinitionBlock explains a term.
type DefinitionBlock struct {
	Term    string `kdom:"term"`
	Meaning string `kdom:"meaning"`
}

// AssertionBlock is a claim with the author's confidence in [0,1].
type AssertionBlock struct {
	Claim      string  `kdom:"claim"`
	Proof      *Hash   `kdom:"proof"`
	Confidence float32 `kdom:"confidence,unit"`
}

// TableBlock is a table of text cells.
type TableBlock struct {
	Headers []string   `kdom:"headers"`
	Rows    [][]string `kdom:"rows"`
}

// ReferenceBlock points at anything that has a hash.
type ReferenceBlock struct {
	Target  Hash   `kdom:"target"`
	Context string `kdom:"context"`
}

// WarningBlock is a caveat.
type WarningBlock struct {
	Severity WarningLevel `kdom:"severity"`
	Text     string       `kdom:"text"`
}

// ExampleBlock is an input with its expected output.
type ExampleBlock struct {
	Input          string `kdom:"input"`
	ExpectedOutput string `kdom:"expected_output"`
	ForgeVerified  bool   `kdom:"forge_verified,default"`
}
