package history

import (
	"github.com/capconform/capconform/suites/acp/identifier"
	"github.com/capconform/capconform/suites/record"
)

// publishing is what a run did and observed of a registry and an index.
type publishing struct {
	publications []*Publication
	lookups      []*Lookup
	lists        []*EventList
	events       map[string]*Event // by text
	releases     []*Release
	asking       []*Query
	questions    map[record.Tick]*Query
}

func (m *publishing) take(c *Call, e record.Entry) {
	switch c.Operation {
	case OpPublish:
		m.publish(c)
	case OpGet:
		m.lookUp(c)
	case OpEvents:
		m.notify(c)
	case OpResolve, OpSearch:
		m.ask(c, e)
	}
}

// The stimuli of registry, index and publisher, as they stand in the record. The names are
// the same in every run.
const (
	NoPublication  = "publication-of-nothing"    // four empty values: is the operation served?
	Published      = "publication"               // of a package, and of further versions of it
	Refusable      = "refusable-publication"     // what a registry has reason to refuse
	Beside         = "publication-beside"        // another version, and another package
	OfAnother      = "publication-by-another"    // a version of a name that is another author's
	OfNobody       = "publication-by-nobody"     // without an author, and then by the author
	ByAnotherKey   = "publication-by-forged-key" // by a key that is not the author's, and then by the author
	KeptLater      = "registry-again"            // everything that was published is looked up once more
	NoFile         = "authoring-of-nothing"      // an empty file: is the operation served?
	Authored       = "authoring"                 // packages are given to the publisher
	AuthoredAgain  = "authoring-again"           // one more, after all others
	Listing        = "listing"                   // two capabilities in two versions, published and waited for
	Further        = "further-publication"       // one more capability and one more version, published and waited for
	ResolveEach    = "resolve-versions"          // each version that is listed
	ResolveBare    = "resolve-without-version"   // each capability of which two versions are listed
	ResolveUnknown = "resolve-unknown"           // what nobody published
	SearchWords    = "search-words"              // a word of each capability
	SearchFilters  = "search-with-filters"       // the same with an empty map of filters
	SearchNothing  = "search-nothing"            // a word that stands nowhere
	ResolveLater   = "queries-again"             // everything once more, when more was published
	FiltersAgain   = "search-again"              // settles a doubt: with filters and without, there and back
)

// The parameters of stimuli (Entry.About).
const (
	AboutBy      = "by"      // who publishes: see ByAuthor
	AboutUnknown = "unknown" // what of a question nobody published: capability, version or word
	AboutWait    = "wait"    // what the harness does with a question: see Waiting
)

// Who publishes.
const (
	ByAuthor      = "author"
	ByOtherAuthor = "another-author"
	ByNobody      = "nobody"
	ByForger      = "another-key"
)

// The values of AboutWait.
const (
	Waiting   = "for-it"  // the index may not know yet what is asked for
	WaitedFor = "at-last" // it had the time to learn it
)

// The values of AboutUnknown.
const (
	UnknownCapability = "capability"
	UnknownVersion    = "version"
	UnknownWord       = "word"
)

// Latest is the word that stands for the highest version where a capability URI without one is
// refused; it is the only value of AboutForm here.
const Latest = "latest"

// CapabilityPrefix begins every capability URI.
const CapabilityPrefix = identifier.CapabilityPrefix
