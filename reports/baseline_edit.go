package reports

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"time"

	"go.yaml.in/yaml/v3"
)

// toleranceTime is how long a new entry is tolerated.
const toleranceTime = 90 * 24 * time.Hour

// errBaselinePartial is returned because a partial run does not distinguish a requirement that is
// met from one that was not examined.
var errBaselinePartial = fmt.Errorf("reports: baseline: %w", ErrPartial)

// ErrBaselineText reports that a generated file of known failures does not have the intended
// content. The file must not be used.
var ErrBaselineText = errors.New("reports: baseline: the text does not contain what it should; edit the file by hand")

const baselineHead = `Known failures. capconform run --baseline tolerates each while it fails with
exactly this message, until it expires. The verdict of the report does not change.
Add to each why it is tolerated (reason) and where it is tracked (issue). List
what fails only sometimes below flaky. What is below inconclusive stays undecided
as long as something here fails.`

// NewBaseline returns the failures of a report as a file of known failures, each tolerated for 90
// days. It returns an error for a partial run and for one that did not finish.
func NewBaseline(r *Report) ([]byte, error) {
	empty := []byte("baseline: \"" + baselineVersion + "\"\nfailures: []\nflaky: []\n")
	b, err := ReadBaseline(empty)
	if err != nil {
		return nil, err
	}
	b.tree.HeadComment = baselineHead
	return b.fix(r, true)
}

// Fix returns the file corrected for the report: it removes stale entries, updates changed
// messages, and adds unlisted failures. Comments, reasons, issues and dates stay. An expired entry
// stays expired, because only people may give it another date. Fix returns an error for a partial
// run and for one that did not finish.
func (b *Baseline) Fix(r *Report) ([]byte, error) { return b.fix(r, len(b.Inconclusive) > 0) }

// fix is Fix. It adds what is inconclusive besides the failures if undecided is set.
func (b *Baseline) fix(r *Report, undecided bool) ([]byte, error) {
	if r.Run.Partial || r.UnfinishedBy() != "" {
		return nil, errBaselinePartial
	}
	failures, meant := b.list("failures"), b.clone()
	found := map[string]Requirement{}
	for _, p := range RequirementsOf(r) {
		found[p.Requirement.ID] = *p.Requirement
	}
	for _, f := range b.Judge(r).Findings {
		q := found[f.Requirement]
		switch {
		case f.Kind == Unlisted:
			meant.Inconclusive = b.dropInconclusive(meant.Inconclusive, q.ID)
			k := KnownFailure{
				Requirement: q.ID, Message: causeOf(&q), Also: messagesOf(&q)[1:],
				Expires: r.Run.StartedAt.UTC().Add(toleranceTime).Format(dateForm),
			}
			failures.Content = append(failures.Content, entryNode(k))
			meant.Failures = append(meant.Failures, k)
		case f.Kind == Different, f.Kind == Stale && q.Status == Failed:
			b.editMessages(f.Requirement, messagesOf(&q))
			meant.setMessages(f.Requirement, messagesOf(&q))
		case f.Kind == Stale:
			meant.Inconclusive = b.dropInconclusive(meant.Inconclusive, f.Requirement)
			drop(failures, f.Requirement)
			meant.Failures = slices.DeleteFunc(meant.Failures,
				func(k KnownFailure) bool { return k.Requirement == f.Requirement })
		}
	}
	if undecided && len(meant.Failures)+len(meant.Flaky) > 0 {
		b.addInconclusive(r, meant)
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

// addInconclusive adds the requirements that are inconclusive and not listed yet. Sums are not listed: their parts are.
func (b *Baseline) addInconclusive(r *Report, meant *Baseline) {
	for _, p := range RequirementsOf(r) {
		q := p.Requirement
		_, _, listed := b.entry(q.ID)
		known := slices.ContainsFunc(meant.Inconclusive, func(k KnownFailure) bool { return k.Requirement == q.ID })
		if q.Status != Inconclusive || !classOf(q.Level).breaks(r.Run.Strict) || len(q.Scenarios) == 0 || listed || known {
			continue
		}
		k := KnownFailure{Requirement: q.ID, Message: causeOf(q),
			Expires: r.Run.StartedAt.UTC().Add(toleranceTime).Format(dateForm)}
		list := b.list("inconclusive")
		list.Content = append(list.Content, entryNode(k))
		meant.Inconclusive = append(meant.Inconclusive, k)
	}
}

// dropInconclusive removes an entry from the inconclusive ones, and returns the rest.
func (b *Baseline) dropInconclusive(all []KnownFailure, id string) []KnownFailure {
	if !slices.ContainsFunc(all, func(k KnownFailure) bool { return k.Requirement == id }) {
		return all
	}
	drop(b.list("inconclusive"), id)
	return slices.DeleteFunc(all, func(k KnownFailure) bool { return k.Requirement == id })
}

// clone returns copies of the entries, which can be edited without changing the tree.
func (b *Baseline) clone() *Baseline {
	return &Baseline{Failures: slices.Clone(b.Failures), Flaky: slices.Clone(b.Flaky),
		Inconclusive: slices.Clone(b.Inconclusive)}
}

// setMessages changes the messages of an entry of either list.
func (b *Baseline) setMessages(id string, messages []string) {
	for _, list := range [][]KnownFailure{b.Failures, b.Flaky} {
		for i := range list {
			if list[i].Requirement == id {
				list[i].Message, list[i].Also = messages[0], messages[1:]
			}
		}
	}
}

// check parses a generated text, and compares it with the intended entries. A message of a target
// must not be read as anything else, and an edit must not change another entry, for example through
// an alias.
func (b *Baseline) check(text []byte) error {
	got, err := ReadBaseline(text)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrBaselineText, err)
	}
	if !slices.EqualFunc(got.Failures, b.Failures, KnownFailure.equal) ||
		!slices.EqualFunc(got.Flaky, b.Flaky, KnownFailure.equal) ||
		!slices.EqualFunc(got.Inconclusive, b.Inconclusive, KnownFailure.equal) {
		return ErrBaselineText
	}
	return nil
}

// equal reports whether two entries are equal.
func (k KnownFailure) equal(other KnownFailure) bool {
	return k.Requirement == other.Requirement && k.Message == other.Message && slices.Equal(k.Also, other.Also) &&
		k.Reason == other.Reason && k.Issue == other.Issue && k.Expires == other.Expires
}

// list returns the list with this name, and adds it if it is missing.
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

// editMessages changes the messages of an entry of either list.
func (b *Baseline) editMessages(id string, messages []string) {
	for _, name := range []string{"failures", "flaky"} {
		list := member(b.tree.Content[0], name)
		if list == nil {
			continue
		}
		for _, entry := range list.Content {
			node := member(entry, "message")
			if node == nil || !memberIs(entry, id) {
				continue
			}
			node.Value, node.Style, node.Tag = messages[0], yaml.DoubleQuotedStyle, ""
			also := member(entry, "also")
			switch {
			case also != nil:
				*also = *listNode(messages[1:])
			case len(messages) > 1:
				at := slices.Index(entry.Content, node) + 1
				entry.Content = slices.Insert(entry.Content, at, nameNode("also"), listNode(messages[1:]))
			}
		}
	}
}

func nameNode(name string) *yaml.Node { return &yaml.Node{Kind: yaml.ScalarNode, Value: name} }

// listNode returns texts as a list, each of them quoted.
func listNode(texts []string) *yaml.Node {
	node := &yaml.Node{Kind: yaml.SequenceNode}
	if len(texts) == 0 {
		node.Style = yaml.FlowStyle
	}
	for _, text := range texts {
		node.Content = append(node.Content,
			&yaml.Node{Kind: yaml.ScalarNode, Value: text, Style: yaml.DoubleQuotedStyle})
	}
	return node
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

// entryNode returns an entry as YAML. Everything but the id is quoted, so that no text of the
// target is read as YAML.
func entryNode(k KnownFailure) *yaml.Node {
	node := &yaml.Node{Kind: yaml.MappingNode}
	for _, e := range []struct {
		name, value string
		style       yaml.Style
	}{
		{"requirement", k.Requirement, 0}, {"message", k.Message, yaml.DoubleQuotedStyle},
		{"reason", k.Reason, yaml.DoubleQuotedStyle},
		{"issue", k.Issue, yaml.DoubleQuotedStyle}, {"expires", k.Expires, yaml.DoubleQuotedStyle},
	} {
		node.Content = append(node.Content, nameNode(e.name),
			&yaml.Node{Kind: yaml.ScalarNode, Value: e.value, Style: e.style})
		if e.name == "message" && len(k.Also) > 0 {
			node.Content = append(node.Content, nameNode("also"), listNode(k.Also))
		}
	}
	return node
}
