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

// OpRegister is what the suite does on the chain that it plays: it publishes a package for an
// index to learn of. What is sent are the four values, and the file.
const OpRegister = "register"

// Release is a version that an index lists, or should list.
type Release struct {
	Entry, Done        record.Tick // 0: the target file names it
	Stimulus           string
	URI, Name, Version string
	CID                string // "" where it is not known
	Metadata           Object // nil where the file is not known
	profile            any    // by which it is signed
}

// NewRelease returns a version of which the URI is known, and perhaps the CID.
func NewRelease(uri, cid string) *Release {
	_, version, _ := strings.Cut(uri, "@")
	return &Release{URI: uri, Name: NameOf(uri), Version: version, CID: cid}
}

// Bare is the capability URI without its version.
func (r *Release) Bare() string { return identifier.CapabilityPrefix + r.Name }

// FreshWord matches the words that the harness makes for searches. They consist of letters, so
// that every way to split a text into words leaves them whole.
var FreshWord = regexp.MustCompile(`\bqu[a-p]{16}\b`)

// Words are the words by which a search must find the capability: the values of its triggers, and
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
	for _, word := range FreshWord.FindAllString(r.said(), -1) {
		if !slices.Contains(all, word) {
			all = append(all, word)
		}
	}
	return all
}

// said is the text that the metadata have for readers.
func (r *Release) said() string {
	name, _ := r.Metadata["name"].(string)
	about, _ := r.Metadata["description"].(string)
	return name + " " + about
}

// Answers reports whether a search for a word must find the capability.
func (r *Release) Answers(word string) bool { return slices.Contains(r.Words(), word) }

// Triggers reports whether a word stands in the triggers alone.
func (r *Release) Triggers(word string) bool {
	return r.Answers(word) && !strings.Contains(r.said(), word)
}

// inIPFS matches a URI or a path of IPFS, and an address of a gateway, up to the CID.
var inIPFS = regexp.MustCompile(`^(?:ipfs://(?:ipfs/)?|(?:[a-z]+://[^/]+)?/ipfs/)([^/?#]+)`)

// IsCID reports whether a text is the CID of the version, or a URI or a path of IPFS with it.
func (r *Release) IsCID(text string) bool {
	if parts := inIPFS.FindStringSubmatch(text); parts != nil {
		text = parts[1]
	}
	return r.CID != "" && text != "" && content.SameCID(r.CID, text)
}

// Newer compares two versions. An invalid version is older than a valid one.
func Newer(a, b string) bool {
	return identifier.Version(a).Valid() && identifier.Version(a).Compare(identifier.Version(b)) > 0
}

// Highest returns the highest version of each capability of which there are two or more, in
// their order.
func Highest(all []*Release) []*Release {
	count, best := map[string]int{}, map[string]*Release{}
	for _, r := range all {
		count[r.Name]++
		if best[r.Name] == nil || Newer(r.Version, best[r.Name].Version) {
			best[r.Name] = r
		}
	}
	var those []*Release
	for _, r := range all {
		if count[r.Name] > 1 && best[r.Name] != nil {
			those, best[r.Name] = append(those, best[r.Name]), nil
		}
	}
	return those
}

// Query is a call of one of the two queries of an index.
type Query struct {
	*Call
	URI     string // that is to be resolved
	Word    string // that is searched for
	Filters bool   // an empty map of filters is given
	Hits    []Object
	Listed  bool // a list of hits is what came back
	// Credentials reports an answer that requires payment or credentials.
	Credentials bool
	Polled      bool // the same was asked again, since this answer may have come too early
}

// release reads a publication of the suite on its chain.
func (m *publishing) release(e record.Entry) {
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
	r.Metadata, _ = ReadFile([]byte(file))["metadata"].(Object)
	if len(m.releases) > 0 && m.releases[0].profile != r.profile {
		m.releases = nil // the index showed none of those, and the suite signs by another profile
	}
	m.releases = append(m.releases, r)
}

func (m *publishing) ask(c *Call, e record.Entry) {
	q := &Query{Call: c, Credentials: wantsCredentials(e)}
	q.URI, _ = c.Params[MemberURI].(string)
	q.Word, _ = c.Params["query_string"].(string)
	_, q.Filters = c.Params["filters"].(Object)
	q.Hits, q.Listed = hitsOf(c.Value)
	if of, polls := c.Link(record.PollOf); polls && m.questions[of] != nil {
		m.questions[of].Polled = true
	}
	if m.questions == nil {
		m.questions = map[record.Tick]*Query{}
	}
	m.questions[c.Entry] = q
	m.asking = append(m.asking, q)
}

// hitsOf reads the list of results, bare or under one of its names.
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

// wantsCredentials reads a refusal, or a result that holds a resource in place of an answer,
// which is how some services ask to be paid or to be shown who calls.
func wantsCredentials(e record.Entry) bool {
	switch f := e.Error; e.Outcome {
	case record.Refused:
		return f != nil && credentialWords.MatchString(f.Code+" "+f.Message+" "+string(f.Data))
	case record.Malformed:
		raw, err := e.Received.Text()
		return err == nil && (resourceBlock.Match(raw) || credentialWords.Match(raw))
	}
	return false
}

// Releases are the versions that the suite published for an index, in their order, signed by the
// last profile that it tried.
func (h *History) Releases() []*Release {
	h.RLock()
	defer h.RUnlock()
	return h.publishing.releases
}

// Queries are the calls of some of the two queries, each as it was asked for the last time.
func (h *History) Queries(operations ...string) []*Query {
	return reading.Those(&h.Reading, &h.publishing.asking,
		func(q *Query) bool { return !q.Polled && slices.Contains(operations, q.Operation) })
}

// Query returns the question of an entry, nil if it is of something else.
func (h *History) Query(entry record.Tick) *Query {
	h.RLock()
	defer h.RUnlock()
	q := h.publishing.questions[entry]
	if q != nil {
		h.Gives(q)
	}
	return q
}

// Metadata are the metadata of the answer.
func (q *Query) Metadata() Object {
	metadata, _ := q.Result()["acp_metadata"].(Object)
	return metadata
}

// ID is the id of these metadata.
func (q *Query) ID() string { return idOf(q.Metadata()) }

// idOf returns the id in the metadata of a result. The text says that they are typically the section
// metadata: they may also be the whole file, or have the version in a separate member.
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

// CID is the CID of the answer.
func (q *Query) CID() string {
	cid, _ := q.Result()["ipfs_cid"].(string)
	return cid
}

// Text is the result as JSON.
func (q *Query) Text() string {
	text, err := json.Marshal(q.Value)
	if err != nil || !q.Returned() {
		return ""
	}
	return string(text)
}

// None reports whether an index says that it knows nothing of what it was asked for.
func (q *Query) None() bool { return q.Refused() || q.SaysError() }

// SaysError reports whether an ordinary result says plainly that it is an error.
func (q *Query) SaysError() bool {
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

// Shows reports whether an answer shows a version, by its file or by the id of its metadata. The
// URI alone shows nothing: an answer that repeats the question has it too.
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

// HitID is the id of the metadata of a hit.
func HitID(hit Object) string {
	metadata, _ := hit["acp_metadata"].(Object)
	return idOf(metadata)
}

// Rank is where a capability stands among the hits, in any version; -1: nowhere. It is known
// by its id, or by one of its files.
func (q *Query) Rank(name string, known []*Release) int {
	return slices.IndexFunc(q.Hits, func(hit Object) bool { return HitOf(hit, name, known) })
}

// HitOf reports whether a hit is of a capability.
func HitOf(hit Object, name string, known []*Release) bool {
	if id := HitID(hit); id != "" && NameOf(id) == name {
		return true
	}
	cid, _ := hit["ipfs_cid"].(string)
	return slices.ContainsFunc(known, func(r *Release) bool { return r.Name == name && r.IsCID(cid) })
}
