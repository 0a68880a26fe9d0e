// Package registry contains the stimuli for a registry of ACP: they publish packages (DESIGN section 5).
// It makes calls and judges nothing.
package registry

import (
	"context"
	"fmt"
	"strings"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acp/act"
	"github.com/capconform/capconform/suites/acp/content"
	"github.com/capconform/capconform/suites/acp/environment"
	"github.com/capconform/capconform/suites/acp/history"
	"github.com/capconform/capconform/suites/acp/sample"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/verdict"
)

// Caller performs the stimuli on one registry.
type Caller struct {
	Maker   *act.PackageMaker
	History *history.History
}

// Stimuli returns all stimuli for a registry, in the order in which they are performed.
func (c *Caller) Stimuli() []act.Stimulus {
	return []act.Stimulus{
		{Name: history.NoPublication, Perform: c.noPublication},
		{Name: history.Published, Perform: c.publications},
		{Name: history.RefusablePublications, Perform: c.refusablePublications},
		{Name: history.OtherPublications, Perform: c.otherPublications},
		{Name: history.PublishedByOther, Perform: c.byAnother},
		{Name: history.PublishedByNobody, Perform: c.byNobody},
		{Name: history.PublishedWithOtherKey, Perform: c.byAnotherKey},
		{Name: history.LookedUpAgain, Perform: c.lookUpAgain},
	}
}

// NoPublication returns a call that publishes nothing: its four values are empty.
func NoPublication() driver.Operation {
	return driver.Operation{Name: history.OpPublish, Params: jsonvalue.Encode(history.Object{
		history.MemberURI: "", history.MemberVersion: "", history.MemberCID: "", history.MemberDigest: "",
	})}
}

func (c *Caller) noPublication(ctx context.Context, l *suites.Laboratory) error {
	_, _, _ = l.Do(ctx, suites.Call{Operation: NoPublication()}) // the entry contains the result
	return nil
}

// submission is one package that is submitted to the registry.
type submission struct {
	*sample.Package
	values history.Object // the four values, as submitted
	breaks string         // the value that is wrong on purpose, "" if none
	by     string         // who submits: see history.ByAuthor
	proof  map[string]string
}

// validSubmission returns the submission of a valid package by its author, and serves the package at the
// gateway.
func (c *Caller) validSubmission(s *sample.Package, by string) (*submission, error) {
	author := c.Maker.Author
	if by == history.ByOtherAuthor {
		author = c.Maker.OtherAuthor
	}
	file, err := c.Maker.SignAndServe(s, author, c.Maker.Signing.Profiles()[0])
	if err != nil {
		return nil, err
	}
	_, version, _ := strings.Cut(s.ID, "@")
	values := history.Object{
		history.MemberURI: s.ID, history.MemberVersion: version, history.MemberCID: s.CID,
		history.MemberDigest: content.SHA256(file),
	}
	return &submission{Package: s, values: values, by: by, proof: author.Credentials()}, nil
}

func (c *Caller) newSubmission(by string) (*submission, error) {
	return c.validSubmission(c.Maker.NewPackage(), by)
}

// nextVersion returns the submission of another version of a package.
func (c *Caller) nextVersion(of *submission, version, by string) (*submission, error) {
	s := c.Maker.NewPackage()
	s.Label = of.Label
	s.ID = s.CapURI(version)
	return c.validSubmission(s, by)
}

// submit publishes a package, and then reads its record and all events. It reports whether the registry
// accepted the submission. The error states why there is no answer.
func (c *Caller) submit(ctx context.Context, l *suites.Laboratory, s *submission) (accepted bool, err error) {
	if accepted, err = c.publish(ctx, l, s); err != nil {
		return accepted, err
	}
	c.lookUp(ctx, l, s.uri(), nil)
	c.readEvents(ctx, l)
	return accepted, nil
}

func (s *submission) uri() string {
	uri, _ := s.values[history.MemberURI].(string)
	return uri
}

// publish reports whether the registry took a submission.
func (c *Caller) publish(ctx context.Context, l *suites.Laboratory, s *submission) (taken bool, err error) {
	params := history.Object{}
	for name, value := range s.values {
		params[name] = value
	}
	if c.distinguishesAuthors() && s.proof != nil {
		params["author"] = s.proof
	}
	about := map[string]string{history.AboutBy: s.by}
	if s.breaks != "" {
		about[history.AboutBreaks] = s.breaks
	}
	op := driver.Operation{Name: history.OpPublish, Params: jsonvalue.Encode(params)}
	_, answer, err := l.Do(ctx, suites.Call{About: about, Operation: op})
	switch {
	case err != nil:
		return false, fmt.Errorf("registry: %s: %w", op.Name, err)
	case answer.Outcome == driver.NotProvided:
		return false, act.NotServed(op.Name)
	}
	return answer.Outcome == driver.Returned, nil
}

// lookUp reads the record of a version. The entry contains the answer.
func (c *Caller) lookUp(ctx context.Context, l *suites.Laboratory, uri string, about map[string]string) {
	op := driver.Operation{Name: history.OpGet, Params: jsonvalue.Encode(history.Object{history.MemberURI: uri})}
	_, _, _ = l.Do(ctx, suites.Call{About: about, Operation: op})
}

// readEvents reads all events. The entry contains the answer.
func (c *Caller) readEvents(ctx context.Context, l *suites.Laboratory) {
	op := driver.Operation{Name: history.OpEvents, Params: jsonvalue.Encode(history.Object{"since": 0}), List: true}
	_, _, _ = l.Do(ctx, suites.Call{Operation: op})
}

// submitFirst publishes a valid package by its author, which the registry must accept.
func (c *Caller) submitFirst(ctx context.Context, l *suites.Laboratory) (*submission, error) {
	s, err := c.newSubmission(history.ByAuthor)
	if err != nil {
		return nil, err
	}
	accepted, err := c.submit(ctx, l, s)
	if err == nil && !accepted {
		err = verdict.Undecided("the registry refuses a valid package")
	}
	return s, err
}

func (c *Caller) publications(ctx context.Context, l *suites.Laboratory) error {
	c.lookUp(ctx, l, c.Maker.NewPackage().ID, map[string]string{history.AboutUnknown: "version"})
	first, err := c.submitFirst(ctx, l)
	if err != nil {
		return err
	}
	for _, version := range []string{"2.30.4-RC.1+b7", "2.3.4"} { // a registry may refuse some kinds of versions
		s, err := c.nextVersion(first, version, history.ByAuthor)
		if err != nil {
			return err
		}
		if accepted, err := c.submit(ctx, l, s); accepted || err != nil {
			return err
		}
	}
	return nil
}

// refusablePublications submits publications that a registry may refuse. No registry is required to
// refuse them.
func (c *Caller) refusablePublications(ctx context.Context, l *suites.Laboratory) error {
	first, err := c.submitFirst(ctx, l)
	if err != nil {
		return err
	}
	wrong := []struct {
		name string
		edit func(uri string) string
	}{
		{history.MemberVersion, func(string) string { return "9.9.9" }},
		{history.MemberCID, func(string) string { return "" }},
		{history.MemberDigest, func(string) string { return "" }},
		{history.MemberURI, func(uri string) string { return strings.TrimPrefix(uri, "did:nuwa:cap:") }},
	}
	for _, w := range wrong {
		s, err := c.newSubmission(history.ByAuthor)
		if err != nil {
			return err
		}
		s.breaks, s.values[w.name] = w.name, w.edit(s.ID)
		if _, err := c.submit(ctx, l, s); err != nil {
			return err
		}
	}
	if !c.distinguishesAuthors() {
		return nil
	}
	foreign, err := c.nextVersion(first, "1.0.1", history.ByOtherAuthor)
	if err != nil {
		return err
	}
	withoutAuthor, err := c.unprovenSubmission(c.Maker.NewPackage(), history.ByNobody)
	if err != nil {
		return err
	}
	return c.submitAll(ctx, l, foreign, withoutAuthor)
}

func (c *Caller) submitAll(ctx context.Context, l *suites.Laboratory, all ...*submission) error {
	for _, s := range all {
		if _, err := c.submit(ctx, l, s); err != nil {
			return err
		}
	}
	return nil
}

// otherPublications publishes other versions and another package, and then looks for the first again.
func (c *Caller) otherPublications(ctx context.Context, l *suites.Laboratory) error {
	first, err := c.submitFirst(ctx, l)
	if err != nil {
		return err
	}
	newer, err := c.nextVersion(first, "1.1.0", history.ByAuthor)
	if err != nil {
		return err
	}
	third, err := c.nextVersion(first, "1.2.0", history.ByAuthor)
	if err != nil {
		return err
	}
	other, err := c.newSubmission(history.ByAuthor)
	if err != nil {
		return err
	}
	if err := c.submitAll(ctx, l, newer, other, third); err != nil {
		return err
	}
	c.lookUp(ctx, l, first.ID, nil)
	return nil
}

// lookUpAgain reads the record of each published version again, and all events.
func (c *Caller) lookUpAgain(ctx context.Context, l *suites.Laboratory) error {
	seen := map[string]bool{}
	for _, p := range c.History.Publications() {
		if uri := p.Values[history.MemberURI]; p.Returned() && p.Valid() && !seen[uri] {
			seen[uri] = true
			c.lookUp(ctx, l, uri, nil)
		}
	}
	c.readEvents(ctx, l)
	return nil
}

// distinguishesAuthors reports whether the registry distinguishes authors.
func (c *Caller) distinguishesAuthors() bool { return c.Maker.Supports[act.SupportsAuthors] }

// forgedCredentials returns the credentials of an author with the private key of another one.
func forgedCredentials(author, other environment.Author) map[string]string {
	proof := author.Credentials()
	proof["private_key"] = other.PrivateKey()
	return proof
}
