package reports

import (
	"github.com/capconform/capconform/reports/display"
)

// Mask passes each text of the report that may come from the target or the command line through a
// function that masks secrets. Drivers mask the exchanges; this function masks the values that
// suites derive from them, such as Failure.Got. Call it before Settle, because root causes are
// derived from messages.
func (r *Report) Mask(mask func(string) string) {
	each(mask, &r.Subject.Name, &r.Subject.Version, &r.Subject.Target, &r.Subject.Organisation, &r.Subject.URL,
		&r.Subject.Contact, &r.Run.Command)
	all(mask, r.Run.Options)
	for i := range r.Run.Parts {
		each(mask, &r.Run.Parts[i].Target)
	}
	all(mask, r.Notes)
	if r.Run.Stopped != nil {
		each(mask, &r.Run.Stopped.Reason)
	}
	if h := r.Run.Health; h != nil {
		each(mask, &h.Ending, &h.Noise.First)
		all(mask, h.Dropped.Requests)
		all(mask, h.ServerErrors.Requests)
		all(mask, h.Timeouts.Requests)
		for i := range h.Slowest {
			each(mask, &h.Slowest[i].Request)
		}
	}
	for i := range r.Suites {
		s := &r.Suites[i]
		each(mask, &s.Binding, &s.Negotiated)
		all(mask, s.Declared)
		for j := range s.Mappings {
			m := &s.Mappings[j]
			each(mask, &m.Operation, &m.Request, &m.Response)
		}
		for j := range s.Invoked {
			each(mask, &s.Invoked[j].Capability)
		}
		for j := range s.NotInvoked {
			each(mask, &s.NotInvoked[j].Capability, &s.NotInvoked[j].Reason, &s.NotInvoked[j].Flag)
		}
		for j := range s.RootCauses {
			each(mask, &s.RootCauses[j].Message)
		}
		for j := range s.Requirements {
			each(mask, &s.Requirements[j].Reason)
			for k := range s.Requirements[j].Scenarios {
				s.Requirements[j].Scenarios[k].mask(mask)
			}
		}
	}
}

func (sc *Scenario) mask(mask func(string) string) {
	each(mask, &sc.Reason)
	for i := range sc.Remarks {
		each(mask, &sc.Remarks[i].File, &sc.Remarks[i].Message, &sc.Remarks[i].Replacement)
	}
	f := sc.Failure
	if f == nil {
		return
	}
	each(mask, &f.Message, &f.Want, &f.Got, &f.Hint, &f.Repeat)
	for i := range f.Kinds {
		each(mask, &f.Kinds[i].Message, &f.Kinds[i].Want, &f.Kinds[i].Got)
	}
	for i := range f.Findings {
		each(mask, &f.Findings[i].File, &f.Findings[i].Message, &f.Findings[i].Replacement)
	}
	for i := range f.Exchanges {
		e := &f.Exchanges[i]
		each(mask, &e.Operation, &e.Repeat)
		for _, p := range []*Payload{&e.Sent, &e.Received, e.Params} {
			if p != nil {
				p.mask(mask)
			}
		}
	}
}

// mask keeps a payload within its bounds, and its length correct.
func (p *Payload) mask(mask func(string) string) {
	text := mask(p.Text)
	switch {
	case text == p.Text:
	case p.Whole():
		*p = NewPayload([]byte(text))
	default:
		p.Text = display.CutBytes(text, payloadLimit)
	}
}

func each(mask func(string) string, texts ...*string) {
	for _, text := range texts {
		*text = mask(*text)
	}
}

func all(mask func(string) string, texts []string) {
	for i := range texts {
		texts[i] = mask(texts[i])
	}
}
