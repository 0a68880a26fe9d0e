package tree

import (
	"encoding/json"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// memberRow is a row of docs/REPORT.md about a member.
var memberRow = regexp.MustCompile("(?m)^\\| `([a-z0-9_]+)` \\|")

// The page explains each member of both schemas, and no others.
func TestReportPageExplainsEveryMember(t *testing.T) {
	sections := sectionsByPath(pageText(t, "docs/REPORT.md"))
	objects := map[string][]string{}
	for name, file := range map[string]string{
		"report": "schemas/report/report.schema.json", "": "schemas/record/record.schema.json",
	} {
		schema := readSchema(t, file)
		w := schemaWalk{defs: schema["$defs"], objects: objects}
		w.walk(schema, "")
		if name != "" {
			objects[name] = objects[""]
			delete(objects, "")
		}
	}
	require.Greater(t, len(objects), 30)
	for _, fault := range sectionFaults(sections, objects) {
		t.Errorf("docs/REPORT.md: %s", fault)
	}
}

func TestUnexplainedMembersAreFound(t *testing.T) {
	sections := sectionsByPath("### `run`\n\n| `id` | x |\n| `gone` | x |\n\n### `other`\n| `id` | x |\n")
	got := sectionFaults(sections, map[string][]string{"run": {"id", "seed"}, "run.shard": {"index"}})
	want := []string{"run: seed is not explained", "run: gone is not a member", "there is no section `run.shard`"}
	require.Equal(t, want, got)
}

// sectionFaults compares the tables of the sections with the members of the objects.
func sectionFaults(sections map[string]string, objects map[string][]string) []string {
	var faults []string
	for _, path := range slices.Sorted(maps.Keys(objects)) {
		section, found := sections[path]
		if !found {
			faults = append(faults, "there is no section `"+path+"`")
			continue
		}
		var explained []string
		for _, row := range memberRow.FindAllStringSubmatch(section, -1) {
			explained = append(explained, row[1])
		}
		for _, member := range objects[path] {
			if !slices.Contains(explained, member) {
				faults = append(faults, path+": "+member+" is not explained")
			}
		}
		for _, member := range explained {
			if !slices.Contains(objects[path], member) && !slices.Contains(outcomes, member) {
				faults = append(faults, path+": "+member+" is not a member")
			}
		}
	}
	return faults
}

// outcomes are values, in a separate table below the entry.
var outcomes = []string{"returned", "refused", "malformed", "lost", "throttled", "performed"}

// sectionsByPath returns the sections whose heading is a path.
func sectionsByPath(page string) map[string]string {
	sections := map[string]string{}
	for part := range strings.SplitSeq("\n"+page, "\n### `") {
		path, body, _ := strings.Cut(part, "`\n")
		body, _, _ = strings.Cut(body, "\n## ")
		sections[path] = body
	}
	return sections
}

func readSchema(t *testing.T, file string) map[string]any {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	var schema map[string]any
	require.NoError(t, json.Unmarshal(text, &schema))
	return schema
}

// schemaWalk collects the members of each object that a schema describes, by its path.
type schemaWalk struct {
	defs    any
	objects map[string][]string
	entered []string // definitions that have a path already
}

func (w *schemaWalk) walk(schema map[string]any, path string) {
	if name, is := strings.CutPrefix(text(schema["$ref"]), "#/$defs/"); is {
		defs, _ := w.defs.(map[string]any)
		definition, _ := defs[name].(map[string]any)
		if definition == nil || slices.Contains(w.entered, name) {
			return
		}
		w.entered = append(w.entered, name)
		if path == "" {
			path = name
		}
		w.walk(definition, path)
		return
	}
	if members, is := schema["properties"].(map[string]any); is {
		w.objects[path] = slices.Sorted(maps.Keys(members))
		for _, name := range w.objects[path] {
			if member, is := members[name].(map[string]any); is {
				w.walk(member, strings.TrimPrefix(path+"."+name, "."))
			}
		}
	}
	if items, is := schema["items"].(map[string]any); is {
		w.walk(items, path+"[]")
	}
	if others, is := schema["additionalProperties"].(map[string]any); is {
		w.walk(others, path+".*")
	}
	alternatives, _ := schema["oneOf"].([]any)
	for _, alternative := range alternatives {
		if one, is := alternative.(map[string]any); is {
			w.walk(one, path)
		}
	}
}

func text(v any) string {
	s, _ := v.(string)
	return s
}
