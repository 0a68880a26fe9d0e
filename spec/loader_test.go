package spec

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

// validCatalogue is a catalogue without a fault; each test below inserts one.
const validCatalogue = `suite: cap
title: Parcels
version: "1.0"
requirements:
  - id: CAP-SEAL-01
    level: MUST
    section: Sealing
    actor: source
    summary: Seals hold.
    fingerprint: [aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa]
    check: live
    satisfy: Use glue.
  - id: CAP-SEAL-02
    level: MAY
    section: Sealing
    actor: upper_layer
    summary: Seals are red.
    fingerprint: [bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb]
    group: colour
    check: none
  - id: CAP-SEAL-03
    level: DECLARED
    section: Sealing
    actor: source
    summary: Sealing is all of it.
    fingerprint: [cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc]
    sum_of: [CAP-SEAL-01]
    when: red-seals
    check: live
  - id: CAP-SEAL-04
    level: SHOULD
    section: Sealing
    actor: source
    summary: Glue is fresh.
    fingerprint: [dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd]
    check: excluded
    excluded: Nobody sees it.
not_normative:
  - fingerprint: eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee
    why: It announces.
`

func TestParseReadsEveryMember(t *testing.T) {
	c, err := Parse("cap.yaml", "cap", []byte(validCatalogue))
	require.NoError(t, err)
	want := Requirement{
		ID: "CAP-SEAL-03", Level: Declared, Section: "Sealing", Actor: "source", Summary: "Sealing is all of it.",
		Fingerprint: []string{strings.Repeat("c", 64)}, SumOf: []string{"CAP-SEAL-01"}, When: "red-seals", Check: Live,
	}
	got, ok := c.Lookup("CAP-SEAL-03")
	if diff := cmp.Diff(want, got); diff != "" || !ok {
		t.Errorf("Lookup: found %v (-want +got):\n%s", ok, diff)
	}
	if _, ok := c.Lookup("CAP-SEAL-3"); ok {
		t.Error("Lookup found an unknown id")
	}
	if diff := cmp.Diff([]Waiver{{strings.Repeat("e", 64), "It announces."}}, c.NotNormative); diff != "" {
		t.Errorf("not_normative (-want +got):\n%s", diff)
	}
	other, err := Parse("cap.yaml", "cap", []byte(validCatalogue+"\n"))
	require.NoError(t, err)
	if len(c.Digest()) != 64 || c.Digest() == other.Digest() {
		t.Errorf("digests %q and %q of different bytes", c.Digest(), other.Digest())
	}
}

func TestParseRefusesFaults(t *testing.T) {
	tests := []struct{ name, old, new, want string }{
		{"unknown key of a requirement", "    level: MUST\n", "    levle: MUST\n", `spec: cap.yaml:6: unknown key "levle"; the nearest known key is "level"`},
		{"unknown key of the catalogue", "title:", "titel:", `spec: cap.yaml:2: unknown key "titel"; the nearest known key is "title"`},
		{"unknown key of a waiver", "    why:", "    reason:", `spec: cap.yaml:40: unknown key "reason"`},
		{"key in another case", "    summary: Seals hold.", "    Summary: Seals hold.", `spec: cap.yaml:9: unknown key "Summary"; the nearest known key is "summary"`},
		{"key twice", "    level: MUST\n", "    level: MUST\n    level: MAY\n", `spec: cap.yaml:7: mapping key "level" already defined`},
		{"an entry that is not a mapping", "not_normative:\n", "not_normative:\n  - none\n", "spec: cap.yaml:39: an entry of not_normative is a mapping"},
		{"waivers are not a list", "not_normative:\n  -", "not_normative:\n   ", "spec: cap.yaml:39: not_normative is a list"},
		{"wrong type", "    section: Sealing\n    actor: source\n    summary: Seals hold.", "    section: [a]\n    actor: source\n    summary: Seals hold.", "spec: cap.yaml:7: cannot unmarshal"},
		{"another suite", "suite: cap", "suite: chp", `spec: cap.yaml:1: suite is "chp", the file is for "cap"`},
		{"no title", "title: Parcels", "title: ''", "spec: cap.yaml:1: title and version are needed"},
		{"id twice", "id: CAP-SEAL-02", "id: CAP-SEAL-01", "spec: cap.yaml:13: CAP-SEAL-01: the id is taken at line 5"},
		{"id without section", "id: CAP-SEAL-02", "id: CAP-02", `spec: cap.yaml:13: id "CAP-02" is not of the form CAP-SECTION-ORDINAL`},
		{"id of another suite", "id: CAP-SEAL-02", "id: CHP-SEAL-02", `spec: cap.yaml:13: id "CHP-SEAL-02" is not of the form`},
		{"unknown level", "level: SHOULD", "level: OUGHT", `spec: cap.yaml:30: CAP-SEAL-04: unknown level "OUGHT"`},
		{"unknown check", "check: none", "check: nowhere", `spec: cap.yaml:13: CAP-SEAL-02: unknown check "nowhere"`},
		{"no summary", "    summary: Seals hold.\n", "", "spec: cap.yaml:5: CAP-SEAL-01: summary is missing"},
		{"no section", "    section: Sealing\n    actor: upper_layer\n", "    actor: upper_layer\n", "spec: cap.yaml:13: CAP-SEAL-02: section is missing"},
		{"no actor", "    actor: upper_layer\n", "", "spec: cap.yaml:13: CAP-SEAL-02: actor is missing"},
		{"actor in two words", "actor: upper_layer", "actor: upper layer", `spec: cap.yaml:13: CAP-SEAL-02: actor "upper layer" is not`},
		{"when in two words", "when: red-seals", "when: red seals", `spec: cap.yaml:21: CAP-SEAL-03: "red seals" is not`},
		{"group in capitals", "group: colour", "group: Colour", `spec: cap.yaml:13: CAP-SEAL-02: "Colour" is not`},
		{"testable without satisfy", "    satisfy: Use glue.\n", "", "spec: cap.yaml:5: CAP-SEAL-01: satisfy is missing"},
		{"a MUST without a check", "check: live\n    satisfy: Use glue.", "check: none", "spec: cap.yaml:5: CAP-SEAL-01: check none is for permissions, the level is MUST"},
		{"excluded without reason", "    excluded: Nobody sees it.\n", "", "spec: cap.yaml:30: CAP-SEAL-04: check is excluded without a reason"},
		{"reason without excluded", "check: none", "check: none\n    excluded: No.", "spec: cap.yaml:13: CAP-SEAL-02: a reason in excluded, but check is none"},
		{"no fingerprint", "    fingerprint: [" + strings.Repeat("d", 64) + "]\n", "", "spec: cap.yaml:30: CAP-SEAL-04: fingerprint is missing"},
		{"source without encryption", "    check: none", "    check: none\n    source: http://parcels.example/#seals", `spec: cap.yaml:13: CAP-SEAL-02: source is "http://parcels.example/#seals"`},
		{"source with credentials", "    check: none", "    check: none\n    source: https://me:pw@parcels.example/", "CAP-SEAL-02: source is "},
		{"source with a line break", "    check: none", "    check: none\n    source: \"https://parcels.example/\\n\"", "CAP-SEAL-02: source is "},
		{"source with a hidden character", "    check: none", "    check: none\n    source: \"https://parcels.example/\\u202e\"", "CAP-SEAL-02: source is "},
		{"source that is a script", "    check: none", "    check: none\n    source: \"javascript:alert(1)\"", "CAP-SEAL-02: source is "},
		{"page that no section has", "title: Parcels", "title: Parcels\npublished: {Seal: \"https://parcels.example/\"}", `spec: cap.yaml:1: published: no section is of the page "Seal"`},
		{"page with a file", "title: Parcels", "title: Parcels\npublished: {Sealing: \"file:///etc/passwd\"}", "spec: cap.yaml:1: published: the address of Sealing is "},
		{"short fingerprint", strings.Repeat("d", 64), strings.Repeat("d", 63), "spec: cap.yaml:30: CAP-SEAL-04: fingerprint \"" + strings.Repeat("d", 63) + "\" is not a SHA-256"},
		{"fingerprint twice", "[" + strings.Repeat("d", 64), "[" + strings.Repeat("d", 64) + ", " + strings.Repeat("d", 64), "is listed twice"},
		{"sum of an unknown requirement", "sum_of: [CAP-SEAL-01]", "sum_of: [CAP-SEAL-09]", `spec: cap.yaml:21: CAP-SEAL-03: sum_of names "CAP-SEAL-09", which is not a requirement`},
		{"sum of itself", "sum_of: [CAP-SEAL-01]", "sum_of: [CAP-SEAL-03]", "CAP-SEAL-03: sum_of names CAP-SEAL-03, which is a sum itself"},
		{"waiver without reason", "    why: It announces.\n", "", "spec: cap.yaml:39: not_normative: why is missing"},
		{"waiver of an invalid fingerprint", strings.Repeat("e", 64), "eee", `spec: cap.yaml:39: not_normative: fingerprint "eee" is not a SHA-256`},
		{"waiver of a covered sentence", strings.Repeat("e", 64), strings.Repeat("a", 64), "is already covered by CAP-SEAL-01"},
		{"second document", "    why: It announces.\n", "    why: It announces.\n---\nsuite: cap\n", "spec: cap.yaml: a second YAML document"},
		{"no YAML", "suite: cap", "suite: [", "spec: cap.yaml: yaml: "},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			require.Contains(t, validCatalogue, test.old)
			_, err := Parse("cap.yaml", "cap", []byte(strings.Replace(validCatalogue, test.old, test.new, 1)))
			if err == nil {
				t.Fatal("no error")
			}
			if !strings.Contains(err.Error(), test.want) {
				t.Errorf("error\n%v\ndoes not contain\n%s", err, test.want)
			}
			if n := strings.Count(err.Error(), "\n"); n != 0 {
				t.Errorf("one fault returns %d lines:\n%v", n+1, err)
			}
		})
	}
}

// TestSources: a requirement has its own address, or that of its section on a published page.
func TestSources(t *testing.T) {
	text := strings.Replace(validCatalogue, "title: Parcels", "title: Parcels\npublished: {Seals: \"https://parcels.example/seals\"}", 1)
	for section, want := range map[string]string{
		"Seals": "https://parcels.example/seals", "Seals: Red _wax_ (hot), 2-fold": "https://parcels.example/seals#red-wax-hot-2-fold",
	} {
		c, err := Parse("cap.yaml", "cap", []byte(strings.Replace(text, "section: Sealing", "section: \""+section+"\"", 1)))
		require.NoError(t, err)
		require.Equal(t, want, c.Requirements[0].Source)
	}
	c, err := Parse("cap.yaml", "cap", []byte(strings.Replace(text, "section: Sealing", "section: Seals\n    source: https://other.example/", 1)))
	require.NoError(t, err)
	require.Equal(t, "https://other.example/", c.Requirements[0].Source)
	require.Empty(t, c.Requirements[1].Source)
}

func TestParseRefusesOtherShapes(t *testing.T) {
	for source, want := range map[string]string{
		"":           "spec: cap.yaml: the file is empty",
		"# nothing":  "spec: cap.yaml: the file is empty",
		"- suite":    "spec: cap.yaml: a catalogue is a mapping",
		"suite: cap": "spec: cap.yaml:1: no requirements",
	} {
		_, err := Parse("cap.yaml", "cap", []byte(source))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", source, err, want)
		}
	}
}

func TestLoadOfUnknownSuite(t *testing.T) {
	_, err := Load("cup")
	if err == nil || !strings.Contains(err.Error(), `no catalogue for suite "cup"`) {
		t.Errorf("error %v", err)
	}
}
