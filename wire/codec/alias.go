package codec

// AliasResolver turns an 8-hex alias into the one agent it names; ok is false when nobody or
// more than one agent has it. A nil resolver refuses every alias.
type AliasResolver func(alias string) (id [32]byte, ok bool)
