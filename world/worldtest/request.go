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
		switch f := v.Field(i); {
		case f.Type() == reflect.TypeFor[wire.Signature](): // below
		case f.Kind() == reflect.Array:
			f.Set(reflect.ValueOf(a))
		case f.Kind() == reflect.Float32:
			f.SetFloat(r.Nexus().Reputation(a))
		}
	}
	known := r.Agent(a)
	if known == nil {
		return
	}
	switch payload.(type) {
	case *wire.RepoCreate, *wire.SnapCreate, *wire.TagCreate, *wire.ObjectPut:
	default: // nothing to sign
		return
	}
	key := wire.AgentKey(r.Rules().Seed, known.SpawnIndex)
	switch p := payload.(type) {
	case *wire.RepoCreate:
		root := wire.EmptyTree
		if p.Root != nil {
			root = *p.Root
		} else if p.ForkOf != nil {
			root, _ = r.Vault().MainRoot(*p.ForkOf)
		}
		p.Sign(key, root)
	case *wire.SnapCreate:
		p.Sign(key)
	case *wire.TagCreate:
		p.Sign(key, a)
	case *wire.ObjectPut:
		p.Complete(a, key)
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
