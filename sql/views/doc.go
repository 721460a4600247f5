// Package views makes a stored world readable: database views in which enums, actions, event kinds, channels and
// system agents have their names, ids are hex, MessagePack is JSON, and every tick has its cycle. Both databases get
// the same views with the same columns; docs/STORE.md lists them.
//
// The stores create the views when they open a database for a run, after the migrations. If a later build defines
// them differently, they are created again; views hold no data, so nothing has to be migrated. A run
// pays only for their text, which SQLite parses with each connection. The database itself decodes MessagePack, so any client can read the views.
package views
