// Package action is the action catalogue: one row per message of the world, with its name, code, daemon, payload,
// costs, epoch gates and the tool that it needs.
//
// Everything that has to agree about an action is derived from its row: the list of actions and the answer schema in
// a prompt, parameter checks, envelopes, costs, epoch gates, and the reference page docs/ACTIONS.md. A new action is
// one row and one payload type.
//
// The catalogue never changes at run time. In a tick, decide uses rows to find affordances, act to build a payload
// from a mind's parameters, and commit to charge the costs.
package action
