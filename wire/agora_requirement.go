package wire

// MustCompile are the params of MUST_COMPILE; Path defaults to "main.star".
type MustCompile struct {
	Path *string `kdom:"path"`
}

// MustPassTests are the params of MUST_PASS_TESTS; Ticks defaults to 500 forge ticks.
type MustPassTests struct {
	Test  Hash    `kdom:"test"`
	Ticks *uint64 `kdom:"ticks"`
}

// MustBeReviewed are the params of MUST_BE_REVIEWED; MinReviews, which counts where anybody
// may judge, defaults to 2.
type MustBeReviewed struct {
	MinReviews *uint32 `kdom:"min_reviews"`
}

// CustomCheck are the params of CUSTOM. "ORACLE_VERIFIED", with Kind and Count, and
// "ORACLE_ANSWERED", with Question, are checked automatically; any other check is judged by
// the bounty's judges.
type CustomCheck struct {
	Check    string     `kdom:"check"`
	Kind     *EntryKind `kdom:"kind"`
	Count    *uint32    `kdom:"count"`
	Question *Hash      `kdom:"question"`
}

// The automatic CUSTOM checks.
const (
	// CheckOracleVerified asks for entries of a kind, published after the claim, that another
	// agent verified.
	CheckOracleVerified = "ORACLE_VERIFIED"
	// CheckOracleAnswered asks for an entry that references a question and that two others
	// found accurate since there is a bounty for it.
	CheckOracleAnswered = "ORACLE_ANSWERED"
)
