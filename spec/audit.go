package spec

// AuditReport is the comparison of a catalogue with a source text.
type AuditReport struct {
	Suite string
	// Blocks, Normative, Answered and Waived count blocks of the text: all; those with a keyword;
	// of these, those that a requirement covers; and those that not_normative covers.
	Blocks, Normative, Answered, Waived int
	// Unanswered blocks have a keyword, and nothing covers them.
	Unanswered []Block
	// Unmarked blocks have no keyword, and nothing covers them. They are listed only on request,
	// and need not be covered.
	Unmarked []Block
	// Stale fingerprints are in the catalogue and no longer in the text.
	Stale []Stale
	// Changes explain the unanswered blocks and the stale fingerprints: one of each may be the same sentence in other
	// words.
	Changes []Change
}

// notNormative is the owner of the fingerprints that oblige nobody.
const notNormative = "not_normative"

// Stale is a fingerprint that no block of the text has.
type Stale struct {
	// Owner is the id of the requirement, or notNormative.
	Owner       string
	Fingerprint string
}

// Open reports whether the catalogue does not cover the text, or covers a block that the text no
// longer contains.
func (r AuditReport) Open() bool { return len(r.Unanswered)+len(r.Stale) > 0 }

// Audit compares a catalogue with the source text from which it was made. With all, it also lists
// the blocks without a keyword that nothing covers.
func Audit(c *Catalogue, source []byte, all bool) AuditReport {
	blocks := Blocks(source)
	report := AuditReport{Suite: c.Suite, Blocks: len(blocks)}
	required, waived := map[string]bool{}, map[string]bool{}
	for _, r := range c.Requirements {
		for _, fp := range r.Fingerprint {
			required[fp] = true
		}
	}
	for _, w := range c.NotNormative {
		waived[w.Fingerprint] = true
	}
	present := map[string]bool{}
	for _, b := range blocks {
		present[b.Fingerprint] = true
		known := required[b.Fingerprint] || waived[b.Fingerprint]
		switch {
		case !b.Normative() && !known && all:
			report.Unmarked = append(report.Unmarked, b)
		case !b.Normative():
		case required[b.Fingerprint]:
			report.Answered++
		case known:
			report.Waived++
		default:
			report.Unanswered = append(report.Unanswered, b)
		}
	}
	report.Normative = report.Answered + report.Waived + len(report.Unanswered)
	report.Stale = stale(c, present)
	report.Changes = changes(c.covered(), blocks, func(Sentence) bool { return true })
	return report
}

func stale(c *Catalogue, present map[string]bool) []Stale {
	var out []Stale
	for _, s := range c.covered() {
		if !present[s.Fingerprint] {
			out = append(out, Stale{Owner: s.Owner, Fingerprint: s.Fingerprint})
		}
	}
	return out
}
