package engine

import "errors"

// Builds says which builds of kingdom wrote a run, in the order of its cycles.
type Builds []BuildSpan

// BuildSpan is the build that wrote a run from a cycle on.
type BuildSpan struct {
	Build string `json:"build"` // empty: not known
	From  uint64 `json:"from"`  // first cycle
}

// At returns the build that wrote a cycle; empty if it is not known.
func (b Builds) At(c uint64) string {
	name := ""
	for _, s := range b {
		if s.From <= c {
			name = s.Build
		}
	}
	return name
}

// last returns the build that wrote the last cycle.
func (b Builds) last() string {
	if len(b) == 0 {
		return ""
	}
	return b[len(b)-1].Build
}

// continued returns the builds of a run that a build continues with a cycle. A build that wrote no cycle is left out.
func (b Builds) continued(build string, from uint64) Builds {
	var out Builds
	for _, s := range b {
		if s.From < from {
			out = append(out, s)
		}
	}
	if len(out) > 0 && out.last() == build {
		return out
	}
	return append(out, BuildSpan{build, from})
}

// WrittenBy returns the builds that wrote a run.
func (r *RunFile) WrittenBy() Builds {
	if len(r.Builds) > 0 {
		return r.Builds
	}
	return Builds{{Build: r.Build}}
}

// withBuilds adds to a divergence from the run in a directory which run it is of, and which build wrote it if that is not
// this one.
func (c *Config) withBuilds(dir string, err error) error {
	d, ok := errors.AsType[*DivergenceError](err)
	if !ok || dir == "" {
		return err
	}
	for ; d != nil; d = d.afterwards() {
		d.Run = dir
		if by := c.writtenBy.At(uint64(d.Cycle)); !d.Stored && by != "" && by != c.Build {
			d.WrittenBy, d.ThisBuild = by, c.Build
		}
	}
	return err
}

// afterwards returns where an agent acted differently after a difference at the end of a cycle; nil if that is not known.
func (e *DivergenceError) afterwards() *DivergenceError {
	if e.After == nil {
		return nil
	}
	return e.After.Act
}
