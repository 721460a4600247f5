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

// MustBeReviewed are the params of MUST_BE_REVIEWED; MinReviews defaults to 1.
type MustBeReviewed struct {
	MinReviews *uint32 `kdom:"min_reviews"`
}

// CustomCheck are the params of CUSTOM. Only the check "ORACLE_VERIFIED" is automatic, with
// Kind and Count set; any other is judged by the creator.
type CustomCheck struct {
	Check string     `kdom:"check"`
	Kind  *EntryKind `kdom:"kind"`
	Count *uint32    `kdom:"count"`
}

// CheckOracleVerified is the one automatic CUSTOM check.
const CheckOracleVerified = "ORACLE_VERIFIED"
