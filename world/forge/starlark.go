package forge

import (
	"errors"

	"kingdom/wire"
	"kingdom/wire/codec"
	"kingdom/world"
	"kingdom/world/forge/program"
)

// Forge's own service. A call costs only the forge ticks of reading the text.
const (
	nativeName    = "svc_starlark"
	nativeCheck   = "check"   // reports where a text does not compile
	nativeSymbols = "symbols" // lists the names that others can load from a program
	nativeChecks  = "source text -> {ok, errors: [{line, col, msg}]}"
	nativeNames   = "source text -> [name]"
)

// StarlarkService is the id of svc_starlark.
var StarlarkService = wire.ServiceID(nativeName)

// createStarlark creates svc_starlark.
func (x *services) createStarlark(c *world.Context) {
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
	ticks := parseTicks(len(q.Data))
	x.cpu.charge(c.Source, ticks)
	var out []byte
	var fault *wire.FaultCode
	p, err := x.programs.Compile(q.Data)
	switch {
	case string(q.Endpoint) == nativeCheck:
		out = checkJSON(err)
	case err != nil:
		bad := wire.FaultInvalidInstruction
		fault = &bad
	default:
		out = symbolsJSON(p)
	}
	x.deliverResult(c, &wire.ServiceResult{ServiceID: s.ID, Endpoint: q.Endpoint, Data: out, TicksUsed: ticks, Fault: fault})
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
