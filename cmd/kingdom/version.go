package main

import (
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"kingdom/engine"
)

func newVersion(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the build and its physics version",
		Long: "Print the build and its physics version. Two builds with the same physics version give the same\n" +
			"hashes. Fields of --json: version, revision, physics, go, platform.",
		Args: args(0, "no arguments"),
		RunE: func(*cobra.Command, []string) error {
			return printVersion(a)
		},
	}
}

func printVersion(a *app) error {
	v := buildVersion()
	if a.json {
		return json.NewEncoder(a.out).Encode(v)
	}
	fmt.Fprintf(a.out, "kingdom %s (%s), physics %d, %s %s\n", v.Version, v.Revision, v.Physics, v.Go, v.Platform)
	return nil
}

// addVersionFlag makes kingdom --version print what kingdom version prints.
func addVersionFlag(a *app, root *cobra.Command) {
	wanted, otherwise := root.Flags().Bool("version", false, "print what kingdom version prints"), root.RunE
	root.RunE = func(cmd *cobra.Command, names []string) error {
		if *wanted {
			return printVersion(a)
		}
		return otherwise(cmd, names)
	}
}

type version struct {
	Version  string `json:"version"`
	Revision string `json:"revision"`
	Physics  uint32 `json:"physics"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

// name names the build in run.json; "" if nothing tells it.
func (v version) name() string {
	switch {
	case v.Version != "devel":
		return v.Version
	case v.Revision != "unknown":
		return v.Revision
	}
	return ""
}

func buildVersion() version {
	v := version{Version: "devel", Revision: "unknown", Physics: engine.Physics, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	if info.Main.Version != "" && info.Main.Version != "(devel)" {
		v.Version = info.Main.Version
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			v.Revision = s.Value
		}
	}
	return v
}
