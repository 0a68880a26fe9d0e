package suites

// Mode is the kind of subject that a scenario examines.
type Mode string

// The modes: a live target, or documents.
const (
	Live      Mode = "live"
	Documents Mode = "document"
)

// Case is one scenario of a feature.
type Case struct {
	Requirement string
	Name        string
	Feature     string // file name
	Line        int
	Mode        Mode
	Tags        []string // all tags, with @
	Conditions  []Condition
	Each        bool // it is about each capability, and judges those that were invoked
	Todo        bool // nobody has written its steps yet: it is inconclusive
	Universal   bool // a live scenario without a stimulus: it judges everything that the run observed
	Steps       []string
}

// Condition is a tag such as @role:echo.
type Condition struct{ Kind, Name string }

// String returns the tag without @.
func (c Condition) String() string { return c.Kind + ":" + c.Name }

// Vocabulary registers the sentences of a suite. Each has an expression, always a *regexp.Regexp
// that is compiled once, and a function that handles the step.
type Vocabulary interface {
	Step(expression, handler any)
}
