// Package act contains what the stimuli of all actors share: the packages that a subject is
// given, and how they are signed and published (DESIGN section 5). The stimuli themselves
// are in a package for each actor.
package act

import (
	"context"
	"slices"

	"github.com/capconform/capconform/suites/acp/environment"
	"github.com/capconform/capconform/suites/acp/sample"
	"github.com/capconform/capconform/suites/acp/signature"
	"github.com/capconform/capconform/suites/driver"
)

// SupportsNames is how the target file says how names have to begin.
const SupportsNames = "names"

// SupportsAuthors is what an adapter says that acts for the authors that it is given.
const SupportsAuthors = "authors"

// Asking makes a call of the subject.
type Asking func(ctx context.Context, op driver.Operation) (driver.Answer, error)

// Maker makes packages and publishes them. Its exported fields are set before the
// scenarios begin.
type Maker struct {
	Environment      *environment.Run
	Record           environment.Witness // nil: nothing is recorded
	Author, Stranger environment.Author
	Names            []string          // how names have to begin: the first counts
	Arguments        map[string]string // see sample.Package
	Supports         map[string]bool   // what the adapter says that it can do
	Signs            Signs
}

// Signs states how packages get the signature that the subject accepts.
type Signs struct {
	Profile signature.Profile
	Subject bool // the subject signs, by acp.author
}

// Profiles are those by which packages are signed, the likeliest first: the one that the subject
// takes, or each in turn until something shows that it takes one.
func (n Signs) Profiles() []signature.Profile {
	if n.Profile != "" {
		return []signature.Profile{n.Profile}
	}
	// The text does not say where a subject finds a detached signature.
	return slices.DeleteFunc(signature.Profiles(), func(p signature.Profile) bool { return p == signature.Detached })
}

func (n Signs) String() string {
	if n.Subject {
		return "signed by the subject itself"
	}
	return string(n.Profile)
}

// authorDID is what packages name as their author.
func (m *Maker) authorDID() string {
	if m.Signs.Subject && !m.Supports[SupportsAuthors] {
		return "" // nobody but the subject knows
	}
	return m.Author.DID
}

// Beginning returns the beginning of the names of published capabilities.
func (m *Maker) Beginning() string {
	if len(m.Names) > 0 {
		return m.Names[0]
	}
	return "capconform_"
}

// Sample makes a valid package: an object type, a tool of the runtime's to make
// one and one to find some, and a tool that a web page serves.
func (m *Maker) Sample() *sample.Package {
	mark := environment.Mark()
	s := &sample.Package{Mark: mark, Label: m.Beginning() + mark[2:12], Word: "word" + mark[2:14], Arguments: m.Arguments}
	s.SchemaURI = "did:nuwa:state:" + s.Label + "#v1"
	s.ID = s.Identified("1.0.0")
	s.Package.Name = "Sample " + mark[2:6]
	s.Description = "A sample of capconform."
	s.Triggers = sample.BothTriggers(s.Word)
	s.MemoryScope = "sc:" + s.Label
	s.AuthorDID = m.authorDID()
	s.Prompt = "You are the sample " + mark + " of capconform.\nUse your tools where they fit, and answer in one sentence."
	s.Keeps(sample.Create, sample.Query)
	s.Binds("lookup", "http_get", map[string]string{"url": m.Environment.Tools.URL(environment.Echo, mark)})
	return s
}

// Upgraded is a newer version of a package, with another prompt and other tools.
func (m *Maker) Upgraded(old *sample.Package) *sample.Package {
	newer := m.Sample()
	newer.Label, newer.Word, newer.SchemaURI = old.Label, old.Word, old.SchemaURI
	newer.ID, newer.MemoryScope = newer.Identified("1.1.0"), old.MemoryScope
	newer.Triggers, newer.Schema = old.Triggers, old.Schema
	newer.Tools, newer.Permissions = newer.Tools[len(newer.Tools)-1:], nil
	newer.Keeps(sample.Create, sample.Query)
	return newer
}
