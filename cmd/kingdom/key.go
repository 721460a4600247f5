package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"kingdom/det"
	"kingdom/llm/keyward"
	"kingdom/sql/sqlite"
)

func newKey(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "key",
		Short: "Store keys of model endpoints in a file encrypted with a passphrase",
	}
	cmd.AddCommand(newKeySet(a), newKeyList(a), newKeyRemove(a))
	return group(cmd)
}

const sealedWhere = "The file is $KINGDOM_KEYS, else kingdom/keys in the user's configuration directory; the passphrase is\n" +
	"$KINGDOM_PASSPHRASE, else it is asked for on the terminal."

func newKeySet(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "set NAME",
		Short: "Add or replace a key",
		Long: "Add a key to the sealed key file, or replace it. The key is asked for on the terminal or read from the first\n" +
			"line of standard input, never taken from the command line, which others can see. A model uses it with\n" +
			"key: NAME. " + sealedWhere + " Fields of --json: name, fingerprint, file.",
		Example: "  kingdom key set openai\n  pass show openai | kingdom key set openai",
		Args:    keyName,
		RunE: func(cmd *cobra.Command, names []string) error {
			k, err := secrets{a.err}.newKey(cmd, names[0])
			if err != nil {
				return err
			}
			st, err := secrets{a.err}.changeSealed(cmd, true, func(keys map[string]keyward.Key) error {
				keys[names[0]] = k
				return nil
			})
			if err != nil {
				return err
			}
			if a.json {
				a.jsonLine(map[string]string{"name": names[0], "fingerprint": k.Fingerprint(), "file": st.Path})
				return nil
			}
			fmt.Fprintf(a.out, "%s, fingerprint %s, is sealed in %s; a model uses it with key: %s\n", names[0], k.Fingerprint(), st.Path, names[0])
			return nil
		},
	}
}

func newKeyList(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the keys by name and fingerprint",
		Long: "List the keys in the sealed key file by name and fingerprint, the first eight bytes of a key's SHA-256 in hex.\n" +
			sealedWhere + " Fields of a line of --json: name, fingerprint.",
		Args: args(0, "no argument"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			keys, err := secrets{a.err}.openSealed(cmd)
			if err != nil {
				return usage(err)
			}
			w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
			if !a.json {
				fmt.Fprintln(w, "NAME\tFINGERPRINT")
			}
			for _, name := range det.SortedKeys(keys) {
				if a.json {
					a.jsonLine(map[string]string{"name": name, "fingerprint": keys[name].Fingerprint()})
					continue
				}
				fmt.Fprintf(w, "%s\t%s\n", name, keys[name].Fingerprint())
			}
			return w.Flush()
		},
	}
}

func newKeyRemove(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "remove NAME",
		Short: "Remove a key",
		Long:  "Remove a key from the sealed key file. " + sealedWhere,
		Args:  keyName,
		RunE: func(cmd *cobra.Command, names []string) error {
			st, err := secrets{a.err}.changeSealed(cmd, false, func(keys map[string]keyward.Key) error {
				if _, found := keys[names[0]]; !found {
					return usagef("there is no key named %s; there are: %s", names[0], strings.Join(det.SortedKeys(keys), ", "))
				}
				delete(keys, names[0])
				return nil
			})
			if err != nil {
				return err
			}
			if !a.json {
				fmt.Fprintf(a.out, "%s is no longer in %s\n", names[0], st.Path)
			}
			return nil
		},
	}
}

// keyName checks the arguments of set and remove. The error does not repeat them, because the user may
// have typed the key itself.
func keyName(cmd *cobra.Command, got []string) error {
	if len(got) != 1 {
		return usagef("%s takes one name; a key itself is never given on the command line", cmd.CommandPath())
	}
	if !keyward.IsName(got[0]) {
		return usagef("%s takes a name of your own for the key: lower-case letters, digits, '-' and '_', a letter first; the key itself is asked for", cmd.CommandPath())
	}
	return nil
}

// newKey takes a key from the terminal or standard input.
func (s secrets) newKey(cmd *cobra.Command, name string) (keyward.Key, error) {
	in := standardInput(cmd)
	if f, ok := cmd.InOrStdin().(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		text, err := s.ask(cmd.Context(), "Key for "+name+": ")
		if err != nil {
			return keyward.Key{}, err
		}
		in = bytes.NewReader(text)
	}
	k, err := keyward.ReadLine(in)
	if err != nil {
		return k, usagef("this is not a key: %w", err)
	}
	return k, nil
}

// changeSealed opens the sealed key file, changes its keys and seals it again. If there is none and create is set, it
// creates one with a passphrase that is asked for twice. Commands that change the file at the same time do so one after
// the other, so that none loses the key of another.
func (s secrets) changeSealed(cmd *cobra.Command, create bool, change func(map[string]keyward.Key) error) (st keyward.Store, err error) {
	st, err = sealedKeys()
	if err != nil {
		return st, err
	}
	there, err := st.Exists()
	if err != nil {
		return st, err
	}
	if !there && !create {
		return st, usagef("sealed key file %s: %w", st.Path, keyward.ErrNoFile)
	}
	question := "Passphrase of " + st.Path + ": "
	if !there {
		question = "New passphrase for " + st.Path + ": "
	}
	pass, err := s.passphrase(cmd.Context(), question)
	if err != nil {
		return st, err
	}
	defer clear(pass)
	if len(pass) == 0 {
		return st, usagef("the passphrase is empty; give one, or set %s", envPassphrase)
	}
	if !there {
		again, err := s.passphrase(cmd.Context(), "The same passphrase again: ")
		if err != nil {
			return st, err
		}
		if !slices.Equal(pass, again) {
			return st, usagef("the two passphrases differ; nothing was written")
		}
	}
	if err := os.MkdirAll(filepath.Dir(st.Path), 0o700); err != nil {
		return st, fmt.Errorf("sealed key file: %w", err)
	}
	release, err := sqlite.Lock(cmd.Context(), st.Path)
	if err != nil {
		return st, err
	}
	defer captureClose(&err, release)
	keys := map[string]keyward.Key{}
	if there, err = st.Exists(); err != nil {
		return st, err
	}
	if there {
		if keys, err = st.Load(pass); err != nil {
			return st, usage(err)
		}
	}
	if err := change(keys); err != nil {
		return st, err
	}
	return st, st.Save(keys, pass)
}
