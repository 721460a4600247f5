package keyward_test

import (
	"testing"

	"kingdom/llm/keyward"
)

func TestLooksLikeKey(t *testing.T) {
	for text, want := range map[string]bool{
		"sk-0123456789abcdef":              true,
		"the key is sk-proj-0123456789_ab": true,
		"AIzaSy0123456789012345678901234":  true,
		"gsk_0123456789abcdefghijABCD":     true,
		"Bearer 0123456789abcdef":          true,
		`{"api-key": "0123456789"}`:        true,
		"task-prioritization":              false,
		"sk-short":                         false,
		"the bearer of news":               false,
		"9f86d081884c7d659a2feaa0c55ad015": false,
		"":                                 false,
	} {
		if got := keyward.LooksLikeKey(text); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

func TestNamesKey(t *testing.T) {
	for name, want := range map[string]bool{
		"api_key": true, "apikey": true, "X-API-Key": true, "Authorization": true, "access_token": true, "password": true,
		"prompt_cache_key": false, "max_tokens": false, "user": false, "key": false, "tokens": false,
	} {
		if got := keyward.NamesKey(name); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}
