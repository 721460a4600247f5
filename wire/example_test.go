package wire_test

import (
	"crypto/ed25519"
	"fmt"

	"kingdom/wire"
)

// An agent claims a bounty: the request becomes a body, the body an envelope, the
// envelope a signed frame, and the receiver takes it apart again.
func ExampleEnvelope() {
	key := wire.AgentKey(wire.WorldSeed("42"), 1)
	public := key.Public().(ed25519.PublicKey)
	me, agora := wire.IDOf(public), wire.SystemID(wire.SystemAgora)

	claim := &wire.BountyClaim{BountyID: wire.Hash{0xB0}, Claimer: me}
	body := wire.AppendBody(nil, claim, 1)
	sent := wire.NewEnvelope(wire.TypeBountyClaim, me, agora, 300, body)
	sent.Sign(key)
	frame := sent.AppendFrame(nil)

	got, err := wire.OpenFrame(frame)
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := got.Check(public); err != nil { // body hash, msg_id, signature
		fmt.Println(err)
		return
	}
	payload, nonce, err := wire.DecodeRequest(got.Type, got.Body)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(got.Type, "from", got.Source.Alias(), "at tick", got.Timestamp, "nonce", nonce)
	fmt.Println("bounty", payload.(*wire.BountyClaim).BountyID.String()[:8])

	frame[len(frame)-1] ^= 1 // on the way, a bit flips
	if got, err = wire.OpenFrame(frame); err == nil {
		err = got.Check(public)
	}
	fmt.Println(err)
	// Output:
	// BOUNTY_CLAIM from e4de742b at tick 300 nonce 1
	// bounty b0000000
	// check envelope: field "body_hash": bad body hash at byte 0
}
