package spec

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/capconform/capconform/spec/spelling"
)

// keys is the closed set of members of a mapping. A value that is not nil is the set for the
// mappings in the list of that member.
type keys map[string]keys

// catalogueKeys mirrors the yaml tags of Catalogue; a test compares them.
var catalogueKeys = keys{
	"suite": nil, "title": nil, "version": nil, "edition": nil, "base": nil, "gone": nil, "published": nil,
	"requirements": {
		"id": nil, "level": nil, "section": nil, "actor": nil, "summary": nil, "fingerprint": nil,
		"sum_of": nil, "yields_to": nil,
		"when": nil, "group": nil, "check": nil, "excluded": nil, "resolution": nil, "source": nil, "satisfy": nil,
	},
	"not_normative": {"fingerprint": nil, "why": nil}, "sketches": nil,
}

// checkKeys reports every member that is not in the set, with its line and the known member with
// the most similar name.
func checkKeys(file string, mapping *yaml.Node, known keys) error {
	var errs []error
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		key, value := mapping.Content[i], mapping.Content[i+1]
		below, ok := known[key.Value]
		if !ok {
			errs = append(errs, fmt.Errorf("spec: %s:%d: unknown key %q; the nearest known key is %q",
				file, key.Line, key.Value, nearest(key.Value, slices.Sorted(maps.Keys(known)))))
			continue
		}
		if below == nil {
			continue
		}
		if value.Kind != yaml.SequenceNode {
			errs = append(errs, fmt.Errorf("spec: %s:%d: %s is a list", file, value.Line, key.Value))
			continue
		}
		for _, entry := range value.Content {
			if entry.Kind != yaml.MappingNode {
				errs = append(errs, fmt.Errorf("spec: %s:%d: an entry of %s is a mapping", file, entry.Line, key.Value))
				continue
			}
			errs = append(errs, checkKeys(file, entry, below))
		}
	}
	return errors.Join(errs...)
}

// nearest returns the candidate with the smallest edit distance to name.
func nearest(name string, candidates []string) string {
	const far = 1000
	return slices.MinFunc(candidates, func(a, b string) int {
		return spelling.Distance(strings.ToLower(name), a, far) - spelling.Distance(strings.ToLower(name), b, far)
	})
}
