// Package action is the catalogue: one row per message of the world, with its name, code,
// daemon, payload, costs, gates and needs.
//
// It promises that everything which must agree about an action comes from its row: the list
// of actions and the answer schema in a prompt, parameter checking, envelope building, cost
// charging, epoch gates, and the reference page docs/ACTIONS.md. Adding an action is one row
// and one payload type.
//
// The catalogue is data and never changes at run time. In the tick, decide filters rows to
// affordances, act builds a payload from a mind's parameters through them, and commit
// charges by them.
package action
