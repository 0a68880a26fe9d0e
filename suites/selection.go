package suites

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/capconform/capconform/spec"
	"github.com/capconform/capconform/suites/live"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/tag"
	"github.com/capconform/capconform/suites/verdict"
)

// Selection narrows a run. The zero value selects everything.
type Selection struct {
	Requirements []string // ids
	Tags         string   // a tag expression
	Level        string   // must, should or may: selects this level and those above it
	Without      []string // groups of the catalogue
	Shard        Shard
}

// Shard is one of several parts of a run, divided by requirement.
type Shard struct{ Index, Count int } // Index is 1-based; if Count is 0, the run is not divided

// Partial reports whether the selection omits any requirement or scenario.
func (s Selection) Partial() bool {
	return len(s.Requirements) > 0 || s.Tags != "" || (s.Level != "" && s.Level != "may") ||
		len(s.Without) > 0 || s.Shard.Count > 1
}

// Check returns a *UsageError if the selection is malformed or names something that no suite
// defines.
func (s Selection) Check(all []*Suite) error {
	for _, id := range s.Requirements {
		if !slices.ContainsFunc(all, func(u *Suite) bool { _, ok := u.Catalogue.Lookup(id); return ok }) {
			return usage("--requirement: no requirement %q in the examined suites (capconform list requirements shows them)", id)
		}
	}
	if s.Level != "" && levelRank[s.Level] == 0 {
		return usage("--level: %q is not must, should or may", s.Level)
	}
	for _, g := range s.Without {
		if !slices.ContainsFunc(all, func(u *Suite) bool { return u.hasGroup(g) }) {
			return usage("--without: no requirement is in group %q", g)
		}
	}
	if s.Tags != "" {
		if _, err := s.expression(all); err != nil {
			return err
		}
	}
	return nil
}

var levelRank = map[string]int{"must": 1, "should": 2, "may": 3}

func (s Selection) expression(all []*Suite) (tag.Expression, error) {
	if s.Tags == "" {
		return func(map[string]bool) bool { return true }, nil
	}
	known := map[string]bool{}
	for _, u := range all {
		for _, c := range u.Scenarios() {
			for _, t := range c.Tags {
				known[t] = true
			}
		}
	}
	expression, err := tag.Parse(s.Tags, func(name string) bool { return known[name] })
	if err != nil {
		return nil, usage("--tags: %s", err)
	}
	return expression, nil
}

// withParts returns the selection with the parts of each selected requirement that is the sum of
// others.
func (s Selection) withParts(c *spec.Catalogue) Selection {
	chosen := slices.Clone(s.Requirements)
	for _, id := range s.Requirements {
		if r, known := c.Lookup(id); known {
			chosen = append(chosen, r.SumOf...)
		}
	}
	s.Requirements = chosen
	return s
}

// takes reports whether a requirement is selected. n is its index in its catalogue.
func (s Selection) takes(r spec.Requirement, n int) bool {
	if len(s.Requirements) > 0 && !slices.Contains(s.Requirements, r.ID) {
		return false
	}
	if s.Level != "" && levelRank[r.Level.Class()] > levelRank[s.Level] {
		return false
	}
	if r.Group != "" && slices.Contains(s.Without, r.Group) {
		return false
	}
	return s.Shard.Count <= 1 || n%s.Shard.Count == s.Shard.Index-1
}

func (s *Suite) hasGroup(group string) bool {
	return slices.ContainsFunc(s.Catalogue.Requirements, func(r spec.Requirement) bool { return r.Group == group })
}

// Options are the options of a run.
type Options struct {
	Selection   Selection
	Explicit    bool // the user named the suites: a suite that the target does not speak is judged too
	Concurrency int  // maximum number of concurrent scenarios; values below 1 count as 1
	FailFast    bool
	Strict      bool
	Progress    func(Event)                                 // may be nil; called concurrently
	Repeat      func(s *Suite, requirementID string) string // returns the command that repeats one requirement; may be nil
	// Candidates returns those of the listed ids that Look tries for a vacant role. If it is nil,
	// Inspect tries none.
	Candidates func(role live.Role, ids []string) []string
	Preferred  bool // a suite with editions is examined in the one that the target prefers
	// Unspoken is called once if a target answers, but nothing shows that it speaks a suite. Its error ends Run and
	// Inspect; its note, if it is not empty, is added to the report. It may be nil.
	Unspoken func(context.Context) (note string, err error)
	// Adapted is called once if a target speaks no suite, and one that the user did not name can examine it through an
	// adapter (Definition.Plain). Its error ends Run and Inspect. It may be nil.
	Adapted func() error
	Record  *record.Writer // receives every call of the run; may be nil
	// Plain keeps exchanges uncompressed, which uses more memory and less time.
	Plain bool
	// Breach is called for each breach, after yields_to is applied, with the requirement under
	// which the breach is reported. It may be nil.
	Breach func(requirement string, b verdict.Breach)
	// Doubt is called for each undecided doubt of a reported requirement. It may be nil.
	Doubt func(requirement string, d verdict.Doubt)
}

// ErrCredentials reports that the target requires credentials that were not supplied.
var ErrCredentials = errors.New("credentials refused")

// UsageError reports an invalid selection, flag or file. The exit status is 2.
type UsageError struct{ Message string }

// Error returns the message.
func (u *UsageError) Error() string { return u.Message }

func usage(format string, args ...any) *UsageError {
	return &UsageError{Message: fmt.Sprintf(format, args...)}
}

// ReadInvoke parses the values of --invoke: one policy, or lines of CSV with names that are
// admitted in addition to those that the policy "safe" admits. The error is a *UsageError.
func ReadInvoke(values []string) (policy live.InvokePolicy, names []string, err error) {
	for _, value := range values {
		if live.IsPolicy(value) {
			if policy != "" && policy != live.InvokePolicy(value) {
				return "", nil, &UsageError{Message: "--invoke: " + string(policy) + " and " + value + " exclude each other"}
			}
			policy = live.InvokePolicy(value)
			continue
		}
		line, err := csv.NewReader(strings.NewReader(value)).Read()
		if err != nil {
			return "", nil, &UsageError{Message: "--invoke: want none, safe, all or NAME,..., not " + value}
		}
		if slices.ContainsFunc(strings.Split(value, ","), live.IsPolicy) { // a name in quotes may be that of a policy
			return "", nil, &UsageError{Message: "--invoke: want none, safe, all or NAME,..., not " + value}
		}
		names = append(names, line...)
	}
	if policy == "" {
		policy = live.InvokeSafe
	}
	if len(names) > 0 && policy != live.InvokeSafe {
		return "", nil, &UsageError{Message: "--invoke: names add to what safe admits, and not to " + string(policy)}
	}
	return policy, names, nil
}
