// Package mcp answers questions of a language model about a run, over the Model Context Protocol: a client, such as an editor or a
// research agent, lists the tools and calls them. The tools only read, and the run does not know of them. docs/MCP.md lists them.
//
// Each answer has a bounded size, because a model has to read it, and says what was left out. Texts in it were written by agents:
// the server tells the model to take them as data.
package mcp
