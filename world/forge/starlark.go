package forge

import (
	"errors"

	"kingdom/wire"
	"kingdom/wire/codec"
	"kingdom/world"
	"kingdom/world/forge/program"
)

// What Forge serves itself, for nothing but the time that reading a text takes.
const (
	nativeName    = "svc_starlark"
	nativeCheck   = "check"   // of a text: is it a program, and if not, where
	nativeSymbols = "symbols" // of a program: the names that others can load
	nativeChecks  = "source text -> {ok, errors: [{line, col, msg}]}"
	nativeNames   = "source text -> [name]"
)

// StarlarkService is the id of svc_starlark.
var StarlarkService = wire.ServiceID(nativeName)

// found opens svc_starlark.
func (x *services) found(c *world.Context) {
	x.Put(StarlarkService, &Service{
		ID: StarlarkService, Owner: me, Name: []byte(nativeName), Tick: c.Tick,
		Endpoints: []wire.Endpoint{
			{Name: []byte(nativeCheck), Schema: []byte(nativeChecks)}, {Name: []byte(nativeSymbols), Schema: []byte(nativeNames)},
		},
	})
	emit(c, wire.KindServiceCreated, &wire.ServiceCreatedEvent{
		ServiceID: StarlarkService, Owner: me, Name: []byte(nativeName), Endpoints: [][]byte{[]byte(nativeCheck), []byte(nativeSymbols)},
	})
}

// native answers a call of svc_starlark.
func (x *services) native(c *world.Context, s *Service, q *wire.ServiceCall) wire.Reply {
	emit(c, wire.KindServiceCalled, &wire.ServiceCalledEvent{ServiceID: s.ID, Endpoint: q.Endpoint, Caller: c.Source})
	ticks := parsing(len(q.Data))
	x.cpu.charge(c.Source, ticks)
	var out []byte
	var fault *wire.FaultCode
	p, err := x.shelf.Compile(q.Data)
	switch {
	case string(q.Endpoint) == nativeCheck:
		out = checkJSON(err)
	case err != nil:
		bad := wire.FaultInvalidInstruction
		fault = &bad
	default:
		out = symbolsJSON(p)
	}
	x.answer(c, q, out, ticks, fault)
	return c.Ack(nil)
}

type checkReply struct {
	OK     bool         `kdom:"ok"`
	Errors []checkError `kdom:"errors"`
}

type checkError struct {
	Line uint32 `kdom:"line"`
	Col  uint32 `kdom:"col"`
	Msg  string `kdom:"msg"`
}

var (
	checkCodec = codec.New[checkReply]()
	namesCodec = codec.New[[]string]()
)

func checkJSON(err error) []byte {
	r := checkReply{OK: err == nil}
	if err != nil {
		e := checkError{Msg: err.Error()}
		var at *program.SyntaxError
		if errors.As(err, &at) {
			e = checkError{at.Line, at.Col, at.Text}
		}
		r.Errors = append(r.Errors, e)
	}
	return checkCodec.AppendJSON(nil, &r)
}

func symbolsJSON(p *program.Program) []byte {
	names := []string{}
	for _, s := range p.Symbols() {
		if p.Exports(s) {
			names = append(names, s)
		}
	}
	return namesCodec.AppendJSON(nil, &names)
}
