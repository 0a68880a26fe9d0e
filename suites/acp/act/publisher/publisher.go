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
	Maker *act.PackageMaker
}

// Stimuli returns all stimuli for a publisher, in the order in which they are performed.
func (c *Caller) Stimuli() []act.Stimulus {
	return []act.Stimulus{
		{Name: history.NoFile, Perform: c.noFile},
		{Name: history.Authored, Perform: c.versions},
		{Name: history.AuthoredAgain, Perform: c.furtherPackages},
	}
}

// NoFile returns a call that publishes nothing: an empty file is not a package.
func NoFile() driver.Operation {
	return driver.Operation{Name: history.OpAuthor, Params: jsonvalue.Encode(history.Object{"file": ""})}
}

func (c *Caller) noFile(ctx context.Context, l *suites.Laboratory) error {
	_, _, _ = l.Do(ctx, suites.Call{Operation: NoFile()}) // the entry contains the result
	return nil
}

// fullVersion is a version with all parts that a semantic version can have.
const fullVersion = "3.0.0-RC.1+b2"

// versions passes packages of several versions to the publisher.
func (c *Caller) versions(ctx context.Context, l *suites.Laboratory) error {
	for _, version := range []string{"1.0.0", "2.10.3", fullVersion} {
		s := c.Maker.NewPackage()
		s.ID = s.CapURI(version)
		if err := c.send(ctx, l, s, history.ByAuthor); err != nil {
			return err
		}
	}
	return nil
}

// furtherPackages passes two versions of one package to the publisher. If the publisher acts for
// authors, furtherPackages also passes a package of another author.
func (c *Caller) furtherPackages(ctx context.Context, l *suites.Laboratory) error {
	first, second := c.Maker.NewPackage(), c.Maker.NewPackage()
	second.Label = first.Label
	second.ID = second.CapURI("1.1.0")
	for _, s := range []*sample.Package{first, second} {
		if err := c.send(ctx, l, s, history.ByAuthor); err != nil {
			return err
		}
	}
	if !c.actsForAuthors() {
		return nil
	}
	return c.send(ctx, l, c.Maker.NewPackage(), history.ByOtherAuthor)
}

// actsForAuthors reports whether the publisher acts for the author in the call.
func (c *Caller) actsForAuthors() bool { return c.Maker.Supports[act.SupportsAuthors] }

// send passes one package to the publisher: without the member signature, as in the example of the text,
// and with an empty signature if the publisher refuses that.
func (c *Caller) send(ctx context.Context, l *suites.Laboratory, s *sample.Package, by string) error {
	author := map[string]environment.Author{history.ByAuthor: c.Maker.Author,
		history.ByOtherAuthor: c.Maker.OtherAuthor}[by]
	c.Maker.Environment.Resolver.SetDocument(author.DID, author.Document(nil))
	s.Description += " Größe, 長さ und so weiter."
	s.AuthorDID = ""
	if c.actsForAuthors() {
		s.AuthorDID = author.DID
	}
	for _, unsigned := range []bool{true, false} {
		s.Unsigned = unsigned
		params := history.Object{"file": string(s.YAML())}
		if c.actsForAuthors() {
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
