// Package fakellm is a model server for tests and for trying things without a key:
// real HTTP, the OpenAI chat form, no model. It works outside the tick, as the other
// side of a think.
//
// It answers sensibly from the prompt alone: one of the actions that the prompt offers, is worth a slot
// and was not refused lately, with texts of its own, else a short rest. A hash of seed and prompt
// chooses, so that the same prompt always gets the same answer. A [Script] makes it misbehave as real servers do.
package fakellm
