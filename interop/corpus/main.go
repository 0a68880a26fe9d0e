// Command corpus writes the inputs that capconform would send to a host, for other validators: one
// line of JSON per schema, with valid and invalid inputs. Its arguments are files that contain
// schemas by name.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites/instance"
)

// seeds is the number of times that inputs are made for a schema, each time with another seed.
const seeds = 3

// entry is one line.
type entry struct {
	Name    string          `json:"name"`
	Schema  json.RawMessage `json:"schema"`
	Sound   []any           `json:"sound"`
	Unsound []fault         `json:"unsound"`
}

// fault is an input that breaks one keyword at one place.
type fault struct {
	Input   any    `json:"input"`
	Keyword string `json:"keyword"`
	Pointer string `json:"pointer"`
}

func main() {
	for _, path := range os.Args[1:] {
		if err := write(os.Stdout, path); err != nil {
			fmt.Fprintf(os.Stderr, "corpus: %s: %v\n", path, err)
			os.Exit(1)
		}
	}
}

func write(w io.Writer, path string) error {
	raw, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var named map[string]json.RawMessage
	if err := json.Unmarshal(raw, &named); err != nil {
		return err
	}
	names := make([]string, 0, len(named))
	for name := range named {
		names = append(names, name)
	}
	slices.Sort(names)
	out := json.NewEncoder(w)
	for _, name := range names {
		line, err := inputs(named[name])
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		line.Name = name
		if err := out.Encode(line); err != nil {
			return err
		}
	}
	return nil
}

func inputs(schema json.RawMessage) (entry, error) {
	line := entry{Schema: schema, Sound: []any{}, Unsound: []fault{}}
	compiled, err := schemas.Compile(schema, schemas.Options{})
	if err != nil {
		return line, err
	}
	for seed := range int64(seeds) {
		valid, err := instance.ValidObject(compiled, seed)
		if err != nil {
			return line, err
		}
		for _, s := range valid {
			line.Sound = append(line.Sound, s.Value)
			for _, f := range instance.Invalid(compiled, s.Value, instance.Options{Seed: seed}) {
				line.Unsound = append(line.Unsound, fault{f.Input, f.Keyword, f.Pointer})
			}
		}
	}
	return line, nil
}
