package suites

import (
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites/admission"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/live"
	"github.com/capconform/capconform/suites/recording"
)

// gateOf makes the session of a suite on a target, under the policy of the subject. The journal
// may be nil.
func gateOf(
	d *Definition, session driver.Session, subject *Subject, reader *admission.Reader, journal *recording.Journal,
) *live.Gate {
	return live.NewGate(session, d.protocol(), live.Options{
		Policy: subject.Invoke, Admitted: subject.Admitted, Reader: reader, Journal: journal,
	})
}

// pastGate makes the session of a suite on a record.
func pastGate(d *Definition, session driver.Session, subject *Subject) *live.Gate {
	return live.NewGate(session, d.protocol(), live.Options{
		Policy: subject.Invoke, Admitted: subject.Admitted, Reader: admission.PublishedReader(), Past: true,
	})
}

// protocol returns what a gate knows of the protocol.
func (d *Definition) protocol() live.Protocol {
	return live.Protocol{Suite: d.Name, Roles: d.Roles, Fixtures: d.Fixtures, Invokes: d.Invokes}
}

// invocationNotes say which capabilities the policy excluded, each with the flag that
// admits it, and which names of --invoke nobody has.
func invocationNotes(s reports.Suite, unlisted []string) []string {
	notes := s.LeftOutNotes()
	for _, name := range unlisted {
		notes = append(notes, s.Suite+": --invoke names "+name+", which is not listed")
	}
	return notes
}
