// Package watch serves a page about a run over HTTP, also while the run goes on: who is stuck, asleep or dead, what each agent
// wants, what happened, and figures by cycle. It reads what the run writes (log streams, metrics.csv, the store) and writes
// nothing, so it changes no hash, and no agent can tell that it is there. docs/WATCH.md lists the addresses that it answers.
//
// Texts of agents reach a page only as text, never as markup.
package watch
