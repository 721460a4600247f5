package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"kingdom/engine"
	"kingdom/fetch"
	"kingdom/scenarios"
)

// portalFlag is the flag that says who answers requests to the outside.
const portalFlag = "portal"

const portalHelp = "what answers web requests, instead of portal.fetcher: offline, recorded:DIR, http, or record:DIR (http, and the answers are kept in DIR); run.json keeps it for resume and fork"

// wholePortal returns a value of --portal with a whole path, as run.json and sweep.json keep it: resume may be given in another
// directory.
func wholePortal(flag string) string {
	kind, dir, _ := strings.Cut(flag, ":")
	if dir == "" {
		return flag
	}
	full, err := filepath.Abs(dir)
	if err != nil { // there is no working directory any more
		return flag
	}
	return kind + ":" + full
}

// sayPortal says who answers the web requests of a run if its run.json decides that: the user may not expect that it asks the
// network without a flag.
func sayPortal(say func(format string, args ...any), kept, given string) {
	if kept != "" && given == "" {
		say("web requests are answered as --%[1]s %[2]s says, which run.json keeps; give --%[1]s to change it", portalFlag, shellQuote(kept))
	}
}

// fetcher returns the fetcher of the run, nil if there is none: that of --portal, else that which run.json keeps, else that of
// the scenario.
func (p *execution) fetcher() (engine.Fetcher, error) {
	given := p.flags.portal
	f, err := fetcher(p.sc, cmp.Or(given, p.cfg.Portal))
	switch {
	case given != "":
		p.cfg.Portal = wholePortal(given)
	case err != nil && p.cfg.Portal != "":
		err = usagef("run.json keeps %w", err)
	}
	return f, err
}

// fetcher returns the fetcher that a value of --portal names, nil if there is none; if it is empty, the scenario decides.
func fetcher(sc *scenarios.Scenario, flag string) (engine.Fetcher, error) {
	named := fmt.Sprintf("--%s %s", portalFlag, flag)
	if flag == "" {
		named = "portal.recordings of the scenario"
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
			return nil, usagef("%s: %s is not a directory; create it, or name another", named, dir)
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
