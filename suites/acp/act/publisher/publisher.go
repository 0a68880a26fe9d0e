// Package publisher contains the stimuli for a publisher of ACP: they send packages to it (DESIGN
// section 5). It makes calls and judges nothing.
package publisher

import (
	"context"
	"fmt"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acp/act"
	"github.com/capconform/capconform/suites/acp/environment"
	"github.com/capconform/capconform/suites/acp/history"
	"github.com/capconform/capconform/suites/acp/sample"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/jsonvalue"
)

// Caller performs the stimuli on one publisher.
type Caller struct {
	Maker *act.Maker
}

// Stimuli returns all stimuli for a publisher, in the order in which they are performed.
func (c *Caller) Stimuli() []act.Stimulus {
	return []act.Stimulus{
		{Name: history.NoFile, Perform: c.nothing},
		{Name: history.Authored, Perform: c.authored},
		{Name: history.AuthoredAgain, Perform: c.again},
	}
}

// NoFile returns a call that publishes nothing: an empty file is not a package.
func NoFile() driver.Operation {
	return driver.Operation{Name: history.OpAuthor, Params: jsonvalue.Encode(history.Object{"file": ""})}
}

func (c *Caller) nothing(ctx context.Context, l *suites.Laboratory) error {
	_, _, _ = l.Do(ctx, suites.Call{Operation: NoFile()}) // the entry contains the result
	return nil
}

// afterwards is a version with all parts that a semantic version can have.
const afterwards = "3.0.0-RC.1+b2"

// authored passes packages of several versions to the publisher.
func (c *Caller) authored(ctx context.Context, l *suites.Laboratory) error {
	for _, version := range []string{"1.0.0", "2.10.3", afterwards} {
		s := c.Maker.Sample()
		s.ID = s.Identified(version)
		if err := c.give(ctx, l, s, history.ByAuthor); err != nil {
			return err
		}
	}
	return nil
}

// again passes two versions of one package to the publisher. If the publisher acts for authors, again
// also passes a package of another author.
func (c *Caller) again(ctx context.Context, l *suites.Laboratory) error {
	first, second := c.Maker.Sample(), c.Maker.Sample()
	second.Label = first.Label
	second.ID = second.Identified("1.1.0")
	for _, s := range []*sample.Package{first, second} {
		if err := c.give(ctx, l, s, history.ByAuthor); err != nil {
			return err
		}
	}
	if !c.authors() {
		return nil
	}
	return c.give(ctx, l, c.Maker.Sample(), history.ByOtherAuthor)
}

// authors reports whether the publisher acts for the author in the call.
func (c *Caller) authors() bool { return c.Maker.Supports[act.SupportsAuthors] }

// give passes one package to the publisher: without the member signature, as in the example of the text,
// and with an empty signature if the publisher refuses that.
func (c *Caller) give(ctx context.Context, l *suites.Laboratory, s *sample.Package, by string) error {
	author := map[string]environment.Author{history.ByAuthor: c.Maker.Author, history.ByOtherAuthor: c.Maker.Stranger}[by]
	c.Maker.Environment.Resolver.Know(author.DID, author.Document(nil))
	s.Description += " Größe, 長さ und so weiter."
	s.AuthorDID = ""
	if c.authors() {
		s.AuthorDID = author.DID
	}
	for _, bare := range []bool{true, false} {
		s.Unsigned = bare
		params := history.Object{"file": string(s.YAML())}
		if c.authors() {
			params["author"] = author.Credentials()
		}
		op := driver.Operation{Name: history.OpAuthor, Params: jsonvalue.Encode(params)}
		_, answer, err := l.Do(ctx, suites.Call{About: map[string]string{history.AboutBy: by}, Operation: op})
		switch {
		case err != nil:
			return fmt.Errorf("publisher: %s: %w", op.Name, err)
		case answer.Outcome == driver.NotProvided:
			return act.NotServed(op.Name)
		case answer.Outcome != driver.Refused:
			return nil
		}
	}
	return nil
}
