package action

// forgeRefusals are what Forge refuses its actions for.
var forgeRefusals = map[string][]Refusal{}
