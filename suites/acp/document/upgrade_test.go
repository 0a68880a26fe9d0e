package acpdocument

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/suites"
)

func TestUpgrades(t *testing.T) {
	note := example(t, "note")
	edit := func(pairs ...string) string {
		text := note
		for i := 0; i < len(pairs); i += 2 {
			require.Contains(t, text, pairs[i])
			text = strings.ReplaceAll(text, pairs[i], pairs[i+1])
		}
		return text
	}
	const next = "note@1.0.1"
	for _, c := range []struct {
		name, old, text string
		want            []string
	}{
		{"no change", note, note, []string{}},
		{"higher", note, edit("note@1.0.0", next), []string{}},
		{"lower", note, edit("note@1.0.0", "note@0.9.0"), []string{"3:7 ACP-COMP-04: the version 0.9.0 is lower than 1.0.0 of old.acp.yaml"}},
		{"pre-release", note, edit("note@1.0.0", "note@1.0.0-rc.1"), []string{"3:7 ACP-COMP-04: the version 1.0.0-rc.1 is lower than 1.0.0 of old.acp.yaml"}},
		{"ten is above nine", edit("note@1.0.0", "note@1.9.0"), edit("note@1.0.0", "note@1.10.0"), []string{}},
		{"changed under one version", note, edit("You are Note", "You are Vote"), []string{"3:7 ACP-COMP-04: the version 1.0.0 is that of old.acp.yaml, which has other content"}},
		{"only another build", note, edit("note@1.0.0", "note@1.0.0+2"), []string{"3:7 ACP-COMP-04: the version 1.0.0+2 is that of old.acp.yaml, which has other content"}},
		{"another name", note, edit("note@1.0.0", "memo@2.0.0"), []string{`3:7 warning ACP-COMP-04: "memo" replaces nothing: the older package is "note"; a capability keeps its name`}},
		{"required", note, edit("note@1.0.0", next, `"updatedAt"]`, `"updatedAt","tags"]`), []string{"30:61 ACP-COMP-03: the member /tags is now required, but the schema URI is still did:nuwa:state:note#v1"}},
		{"gone", note, edit("note@1.0.0", next, `      "tags":{"type":"array","items":{"type":"string"},"x-crdt":"grow_only_set"},
`, ""), []string{"21:18 ACP-COMP-03: the member /tags was removed, but the schema URI is still did:nuwa:state:note#v1"}},
		{"another type", note, edit("note@1.0.0", next, `"title":{"type":"string"`, `"title":{"type":"number"`), []string{"23:23 ACP-COMP-03: /title no longer allows the type string, but the schema URI is still did:nuwa:state:note#v1"}},
		{"another strategy", note, edit("note@1.0.0", next, "lww_register", "rga_text"), []string{`23:41 ACP-COMP-03: /title has another x-crdt: "rga_text" in place of "lww_register", but the schema URI is still did:nuwa:state:note#v1`}},
		{"wider", note, edit("note@1.0.0", next, `"title":{"type":"string"`, `"more":{"type":"string"},"title":{"type":["string","null"]`, `"createdAt","updatedAt"]`, `"createdAt"]`), []string{}},
		{"new URI", note, edit("note@1.0.0", next, "note#v1", "note#v2", `"updatedAt"]`, `"updatedAt","tags"]`), []string{}},
		{"new URI with the same first number", note, edit("note@1.0.0", next, "note#v1", "note#v1.1", `"updatedAt"]`, `"updatedAt","tags"]`),
			[]string{"19:11 ACP-COMP-02: the member /tags is now required, but the first number of the schema's version is still that of did:nuwa:state:note#v1"}},
		{"lower schema version", edit("note#v1", "note#v2"), edit("note@1.0.0", next), []string{"19:11 ACP-COMP-02: the schema's version v1 is lower than v2 of old.acp.yaml"}},
		{"another schema", note, edit("note@1.0.0", next, "state:note#v1", "state:notes#v1", `"updatedAt"]`, `"updatedAt","tags"]`), []string{}},
		{"the older file is not a package", "a: 1\n", note, []string{
			"open ACP-COMP-02: old.acp.yaml, the older package, is not a package with an id",
			"open ACP-COMP-03: old.acp.yaml, the older package, is not a package with an id",
			"open ACP-COMP-04: old.acp.yaml, the older package, is not a package with an id"}},
	} {
		got := []string{}
		for _, line := range found(t, nil, []suites.Document{file(t, "old.acp.yaml", c.old)}, file(t, "new.acp.yaml", c.text)) {
			if strings.Contains(line, "ACP-COMP") {
				got = append(got, line)
			}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}
