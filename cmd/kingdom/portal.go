package main

import (
	"os"
	"strings"

	"kingdom/engine"
	"kingdom/fetch"
	"kingdom/scenarios"
)

// portalFlag is the flag that says who answers requests to the outside.
const portalFlag = "portal"

const portalHelp = "what answers web requests, instead of portal.fetcher: offline, recorded:DIR, http, or record:DIR (http, and the answers are kept in DIR); no later command keeps it"

// sayPortalEnds says of a run that has not finished that a later command does not know the flag: without it, what the scenario
// names answers from there on, which by default is nothing.
func (p *execution) sayPortalEnds(finished bool) {
	if flag := p.flags.portal; !finished && flag != "" {
		p.say("kingdom resume does not know --%[1]s %[2]s; give it again, so that web requests are answered as until now: kingdom resume %[3]s --%[1]s %[2]s", portalFlag, shellQuote(flag), shellQuote(p.dir))
	}
}

// fetcher returns the fetcher of a run, nil if there is none. flag is the value of --portal; if it is empty, the
// scenario decides.
func fetcher(sc *scenarios.Scenario, flag string) (engine.Fetcher, error) {
	if flag == "" {
		flag = sc.Portal.Fetcher.String()
		if sc.Portal.Fetcher == scenarios.FetcherRecorded {
			flag += ":" + sc.Portal.Recordings
		}
	}
	kind, dir, _ := strings.Cut(flag, ":")
	if (kind == "recorded" || kind == "record") == (dir == "") {
		return nil, usagef("--%s %s: want offline, http, recorded:DIR or record:DIR", portalFlag, flag)
	}
	if dir != "" {
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			return nil, usagef("--%s %s: %s is not a directory; create it, or name another", portalFlag, flag, dir)
		}
	}
	switch kind {
	case "offline":
		return nil, nil
	case "http":
		return fetch.NewHTTP(sc.PrivateAddresses()), nil
	case "recorded":
		return &fetch.Recorded{Dir: dir}, nil
	case "record":
		return &fetch.Recorder{Dir: dir, From: fetch.NewHTTP(sc.PrivateAddresses())}, nil
	}
	return nil, usagef("--%s %s: want offline, http, recorded:DIR or record:DIR", portalFlag, flag)
}
