package spec

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func TestNamesListsEveryFile(t *testing.T) {
	files, err := filepath.Glob("*.yaml")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	var names []string
	for _, name := range Names() {
		names = append(names, name+".yaml")
		if _, err := Load(name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	slices.Sort(names)
	if diff := cmp.Diff(files, names); diff != "" {
		t.Errorf("files and Names (-files +Names):\n%s", diff)
	}
}

// The golden list makes removed, renumbered and changed requirements visible in review.
func TestIDsAreStable(t *testing.T) {
	const golden = "testdata/ids.golden"
	var got bytes.Buffer
	for _, c := range editions(t) {
		fmt.Fprintf(&got, "# %s %s\n", c.Suite, c.Edition)
		for _, r := range c.Requirements {
			fmt.Fprintf(&got, "%s %s %.8s\n", r.ID, r.Level, digestOf(whole(r)))
		}
	}
	if *update {
		require.NoError(t, os.WriteFile(golden, got.Bytes(), 0o600))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Errorf("ids, levels and digests; run go test ./spec -update if this is intended (-want +got):\n%s", diff)
	}
}

func TestKnownKeysEqualMembers(t *testing.T) {
	if diff := cmp.Diff(keysOf(reflect.TypeFor[Catalogue]()), catalogueKeys); diff != "" {
		t.Errorf("catalogueKeys (-members of Catalogue +catalogueKeys):\n%s", diff)
	}
}

// keysOf returns the known keys according to the yaml tags.
func keysOf(structure reflect.Type) keys {
	out := keys{}
	for field := range structure.Fields() {
		tag := field.Tag.Get("yaml")
		if tag == "" {
			continue
		}
		out[tag] = nil
		if field.Type.Kind() == reflect.Slice && field.Type.Elem().Kind() == reflect.Struct {
			out[tag] = keysOf(field.Type.Elem())
		}
	}
	return out
}

func schema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	compiled, err := jsonschema.NewCompiler().Compile("../schemas/catalogue/catalogue.schema.json")
	require.NoError(t, err)
	return compiled
}

func TestCataloguesAreValidAgainstSchema(t *testing.T) {
	for _, name := range Names() {
		data, err := os.ReadFile(name + ".yaml")
		require.NoError(t, err)
		var document any
		require.NoError(t, yaml.Unmarshal(data, &document))
		if err := schema(t).Validate(document); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestSchemaAgreesWithLoader(t *testing.T) {
	compiled := schema(t)
	var document any
	require.NoError(t, yaml.Unmarshal([]byte(validCatalogue), &document))
	require.NoError(t, compiled.Validate(document))
	for _, fault := range [][2]string{
		{"    level: MUST\n", "    levle: MUST\n"},
		{"title:", "titel:"},
		{"    why:", "    reason:"},
		{"level: SHOULD", "level: OUGHT"},
		{"check: none", "check: nowhere"},
		{"id: CAP-SEAL-02", "id: CAP-02"},
		{"    summary: Seals hold.\n", ""},
		{"actor: upper_layer", "actor: upper layer"},
		{"when: red-seals", "when: red seals"},
		{"    excluded: Nobody sees it.\n", ""},
		{"check: none", "check: none\n    excluded: No."},
		{"check: live\n    satisfy: Use glue.", "check: none"},
		{"    satisfy: Use glue.\n", ""},
		{strings.Repeat("d", 64), strings.Repeat("d", 63)},
	} {
		var document any
		require.NoError(t, yaml.Unmarshal([]byte(strings.Replace(validCatalogue, fault[0], fault[1], 1)), &document))
		if compiled.Validate(document) == nil {
			t.Errorf("the schema accepts %q in place of %q", fault[1], fault[0])
		}
	}
}

func TestSchemaAndLoaderHaveSameMembers(t *testing.T) {
	compiled := schema(t)
	requirement := compiled.Properties["requirements"].Items2020.Ref
	waiver := compiled.Properties["not_normative"].Items2020.Ref
	got := keys{}
	for key := range compiled.Properties {
		got[key] = nil
	}
	got["requirements"] = members(requirement)
	got["not_normative"] = members(waiver)
	if diff := cmp.Diff(catalogueKeys, got); diff != "" {
		t.Errorf("members (-loader +schema):\n%s", diff)
	}
}

func members(object *jsonschema.Schema) keys {
	out := keys{}
	for key := range maps.Keys(object.Properties) {
		out[key] = nil
	}
	return out
}

func TestLevels(t *testing.T) {
	tests := []struct {
		level   Level
		class   string
		binding bool
	}{
		{Must, "must", true},
		{MustNot, "must", true},
		{Declared, "must", true},
		{Should, "should", false},
		{ShouldNot, "should", false},
		{May, "may", false},
		{Advice, "may", false},
		{"OUGHT", "", false},
	}
	for _, test := range tests {
		if test.level.Class() != test.class || test.level.Binding() != test.binding {
			t.Errorf("%s: class %q, binding %v", test.level, test.level.Class(), test.level.Binding())
		}
	}
}

func TestChecksAndTestability(t *testing.T) {
	tests := []struct {
		check                    Check
		live, document, testable bool
	}{
		{Live, true, false, true},
		{Document, false, true, true},
		{Both, true, true, true},
		{Excluded, false, false, false},
		{None, false, false, false},
	}
	for _, test := range tests {
		r := Requirement{Check: test.check}
		if test.check.Covers(Live) != test.live || test.check.Covers(Document) != test.document || r.Testable() != test.testable {
			t.Errorf("%s: live %v, document %v, testable %v", test.check, test.check.Covers(Live), test.check.Covers(Document), r.Testable())
		}
		r.SumOf = []string{"CAP-SEAL-01"}
		if r.Testable() {
			t.Errorf("%s: a sum is testable", test.check)
		}
	}
}
