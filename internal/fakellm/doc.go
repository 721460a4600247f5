// Package fakellm is a model server for tests and for trying things without a key:
// real HTTP, the OpenAI chat form, no model. It works outside the tick, as the other
// side of a think.
//
// It answers sensibly from the prompt alone: one of the actions that the prompt says
// are possible, chosen by a hash of seed and prompt, so that the same prompt always
// gets the same answer. A [Script] makes it misbehave as real servers do.
package fakellm
