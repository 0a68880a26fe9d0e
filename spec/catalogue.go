// Package spec holds the catalogues: what each protocol text demands, one
// requirement a statement, under an id that never changes. It also audits a
// catalogue against the text itself, so that drift of either shows at once.
//
// The package knows nothing of hosts, scenarios or verdicts.
package spec

import "slices"

// Level states how strongly a statement obliges. The values are those written in
// a catalogue.
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
	// Advice is softened or an example, and never decides a verdict.
	Advice Level = "ADVICE"
)

// Binding reports whether a breach of a statement of this level makes a subject
// nonconformant.
func (l Level) Binding() bool { return l.Class() == "must" }

// Class is the group a level is counted and filtered under: "must", "should" or
// "may". DECLARED counts under must and ADVICE under may; an unknown level has
// the empty class.
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

// Check states where a requirement can be observed. The values are those written
// in a catalogue.
type Check string

// The places where a requirement can be observed.
const (
	// Live requirements are seen on a running target.
	Live Check = "live"
	// Document requirements are seen in files.
	Document Check = "document"
	// Both are seen in either place.
	Both Check = "both"
	// Excluded requirements cannot be seen from outside at all.
	Excluded Check = "excluded"
	// None marks a permission, which asks for nothing.
	None Check = "none"
)

// Covers reports whether a requirement with this check belongs into an
// examination of the given kind, Live or Document.
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

// Catalogue holds all requirements of one suite, in the order of its text.
type Catalogue struct {
	// Suite is the short name on the command line: cap, chp, acp or acd.
	Suite string `yaml:"suite"`
	// Title names the protocol for people.
	Title string `yaml:"title"`
	// Version is the version of the text, as the text prints it.
	Version string `yaml:"version"`
	// Edition names the dated version of the text whose requirements these are. If the
	// file states none, it is Version.
	Edition      string        `yaml:"edition"`
	Requirements []Requirement `yaml:"requirements"`
	// NotNormative answers for blocks of the text that look normative and
	// oblige nobody.
	NotNormative []Waiver `yaml:"not_normative"`

	digest string
}

// Requirement is one thing a text demands.
type Requirement struct {
	// ID is suite, section and ordinal, as in CAP-INV-03.
	ID    string `yaml:"id"`
	Level Level  `yaml:"level"`
	// Section is the text's own section number or heading.
	Section string `yaml:"section"`
	// Actor is the party that the statement obliges.
	Actor string `yaml:"actor"`
	// Summary is one sentence in our own words.
	Summary string `yaml:"summary"`
	// Fingerprint identifies the blocks of the text it stands for; see Fingerprint.
	Fingerprint []string `yaml:"fingerprint"`
	// SumOf lists the requirements it is the sum of; its status is their worst.
	SumOf []string `yaml:"sum_of"`
	// YieldsTo lists requirements of the same or a higher level. What is reported as
	// failed under one of them for an entry of the record is not reported here for that
	// entry, too.
	YieldsTo []string `yaml:"yields_to"`
	// When is the declaration without which it does not apply, or empty.
	When string `yaml:"when"`
	// Group is the name under which it can be left out, or empty.
	Group string `yaml:"group"`
	Check Check  `yaml:"check"`
	// Excluded states why it cannot be observed, where Check is Excluded.
	Excluded string `yaml:"excluded"`
	// Resolution states how a silence or ambiguity of the text is read, and why.
	Resolution string `yaml:"resolution"`
	// Satisfy tells an implementer how to keep it.
	Satisfy string `yaml:"satisfy"`
}

// Testable reports whether scenarios have to examine the requirement: it can be
// observed, asks for something, and is not a sum of others.
func (r Requirement) Testable() bool {
	return len(r.SumOf) == 0 && (r.Check.Covers(Live) || r.Check.Covers(Document))
}

// Waiver answers for a block that obliges nobody although it looks normative.
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

// Digest is the hexadecimal SHA-256 of the catalogue file, which a report
// carries so that a reader knows by what it was judged.
func (c *Catalogue) Digest() string { return c.digest }
