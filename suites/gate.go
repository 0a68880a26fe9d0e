package suites

import (
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites/admission"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/live"
	"github.com/capconform/capconform/suites/recording"
)

// gateOf returns the session of a suite on a target, under the policy of the subject. The journal
// may be nil.
func gateOf(
	d *Definition, session driver.Session, subject *Subject, reader *admission.Reader, journal *recording.Journal,
) *live.Gate {
	return live.NewGate(session, d.protocol(), live.Options{
		Policy: subject.Invoke, Admitted: subject.Admitted, Reader: reader, Journal: journal,
	})
}

// pastGate returns the session of a suite on a record.
func pastGate(d *Definition, session driver.Session, subject *Subject) *live.Gate {
	return live.NewGate(session, d.protocol(), live.Options{
		Policy: subject.Invoke, Admitted: subject.Admitted, Reader: admission.PublishedReader(), Past: true,
	})
}

// protocol returns the description of the protocol for a gate.
func (d *Definition) protocol() live.Protocol {
	return live.Protocol{Suite: d.Name, Roles: d.Roles, Fixtures: d.Fixtures, Invokes: d.Invokes, Changes: d.Changes,
		Shows: d.Shows}
}

// invocationNotes returns notes on the capabilities that the policy excluded, each with the flag
// that admits it, and on the names in --invoke that no listed capability has.
func invocationNotes(s reports.Suite, unlisted []string) []string {
	notes := s.LeftOutNotes()
	for _, name := range unlisted {
		notes = append(notes, s.Suite+": --invoke names "+name+", which is not listed")
	}
	return notes
}
