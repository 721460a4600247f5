// Package keyward keeps the keys of model endpoints. It reads keys from files, keeps several of them in one file
// sealed under a passphrase, and returns them as a [Key] that cannot be printed by mistake.
//
// A key comes from an environment variable, a file or standard input, never from the command line, which other users
// of a machine can read. In memory it is encrypted with a key of the process, so that printing a value or a struct
// that contains it shows nothing. Only the transport of an endpoint decrypts it, for the header of one request.
//
// The caller must not keep what [Key.Reveal] returns, and must remove the key from every text that a server sends
// back, because providers repeat keys in their messages.
package keyward
