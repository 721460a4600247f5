// Package keyward holds the keys of model endpoints: it reads them from a file, keeps
// several of them in one file sealed under a passphrase, and hands them out as a [Key]
// that cannot be printed by mistake.
//
// A key is taken from an environment variable, a file or standard input, never from the
// command line, which other users of a machine can read. In memory it is encrypted under
// a key of the process, so that a dump of a value or of a struct around it shows nothing;
// only the transport of an endpoint opens it, for the header of one request.
//
// The caller owes two things: not to keep what [Key.Reveal] returns, and to clean every
// text that a server sends back, since providers repeat keys in their messages.
package keyward
