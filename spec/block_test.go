package spec

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// found contains the fields of a block that the tests compare.
type found struct {
	Line    int
	Keyword string
	Text    string
}

func blocksOf(source string) []found {
	var out []found
	for _, b := range Blocks([]byte(source)) {
		out = append(out, found{b.Line, b.Keyword, b.Text})
	}
	return out
}

// blockCases are texts with their blocks.
var blockCases = []struct {
	name, source string
	want         []found
}{
	{"sentences of a paragraph", "Parcels travel, e.g. by rail. v0.1 knows no ships. A depot MUST sort. Why? Speed!", []found{
		{1, "", "Parcels travel, e.g. by rail."},
		{1, "", "v0.1 knows no ships."},
		{1, "MUST", "A depot MUST sort."},
		{1, "", "Why?"},
		{1, "", "Speed!"},
	}},
	{"a wrapped paragraph, sentence by sentence with its line", "A depot\nMUST sort. It\nSHOULD count.", []found{
		{1, "MUST", "A depot MUST sort."},
		{2, "SHOULD", "It SHOULD count."},
	}},
	{"code spans are not split", "Call `depot. sort` first. `depot.count` MUST follow.", []found{
		{1, "", "Call `depot. sort` first."},
		{1, "MUST", "`depot.count` MUST follow."},
	}},
	{"joined keywords separate joined sentences", "sealMUST be whole.labelSHOULD be large.colour_code,taste, andsizeare needed.", []found{
		{1, "MUST", "sealMUST be whole."},
		{1, "SHOULD", "labelSHOULD be large."},
		{1, "", "colour_code,taste, andsizeare needed."},
	}},
	{"names of operations are not split", "depot.sortMUST be there. Use depot.count_all and depot.sort.", []found{
		{1, "MUST", "depot.sortMUST be there."},
		{1, "", "Use depot.count_all and depot.sort."},
	}},
	{"markers inside a line", "- A depot sorts. - A carrier drives.- Nobody MUST wait; - all rest.", []found{
		{1, "", "A depot sorts."},
		{1, "", "A carrier drives."},
		{1, "MUST", "Nobody MUST wait;"},
		{1, "", "all rest."},
	}},
	{"a code span on its own line", "- Depots MUST use\nParcelRefto name parcels. - Else,\nfail.", []found{
		{1, "MUST", "Depots MUST use ParcelRefto name parcels."},
		{2, "", "Else, fail."},
	}},
	{"headings without marks", "Sealing\nA seal MUST hold.\nOpen Issues\nNone is known.", []found{
		{1, "", "Sealing"},
		{2, "MUST", "A seal MUST hold."},
		{3, "", "Open Issues"},
		{4, "", "None is known."},
	}},
	{"wrapped lines if headings are marked", "## Names\n\nThe list of\nDepots is open.", []found{
		{1, "", "Names"},
		{3, "", "The list of Depots is open."},
	}},
	{"a short line with a keyword is not a heading", "Depots MUST use\nParcelRefto name parcels.", []found{
		{1, "MUST", "Depots MUST use ParcelRefto name parcels."},
	}},
	{"bullets inside a line", "Depots: • sort • count", []found{
		{1, "", "Depots:"},
		{1, "", "sort"},
		{1, "", "count"},
	}},
	{"shapes are one block, signatures are separate", "Parcel:\n  id: string\n  seal: Seal | null\ndepot.sort(id) -> Parcel\ndepot.count() -> numberRules:\nlast: \"1.0\"Conformance\nAll MUST.", []found{
		{1, "", "Parcel:"},
		{2, "", "id: string seal: Seal | null"},
		{4, "", "depot.sort(id) -> Parcel"},
		{5, "", "depot.count() -> number"},
		{5, "", "Rules:"},
		{6, "", `last: "1.0"`},
		{6, "", "Conformance"},
		{7, "MUST", "All MUST."},
	}},
	{"escapes, quotes, breaks, rules and empty blocks", "> seal\\_code MUST hold<br>always.\n\n---\n\n***\n", []found{
		{1, "MUST", "seal_code MUST hold always."},
	}},
	{"an empty text", "", nil},
}

func TestBlocks(t *testing.T) {
	for _, test := range blockCases {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, blocksOf(test.source)); diff != "" {
				t.Errorf("blocks (-want +got):\n%s", diff)
			}
		})
	}
}

func TestKeywordsAreInherited(t *testing.T) {
	tests := []struct {
		name, source string
		want         []string // keyword of each block
	}{
		{"by items, until the next paragraph", "Depots MUST:\n\n- sort\n- count\n\nThey rest.\n- at night", []string{"MUST", "MUST", "MUST", "", ""}},
		{"by items with bullets and numbers", "Depots MUST:\n  • sort\n  1. count\n  2) rest", []string{"MUST", "MUST", "MUST", "MUST"}},
		{"by items spread over blank lines", "Depots SHOULD:\n\n* sort\n\n* count by:\n\n  * colour\n\n* rest", []string{"SHOULD", "SHOULD", "SHOULD", "SHOULD", "SHOULD"}},
		{"by rows, but not by the header", "Depots MUST have:\n\n| Tool | Use |\n| --- | --- |\n| scale | weight |\n| belt | speed |", []string{"MUST", "", "MUST", "MUST"}},
		{"by rows without their first border", "Depots MUST have:\nTool | Use |\n---|---|\nscale | weight |", []string{"MUST", "", "MUST"}},
		{"unless the item has its own", "Depots MUST:\n- sort\n- they MAY count", []string{"MUST", "MUST", "MAY"}},
		{"from an item by the list nested in it", "Depots MUST:\n- sort\n- they SHOULD count:\n  - colours\n  - sizes\n- rest", []string{"MUST", "MUST", "SHOULD", "SHOULD", "SHOULD", "MUST"}},
		{"from the outer list again after the nested one", "Depots MUST:\n- they SHOULD count:\n  - colours\n- rest\n  - at night", []string{"MUST", "SHOULD", "SHOULD", "MUST", "MUST"}},
		{"not by code below a list", "Depots MUST:\n- sort\n```\n  a: b\n```", []string{"MUST", "MUST", ""}},
		{"by an indented paragraph of an item", "Depots MUST:\n\n* prove:\n\n   “All is sorted.”\n\nThey rest.", []string{"MUST", "MUST", "MUST", ""}},
		{"by items without their marker", "Depots MUST:\nsortall parcels.\n- Count.\nsizesare noted.\n- Rest.", []string{"MUST", "MUST", "MUST", "MUST", "MUST"}},
		{"not beyond a heading", "Depots MUST:\n- sort\n\n## Carriers\n\n- drive", []string{"MUST", "MUST", "", ""}},
		{"not from a sentence that introduces nothing", "Depots MUST sort.\n- at night", []string{"MUST", ""}},
		{"not from a lead-in without keyword", "Depots:\n- sort", []string{"", ""}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			for _, b := range Blocks([]byte(test.source)) {
				got = append(got, b.Keyword)
				if b.Normative() != (b.Keyword != "") {
					t.Errorf("%q: Normative() = %v with keyword %q", b.Text, b.Normative(), b.Keyword)
				}
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("keywords of %q (-want +got):\n%s", test.source, diff)
			}
		})
	}
}

func FuzzBlocks(f *testing.F) {
	f.Add([]byte(original))
	f.Add([]byte(extraction))
	f.Add([]byte("-\n\nA MUST.- b `c\n| d |\n#\n\xff\x00•"))
	f.Fuzz(func(t *testing.T, source []byte) {
		lines, before := bytes.Count(source, []byte("\n"))+1, 1
		for _, b := range Blocks(source) {
			if b.Line < before || b.Line > lines {
				t.Errorf("block %q on line %d of %d, the previous one on %d", b.Text, b.Line, lines, before)
			}
			before = b.Line
			if fingerprintText(b.Text) == "" || b.Fingerprint != Fingerprint(b.Text) {
				t.Errorf("block %q has fingerprint %s", b.Text, b.Fingerprint)
			}
		}
	})
}
