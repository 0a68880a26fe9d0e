package plan

// Kind is the kind of the subject of a trial.
type Kind string

// The kinds. A reference and a variant must pass. A mutant, a plain server with a defect and a
// broken document must be detected. A null host must pass nothing.
const (
	KindReference Kind = "reference"
	KindMutant    Kind = "mutant"
	KindVariant   Kind = "variant"
	KindNull      Kind = "null host"
	KindPlain     Kind = "plain server"
	KindDocument  Kind = "document"
)

// Kinds lists the kinds in the order in which tables print them.
func Kinds() []Kind {
	return []Kind{KindReference, KindMutant, KindVariant, KindNull, KindPlain, KindDocument}
}

// Trial is the planned examination of one host or document in one setting.
type Trial struct {
	Kind   Kind   `json:"kind"`
	Suite  string `json:"suite"`
	Name   string `json:"name"`
	Driver string `json:"driver"` // empty for documents
	// Ordinary: the host has no fixtures.
	Ordinary bool `json:"ordinary"`
	// Strict: the run is strict.
	Strict bool `json:"strict,omitempty"`
	// Actors are the actors that the target file names, separated by spaces. If it is empty, the
	// host is examined for the actors that it shows.
	Actors string `json:"actors,omitempty"`
	// Requirement is the one that the host breaks, empty if it breaks none.
	Requirement string `json:"requirement,omitempty"`
	// Canary: if this trial fails, nothing can be concluded.
	Canary bool `json:"canary,omitempty"`
	// ShortWait: the trial waits for something that never happens.
	ShortWait bool `json:"-"`
	// OneDriver: the defect shows over this driver only.
	OneDriver bool `json:"-"`
	// JudgeAgain: the record of a mutant is judged again.
	JudgeAgain bool `json:"-"`
}

// Where distinguishes the trials of one host.
func (t Trial) Where() string {
	where := ""
	if t.Driver != "" && t.Driver != InProcess {
		where += " over " + t.Driver
	}
	if t.Ordinary {
		where += " without fixtures"
	}
	if t.Strict {
		where += " strictly"
	}
	if t.Actors != "" {
		where += " as " + t.Actors
	}
	return where
}

// Lawful reports whether the subject of the trial breaks nothing.
func (t Trial) Lawful() bool {
	return t.Kind == KindReference || t.Kind == KindVariant || t.Kind == KindDocument && t.Requirement == ""
}

// Rejudged reports whether the record of the trial is judged again: that of a mutant if the plan
// requires it, those of all other hosts in every setting.
func (t Trial) Rejudged() bool { return t.Kind != KindMutant || t.JudgeAgain }

// Setting is everything on which the statuses of a baseline depend.
type Setting struct {
	Suite    string
	Driver   string
	Ordinary bool
	Strict   bool
	Actors   string
	Document string // the valid document from which others are made
}

// trial returns a trial of a host in the setting.
func (at Setting) trial(kind Kind, name string) Trial {
	return Trial{Kind: kind, Suite: at.Suite, Name: name, Driver: at.Driver, Ordinary: at.Ordinary, Strict: at.Strict,
		Actors: at.Actors}
}
