// Package verdict defines the result of a judgement: a verdict with its breaches and doubts, or the
// reason why it decides nothing (DESIGN sections 5 and 6). It cannot call a target.
package verdict

import (
	"maps"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/record"
)

// Verdict is the result of a judgement about a record (DESIGN section 5). A judgement is a pure
// function: judging the same entries again returns the same verdict.
type Verdict struct {
	Judged   int      // number of objects that were judged
	Breaches []Breach // the places where the requirement is broken
	Doubts   []Doubt  // the places that cannot be decided yet
	// Open is the reason why a verdict without a breach decides nothing: an *Inconclusive, a
	// *NotApplicable or the error of a call. A verdict on no objects needs no reason.
	Open error
}

// AddBreach adds a breach. If got is a string, it is used unchanged, and otherwise as JSON.
func (v *Verdict) AddBreach(entries []record.Tick, message, want string, got any) {
	v.Breaches = append(v.Breaches, Breach{Message: message, Want: want, Got: textOf(got), Entries: entries})
}

// AddDoubt adds a doubt: a place that counts as broken unless the stimulus that settles it shows
// otherwise. The argument got is used as in AddBreach.
func (v *Verdict) AddDoubt(settle Settle, entries []record.Tick, message, want string, got any) {
	breach := Breach{Message: message, Want: want, Got: textOf(got), Entries: entries}
	v.Doubts = append(v.Doubts, Doubt{Breach: breach, Settle: settle})
}

// OpenUnlessJudged returns the verdict. If no object was judged and there is neither a breach nor a
// reason, OpenUnlessJudged first sets Open to why.
func (v *Verdict) OpenUnlessJudged(why error) Verdict {
	if v.Judged == 0 && len(v.Breaches) == 0 && v.Open == nil {
		v.Open = why
	}
	return *v
}

// Holds returns the verdict of a judgement that holds even if there was no object to judge.
func (v *Verdict) Holds() Verdict {
	v.Judged++
	return *v
}

func textOf(got any) string {
	if s, is := got.(string); is {
		return s
	}
	return jsonvalue.Print(got)
}

// Breach is one place where a record shows that a requirement is broken.
type Breach struct {
	Message string // its kind, the same in every run on the same defect, so without ids, times and ports
	Want    string
	Got     string
	Hint    string
	At      string // JSON Pointer to the value that is wrong, in the object; "" for the object
	// Entries are the entries that show the breach, by Begun. The breach belongs to the first
	// entry: see yields_to in DESIGN section 4.
	Entries []record.Tick
	Finding *reports.Finding // its place in a document, nil for a live target
	Worse   int              // kinds with a greater value are reported first
}

// Doubt is a place that may be a breach. It is a breach unless the stimulus that settles it shows
// otherwise.
type Doubt struct {
	Breach Breach
	Settle Settle
}

// Settle names the stimulus that settles a doubt.
type Settle struct {
	Stimulus string
	About    map[string]string
	Of       record.Tick // Begun of the entry that the doubt is about
}

// Equal reports whether two stimuli are the same.
func (s Settle) Equal(other Settle) bool {
	return s.Stimulus == other.Stimulus && s.Of == other.Of && maps.Equal(s.About, other.About)
}
