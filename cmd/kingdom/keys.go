package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"kingdom/engine"
	"kingdom/llm/keyward"
	"kingdom/llm/openai"
	"kingdom/scenarios"
)

// Environment variables that have to do with keys.
const (
	envKey        = "KINGDOM_API_KEY"    // of the model named default
	envKeys       = "KINGDOM_KEYS"       // path of the sealed key file
	envPassphrase = "KINGDOM_PASSPHRASE" // of the sealed key file
)

const keyStdin = "key-stdin"

func addKeyStdin(cmd *cobra.Command) {
	cmd.Flags().Bool(keyStdin, false, "read the endpoint's key from the first line of standard input")
}

// mindWithModels builds the minds of a run that may ask models in these cycles, and says in its meter where they are asked. A
// new run first checks that the models can be asked.
func (a *app) mindWithModels(cmd *cobra.Command, sc *scenarios.Scenario, cycles span, m *meter) (engine.Mind, error) {
	endpoints, check, err := a.endpoints(cmd, sc, cycles)
	if err != nil {
		return nil, err
	}
	thinker, err := mind(sc, endpoints, m.ledger)
	if err != nil {
		return nil, err
	}
	m.endpoints = endpoints
	return thinker, check()
}

// endpoints finds the keys of the models that a scenario uses in these cycles and returns their endpoints.
// check checks that the models can be asked, if the command has the flag --no-preflight and it is not set. For a command without
// this flag, which goes on with a run that could ask them once, it only checks that no key is missing.
func (a *app) endpoints(cmd *cobra.Command, sc *scenarios.Scenario, cycles span) (e *openai.Endpoints, check func() error, err error) {
	keys, err := secrets{a.err}.findKeys(cmd, usedModelsIn(sc, cycles))
	if err != nil {
		return nil, nil, err
	}
	e = openai.NewEndpoints(keys)
	e.Warn = func(text string) { a.say("%s", text) }
	return e, func() error {
		switch skip, err := cmd.Flags().GetBool(noPreflight); {
		case err != nil: // the command does not have the flag
			return checkMissingKeys(cmd.Context(), sc, cycles, keys)
		case skip:
			return nil
		}
		return a.preflight(cmd.Context(), sc, cycles, keys)
	}, nil
}

// findKeys reads the keys of the models in use, each from the source that the model names. It returns an
// error if a named key does not exist.
func (s secrets) findKeys(cmd *cobra.Command, used []*scenarios.Model) (openai.Key, error) {
	keys := map[string]keyward.Key{}
	fromStdin, err := modelsOfStdin(cmd, used)
	if err != nil {
		return nil, err
	}
	if len(fromStdin) > 0 {
		k, err := keyward.ReadLine(standardInput(cmd))
		if err != nil {
			return nil, usagef("--%s: no key on standard input: %w", keyStdin, err)
		}
		for _, name := range fromStdin {
			keys[name] = k
		}
	}
	var sealed map[string]keyward.Key
	for i, m := range used {
		for _, had := range used[:i] {
			if had.Name == m.Name && (had.Key != m.Key || had.KeyFile != m.KeyFile || had.KeyEnv != m.KeyEnv) {
				return nil, usagef("the model %q has two keys, one before and one after a change of the scenario; give the later one another name", m.Name)
			}
		}
		if _, found := keys[m.Name]; found {
			continue
		}
		if m.Key != "" && sealed == nil {
			if sealed, err = s.openSealed(cmd); err != nil {
				return nil, usagef("the model %q names the key %s: %w", m.Name, m.Key, err)
			}
		}
		if keys[m.Name], err = keyOf(m, sealed); err != nil {
			return nil, err
		}
	}
	return func(m *openai.Model) keyward.Key { return keys[m.Name] }, nil
}

// keyOf reads the key of one model.
func keyOf(m *scenarios.Model, sealed map[string]keyward.Key) (keyward.Key, error) {
	switch {
	case m.Key != "":
		k, found := sealed[m.Key]
		if !found {
			return k, usagef("the model %q names the key %s, which the sealed key file does not hold; run kingdom key set %s", m.Name, m.Key, m.Key)
		}
		return k, nil
	case m.KeyFile != "":
		k, err := keyward.ReadFile(m.KeyFile)
		if err != nil {
			return k, usagef("the model %q: %w", m.Name, err)
		}
		return k, nil
	}
	from := m.KeyEnv
	if from == "" && m.Name == scenarios.DefaultModel {
		from = envKey
	}
	k, err := keyward.New([]byte(os.Getenv(from)))
	switch {
	case errors.Is(err, keyward.ErrEmpty) && m.KeyEnv == "":
		return keyward.Key{}, nil
	case errors.Is(err, keyward.ErrEmpty):
		return k, usagef("the model %q needs a key: set the environment variable %s, or change minds.models.%s.key_env", m.Name, from, m.Name)
	case err != nil:
		return k, usagef("the environment variable %s does not hold a key: %w", from, err)
	}
	return k, nil
}

// modelsOfStdin lists the models that use a key from standard input: those of the only
// endpoint in use, or else of the only endpoint whose models name no source of a key. A key
// is never sent to a second endpoint.
func modelsOfStdin(cmd *cobra.Command, used []*scenarios.Model) ([]string, error) {
	if given, err := cmd.Flags().GetBool(keyStdin); err != nil || !given {
		return nil, nil // also for commands without the flag
	}
	all, open := map[string][]string{}, map[string][]string{}
	for _, m := range used {
		at := strings.TrimRight(m.Endpoint, "/")
		all[at] = append(all[at], m.Name)
		if m.Key == "" && m.KeyFile == "" && m.KeyEnv == "" {
			open[at] = append(open[at], m.Name)
		}
	}
	for _, found := range []map[string][]string{all, open} {
		if len(found) == 1 {
			for _, names := range found {
				return names, nil
			}
		}
	}
	if len(all) == 0 {
		return nil, usagef("--%s: no language model thinks in this scenario, so it needs no key", keyStdin)
	}
	return nil, usagef("--%s gives one key, and the scenario's models ask %d endpoints; give all but one of them key_env, key_file or key (docs/MINDS.md)", keyStdin, len(all))
}

// sealedKeys is the user's sealed key file.
func sealedKeys() (keyward.Store, error) {
	if path := os.Getenv(envKeys); path != "" {
		return keyward.Store{Path: path}, nil
	}
	dir, err := os.UserConfigDir()
	if err != nil {
		return keyward.Store{}, fmt.Errorf("find the sealed key file: %w; name it with %s", err, envKeys)
	}
	return keyward.Store{Path: filepath.Join(dir, "kingdom", "keys")}, nil
}

// openSealed opens the sealed key file.
func (s secrets) openSealed(cmd *cobra.Command) (map[string]keyward.Key, error) {
	st, err := sealedKeys()
	if err != nil {
		return nil, err
	}
	if there, err := st.Exists(); err != nil || !there {
		if err == nil {
			err = fmt.Errorf("sealed key file %s: %w", st.Path, keyward.ErrNoFile)
		}
		return nil, err
	}
	pass, err := s.passphrase(cmd.Context(), "Passphrase of "+st.Path+": ")
	if err != nil {
		return nil, err
	}
	defer clear(pass)
	return st.Load(pass)
}
