package keyward

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

const planted = "sk-planted-0123456789abcdefghij"

func key(t testing.TB, text string) Key {
	t.Helper()
	k, err := New([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func TestKey_NoFormattingShowsIt(t *testing.T) {
	k := key(t, " "+planted+"\n")
	if k.Reveal() != planted {
		t.Fatal("the key is not what was given")
	}
	inside := struct{ hidden Key }{k}
	text := fmt.Sprintf("%v %+v %#v %s %q %x %v %+v %#v %p", k, k, k, k, k, k, inside, inside, inside, &inside)
	j, err := json.Marshal(map[string]any{"k": k})
	if err != nil {
		t.Fatal(err)
	}
	text += string(j)
	for _, form := range []string{planted, planted[3:10], fmt.Sprintf("%x", planted)} {
		if strings.Contains(text, form) {
			t.Errorf("%s shows %s", text, form)
		}
	}
	if sum := sha256.Sum256([]byte(planted)); k.Fingerprint() != hex.EncodeToString(sum[:8]) {
		t.Errorf("fingerprint %s", k.Fingerprint())
	}
}

func TestNew_RefusesInvalidKeyWithoutQuotingIt(t *testing.T) {
	for text, says := range map[string]string{
		"": "empty", " \n\t": "empty", "two words": "a space", "two\nlines": "a line break", "caf\u00e9-key": "a character",
		strings.Repeat("k", MaxKey+1): "longer than",
	} {
		raw := []byte(text)
		_, err := New(raw)
		if err == nil || !strings.Contains(err.Error(), says) || text != "" && strings.Contains(err.Error(), text) {
			t.Errorf("New(%.20q) = %v, want %q", text, err, says)
		}
		if !bytes.Equal(raw, make([]byte, len(raw))) {
			t.Errorf("New(%.20q) left the text in memory", text)
		}
	}
}

func TestReadFile_RefusesFileOthersCanRead(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "key")
	for _, tt := range []struct {
		text string
		mode os.FileMode
		says string
	}{
		{planted + "\n", 0o600, ""},
		{planted, 0o400, ""},
		{planted, 0o644, "others may read it (mode 0644); run: chmod 600 " + path},
		{planted, 0o620, "mode 0620"},
		{"", 0o600, "it is empty"},
		{planted + "\n" + planted, 0o600, "one key and nothing else"},
		{strings.Repeat("k", MaxKey+10), 0o600, "longer than"},
	} {
		if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(tt.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, tt.mode); err != nil {
			t.Fatal(err)
		}
		k, err := ReadFile(path)
		switch {
		case tt.says == "" && (err != nil || k.Reveal() != planted):
			t.Errorf("mode %o: %v", tt.mode, err)
		case tt.says != "" && (err == nil || !strings.Contains(err.Error(), tt.says) || strings.Contains(err.Error(), planted[:8])):
			t.Errorf("mode %o: %v, want %q", tt.mode, err, tt.says)
		}
	}
	for path, says := range map[string]string{dir: "no regular file", filepath.Join(dir, "none"): "no such file"} {
		if _, err := ReadFile(path); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %q", path, err, says)
		}
	}
}

func TestStore_KeepsKeysUnderAPassphrase(t *testing.T) {
	s := Store{filepath.Join(t.TempDir(), "new", "keys")}
	if _, err := s.Load([]byte("p")); !errors.Is(err, ErrNoFile) {
		t.Fatalf("%v, want %v", err, ErrNoFile)
	}
	want := map[string]Key{"openai": key(t, planted), "local": key(t, "none")}
	if err := s.Save(want, []byte("a long passphrase")); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(s.Path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("mode %v, %v; want 0600", info.Mode(), err)
	}
	raw, err := os.ReadFile(s.Path)
	if err != nil || bytes.Contains(raw, []byte(planted)) || bytes.Contains(raw, []byte("openai")) {
		t.Fatal("the file shows a name or a key")
	}
	got, err := s.Load([]byte("a long passphrase"))
	if err != nil || len(got) != 2 || got["openai"].Reveal() != planted || got["local"].Reveal() != "none" {
		t.Fatalf("%v, %v", got, err)
	}
	if _, err := s.Load([]byte("another")); !errors.Is(err, ErrPassphrase) {
		t.Errorf("%v, want %v", err, ErrPassphrase)
	}
	if err := os.Chmod(s.Path, 0o640); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Load([]byte("a long passphrase")); err == nil || !strings.Contains(err.Error(), "chmod 600") {
		t.Errorf("a file that others may read: %v", err)
	}
}

// cheap makes opening fast where the work of a guess does not matter.
var cheap = cost{passes: 1, memory: 8, threads: 1}

func TestSealed_EveryChangedByteIsDetected(t *testing.T) {
	good := seal(map[string]Key{"a": key(t, planted)}, []byte("p"), cheap)
	for i := range good {
		bad := bytes.Clone(good)
		bad[i] ^= 1
		if s, err := parse(bad); err == nil {
			t.Fatalf("byte %d: parsed as %+v", i, s)
		} else if i >= 9 && !errors.Is(err, ErrDamaged) {
			t.Errorf("byte %d: %v, want %v", i, err, ErrDamaged)
		}
	}
	for n := range len(good) {
		if _, err := parse(good[:n]); err == nil {
			t.Fatalf("parsed %d of %d bytes", n, len(good))
		}
	}
	if _, err := parse([]byte("sk-a key file of another kind")); !errors.Is(err, ErrForeign) {
		t.Errorf("%v, want %v", err, ErrForeign)
	}
	newer := bytes.Clone(good)
	newer[8] = 2
	if _, err := parse(newer); err == nil || !strings.Contains(err.Error(), "version 2") {
		t.Errorf("%v, want the version named", err)
	}
	costly := seal(map[string]Key{}, []byte("p"), cost{passes: 1, memory: 8, threads: 1})
	copy(costly[13:], []byte{0xff, 0xff, 0xff, 0xff})
	if _, err := parse(resum(costly)); err == nil || !strings.Contains(err.Error(), "argon2id parameters") {
		t.Errorf("%v, want a refusal of 4 TiB", err)
	}
}

func TestSealed_RoundTrip(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		texts := rapid.MapOfN(rapid.StringMatching(`[a-z][a-z0-9_-]{0,9}`).Filter(IsName), rapid.StringMatching(`[!-~]{1,40}`), 0, 5).Draw(r, "keys")
		keys := map[string]Key{}
		for name, text := range texts {
			keys[name] = key(t, text)
		}
		pass := rapid.SliceOfN(rapid.Byte(), 0, 20).Draw(r, "passphrase")
		s, err := parse(seal(keys, pass, cheap))
		if err != nil {
			r.Fatal(err)
		}
		got, err := s.open(pass)
		if err != nil {
			r.Fatal(err)
		}
		back := map[string]string{}
		for name, k := range got {
			back[name] = k.Reveal()
		}
		if !maps.Equal(back, texts) {
			r.Fatalf("got %v, want %v", back, texts)
		}
	})
}

// What Save takes can be opened again: the most keys, and not one more.
func TestSealed_MostKeys(t *testing.T) {
	keys := map[string]Key{}
	for i := range MaxKeys + 1 {
		s, err := parse(seal(keys, []byte("p"), cheap))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := s.open([]byte("p")); err != nil || len(got) != i {
			t.Fatalf("%d keys: %d are read, %v", i, len(got), err)
		}
		keys[fmt.Sprintf("k%d", i)] = key(t, "sk-12345678")
	}
	s, err := parse(seal(keys, []byte("p"), cheap))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.open([]byte("p")); err == nil || !strings.Contains(err.Error(), "it holds 65 keys; at most 64 are taken") {
		t.Errorf("%d keys: %v", len(keys), err)
	}
}
