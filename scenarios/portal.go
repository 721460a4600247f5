package scenarios

import (
	"fmt"
	"net/netip"

	"kingdom/world"
)

// Portal has the rules of access to the web.
type Portal struct {
	Fetcher    Fetcher  `key:"fetcher" default:"offline" doc:"What answers requests: offline, nothing, so every request fails; recorded, the files in recordings. A scenario cannot open the network; that takes kingdom run --portal http. Not part of the digest, since answers are journaled."`
	Recordings string   `key:"recordings" default:"" range:"0..4096" doc:"Directory of recorded answers; a relative path starts at the working directory (docs/COOKBOOK.md). Not part of the digest."`
	Allow      []string `key:"allow" range:"0..256" digest:"set" doc:"Allowed domains, each with its subdomains. Empty: docs.rs, doc.rust-lang.org, en.wikipedia.org, developer.mozilla.org, www.rfc-editor.org, www.w3.org and arxiv.org."`
	Block      []string `key:"block" range:"0..256" digest:"set" doc:"Blocked domains, besides code hosts, AI models and social media; they override allow and unlisted."`
	Unlisted   Unlisted `key:"unlisted" default:"block" digest:"set" doc:"What happens to requests for domains in neither list: block or allow."`
	Private    []string `key:"private" range:"0..64" doc:"Addresses that --portal http may connect to although they are not public, as prefixes such as 127.0.0.0/8. Not part of the digest."`
}

// Fetcher says what answers web requests.
type Fetcher uint8

// Values of [Fetcher].
const (
	FetcherOffline Fetcher = iota + 1
	FetcherRecorded
)

func (Fetcher) EnumNames() []string { return []string{"offline", "recorded"} }
func (v Fetcher) String() string    { return v.EnumNames()[v-1] }

// Unlisted says what happens to requests to domains without a rule.
type Unlisted uint8

// Values of [Unlisted].
const (
	UnlistedBlock Unlisted = iota + 1
	UnlistedAllow
)

func (Unlisted) EnumNames() []string { return []string{"block", "allow"} }
func (v Unlisted) String() string    { return v.EnumNames()[v-1] }

// notInDigest are the keys that are not part of the digest of a scenario, because they do not change what the world does with its
// inputs.
var notInDigest = map[string]bool{
	"seed": true, "cycles": true, "minds.caps": true, "portal.fetcher": true, "portal.recordings": true, "portal.private": true, "store.tables": true, "logs": true,
}

// PrivateAddresses returns the prefixes of portal.private.
func (s *Scenario) PrivateAddresses() []netip.Prefix {
	var out []netip.Prefix
	for _, text := range s.Portal.Private {
		if p, err := netip.ParsePrefix(text); err == nil { // checkPortal has refused others
			out = append(out, p.Masked())
		}
	}
	return out
}

// domains are the rules about domains.
func (p *Portal) domains() (allow, block []world.DomainRule) {
	allow, block = world.DefaultAllow(), world.DefaultBlock()
	if len(p.Allow) > 0 {
		allow = nil
	}
	for _, d := range p.Allow {
		allow = append(allow, world.DomainRule{Pattern: d, Category: "scenario"})
	}
	for _, d := range p.Block {
		block = append(block, world.DomainRule{Pattern: d, Category: "scenario"})
	}
	return allow, block
}

// checkPortal checks what the lists of portal hold.
func (d *checker) checkPortal() {
	s := d.s
	p := &s.Portal
	if p.Fetcher == FetcherRecorded && p.Recordings == "" && d.valid("portal.recordings") && !d.misspelled("portal") {
		d.fail(d.at("portal.fetcher"), "portal.recordings", "is missing", "want the directory of the recorded answers")
	}
	for _, list := range []struct {
		key  string
		text []string
	}{{"portal.allow", p.Allow}, {"portal.block", p.Block}} {
		for i, name := range list.text {
			if at := fmt.Sprintf("%s[%d]", list.key, i); !world.PublicName(name) && d.valid(at) {
				d.fail(d.at(at), at, fmt.Sprintf("is the text %q", name), "want a domain in lower case, such as en.wikipedia.org, without scheme, port or path")
			}
		}
	}
	for i, text := range p.Private {
		at := fmt.Sprintf("portal.private[%d]", i)
		if _, err := netip.ParsePrefix(text); err != nil && d.valid(at) {
			d.fail(d.at(at), at, fmt.Sprintf("is the text %q", text), "want a prefix of addresses, such as 127.0.0.0/8 or fd00::/8")
		}
	}
	d.checkOnce(p.Allow, "portal.allow")
	d.checkOnce(p.Block, "portal.block")
	d.checkOnce(p.Private, "portal.private")
}
