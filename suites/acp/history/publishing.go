package history

import (
	"github.com/capconform/capconform/suites/acp/identifier"
	"github.com/capconform/capconform/suites/record"
)

// publishing is what a run did and observed at a registry and an index.
type publishing struct {
	publications   []*Publication
	lookups        []*Lookup
	eventLists     []*EventList
	events         map[string]*Event // by text
	releases       []*Release
	queries        []*Query
	queriesByEntry map[record.Tick]*Query
}

func (m *publishing) add(c *Call, e record.Entry) {
	switch c.Operation {
	case OpPublish:
		m.addPublication(c)
	case OpGet:
		m.addLookup(c)
	case OpEvents:
		m.addEventList(c)
	case OpResolve, OpSearch:
		m.addQuery(c, e)
	}
}

// The names of the stimuli for registries, indexes and publishers in the record. They are the same in
// every run.
const (
	NoPublication         = "publication-of-nothing"    // four empty values: is the operation served?
	Published             = "publication"               // of a package, and of further versions of it
	RefusablePublications = "refusable-publication"     // publications that a registry has reason to refuse
	OtherPublications     = "publication-beside"        // another version, and another package
	PublishedByOther      = "publication-by-another"    // another author's version of a name that is taken
	PublishedByNobody     = "publication-by-nobody"     // without an author, and then by the author
	PublishedWithOtherKey = "publication-by-forged-key" // with a key that is not the author's, and then by the author
	LookedUpAgain         = "registry-again"            // each published version is looked up once more
	NoFile                = "authoring-of-nothing"      // an empty file: is the operation served?
	Authored              = "authoring"                 // the publisher receives packages
	AuthoredAgain         = "authoring-again"           // one more package, after all others
	Listing               = "listing"                   // two capabilities in two versions, published and waited for
	FurtherPublication    = "further-publication"       // one more capability and version, published and waited for
	ResolveEach           = "resolve-versions"          // each listed version
	ResolveWithoutVersion = "resolve-without-version"   // each capability with two listed versions
	ResolveUnknown        = "resolve-unknown"           // an unpublished capability or version
	SearchWords           = "search-words"              // a word of each capability
	SearchFilters         = "search-with-filters"       // the same with an empty map of filters
	SearchUnknownWord     = "search-nothing"            // a word that occurs nowhere
	QueriesRepeated       = "queries-again"             // all queries again, after further publications
	FiltersRepeated       = "search-again"              // settles a doubt: searches with filters and without, alternating
)

// The parameters of stimuli (Entry.About).
const (
	AboutBy      = "by"      // who publishes: see ByAuthor
	AboutUnknown = "unknown" // which part of a query is unpublished: see UnknownCapability
	AboutWait    = "wait"    // whether the harness waits for the index: see Waiting
)

// The values of AboutBy.
const (
	ByAuthor      = "author"
	ByOtherAuthor = "another-author"
	ByNobody      = "nobody"
	ByOtherKey    = "another-key"
)

// The values of AboutWait.
const (
	Waiting   = "for-it"  // the index may not know the capability yet
	WaitedFor = "at-last" // the index had enough time to learn of the capability
)

// The values of AboutUnknown.
const (
	UnknownCapability = "capability"
	UnknownVersion    = "version"
	UnknownWord       = "word"
)

// Latest is the version that the harness requests if a capability URI without a version is refused. For
// queries, it is the only value of AboutForm.
const Latest = "latest"

// CapabilityPrefix is the prefix of every capability URI.
const CapabilityPrefix = identifier.CapabilityPrefix
