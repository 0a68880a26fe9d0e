package reports

import (
	"fmt"
	"io"

	"github.com/capconform/capconform/reports/display"
)

// GatewaysKind identifies the document about gateways (schemas/gateways).
const GatewaysKind = "GatewayComparison"

// Gateway is what a gateway changes about a subject: the difference between the direct run and the
// run through the gateway.
type Gateway struct {
	Name       string     // from --via
	Difference Difference // Old is the direct run
}

// NewGateway compares the run through a gateway with the direct run.
func NewGateway(name string, direct, through *Report) Gateway {
	return Gateway{Name: name, Difference: compare(direct, through, "direct", "gateway's")}
}

// Effect is the effect of a gateway on one requirement.
type Effect string

// The effects, in the order in which they are shown. The values are those of the document.
const (
	Breaks     Effect = "broken"          // the direct run meets it, and it fails through the gateway
	Fails      Effect = "fails"           // it fails through the gateway, and the direct run did not judge it
	Hides      Effect = "not_seen"        // it was judged only in the direct run
	FailsOther Effect = "fails_otherwise" // it fails in both, with different messages
	Keeps      Effect = "kept"            // it fails only in the direct run
	Shows      Effect = "seen"            // it was judged only through the gateway, and met
	AsksMore   Effect = "added"           // only the run through the gateway contains it
)

// Effect returns what a change between the two runs means.
func (c Change) Effect() Effect {
	kept := c.From == Passed || c.From == Provided
	switch c.Kind {
	case Regressed:
		if kept {
			return Breaks
		}
		return Fails
	case Lost, Gone:
		return Hides
	case Altered:
		return FailsOther
	case Fixed:
		return Keeps
	case Gained:
		return Shows
	default:
		return AsksMore
	}
}

// Exit returns ExitNonconformant if the gateway breaks a binding requirement that the direct run
// meets, and ExitIncomplete if a binding requirement fails without having been judged directly, or
// is not judged through the gateway.
func (g Gateway) Exit() Exit {
	exit := ExitConformant
	for _, c := range g.Difference.Changes {
		if !classOf(c.Level).breaks(g.Difference.New.Run.Strict) {
			continue
		}
		switch c.Effect() {
		case Breaks:
			return ExitNonconformant
		case Fails, Hides:
			exit = ExitIncomplete
		}
	}
	return exit
}

// FailureOf returns the explanation of a requirement in the run through the gateway, nil if it does
// not fail there.
func (g Gateway) FailureOf(id string) *Failure {
	for _, p := range RequirementsOf(g.Difference.New) {
		if p.Requirement.ID == id && p.Requirement.Status == Failed {
			return p.Requirement.Failure()
		}
	}
	return nil
}

// gatewaysDocument is the document of WriteGateways (schemas/gateways, DESIGN section 11).
type gatewaysDocument struct {
	SchemaVersion string        `json:"schema_version"` // the constant SchemaVersion
	Kind          string        `json:"kind"`           // the constant GatewaysKind
	Direct        comparedRun   `json:"direct"`         // the run without a gateway
	Gateways      []gatewayPart `json:"gateways"`       // in the order of --via
}

// comparedRun identifies one run, by members of its report.
type comparedRun struct {
	Target  string  `json:"target"`  // Subject.Target
	Driver  string  `json:"driver"`  // Subject.Driver
	RunID   string  `json:"run_id"`  // Run.ID
	Verdict Verdict `json:"verdict"` // Report.Verdict
}

// gatewayPart is the run through one gateway.
type gatewayPart struct {
	Name string `json:"name"` // from --via
	comparedRun
	Notes   []string        `json:"notes"`   // of the comparison; never null
	Changes []gatewayChange `json:"changes"` // against the direct run; never null
}

// gatewayChange is the effect of the gateway on one requirement. Cause, Want, Got and Repeat are
// those of its failure.
type gatewayChange struct {
	Suite       string `json:"suite"`             // its name
	Requirement string `json:"requirement"`       // its id
	Level       string `json:"level"`             // as Requirement.Level
	Summary     string `json:"summary"`           // as Requirement.Summary
	Effect      Effect `json:"effect"`            // what the gateway does to it
	Direct      Status `json:"direct,omitempty"`  // its status in the direct run
	Through     Status `json:"through,omitempty"` // its status through the gateway
	Cause       string `json:"cause,omitempty"`   // one line
	Want        string `json:"want,omitempty"`    // as Failure.Want
	Got         string `json:"got,omitempty"`     // as Failure.Got
	Repeat      string `json:"repeat,omitempty"`  // a command
}

func comparedRunOf(r *Report) comparedRun {
	return comparedRun{r.Subject.Target, r.Subject.Driver, r.Run.ID, r.Verdict}
}

// WriteGateways writes what gateways change as JSON (schemas/gateways). The error is that of w.
func WriteGateways(w io.Writer, direct *Report, all []Gateway) error {
	doc := gatewaysDocument{SchemaVersion: SchemaVersion, Kind: GatewaysKind, Direct: comparedRunOf(direct),
		Gateways: []gatewayPart{}}
	for _, g := range all {
		part := gatewayPart{Name: g.Name, comparedRun: comparedRunOf(g.Difference.New),
			Notes: append([]string{}, g.Difference.Notes...), Changes: []gatewayChange{}}
		for _, c := range g.Difference.Changes {
			change := gatewayChange{
				Suite: c.Suite, Requirement: c.ID, Level: c.Level, Summary: c.Summary, Effect: c.Effect(),
				Direct: c.From, Through: c.To, Cause: c.Cause,
			}
			if f := g.FailureOf(c.ID); f != nil {
				change.Want, change.Got, change.Repeat = f.Want, f.Got, f.Repeat
			}
			part.Changes = append(part.Changes, change)
		}
		doc.Gateways = append(doc.Gateways, part)
	}
	return WriteDocument(w, "gateways", doc)
}

// Sentence returns in one line what a gateway changes.
func (g Gateway) Sentence() string {
	if len(g.Difference.Changes) == 0 {
		return g.Name + " changes no requirement"
	}
	broken, other := 0, 0
	for _, c := range g.Difference.Changes {
		if c.Effect() == Breaks && classOf(c.Level).breaks(g.Difference.New.Run.Strict) {
			broken++
		} else {
			other++
		}
	}
	text := fmt.Sprintf("%s breaks %s that the direct run keeps", g.Name, display.Plural(broken, "requirement"))
	if other > 0 {
		text += fmt.Sprintf("; the status of %d more is not the same", other)
	}
	return text
}
