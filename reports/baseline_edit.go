package reports

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"time"

	"go.yaml.in/yaml/v3"
)

// toleratedFor is how long a failure is tolerated that nobody has looked at yet.
const toleratedFor = 90 * 24 * time.Hour

// errBaselinePartial: what was not examined can't be told from what is kept.
var errBaselinePartial = fmt.Errorf("reports: baseline: %w", ErrPartial)

// ErrBaselineText: a file of known failures that was written does not hold what it
// should. Nobody may use it.
var ErrBaselineText = errors.New("reports: baseline: the text does not hold what it should; edit the file by hand")

const baselineHead = `Known failures. capconform run --baseline tolerates each as long as it fails with
just this message, and until it expires; the verdict of the report stays what it is.
Say for each why it is tolerated (reason) and where it is worked on (issue). What
sometimes fails goes below flaky.`

// NewBaseline writes the failures of a report as a file of known failures, each
// tolerated for 90 days. It refuses a partial run, and one that was cut short.
func NewBaseline(r *Report) ([]byte, error) {
	empty := []byte("baseline: \"" + baselineVersion + "\"\nfailures: []\nflaky: []\n")
	b, err := ReadBaseline(empty)
	if err != nil {
		return nil, err
	}
	b.tree.HeadComment = baselineHead
	return b.Fix(r)
}

// Fix returns the file as it has to be for the report: entries that are stale are
// taken out, messages that changed are put right, and what is not listed is added.
// Comments, reasons, issues and dates stay; an expired entry stays expired, since
// giving it another date is for people. It refuses a partial run, and one that was
// cut short.
func (b *Baseline) Fix(r *Report) ([]byte, error) {
	if r.Run.Partial || r.UnfinishedBy() != "" {
		return nil, errBaselinePartial
	}
	failures, meant := b.list("failures"), b.copied()
	found := map[string]Requirement{}
	for _, p := range RequirementsOf(r) {
		found[p.Requirement.ID] = *p.Requirement
	}
	for _, f := range b.Judge(r).Findings {
		q := found[f.Requirement]
		switch {
		case f.Kind == Unlisted:
			k := Known{
				Requirement: q.ID, Message: told(&q), Expires: r.Run.StartedAt.UTC().Add(toleratedFor).Format(dateForm),
			}
			failures.Content = append(failures.Content, entryNode(k))
			meant.Failures = append(meant.Failures, k)
		case f.Kind == Different, f.Kind == Stale && q.Status == Failed:
			b.reword(f.Requirement, told(&q))
			meant.tell(f.Requirement, told(&q))
		case f.Kind == Stale:
			drop(failures, f.Requirement)
			meant.Failures = slices.DeleteFunc(meant.Failures, func(k Known) bool { return k.Requirement == f.Requirement })
		}
	}
	failures.Style = 0 // an empty list was written in brackets
	if len(failures.Content) == 0 {
		failures.Style = yaml.FlowStyle
	}
	var out bytes.Buffer
	e := yaml.NewEncoder(&out)
	e.SetIndent(2)
	if err := e.Encode(b.tree); err != nil {
		return nil, fmt.Errorf("reports: baseline: %w", err)
	}
	return out.Bytes(), meant.check(out.Bytes())
}

// copied returns the entries, to be edited beside the tree.
func (b *Baseline) copied() *Baseline {
	return &Baseline{Failures: slices.Clone(b.Failures), Flaky: slices.Clone(b.Flaky)}
}

// tell puts another message into an entry of either list.
func (b *Baseline) tell(id, message string) {
	for _, list := range [][]Known{b.Failures, b.Flaky} {
		for i := range list {
			if list[i].Requirement == id {
				list[i].Message = message
			}
		}
	}
}

// check reads a text that was written, and compares it with the entries that it should
// hold: no message of a target may mean anything else, and an edit may change no
// other entry, as it would through an alias.
func (b *Baseline) check(text []byte) error {
	got, err := ReadBaseline(text)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrBaselineText, err)
	}
	if !slices.Equal(got.Failures, b.Failures) || !slices.Equal(got.Flaky, b.Flaky) {
		return ErrBaselineText
	}
	return nil
}

// list returns the list of that name, and makes it where there is none.
func (b *Baseline) list(name string) *yaml.Node {
	top := b.tree.Content[0]
	if node := member(top, name); node != nil {
		if node.Kind != yaml.SequenceNode { // null
			*node = yaml.Node{Kind: yaml.SequenceNode}
		}
		return node
	}
	list := &yaml.Node{Kind: yaml.SequenceNode}
	top.Content = append(top.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: name}, list)
	return list
}

// reword puts another message into an entry of either list.
func (b *Baseline) reword(id, message string) {
	for _, name := range []string{"failures", "flaky"} {
		list := member(b.tree.Content[0], name)
		if list == nil {
			continue
		}
		for _, entry := range list.Content {
			if node := member(entry, "message"); node != nil && memberIs(entry, id) {
				node.Value, node.Style, node.Tag = message, yaml.DoubleQuotedStyle, ""
			}
		}
	}
}

func drop(list *yaml.Node, id string) {
	kept := list.Content[:0]
	for _, entry := range list.Content {
		if !memberIs(entry, id) {
			kept = append(kept, entry)
		}
	}
	list.Content = kept
}

func memberIs(entry *yaml.Node, id string) bool {
	node := member(entry, "requirement")
	return node != nil && node.Value == id
}

func member(mapping *yaml.Node, name string) *yaml.Node {
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == name {
			return mapping.Content[i+1]
		}
	}
	return nil
}

// entryNode writes an entry. Everything but the id is quoted, so that no text of
// the target is taken for YAML.
func entryNode(k Known) *yaml.Node {
	node := &yaml.Node{Kind: yaml.MappingNode}
	for _, e := range []struct {
		name, value string
		style       yaml.Style
	}{
		{"requirement", k.Requirement, 0}, {"message", k.Message, yaml.DoubleQuotedStyle},
		{"reason", k.Reason, yaml.DoubleQuotedStyle},
		{"issue", k.Issue, yaml.DoubleQuotedStyle}, {"expires", k.Expires, yaml.DoubleQuotedStyle},
	} {
		node.Content = append(node.Content,
			&yaml.Node{Kind: yaml.ScalarNode, Value: e.name}, &yaml.Node{Kind: yaml.ScalarNode, Value: e.value, Style: e.style})
	}
	return node
}
