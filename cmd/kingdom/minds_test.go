//go:build !race

package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"kingdom/internal/fakellm"
)

// Each command of docs/MINDS.md does what a reader expects of it, one after the other as they stand there, with the test
// server in the place of every endpoint. Only the days are shorter.
func TestMinds_CommandsOfThePage(t *testing.T) {
	page, err := os.ReadFile("../../docs/MINDS.md")
	if err != nil {
		t.Fatal(err)
	}
	server := &fakellm.Server{Seed: 3, Key: plantedKey}
	withServer(t, server)
	t.Chdir(t.TempDir())
	t.Setenv(envKeys, filepath.Join(t.TempDir(), "sealed"))
	t.Setenv(envPassphrase, "a passphrase")
	here := regexp.MustCompile(`http://127\.0\.0\.1:80(89|90)/v1`)
	word := regexp.MustCompile(`'[^']*'|\S+`)
	tried, within := 0, false // a block of code
	for line := range strings.Lines(string(page)) {
		if strings.HasPrefix(line, "```") {
			within = !within
		}
		line, _, _ = strings.Cut(strings.TrimSpace(line), " #")
		line = here.ReplaceAllString(line, os.Getenv(envEndpoint))
		words := word.FindAllString(line, -1)
		for i := range words {
			words[i] = strings.Trim(words[i], "'")
		}
		at := slices.Index(words, "kingdom")
		if !within || at < 0 || line == "kingdom dev fakellm" { // which serves until Ctrl-C
			continue
		}
		for _, set := range words[:at] {
			name, value, _ := strings.Cut(set, "=")
			t.Setenv(name, value)
		}
		args := words[at+1:]
		if args[0] == "run" {
			args = append(args, "--set", "time.base_budget=4")
		}
		want := exitOK
		if slices.Contains(args, "--budget") && args[0] == "run" {
			want = exitCap // the page shows how to go on
		}
		if r := piped(t, plantedKey+"\n", args...); r.code != want {
			t.Errorf("%s: exit %d, want %d: %s%s", line, r.code, want, r.err, r.out)
		}
		tried++
	}
	if tried < 20 {
		t.Errorf("only %d commands were found on the page", tried)
	}
}

// Each message that docs/MINDS.md says what to do about is one that the program can print.
func TestMinds_MessagesOfThePage(t *testing.T) {
	page, err := os.ReadFile("../../docs/MINDS.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, ok := strings.Cut(string(page), "\n## Error messages\n")
	if !ok {
		t.Fatal("the page has no section of messages")
	}
	var sources strings.Builder
	err = filepath.WalkDir("../..", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		raw, err := os.ReadFile(path)
		sources.Write(raw)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	said := strings.ReplaceAll(sources.String(), `\"`, `"`)
	filled := regexp.MustCompile(`…|\bN\b|\b3\b|^(endpoint|model|max_output|timeout|garbled)\b`) // what stands for a value, the name of a setting or failure included
	rows := 0
	for line := range strings.Lines(table) {
		first, _, ok := strings.Cut(strings.TrimPrefix(line, "| "), " |")
		if !ok || !strings.HasPrefix(first, "`") {
			continue
		}
		rows++
		for _, m := range regexp.MustCompile("`([^`]*)`").FindAllStringSubmatch(first, -1) {
			for _, part := range filled.Split(m[1], -1) {
				if part = strings.Trim(part, " :;,\"()"); !strings.Contains(said, part) {
					t.Errorf("the page has %q, of which no source says %q", m[1], part)
				}
			}
		}
	}
	if rows < 25 {
		t.Errorf("only %d rows of messages were found", rows)
	}
}
