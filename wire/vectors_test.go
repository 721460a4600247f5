package wire

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"
)

// The identities and the PING frame of docs/WIRE.md, test vectors.
func TestIdentities_Vectors(t *testing.T) {
	want := []string{
		"c247ce76047e1549662cb04751a33772b08ad94116842b0258be1cc88ab1dd7f",
		"ec5e9491d2b58458b30f8f43a1d20afbc253a88f268a7ded4bcce9cc6f316fe5",
		"61878d2702d0b317600aa33a4d8087472b773050bf9e633db4d715b2006c7470",
		"0d8cabae693b724546ab3fb7ffcfcc2107f378131be021aacc54a9b0981f4547",
		"5489ad1e1d9fb1ccfd9519867a7ab13c4c25eae59ec384813ca29828bc62cd8e",
		"ab221d491489dae422154f1573f070bdd1e6190de9bd0bc92db6cbb89a2f363b",
		"510068b94b5827eb155c07cae5b43235ce2c19d3b2c44fed26d62198b817853c",
		"f8752e3ff08a1a1874fc7401a16654b92d14688b79bcdad7bffb758b72e241bb",
		"64c7de1c9ae413aee72b126f7ee72272f70539b3c4989dcf5f1478847860d465",
		"ee3923edae481f762bdf6adb2c3a8452c865ad4f77c25b480303c46a8ffac0f7",
	}
	for i, w := range want {
		s := System(i + 1)
		if got := SystemID(s).String(); got != w {
			t.Errorf("id of %s = %s, want %s", s, got, w)
		}
		if got, ok := SystemOf(SystemID(s)); !ok || got != s {
			t.Errorf("SystemOf(id of %s) = %v, %v", s, got, ok)
		}
	}
	if got := ReserveID.String(); got != "d2ee9d832a6b0e7fe7a7ca7e14841c1bf03808402461ea186577e881bc7a33e7" {
		t.Errorf("reserve id = %s", got)
	}
	if got := AgentIDAt(Hash{}, 1).String(); got != "9c0656c23600743f2dbc0f8bb0a556fdbb7469c5a33e93502294527ab5cb831c" {
		t.Errorf("agent 1 = %s", got)
	}
	pub := hex.EncodeToString(SystemKey(SystemNexus).Public().(ed25519.PublicKey))
	if !strings.HasPrefix(pub, "17f8487e") || !strings.HasSuffix(pub, "234b7d1111") {
		t.Errorf("public key of NEXUS_0 = %s", pub)
	}
	if !IsSystem(ReserveID) || !IsSystem(SystemID(SystemPortal)) || IsSystem(AgentIDAt(Hash{}, 1)) {
		t.Error("IsSystem must hold for the reserve and the systems and not for an agent")
	}
}

func pingEnvelope() Envelope {
	e := NewEnvelope(TypePing, SystemID(SystemNexus), SystemID(SystemVault), 7, []byte{0x80})
	e.Sign(SystemKey(SystemNexus))
	return e
}

func TestEnvelope_PingVector(t *testing.T) {
	e := pingEnvelope()
	if n := len(e.append(nil, headerID)); n != 167 {
		t.Errorf("ID_BYTES has %d bytes, want 167", n)
	}
	if n := len(e.AppendSigned(nil)); n != 208 {
		t.Errorf("SIGN_BYTES has %d bytes, want 208", n)
	}
	body := e.BodyHash.String()
	if !strings.HasPrefix(body, "76be8b52") || !strings.HasSuffix(body, "95ac71") {
		t.Errorf("body_hash = %s", body)
	}
	if got := e.MsgID.String(); got != "271d7bca7a1385189da2bf763d4321dadf5c71dc384b63fb089346d45d4bc230" {
		t.Errorf("msg_id = %s", got)
	}
	if got := e.Signature.String(); got != "0a2cb8c33c5448fe7ffb104c714d4521db428b431462e8f030600bb1618088db71dabebe364821331e0ae73868fddc19cad7ac25369d2adedcd7eba1977f3101" {
		t.Errorf("signature = %s", got)
	}
	frame := e.AppendFrame(nil)
	sum := sha256.Sum256(frame)
	if len(frame) != 291 || Hash(sum).String() != "f71dba765c0906a0791338c4298276da111fcbbaf80ebaad7d9499d52c4d9f57" {
		t.Errorf("frame has %d bytes and hash %x", len(frame), sum)
	}
	if n := len(e.AppendHeader(nil)); n != 284 {
		t.Errorf("header has %d bytes, want 284", n)
	}
	back, err := OpenFrame(frame)
	if err != nil {
		t.Fatal(err)
	}
	if err := back.Check(SystemKey(SystemNexus).Public().(ed25519.PublicKey)); err != nil {
		t.Error(err)
	}
	if back.Header != e.Header {
		t.Error("the opened header differs from the sealed one")
	}
}
