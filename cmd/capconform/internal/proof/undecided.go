package proof

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/capconform/capconform/reports"
)

//go:embed golden/*.yaml golden/*.judged
var goldenFiles embed.FS

// Undecided contains the golden files: what each host and document leaves undecided, by suite and
// name.
type Undecided map[string]map[string]Loss

// Loss lists what a host or document leaves undecided although the reference shows it. It cannot
// list a failure: a mutant declares what its defect necessarily breaks in addition, with the
// reason.
type Loss struct {
	Inconclusive  []string `yaml:"inconclusive,omitempty"`
	NotApplicable []string `yaml:"not_applicable,omitempty"`
}

// loadUndecided reads the golden files.
func loadUndecided() (Undecided, error) {
	files, err := fs.Glob(goldenFiles, "golden/*.yaml")
	if err != nil {
		return nil, fmt.Errorf("proof: %w", err)
	}
	all := Undecided{}
	for _, file := range files {
		text, err := goldenFiles.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("proof: %w", err)
		}
		suite := file[len("golden/") : len(file)-len(".yaml")]
		if all[suite], err = readLosses(text); err != nil {
			return nil, fmt.Errorf("proof: %s: %w", file, err)
		}
	}
	return all, nil
}

func readLosses(text []byte) (map[string]Loss, error) {
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	decoder.KnownFields(true)
	losses := map[string]Loss{}
	if err := decoder.Decode(&losses); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return losses, nil
}

// Write writes one golden file per suite into a folder.
func (u Undecided) Write(folder string) error {
	for suite, losses := range u {
		var text bytes.Buffer
		text.WriteString("# What each host and document leaves undecided although the reference shows it.\n" +
			"# Written by make golden; the selftest compares it with what it observes.\n")
		encoder := yaml.NewEncoder(&text)
		encoder.SetIndent(2)
		if err := encoder.Encode(losses); err != nil {
			return fmt.Errorf("proof: %w", err)
		}
		if err := os.WriteFile(filepath.Join(folder, suite+".yaml"), text.Bytes(), 0o644); err != nil {
			return fmt.Errorf("proof: %w", err)
		}
	}
	return nil
}

// status returns the status in the file of one requirement; ok is false if the file does not list
// it.
func (l Loss) status(id string) (status reports.Status, ok bool) {
	switch {
	case slices.Contains(l.Inconclusive, id):
		return reports.Inconclusive, true
	case slices.Contains(l.NotApplicable, id):
		return reports.NotApplicable, true
	}
	return "", false
}

func (l Loss) ids() []string { return slices.Concat(l.Inconclusive, l.NotApplicable) }

// observed collects what a trial leaves undecided, and what it shows like the reference.
type observed struct {
	lost map[string]reports.Status
	kept map[string]bool
}

// observe adds the status of one requirement. Declared is the status that the rule demands if no
// golden file lists the requirement.
func (o *observed) observe(id string, status reports.Status, declared []reports.Status) {
	if o.lost == nil {
		o.lost, o.kept = map[string]reports.Status{}, map[string]bool{}
	}
	switch {
	case status == reports.Passed && len(declared) == 1 && declared[0] == reports.Passed:
		o.kept[id] = true
	case slices.Contains(declared, status):
	case undecided(status):
		o.lost[id] = status
	}
}

// Observed returns the golden files that follow from this selftest: the entries of what was tried
// are new, the others stay. Entries of hosts and documents that no longer exist are removed.
func (m *Matrix) Observed(population Population) Undecided {
	known := population.Names()
	all := Undecided{}
	for suite, losses := range population.Undecided {
		all[suite] = maps.Clone(losses)
		maps.DeleteFunc(all[suite], func(name string, _ Loss) bool { return !slices.Contains(known, name) })
	}
	for _, tried := range m.byName() {
		suite, name := tried[0].Suite, tried[0].Name
		loss := lossOf(tried)
		if all[suite] == nil {
			all[suite] = map[string]Loss{}
		}
		delete(all[suite], name)
		if len(loss.ids()) > 0 {
			all[suite][name] = loss
		}
	}
	return all
}

// byName groups the trials that determine golden files, if the setting in which most losses show
// was tried.
func (m *Matrix) byName() [][]Trial {
	var groups [][]Trial
	at := map[string]int{}
	for _, t := range m.Trials {
		if t.observed.lost == nil {
			continue
		}
		key := t.Suite + " " + t.Name
		if _, known := at[key]; !known {
			at[key] = len(groups)
			groups = append(groups, nil)
		}
		groups[at[key]] = append(groups[at[key]], t)
	}
	return slices.DeleteFunc(groups, func(tried []Trial) bool {
		return !slices.ContainsFunc(tried, func(t Trial) bool { return t.Driver == InProcess || t.Driver == "" || t.bound })
	})
}

// lossOf combines what the trials of one host leave undecided.
func lossOf(tried []Trial) Loss {
	statuses := map[string]reports.Status{}
	for _, t := range slices.Backward(tried) { // the first trial, in process with fixtures, decides
		maps.Copy(statuses, t.observed.lost)
	}
	var loss Loss
	for _, id := range slices.Sorted(maps.Keys(statuses)) {
		if statuses[id] == reports.Inconclusive {
			loss.Inconclusive = append(loss.Inconclusive, id)
		} else {
			loss.NotApplicable = append(loss.NotApplicable, id)
		}
	}
	return loss
}

// unobserved compares the golden files with the observations. It adds a fault to each host whose
// entry lists what none of its trials left undecided.
func (m *Matrix) unobserved(undecided Undecided) {
	for _, tried := range m.byName() {
		listed := undecided[tried[0].Suite][tried[0].Name]
		for _, id := range listed.ids() {
			status, _ := listed.status(id)
			if !slices.ContainsFunc(tried, func(t Trial) bool { return t.observed.lost[id] == status || t.observed.kept[id] }) {
				m.first(tried[0]).fault("%s: the golden file lists it as %s, but no trial has this status", id, status)
			}
		}
		m.stale = m.stale ||
			!slices.Equal(slices.Sorted(slices.Values(listed.ids())), slices.Sorted(slices.Values(lossOf(tried).ids())))
	}
}

// contradictions adds a fault to each host that leaves undecided in one trial what it shows in
// another: one entry cannot express both.
func (m *Matrix) contradictions() {
	for _, tried := range m.byName() {
		for _, id := range lossOf(tried).ids() {
			if slices.ContainsFunc(tried, func(t Trial) bool { return t.observed.kept[id] }) {
				m.first(tried[0]).fault("%s: undecided in one trial, passed in another", id)
			}
		}
	}
}

// first returns the first trial of a host.
func (m *Matrix) first(of Trial) *Trial {
	at := slices.IndexFunc(m.Trials, func(t Trial) bool { return t.Suite == of.Suite && t.Name == of.Name })
	return &m.Trials[at]
}
