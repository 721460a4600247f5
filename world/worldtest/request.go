package worldtest

import (
	"reflect"
	"strings"

	"kingdom/wire"
	"kingdom/world/realm"
)

// Fill sets the runtime-filled fields of a payload the way a runtime does.
func Fill(r *realm.Realm, a wire.AgentID, payload any) {
	if _, ok := payload.(*wire.AgentStatusMsg); ok {
		return
	}
	v := reflect.ValueOf(payload).Elem()
	for i := range v.NumField() {
		if !strings.Contains(v.Type().Field(i).Tag.Get("kdom"), ",runtime") {
			continue
		}
		switch f := v.Field(i); f.Kind() {
		case reflect.Array:
			f.Set(reflect.ValueOf(a))
		case reflect.Float32:
			f.SetFloat(r.Nexus().Reputation(a))
		}
	}
}

// Seal makes the request of a at tick t. nonce tells equal requests of one tick apart.
func Seal(a wire.AgentID, t wire.Tick, typ wire.MsgType, payload any, nonce uint64) realm.Sent {
	target := wire.SystemID(wire.SystemNexus)
	if sys, ok := typ.System(); ok {
		target = wire.SystemID(sys)
	}
	return realm.Sent{
		Envelope: wire.NewEnvelope(typ, a, target, t, wire.AppendBody(nil, payload, nonce)),
		Payload:  payload,
	}
}
