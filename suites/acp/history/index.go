package history

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites/acp/content"
	"github.com/capconform/capconform/suites/acp/identifier"
	"github.com/capconform/capconform/suites/reading"
	"github.com/capconform/capconform/suites/record"
)

// OpRegister is the operation by which the suite publishes a package on the chain that it plays, for an
// index to learn of. The entry contains the four values and the file.
const OpRegister = "register"

// Release is a version that an index lists, or should list.
type Release struct {
	Entry, Done        record.Tick // 0: the target file names it
	Stimulus           string
	URI, Name, Version string
	CID                string // "" if unknown
	Metadata           Object // nil if the file is unknown
	profile            any    // the signature profile
}

// NewRelease returns a version with a known URI. The CID is "" if it is unknown.
func NewRelease(uri, cid string) *Release {
	_, version, _ := strings.Cut(uri, "@")
	return &Release{URI: uri, Name: NameOf(uri), Version: version, CID: cid}
}

// URIWithoutVersion returns the capability URI without its version.
func (r *Release) URIWithoutVersion() string { return identifier.CapabilityPrefix + r.Name }

// SearchWord matches the words that the harness makes for searches. They consist of letters only, so
// that no tokenizer splits them.
var SearchWord = regexp.MustCompile(`\bqu[a-p]{16}\b`)

// Words returns the words by which a search must find the capability: the values of its triggers, and
// the words that the harness wrote into its name and description.
func (r *Release) Words() []string {
	var all []string
	triggers, _ := r.Metadata["triggers"].([]any)
	for _, t := range triggers {
		members, _ := t.(Object)
		if word, _ := members["value"].(string); word != "" {
			all = append(all, word)
		}
	}
	for _, word := range SearchWord.FindAllString(r.nameAndDescription(), -1) {
		if !slices.Contains(all, word) {
			all = append(all, word)
		}
	}
	return all
}

// nameAndDescription returns the name and the description in the metadata.
func (r *Release) nameAndDescription() string {
	name, _ := r.Metadata["name"].(string)
	about, _ := r.Metadata["description"].(string)
	return name + " " + about
}

// FoundBy reports whether a search for a word must find the capability.
func (r *Release) FoundBy(word string) bool { return slices.Contains(r.Words(), word) }

// OnlyTriggersContain reports whether only the triggers contain a word.
func (r *Release) OnlyTriggersContain(word string) bool {
	return r.FoundBy(word) && !strings.Contains(r.nameAndDescription(), word)
}

// ipfsAddress matches the part of an IPFS URI, an IPFS path or a gateway URL up to the end of the CID.
var ipfsAddress = regexp.MustCompile(`^(?:ipfs://(?:ipfs/)?|(?:[a-z]+://[^/]+)?/ipfs/)([^/?#]+)`)

// IsCID reports whether a text is the CID of the version, or an IPFS URI, path or gateway URL with it.
func (r *Release) IsCID(text string) bool {
	if parts := ipfsAddress.FindStringSubmatch(text); parts != nil {
		text = parts[1]
	}
	return r.CID != "" && text != "" && content.SameCID(r.CID, text)
}

// Newer reports whether version a is higher than version b. An invalid version is lower than a valid
// one.
func Newer(a, b string) bool {
	return identifier.Version(a).Valid() && identifier.Version(a).Compare(identifier.Version(b)) > 0
}

// HighestVersions returns the highest version of each capability with two or more versions, in the order
// of all.
func HighestVersions(all []*Release) []*Release {
	count, best := map[string]int{}, map[string]*Release{}
	for _, r := range all {
		count[r.Name]++
		if best[r.Name] == nil || Newer(r.Version, best[r.Name].Version) {
			best[r.Name] = r
		}
	}
	var highest []*Release
	for _, r := range all {
		if count[r.Name] > 1 && best[r.Name] != nil {
			highest, best[r.Name] = append(highest, best[r.Name]), nil
		}
	}
	return highest
}

// Query is a call of resolve_capability or search_capabilities.
type Query struct {
	*Call
	URI        string // the URI to resolve
	Word       string // the word to search for
	HasFilters bool   // the call has an empty map of filters
	Hits       []Object
	HasList    bool // the result contains a list of hits
	// NeedsCredentials reports whether the answer requires payment or credentials.
	NeedsCredentials bool
	Superseded       bool // the same query was sent again because this answer may have come too early
}

// addRelease reads a publication of the suite on its chain.
func (m *publishing) addRelease(e record.Entry) {
	text, err := e.Sent.Text()
	if err != nil {
		return
	}
	sent := schemas.ReadObject(text)
	uri, _ := sent[MemberURI].(string)
	cid, _ := sent[MemberCID].(string)
	file, _ := sent["file"].(string)
	r := NewRelease(uri, cid)
	r.Entry, r.Done, r.Stimulus, r.profile = e.Begun, e.Done, e.Stimulus, sent["profile"]
	r.Metadata, _ = ParseFile([]byte(file))["metadata"].(Object)
	if len(m.releases) > 0 && m.releases[0].profile != r.profile {
		m.releases = nil // the index listed none of these, and the suite now signs by another profile
	}
	m.releases = append(m.releases, r)
}

func (m *publishing) addQuery(c *Call, e record.Entry) {
	q := &Query{Call: c, NeedsCredentials: requiresCredentials(e)}
	q.URI, _ = c.Params[MemberURI].(string)
	q.Word, _ = c.Params["query_string"].(string)
	_, q.HasFilters = c.Params["filters"].(Object)
	q.Hits, q.HasList = hitsOf(c.Value)
	if of, polls := c.Link(record.PollOf); polls && m.queriesByEntry[of] != nil {
		m.queriesByEntry[of].Superseded = true
	}
	if m.queriesByEntry == nil {
		m.queriesByEntry = map[record.Tick]*Query{}
	}
	m.queriesByEntry[c.Entry] = q
	m.queries = append(m.queries, q)
}

// hitsOf returns the list of results: the result itself, or the member with one of the known names. It
// also reports whether there is a list.
func hitsOf(result any) ([]Object, bool) {
	list, isList := result.([]any)
	members, _ := result.(Object)
	for _, name := range []string{"list_of_results", "results"} {
		if !isList {
			list, isList = members[name].([]any)
		}
	}
	var hits []Object
	for _, item := range list {
		hit, _ := item.(Object)
		hits = append(hits, hit)
	}
	return hits, isList
}

var (
	credentialWords = regexp.MustCompile(`(?i)\b(unauthori[sz]ed|unauthenticated|authenticat\w*|credentials?|api[ _-]?key|payment|forbidden|access denied|sign[ _-]?in|log[ _-]?in)\b`)
	resourceBlock   = regexp.MustCompile(`"type"\s*:\s*"resource"`)
)

// requiresCredentials reports whether an answer requires payment or credentials: an error that says so,
// or a result with a resource instead of an answer, which some services use for this purpose.
func requiresCredentials(e record.Entry) bool {
	switch f := e.Error; e.Outcome {
	case record.Refused:
		return f != nil && credentialWords.MatchString(f.Code+" "+f.Message+" "+string(f.Data))
	case record.Malformed:
		raw, err := e.Received.Text()
		return err == nil && (resourceBlock.Match(raw) || credentialWords.Match(raw))
	}
	return false
}

// Releases returns the versions that the suite published for an index, in order, signed by the last
// profile that it tried.
func (h *History) Releases() []*Release {
	h.RLock()
	defer h.RUnlock()
	return h.publishing.releases
}

// Queries returns the calls of the given operations. If a query was repeated, only the last call counts.
func (h *History) Queries(operations ...string) []*Query {
	return reading.Select(&h.Reading, &h.publishing.queries,
		func(q *Query) bool { return !q.Superseded && slices.Contains(operations, q.Operation) })
}

// Query returns the query of an entry, nil if the entry is not a query.
func (h *History) Query(entry record.Tick) *Query {
	h.RLock()
	defer h.RUnlock()
	q := h.publishing.queriesByEntry[entry]
	if q != nil {
		h.NoteObject(q)
	}
	return q
}

// Metadata returns the metadata in the answer.
func (q *Query) Metadata() Object {
	metadata, _ := q.Result()["acp_metadata"].(Object)
	return metadata
}

// ID returns the id in these metadata.
func (q *Query) ID() string { return idOf(q.Metadata()) }

// idOf returns the id in the metadata of a result. According to the text, the metadata are typically the
// section metadata of the file. They may also be the whole file, or have the version in a separate
// member.
func idOf(metadata Object) string {
	if section, whole := metadata["metadata"].(Object); whole && metadata["id"] == nil {
		metadata = section
	}
	id, _ := metadata["id"].(string)
	if version, _ := metadata["version"].(string); version != "" && id != "" && !strings.Contains(id, "@") {
		return id + "@" + version
	}
	return id
}

// CID returns the CID in the answer.
func (q *Query) CID() string {
	cid, _ := q.Result()["ipfs_cid"].(string)
	return cid
}

// Text returns the result as JSON, "" if there is none.
func (q *Query) Text() string {
	text, err := json.Marshal(q.Value)
	if err != nil || !q.Returned() {
		return ""
	}
	return string(text)
}

// NotFound reports whether the index answers that it does not know the requested capability.
func (q *Query) NotFound() bool { return q.Refused() || q.ReportsError() }

// ReportsError reports whether a result explicitly reports an error.
func (q *Query) ReportsError() bool {
	members := q.Result()
	for _, name := range []string{"error", "errors", "isError"} {
		switch said := members[name].(type) {
		case nil:
		case bool:
			if said {
				return true
			}
		case string:
			if said != "" {
				return true
			}
		case []any:
			if len(said) > 0 {
				return true
			}
		default:
			return true
		}
	}
	return members["ok"] == false || members["success"] == false
}

// Shows reports whether an answer contains a version: its CID, or the id in its metadata. The URI alone
// proves nothing, because an answer that repeats the request contains it too.
func (q *Query) Shows(r *Release) bool {
	if !q.Returned() {
		return false
	}
	if r.CID != "" && strings.Contains(q.Text(), r.CID) {
		return true
	}
	return slices.ContainsFunc(append(slices.Clone(q.Hits), q.Result()), func(shown Object) bool {
		metadata, _ := shown["acp_metadata"].(Object)
		return idOf(metadata) == r.URI
	})
}

// HitID returns the id in the metadata of a hit.
func HitID(hit Object) string {
	metadata, _ := hit["acp_metadata"].(Object)
	return idOf(metadata)
}

// Rank returns the position of a capability among the hits, in any version, -1 if it is not among them.
// A hit is recognised by its id or its CID.
func (q *Query) Rank(name string, releases []*Release) int {
	return slices.IndexFunc(q.Hits, func(hit Object) bool { return IsHitOf(hit, name, releases) })
}

// IsHitOf reports whether a hit is a version of a capability.
func IsHitOf(hit Object, name string, releases []*Release) bool {
	if id := HitID(hit); id != "" && NameOf(id) == name {
		return true
	}
	cid, _ := hit["ipfs_cid"].(string)
	return slices.ContainsFunc(releases, func(r *Release) bool { return r.Name == name && r.IsCID(cid) })
}
