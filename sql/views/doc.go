// Package views makes a stored world readable: database views in which enums, actions, event
// kinds, channels and system agents have their names, ids are hex, MessagePack is JSON, and every
// tick has its cycle. Both databases get the same views with the same columns; docs/STORE.md
// lists them.
//
// The stores create them when they open a database for a run, after the migrations, and anew
// when a later build describes them otherwise: views hold nothing, so nothing migrates.
// They cost a run nothing. MessagePack is decoded by the database itself, so any client can read
// them. The package stands outside the tick.
package views
