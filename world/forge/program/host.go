package program

import (
	"errors"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"kingdom/det"
	"kingdom/wire"
)

// hostNames are the predeclared names beside those of Starlark's universe.
var hostNames = []string{"json", "stdin", "env", "emit", "fault", "vault_get", "oracle_get", "budget"}

func isPredeclared(name string) bool {
	return strings.HasPrefix(name, hostPrefix) || inUniverse(name) || slices.Contains(hostNames, name)
}

func (r *run) predeclared() starlark.StringDict {
	env := starlark.NewDict(len(r.in.Env))
	for _, k := range det.SortedKeys(r.in.Env) {
		_ = env.SetKey(starlark.String(k), starlark.Bytes(r.in.Env[k])) // a new dict takes strings
	}
	env.Freeze()
	names := starlark.StringDict{
		"json":       r.guard.jsonModule(),
		"stdin":      starlark.Bytes(r.in.Stdin),
		"env":        env,
		"emit":       starlark.NewBuiltin("emit", r.emit),
		"fault":      starlark.NewBuiltin("fault", r.userFault),
		"vault_get":  starlark.NewBuiltin("vault_get", r.vaultGet),
		"oracle_get": starlark.NewBuiltin("oracle_get", r.oracleGet),
		"budget":     starlark.NewBuiltin("budget", r.budget),
	}
	r.guard.define(names)
	return names
}

// emit writes to channel 0; emit(x, 1) to the log. The other channels are reserved.
func (r *run) emit(_ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var v starlark.Value
	channel := 0
	if err := starlark.UnpackArgs("emit", args, kwargs, "x", &v, "channel?", &channel); err != nil {
		return nil, faultf(ChannelError, "%s", truncate(err.Error()))
	}
	var data string
	switch v := v.(type) {
	case starlark.String:
		data = string(v)
	case starlark.Bytes:
		data = string(v)
	default:
		return nil, faultf(ChannelError, "emit takes a string or bytes, got %s", v.Type())
	}
	switch channel {
	case 0:
		return starlark.None, r.write(data)
	case 1:
		r.print(r.thread, data) // which takes 16 KiB of it at most
		return starlark.None, nil
	}
	return nil, faultf(PermissionDenied, "channel %d is not for writing", channel)
}

// write appends to the output and adds a record of it to the trace.
func (r *run) write(data string) error {
	if err := r.guard.chargeAlloc(uint64(len(data))); err != nil {
		return err
	}
	if len(data) > MaxOutput-len(r.out) {
		return faultf(ChannelError, "output of more than %d bytes", MaxOutput)
	}
	if len(data) > 0 {
		r.out = append(r.out, data...)
		r.trace.emit(r.thread.Steps, data)
	}
	return nil
}

// print writes a line to channel 1, of which the first 16 KiB are kept.
func (r *run) print(_ *starlark.Thread, text string) {
	r.log = append(r.log, text[:min(len(text), MaxLog-len(r.log))]...)
	if len(r.log) < MaxLog {
		r.log = append(r.log, '\n')
	}
}

func (r *run) userFault(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var msg starlark.Value = starlark.String("")
	if err := starlark.UnpackPositionalArgs("fault", args, kwargs, 0, &msg); err != nil {
		return nil, err
	}
	if s, ok := starlark.AsString(msg); ok {
		return nil, faultf(UserFault, "fault: %s", truncate(s))
	}
	return nil, faultf(UserFault, "fault: %s", msg.Type())
}

func (r *run) vaultGet(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	data, err := r.get(KindVault, r.in.Vault, b, args, kwargs)
	return starlark.Bytes(data), err
}

func (r *run) oracleGet(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	data, err := r.get(KindOracle, r.in.Oracle, b, args, kwargs)
	return starlark.String(data), err
}

func (r *run) get(kind Kind, read Reader, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) ([]byte, error) {
	var digits string
	if err := starlark.UnpackPositionalArgs(b.Name(), args, kwargs, 1, &digits); err != nil {
		return nil, err
	}
	id, err := wire.ParseHash(digits)
	if err != nil {
		return nil, faultf(ChannelError, "%s takes 64 hex digits", b.Name())
	}
	return r.read(kind, read, id)
}

// read calls a reader and charges for its result like for any other value.
func (r *run) read(kind Kind, read Reader, id wire.Hash) ([]byte, error) {
	err := ErrAbsent
	var data []byte
	if read != nil {
		data, err = read(id)
	}
	switch {
	case err == nil:
		return data, r.guard.chargeAlloc(boxSize + uint64(len(data)))
	case errors.Is(err, ErrMissing):
		return nil, r.stop(kind, id)
	case errors.Is(err, ErrUnreadable):
		return nil, r.guard.trip(PermissionDenied, "object "+id.String()+": "+ErrUnreadable.Error())
	}
	return nil, r.guard.trip(ChannelError, "object "+id.String()+": "+ErrAbsent.Error())
}

func (r *run) budget(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if err := starlark.UnpackPositionalArgs("budget", args, kwargs, 0); err != nil {
		return nil, err
	}
	return starlark.MakeUint64(r.in.Steps - min(r.in.Steps, r.thread.Steps)), nil
}

func (r *run) fromJSON(text string) (starlark.Value, error) {
	in := reader{g: r.guard, s: text}
	return in.document()
}

func (r *run) toJSON(v starlark.Value) ([]byte, error) {
	w := writer{g: r.guard}
	if err := w.json(v, nil); err != nil {
		return nil, err
	}
	return []byte(w.String()), nil
}
