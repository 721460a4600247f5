package source

import (
	"embed"
	"path"
	"strings"
)

//go:embed shelf
var files embed.FS

// shelf is read once; nobody changes it.
var shelf = load()

type content struct {
	tasks    []Task
	modules  []Module
	services []Module
}

func load() (c content) {
	for _, t := range tasks {
		for _, f := range list(t.Name) {
			text := read(t.Name, f)
			switch {
			case f == "try.star":
				t.try = text
			case strings.HasPrefix(f, "right_"):
				t.Right = append(t.Right, text)
			default:
				first, rest, _ := strings.Cut(text, "\n")
				t.Wrong = append(t.Wrong, Mistake{strings.TrimPrefix(first, "# mistake: "), rest, []byte(rest)})
			}
		}
		c.tasks = append(c.tasks, t)
	}
	c.modules, c.services = modules("lib"), modules("service")
	return c
}

func modules(dir string) (out []Module) {
	for _, f := range list(dir) {
		m := Module{Name: strings.TrimSuffix(f, ".star"), Text: read(dir, f)}
		for _, line := range strings.Split(m.Text, "\n") {
			if rest, ok := strings.CutPrefix(line, "def "); ok {
				name, _, _ := strings.Cut(rest, "(")
				m.Symbols = append(m.Symbols, name)
			}
		}
		out = append(out, m)
	}
	return out
}

// list names the files of a directory, sorted.
func list(dir string) (names []string) {
	entries, err := files.ReadDir(path.Join("shelf", dir))
	if err != nil {
		panic("source: a directory of the shelf is gone: " + err.Error())
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func read(dir, name string) string {
	b, err := files.ReadFile(path.Join("shelf", dir, name))
	if err != nil {
		panic("source: a program of the shelf is gone: " + err.Error())
	}
	return string(b)
}
