package lint

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/verdict"
)

// Vocabulary contains the parts of the document scenarios of a suite: the kinds of documents and
// parts that they may need, and their rules. It never changes.
type Vocabulary struct {
	kinds      []string
	rules      []Rule
	err        error
	hold, keep func() *regexp.Regexp
}

// NewVocabulary returns the two sentences "the documents contain KIND" and "in them RULE", whose
// expressions list the kinds and the rules. The error says what of it could not be read; nothing is examined then.
func NewVocabulary(kinds []string, rules []Rule, err error) *Vocabulary {
	var sentences []string
	for _, r := range rules {
		sentences = append(sentences, r.Sentence)
	}
	return &Vocabulary{kinds, rules, err, choice("the documents contain ", kinds), choice("in the documents, ", sentences)}
}

// Kinds returns the kinds of documents and parts.
func (v *Vocabulary) Kinds() []string { return v.kinds }

// Rules returns the rules.
func (v *Vocabulary) Rules() []Rule { return v.rules }

// Err returns the error that was given to NewVocabulary.
func (v *Vocabulary) Err() error { return v.err }

func choice(lead string, texts []string) func() *regexp.Regexp {
	quoted := make([]string, len(texts))
	for i, text := range texts {
		quoted[i] = regexp.QuoteMeta(text)
	}
	return verdict.Expression(lead + "(" + strings.Join(quoted, "|") + ")")
}

// Examination implements suites.Examination for documents. The first scenario reads them, and all
// rules are judged during this one pass.
type Examination struct {
	vocabulary *Vocabulary
	profile    suites.Profile
	read       func(context.Context) (*Findings, error)
	unread     []string
	done       suites.Memo[*Findings]
}

// Strict reports whether a run is strict, so that the closed readings are judged.
func Strict(subject *suites.Subject) bool { return subject.Options["strict"] == "true" }

// Profile returns the profile of documents before they are judged: the obliged actors, by default
// the authors of the documents, and the requirements that only a strict run judges. An author may
// be named more than once.
func Profile(subject *suites.Subject, authors, closed []string) suites.Profile {
	p := suites.Profile{Actors: subject.Actors, Beyond: map[string]string{}}
	if len(p.Actors) == 0 {
		for _, author := range authors {
			if !slices.Contains(p.Actors, author) {
				p.Actors = append(p.Actors, author)
			}
		}
	}
	if !Strict(subject) {
		for _, id := range closed {
			p.Beyond[id] = "advice, looked at with --strict alone"
		}
	}
	return p
}

// Examine returns an examination. It calls read to read all documents, and again only if read
// failed.
func Examine(
	vocabulary *Vocabulary, profile suites.Profile, read func(context.Context) (*Findings, error),
) *Examination {
	return &Examination{vocabulary: vocabulary, profile: profile, read: read}
}

// WithUnread adds documents that were not read because of a limit: any of them may break any rule.
func (e *Examination) WithUnread(unread []string) *Examination {
	e.unread = unread
	return e
}

// Steps implements suites.Examination.
func (e *Examination) Steps(voc suites.Vocabulary, scenario *suites.Scenario) {
	voc.Step(e.vocabulary.hold(), e.hold)
	voc.Step(e.vocabulary.keep(),
		func(ctx context.Context, sentence string) error { return e.keep(ctx, scenario, sentence) })
}

func (e *Examination) findings(ctx context.Context) (*Findings, error) {
	var err error
	found := e.done.Get(func() (*Findings, bool) {
		var found *Findings
		if err = e.vocabulary.err; err != nil {
			return nil, false
		}
		if found, err = e.read(ctx); err != nil {
			return nil, false
		}
		for _, reason := range e.unread {
			found.Exceed("%s", reason)
		}
		return found, true
	})
	return found, err
}

func (e *Examination) hold(ctx context.Context, kind string) error {
	found, err := e.findings(ctx)
	switch {
	case err != nil || found.HasKind(kind):
	case found.exceeded != "":
		err = &verdict.LimitError{Reason: found.exceeded}
	default:
		err = verdict.Inapplicable("outside the documents of this run: they contain no %s", kind)
	}
	return err
}

func (e *Examination) keep(ctx context.Context, scenario *suites.Scenario, sentence string) error {
	found, err := e.findings(ctx)
	if err != nil {
		return err
	}
	rules := e.vocabulary.rules
	rule := rules[slices.IndexFunc(rules, func(r Rule) bool { return r.Sentence == sentence })]
	scenario.Remark(found.Remarks(rule.Key())...)
	return found.Judge(rule)
}

// Condition implements suites.Examination. Scenarios on documents have no conditions.
func (e *Examination) Condition(kind, name string) error {
	return verdict.Undecided("documents have no %s:%s", kind, name)
}

// Control implements suites.Examination: documents always answer.
func (e *Examination) Control(context.Context, driver.Session) error { return nil }

// Profile implements suites.Examination. The notes are present after the documents were read.
func (e *Examination) Profile() suites.Profile {
	p := e.profile
	if found := e.done.Kept(); found != nil {
		p.Notes = append(slices.Clone(p.Notes), found.notes...)
		p.Declared = found.declared
	}
	return p
}
