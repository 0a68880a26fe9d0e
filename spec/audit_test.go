package spec

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

// original is a small protocol in the source format of its author.
const original = "# Parcel Protocol\n" + `
Parcels go from depot to depot. This text says
how they are marked. The keywords follow **RFC 2119**, and should be read so.

## Parcel

~~~text
Parcel:
  parcel_id: string
  colour: "red" | "blue"
  seal: Seal | null
~~~

Rules:

- ` + "`(parcel_id, depot)`" + ` MUST be unique in the network.
- ` + "`colour`" + ` SHOULD be one that the
  carrier knows.
- ` + "`seal_code`, `tape`, and `ribbon`" + ` are needed abroad.
- A depot MAY repaint parcels, but carriers must still see the [first](https://example.org/first) colour.

## Handover

~~~text
depot.accept(parcel) -> Receipt
depot.release(parcel_id) -> Parcel | UNKNOWN_PARCEL
~~~

Rules:

- ` + "`release`" + ` MUST answer ` + "`UNKNOWN_PARCEL`" + ` for a parcel that is not there.
- Receipts are final. Depots MAY print them late.

| Code | Meaning |
|:-----|:--------|
| ` + "`UNKNOWN_PARCEL`" + ` | No such parcel |
| Wet seal | Seal is wet |

## Claims

A network that claims 1.0 MUST:

1. Offer ` + "`depot.accept` and `depot.release`" + `.
2. Use the codes.
`

// extraction is the same text as extracted by a tool: without heading marks and blank lines, with code spans joined
// to their neighbours or on separate lines, and with markers lost or inside a line.
const extraction = `Parcel Protocol
Parcels go from depot to depot. This text says how they are marked. The keywords follow RFC 2119, and should be read so.
Parcel
Parcel:
parcel_id: string
colour: "red" | "blue"
seal: Seal | nullRules:
(parcel_id, depot)MUST be unique in the network.colourSHOULD be one that the carrier knows.seal_code,tape, andribbonare needed abroad.- A depot MAY repaint parcels, but carriers must still see the first colour.
Handover
depot.accept(parcel) -> Receipt
depot.release(parcel_id) -> Parcel | UNKNOWN_PARCELRules:
releaseMUST answer
UNKNOWN_PARCELfor a parcel that is not there. - Receipts are final. Depots MAY print them late.
| Code | Meaning |
|---|---|
UNKNOWN_PARCEL | No such parcel |
| Wet seal | Seal is wet |
Claims
A network that claims 1.0 MUST:
- Offer
depot.acceptanddepot.release. - Use the codes.
`

func TestOriginalAndExtractionHaveSameBlocks(t *testing.T) {
	want := marks(Blocks([]byte(original)))
	require.Greater(t, len(want), 20)
	for name, source := range map[string]string{
		"extraction":     extraction,
		"other line end": strings.ReplaceAll(original, "\n", "\r\n"),
		"other markers":  strings.NewReplacer("\n- ", "\n* ", "~~~", "```", "MUST", "**MUST**").Replace(original),
		"escaped":        strings.ReplaceAll(original, "_", `\_`),
	} {
		if diff := cmp.Diff(want, marks(Blocks([]byte(source)))); diff != "" {
			t.Errorf("%s: keyword and letters of each block (-original +%s):\n%s", name, name, diff)
		}
	}
}

// marks returns the compared content of each block in readable form, instead of a hash.
func marks(blocks []Block) []string {
	var out []string
	for _, b := range blocks {
		out = append(out, b.Keyword+" "+fingerprintText(b.Text))
	}
	return out
}

// parcels is a catalogue that covers all of original, P-01 to P-08.
func parcels() *Catalogue {
	c := &Catalogue{Suite: "parcel"}
	for i, text := range []string{
		"(parcel_id, depot) MUST be unique in the network",
		"colour SHOULD be one that the carrier knows",
		"seal_code, tape, and ribbon are needed abroad",
		"A depot MAY repaint parcels, but carriers must still see the first colour",
		"release MUST answer UNKNOWN_PARCEL for a parcel that is not there",
		"Depots MAY print them late",
		"Offer depot.accept and depot.release",
		"Use the codes",
	} {
		id := fmt.Sprintf("P-%02d", i+1)
		c.Requirements = append(c.Requirements, Requirement{ID: id, Fingerprint: []string{Fingerprint(text)}})
	}
	for _, text := range []string{"The keywords follow RFC 2119, and should be read so", "A network that claims 1.0 MUST"} {
		c.NotNormative = append(c.NotNormative, Waiver{Fingerprint: Fingerprint(text), Why: "has no obligation"})
	}
	return c
}

func TestAuditOfCompleteCatalogue(t *testing.T) {
	for name, source := range map[string]string{"original": original, "extraction": extraction} {
		report := Audit(parcels(), []byte(source), false)
		want := AuditReport{Suite: "parcel", Blocks: 26, Normative: 9, Answered: 7, Waived: 2}
		if diff := cmp.Diff(want, report); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if report.Open() {
			t.Errorf("%s: open, although every sentence is covered", name)
		}
	}
}

func TestAuditShowsDrift(t *testing.T) {
	const rule = "Use the codes."
	tests := []struct {
		name, source string
		drop         string // requirement to omit from the catalogue
		unanswered   []string
		stale        []string
	}{
		{"a statement was added", original + "3. Keep receipts.\n", "", []string{"MUST Keep receipts."}, nil},
		{"a statement was changed", strings.Replace(original, rule, "Use the new codes.", 1), "", []string{"MUST Use the new codes."}, []string{"P-08"}},
		{"a keyword was changed", strings.Replace(original, "SHOULD be one", "MUST be one", 1), "", []string{"MUST `colour` MUST be one that the carrier knows."}, []string{"P-02"}},
		{"the keyword of a lead-in was changed", strings.Replace(original, "1.0 MUST", "1.0 SHOULD", 1), "", []string{"SHOULD A network that claims 1.0 SHOULD:"}, []string{"not_normative"}},
		{"a statement was removed", strings.Replace(original, "2. "+rule, "", 1), "", nil, []string{"P-08"}},
		{"a statement without keyword was removed", strings.Replace(original, "are needed abroad", "are fine", 1), "", nil, []string{"P-03"}},
		{"a requirement was removed", original, "P-05", []string{"MUST `release` MUST answer `UNKNOWN_PARCEL` for a parcel that is not there."}, nil},
		{"the text is empty", "", "", nil, []string{"P-01", "P-02", "P-03", "P-04", "P-05", "P-06", "P-07", "P-08", "not_normative", "not_normative"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := parcels()
			c.Requirements = slices.DeleteFunc(c.Requirements, func(r Requirement) bool { return r.ID == test.drop })
			report := Audit(c, []byte(test.source), false)
			var unanswered, stale []string
			for _, b := range report.Unanswered {
				unanswered = append(unanswered, b.Keyword+" "+b.Text)
			}
			for _, s := range report.Stale {
				stale = append(stale, s.Owner)
			}
			if diff := cmp.Diff(test.unanswered, unanswered); diff != "" {
				t.Errorf("uncovered (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.stale, stale); diff != "" {
				t.Errorf("stale (-want +got):\n%s", diff)
			}
			if !report.Open() {
				t.Error("the report is not open")
			}
		})
	}
}

func TestAuditListsBlocksWithoutKeywordOnRequest(t *testing.T) {
	source := []byte("Parcels travel. Seals MUST hold.\n\n| wet | seal |\n")
	c := &Catalogue{
		Requirements: []Requirement{{ID: "P-01", Fingerprint: []string{Fingerprint("Seals MUST hold")}}},
		NotNormative: []Waiver{{Fingerprint: Fingerprint("Parcels travel"), Why: "introduces"}},
	}
	report := Audit(c, source, true)
	want := []Block{{Line: 3, Text: "| wet | seal |", Fingerprint: Fingerprint("wet seal")}}
	if diff := cmp.Diff(want, report.Unmarked); diff != "" {
		t.Errorf("unmarked (-want +got):\n%s", diff)
	}
	if report.Open() {
		t.Error("the report is open because of a block without a keyword")
	}
	if got := Audit(c, source, false).Unmarked; got != nil {
		t.Errorf("listed without a request: %v", got)
	}
}

func TestOneRequirementCoversEqualBlocks(t *testing.T) {
	source := []byte("Seals MUST hold.\n\nAll rest.\n\nAll rest.\n\n- Seals **MUST** hold.\n")
	c := &Catalogue{Requirements: []Requirement{{ID: "P-01", Fingerprint: []string{Fingerprint("Seals MUST hold")}}}}
	report := Audit(c, source, false)
	if report.Answered != 2 || report.Open() {
		t.Errorf("answered %d, open %v; one requirement must cover both", report.Answered, report.Open())
	}
}
