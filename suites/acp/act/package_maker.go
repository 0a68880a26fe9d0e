// Package act contains what the stimuli for all actors share: the packages that a subject receives, and
// how they are signed and published (DESIGN section 5). The stimuli are in one package for each actor.
package act

import (
	"context"
	"slices"

	"github.com/capconform/capconform/suites/acp/environment"
	"github.com/capconform/capconform/suites/acp/sample"
	"github.com/capconform/capconform/suites/acp/signature"
	"github.com/capconform/capconform/suites/driver"
)

// SupportsNames is the member of supports in a target file that lists the required beginnings of names.
const SupportsNames = "names"

// SupportsAuthors is the value of supports by which an adapter declares that it acts for a given author.
const SupportsAuthors = "authors"

// CallFunc makes a call to the subject.
type CallFunc func(ctx context.Context, op driver.Operation) (driver.Answer, error)

// PackageMaker makes packages and publishes them. The exported fields must be set before the scenarios
// begin.
type PackageMaker struct {
	Environment         *environment.Run
	Record              environment.Witness // nil: nothing is recorded
	Author, OtherAuthor environment.Author
	NamePrefixes        []string          // the required beginnings of names; the first one is used
	ArgumentNames       map[string]string // see sample.Package
	Supports            map[string]bool   // what the adapter declares that it supports
	Signing             Signing
}

// Signing states how packages get a signature that the subject accepts.
type Signing struct {
	Profile   signature.Profile
	BySubject bool // the subject signs, by acp.author
}

// Profiles returns the profiles by which packages are signed, the likeliest first: only the one that the
// subject accepts if it is known, or all that are to be tried.
func (n Signing) Profiles() []signature.Profile {
	if n.Profile != "" {
		return []signature.Profile{n.Profile}
	}
	// The text does not say where a subject finds a detached signature.
	return slices.DeleteFunc(signature.Profiles(), func(p signature.Profile) bool { return p == signature.Detached })
}

func (n Signing) String() string {
	if n.BySubject {
		return "signed by the subject itself"
	}
	return string(n.Profile)
}

// authorDID returns the DID that packages name as their author, "" if it is unknown.
func (m *PackageMaker) authorDID() string {
	if m.Signing.BySubject && !m.Supports[SupportsAuthors] {
		return "" // only the subject knows it
	}
	return m.Author.DID
}

// NamePrefix returns the beginning of the names of published capabilities.
func (m *PackageMaker) NamePrefix() string {
	if len(m.NamePrefixes) > 0 {
		return m.NamePrefixes[0]
	}
	return "capconform_"
}

// NewPackage returns a new valid package. It has an object type, built-in tools that create and query
// objects, and a tool with an HTTP binding.
func (m *PackageMaker) NewPackage() *sample.Package {
	mark := environment.NewMark()
	s := &sample.Package{Mark: mark, Label: m.NamePrefix() + mark[2:12], Word: "word" + mark[2:14],
		ArgumentNames: m.ArgumentNames}
	s.SchemaURI = "did:nuwa:state:" + s.Label + "#v1"
	s.ID = s.CapURI("1.0.0")
	s.Package.Name = "Sample " + mark[2:6]
	s.Description = "A sample of capconform."
	s.Triggers = sample.BothTriggers(s.Word)
	s.MemoryScope = "sc:" + s.Label
	s.AuthorDID = m.authorDID()
	s.Prompt = "You are the sample " + mark + " of capconform.\nUse your tools where they fit, and answer in one sentence."
	s.AddBuiltInTools(sample.Create, sample.Query)
	s.AddBoundTool("lookup", "http_get", map[string]string{"url": m.Environment.Tools.URL(environment.Echo, mark)})
	return s
}

// NewVersion returns a newer version of a package, with another prompt and other tools.
func (m *PackageMaker) NewVersion(old *sample.Package) *sample.Package {
	newer := m.NewPackage()
	newer.Label, newer.Word, newer.SchemaURI = old.Label, old.Word, old.SchemaURI
	newer.ID, newer.MemoryScope = newer.CapURI("1.1.0"), old.MemoryScope
	newer.Triggers, newer.Schema = old.Triggers, old.Schema
	newer.Tools, newer.Permissions = newer.Tools[len(newer.Tools)-1:], nil
	newer.AddBuiltInTools(sample.Create, sample.Query)
	return newer
}
