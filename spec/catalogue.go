// Package spec contains the catalogues: the requirements of each protocol text, one per statement,
// with an id that never changes. It also audits a catalogue against the text, so that a change of
// either is detected.
//
// The package is independent of hosts, scenarios and verdicts.
package spec

import "slices"

// Level is the strength of a statement. The values are those in a catalogue.
type Level string

// The levels of a catalogue.
const (
	Must      Level = "MUST"
	MustNot   Level = "MUST NOT"
	Should    Level = "SHOULD"
	ShouldNot Level = "SHOULD NOT"
	May       Level = "MAY"
	// Declared obliges without a keyword and counts as MUST for the verdict.
	Declared Level = "DECLARED"
	// Advice is a softened statement or an example, and never decides a verdict.
	Advice Level = "ADVICE"
)

// Binding reports whether breaking a statement of this level makes a subject nonconformant.
func (l Level) Binding() bool { return l.Class() == "must" }

// Class returns the group under which a level is counted and filtered: "must", "should" or "may".
// DECLARED belongs to must and ADVICE to may; an unknown level has the empty class.
func (l Level) Class() string {
	switch l {
	case Must, MustNot, Declared:
		return "must"
	case Should, ShouldNot:
		return "should"
	case May, Advice:
		return "may"
	default:
		return ""
	}
}

// Check is the place where a requirement can be observed. The values are those in a catalogue.
type Check string

// The places where a requirement can be observed.
const (
	// Live requirements are observed on a running target.
	Live Check = "live"
	// Document requirements are observed in files.
	Document Check = "document"
	// Both are observed in both places.
	Both Check = "both"
	// Excluded requirements cannot be observed from outside.
	Excluded Check = "excluded"
	// None marks a permission, which requires nothing.
	None Check = "none"
)

// Covers reports whether a requirement with this check belongs to an examination of the given kind,
// Live or Document.
func (c Check) Covers(kind Check) bool {
	switch c {
	case Live, Document:
		return c == kind
	case Both:
		return kind == Live || kind == Document || kind == Both
	default:
		return false
	}
}

// Catalogue contains all requirements of one suite, in the order of its text.
type Catalogue struct {
	// Suite is the short name on the command line: cap, chp, acp or acd.
	Suite string `yaml:"suite"`
	// Title names the protocol for people.
	Title string `yaml:"title"`
	// Version is the version of the text, as the text prints it.
	Version string `yaml:"version"`
	// Edition names the dated version of the text with these requirements. If the file states
	// none, it is Version.
	Edition string `yaml:"edition"`
	// Base names the catalogue of which this one lists only what differs; see onBase.
	Base string `yaml:"base"`
	// Gone are the fingerprints of not_normative of the base that the text no longer has.
	Gone []string `yaml:"gone"`
	// Published are the addresses of the pages of the text, by the part of a section before its colon. They give
	// requirements their Source.
	Published    map[string]string `yaml:"published"`
	Requirements []Requirement     `yaml:"requirements"`
	// NotNormative covers blocks of the text that look normative but oblige no actor.
	NotNormative []Waiver `yaml:"not_normative"`
	// Sketches tell which sentence of a changed text was which; see Sketch.
	Sketches string `yaml:"sketches"`

	digest   string
	base     string            // the digest of the base, or ""
	sketched map[string]Sketch // by the base
}

// Requirement is one statement of a text that obliges an actor.
type Requirement struct {
	// ID is suite, section and ordinal, as in CAP-INV-03.
	ID    string `yaml:"id"`
	Level Level  `yaml:"level"`
	// Section is the section number or heading in the text.
	Section string `yaml:"section"`
	// Actor is the party that the statement obliges.
	Actor string `yaml:"actor"`
	// Source is the address of the sentence in the published text, or empty. Nothing opens it but a reader.
	Source string `yaml:"source"`
	// Summary is one sentence in the words of this project.
	Summary string `yaml:"summary"`
	// Fingerprint identifies the blocks of the text that it covers; see Fingerprint.
	Fingerprint []string `yaml:"fingerprint"`
	// SumOf lists the requirements of which it is the sum; its status is their worst.
	SumOf []string `yaml:"sum_of"`
	// YieldsTo lists requirements of the same or a higher level. If a breach in an entry of the
	// record is reported under one of them, it is not reported here as well.
	YieldsTo []string `yaml:"yields_to"`
	// When is the declaration without which it does not apply, or empty.
	When string `yaml:"when"`
	// Group is the name by which it can be excluded, or empty.
	Group string `yaml:"group"`
	Check Check  `yaml:"check"`
	// Excluded is the reason why it cannot be observed, if Check is Excluded.
	Excluded string `yaml:"excluded"`
	// Resolution states how an omission or ambiguity of the text is read, and why.
	Resolution string `yaml:"resolution"`
	// Satisfy explains to an implementer how to meet it.
	Satisfy string `yaml:"satisfy"`
}

// Testable reports whether scenarios must examine the requirement: it can be observed, it requires
// something, and it is not a sum of others.
func (r Requirement) Testable() bool {
	return len(r.SumOf) == 0 && (r.Check.Covers(Live) || r.Check.Covers(Document))
}

// Waiver covers a block that obliges no actor although it looks normative.
type Waiver struct {
	Fingerprint string `yaml:"fingerprint"`
	Why         string `yaml:"why"`
}

// Lookup finds the requirement with the given id.
func (c *Catalogue) Lookup(id string) (Requirement, bool) {
	i := slices.IndexFunc(c.Requirements, func(r Requirement) bool { return r.ID == id })
	if i < 0 {
		return Requirement{}, false
	}
	return c.Requirements[i], true
}

// Digest returns the hexadecimal SHA-256 of the catalogue file. A report contains it, to identify
// the catalogue by which it was judged.
func (c *Catalogue) Digest() string { return c.digest }
