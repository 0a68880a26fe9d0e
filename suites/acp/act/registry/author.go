package registry

import (
	"context"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acp/act"
	"github.com/capconform/capconform/suites/acp/history"
	"github.com/capconform/capconform/suites/acp/sample"
	"github.com/capconform/capconform/suites/verdict"
)

// requireAuthors returns the reason why authors cannot be examined, nil if they can.
func (c *Caller) requireAuthors() error {
	if c.distinguishesAuthors() {
		return nil
	}
	return &verdict.Inconclusive{
		Reason: "the subject does not report that it distinguishes authors",
		Supply: "answer acp.configure with {supports: [" + act.SupportsAuthors +
			"]} and obey the member author of acp.publish",
	}
}

// byAnother lets another author publish a new name, and then versions of a name that
// is taken. In the end the first author continues with it, the other one tries again, and the first one continues.
func (c *Caller) byAnother(ctx context.Context, l *suites.Laboratory) error {
	if err := c.requireAuthors(); err != nil {
		return err
	}
	first, err := c.submitFirst(ctx, l)
	if err != nil {
		return err
	}
	own, err := c.newSubmission(history.ByOtherAuthor)
	if err != nil {
		return err
	}
	all := []*submission{own}
	for _, version := range []string{"1.0.1", "2.0.0", "0.9.0", "3.0.0-rc.1"} {
		s, err := c.nextVersion(first, version, history.ByOtherAuthor)
		if err != nil {
			return err
		}
		all = append(all, s)
	}
	for _, further := range []struct{ version, by string }{
		{"1.0.2", history.ByAuthor}, {"1.0.3", history.ByOtherAuthor}, {"1.0.4", history.ByAuthor},
	} {
		s, err := c.nextVersion(first, further.version, further.by)
		if err != nil {
			return err
		}
		all = append(all, s)
	}
	return c.submitAll(ctx, l, all...)
}

func (c *Caller) byNobody(ctx context.Context, l *suites.Laboratory) error {
	return c.withoutProof(ctx, l, history.ByNobody)
}

func (c *Caller) byAnotherKey(ctx context.Context, l *suites.Laboratory) error {
	return c.withoutProof(ctx, l, history.ByOtherKey)
}

// withoutProof publishes a new name, and a version of a name that is taken, without the author's proof.
// Then it publishes the same with the proof.
func (c *Caller) withoutProof(ctx context.Context, l *suites.Laboratory, by string) error {
	if err := c.requireAuthors(); err != nil {
		return err
	}
	first, err := c.submitFirst(ctx, l)
	if err != nil {
		return err
	}
	fresh, err := c.unprovenSubmission(c.Maker.NewPackage(), by)
	if err != nil {
		return err
	}
	of := c.Maker.NewPackage()
	of.Label = first.Label
	of.ID = of.CapURI("1.0.2")
	further, err := c.unprovenSubmission(of, by)
	if err != nil {
		return err
	}
	if err := c.submitAll(ctx, l, fresh, further); err != nil {
		return err
	}
	for _, s := range []*submission{fresh, further} {
		s.by, s.proof = history.ByAuthor, c.Maker.Author.Credentials()
	}
	return c.submitAll(ctx, l, fresh, further)
}

// unprovenSubmission returns the submission of a package of the author without the author's proof.
func (c *Caller) unprovenSubmission(p *sample.Package, by string) (*submission, error) {
	s, err := c.validSubmission(p, history.ByAuthor)
	if err != nil {
		return nil, err
	}
	s.by, s.proof = by, nil
	if by == history.ByOtherKey {
		s.proof = forgedCredentials(c.Maker.Author, c.Maker.OtherAuthor)
	}
	return s, nil
}
