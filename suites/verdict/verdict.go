// Package verdict is what a judgement returns: a verdict with its breaches and doubts, and
// the reasons for which it decides nothing (DESIGN sections 5 and 6). It cannot call a target.
package verdict

import (
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/record"
)

// Verdict is what a judgement says of a record (DESIGN section 5). A judgement is a pure
// function: whoever judges the same entries again gets the same verdict.
type Verdict struct {
	Judged   int      // how many objects it was about
	Breaches []Breach // every place where the requirement is broken
	Doubts   []Doubt  // places that cannot be decided yet
	// Open says why it decides nothing, if there is no breach: an *Inconclusive, a
	// *NotApplicable or the error of a call. A verdict about nothing needs no reason.
	Open error
}

// Broken adds a place where the requirement is broken. The text got stands as it is, any
// other value as JSON.
func (v *Verdict) Broken(entries []record.Tick, message, want string, got any) {
	v.Breaches = append(v.Breaches, Breach{Message: message, Want: want, Got: said(got), Entries: entries})
}

// Doubtful adds a place that is broken unless what settles it shows otherwise.
func (v *Verdict) Doubtful(settle Settle, entries []record.Tick, message, want string, got any) {
	breach := Breach{Message: message, Want: want, Got: said(got), Entries: entries}
	v.Doubts = append(v.Doubts, Doubt{Breach: breach, Settle: settle})
}

// Otherwise returns the verdict. One that is about nothing is open, for the reason why.
func (v *Verdict) Otherwise(why error) Verdict {
	if v.Judged == 0 && len(v.Breaches) == 0 && v.Open == nil {
		v.Open = why
	}
	return *v
}

// Holds returns the verdict of a judgement that holds also where it is about nothing.
func (v *Verdict) Holds() Verdict {
	v.Judged++
	return *v
}

func said(got any) string {
	if s, is := got.(string); is {
		return s
	}
	return jsonvalue.Print(got)
}

// Breach is one place where a record shows that a requirement is broken.
type Breach struct {
	Message string // its kind: the same in every run on the same defect, so no id, time or port
	Want    string
	Got     string
	Hint    string
	// Entries show it, by Begun. The breach belongs to the first: see yields_to in
	// DESIGN section 4.
	Entries []record.Tick
	Worse   int // kinds with a greater number are reported first
}

// Doubt is a place that may be a breach. It is one unless what settles it shows otherwise.
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
