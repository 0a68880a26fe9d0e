package chpmutant

import (
	"bytes"
	_ "embed"
	"fmt"
	"maps"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/capconform/capconform/reference/chphost"
	"github.com/capconform/capconform/reference/mutant"
)

//go:embed defects.yaml
var rowFile []byte

// group is a group of rows: what they change (In), and of which invocations or of which capability (Of).
type group struct {
	In        string // descriptor, host, result, denial, event or replay
	Of        string // see invocationsOf; "" for host and replay
	Type      string // of events; "" for all
	Given     bool   // only if the caller supplied a correlation id
	Successes bool   // only results of successes
	Further   bool   // a further event before the valid one
	Noun      string // what the summaries of members call it
	Prefix    string // of the names; descriptor if empty
	Members   []memberRow
	Defects   []defectRow
}

// memberRow stands for a row for each fault of a member.
type memberRow struct {
	Member, Breaks, Shape string
	Optional              bool // it may be missing
}

// defectRow is one defect of answers.
type defectRow struct {
	Defect, Breaks, Summary string
	Set                     object
	Remove                  []string
	Drop                    bool // the event is not recorded
	Strict, Fixtures        bool
}

// Row is a row with what it changes, for those who apply it to recorded answers.
type Row struct {
	mutant.Mutant
	In, Of, Type string
	Successes    bool // only results of successes
	Whole        bool // it also depends on what an answer does not show
	Edit         func(object) any
}

// Rows returns the defects that are data, in the order of the file.
func Rows() ([]Row, error) {
	var groups []group
	decoder := yaml.NewDecoder(bytes.NewReader(rowFile))
	decoder.KnownFields(true)
	if err := decoder.Decode(&groups); err != nil {
		return nil, fmt.Errorf("defects.yaml: %w", err)
	}
	var all []Row
	for _, g := range groups {
		for _, m := range g.Members {
			faults := faultsOf(m.Member, m.Shape)
			if m.Optional {
				faults = faults[1:]
			}
			for _, fault := range faults {
				prefix := g.Prefix
				if prefix == "" {
					prefix = "descriptor"
				}
				all = append(
					all,
					g.row(defectRow{Defect: prefix + "-" + mutant.Dashed(m.Member) + "-" + fault.name, Breaks: m.Breaks,
						Summary: fault.says + g.Noun + "."}, fault.edit),
				)
			}
		}
		for _, r := range g.Defects {
			if g.Given { // the rows of several groups, each with its noun
				r.Defect, r.Summary = g.Prefix+"-"+r.Defect, r.Summary+" "+g.Noun+"."
			}
			all = append(all, g.row(r, r.edit))
		}
	}
	return all, nil
}

func (r defectRow) edit(of object) any {
	if r.Drop {
		return nil
	}
	maps.Copy(of, r.Set)
	for _, name := range r.Remove {
		delete(of, name)
	}
	return of
}

// capabilities are the words of a row for capabilities that play a role.
var capabilities = map[string]string{"echo": echo, "fails": fails, "guarded": guarded, "disabled": disabled,
	"observe": observe, "restricted": restricted}

// invocationsOf returns the invocations that a word of a row stands for.
func invocationsOf(word string) affects {
	switch word {
	case "victim":
		return ofVictim
	case "unknown":
		return ofUnknown
	case "foreign-mode":
		return inForeignMode
	}
	return asked(capabilities[word])
}

// row returns a defect of the group.
func (g group) row(r defectRow, edit func(object) any) Row {
	m := newMutant(r.Defect, r.Breaks, r.Summary, g.applied(edit))
	if capabilities[g.Of] != "" {
		m = m.WithRole(g.Of)
	}
	if r.Fixtures {
		m = m.WithFixtures()
	}
	if r.Strict {
		m = m.OnlyStrict()
	}
	return Row{
		Mutant:    m,
		In:        g.In,
		Of:        g.Of,
		Type:      g.Type,
		Successes: g.Successes,
		Whole:     g.Given || g.Further || g.In == "denial",
		Edit:      edit,
	}
}

// applied returns the host with the defect.
func (g group) applied(edit func(object) any) defect {
	which := invocationsOf(g.Of)
	if g.Given {
		all := which
		which = func(inv *chphost.Invocation) bool { return all(inv) && inv.Given["correlation_id"] != nil }
	}
	switch {
	case g.In == "descriptor" && g.Of == "victim":
		return editsDescriptor(victim, edit)
	case g.In == "descriptor":
		return editsDescriptor(capabilities[g.Of], edit)
	case g.In == "host":
		return editsHost(edit)
	case g.In == "replay":
		return inReplay(func(_ chphost.Query, result object) any { return edit(result) })
	case g.In == "denial":
		return inDenials(which, edit)
	case g.In == "result" && g.Successes:
		return inResult(which, ofSuccess(edit))
	case g.In == "result":
		return inResult(which, edit)
	case g.Further:
		return further(edit)
	}
	return inEvents(which, g.Type, asEventChange(edit))
}

// rows returns the mutants that are data.
func rows() []mutant.Mutant {
	all, err := Rows()
	if err != nil {
		panic(err) // the file is part of the program
	}
	var mutants []mutant.Mutant
	for _, r := range all {
		mutants = append(mutants, r.Mutant)
	}
	return slices.Clip(mutants)
}
