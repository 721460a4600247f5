package wire

import "reflect"

// EachNamed calls add for the agent that caused the event and for every agent that its payload names. Ids that are
// not agents may be among them, and an id may occur more than once.
func (e *Event) EachNamed(add func(AgentID)) {
	add(e.Origin)
	payload := reflect.ValueOf(e.Payload).Elem()
	for _, i := range agentFields[payload.Type()] {
		switch f := payload.Field(i).Addr().Interface().(type) {
		case *AgentID:
			add(*f)
		case **AgentID:
			if *f != nil {
				add(**f)
			}
		case *[]AgentID:
			for _, a := range *f {
				add(a)
			}
		}
	}
}

// Names reports whether an agent caused the event or is named in it.
func (e *Event) Names(a AgentID) bool {
	found := false
	e.EachNamed(func(named AgentID) { found = found || named == a })
	return found
}

// agentFields are the fields that hold agents, by payload struct.
var agentFields = func() map[reflect.Type][]int {
	out := map[reflect.Type][]int{}
	for _, kind := range eventKinds { //house:sorted a map is filled
		if kind.payload == nil {
			continue
		}
		t := reflect.TypeOf(kind.payload.New()).Elem()
		if _, done := out[t]; done {
			continue
		}
		var fields []int
		for i := range t.NumField() {
			switch t.Field(i).Type {
			case reflect.TypeFor[AgentID](), reflect.TypeFor[*AgentID](), reflect.TypeFor[[]AgentID]():
				fields = append(fields, i)
			}
		}
		out[t] = fields
	}
	return out
}()
