package main

import (
	"os"
	"strings"

	"kingdom/engine"
	"kingdom/fetch"
	"kingdom/scenarios"
)

// portalFlag says who answers requests to the outside.
const portalFlag = "portal"

const portalHelp = "what answers web requests, instead of portal.fetcher: offline, recorded:DIR, http, or record:DIR (http, and the answers are kept in DIR)"

// fetcher is who answers the requests of a run, nil for nobody; word is the flag's, empty without it.
func fetcher(sc *scenarios.Scenario, word string) (engine.Fetcher, error) {
	if word == "" {
		word = sc.Portal.Fetcher.String()
		if sc.Portal.Fetcher == scenarios.FetcherRecorded {
			word += ":" + sc.Portal.Recordings
		}
	}
	kind, dir, _ := strings.Cut(word, ":")
	if (kind == "recorded" || kind == "record") == (dir == "") {
		return nil, usagef("--%s %s: want offline, http, recorded:DIR or record:DIR", portalFlag, word)
	}
	if dir != "" {
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			return nil, usagef("--%s %s: %s is not a directory; create it, or name another", portalFlag, word, dir)
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
	return nil, usagef("--%s %s: want offline, http, recorded:DIR or record:DIR", portalFlag, word)
}
