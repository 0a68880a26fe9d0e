package environment

import (
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/capconform/capconform/suites/acp/content"
)

// Gateway is the content gateway: GET /ipfs/{cid}, and POST /api/v0/add.
type Gateway struct {
	mu       sync.Mutex
	contents map[string]stored
	uploaded int             // bytes that the subject stored
	fetches  records[string] // CIDs
}

// stored is the content that is served under a CID.
type stored struct {
	bytes []byte
	gone  bool
}

// longestCID bounds what is stored of a request for content that cannot exist.
const longestCID = 1 << 10

// uploadedAtMost bounds what a subject may store in one run, in bytes. The packages that the harness
// has a publisher write take a fraction of that.
const uploadedAtMost = 32 << 20

// room reports whether the subject may store so many more bytes.
func (g *Gateway) room(bytes int) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.uploaded+bytes > uploadedAtMost {
		return false
	}
	g.uploaded += bytes
	return true
}

// Serve keeps content and returns its CID. It is found under the CID of its one
// UnixFS block too, for who computes that.
func (g *Gateway) Serve(bytes []byte) string {
	id := content.CID(bytes)
	g.ServeAs(id, bytes)
	if len(bytes) <= content.OneBlock {
		g.ServeAs(content.UnixFS(bytes), bytes)
	}
	return id
}

// ServeAs serves bytes under a CID that need not be theirs, from now on.
func (g *Gateway) ServeAs(cid string, bytes []byte) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.contents[content.Canonical(cid)] = stored{bytes: bytes}
}

// Leave makes the gateway unavailable for a CID: the connection is closed without a
// reply.
func (g *Gateway) Leave(cid string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.contents[content.Canonical(cid)] = stored{gone: true}
}

// Fetched reports whether somebody requested a CID.
func (g *Gateway) Fetched(cid string) bool {
	cid = content.Canonical(cid)
	return len(g.fetches.those(func(requested string) bool { return requested == cid })) > 0
}

// Stored returns the bytes that are served under a CID, nil if there are none.
func (g *Gateway) Stored(cid string) []byte {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.contents[content.Canonical(cid)].bytes
}

func (g *Gateway) serve(w http.ResponseWriter, r *http.Request, rest string) {
	cid, isContent := strings.CutPrefix(rest, "ipfs/")
	switch {
	case isContent && (r.Method == http.MethodGet || r.Method == http.MethodHead):
		g.fetch(w, cid)
	case rest == "api/v0/add" && r.Method == http.MethodPost:
		g.add(w, r)
	default:
		http.NotFound(w, r)
	}
}

func (g *Gateway) fetch(w http.ResponseWriter, cid string) {
	if len(cid) > longestCID {
		http.Error(w, "no content of that CID", http.StatusNotFound)
		return
	}
	cid = content.Canonical(cid)
	g.fetches.add(cid)
	g.mu.Lock()
	found, known := g.contents[cid]
	g.mu.Unlock()
	switch {
	case found.gone:
		panic(http.ErrAbortHandler)
	case !known:
		http.Error(w, "no content of that CID", http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Content-Length", strconv.Itoa(len(found.bytes)))
	_, _ = w.Write(found.bytes) // a client that is gone needs no answer
}

// add takes a multipart form with one file, or the bytes themselves.
func (g *Gateway) add(w http.ResponseWriter, r *http.Request) {
	bytes, name, err := upload(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if !g.room(len(bytes)) {
		http.Error(w, "the gateway of the harness stores no more", http.StatusInsufficientStorage)
		return
	}
	id := g.Serve(bytes)
	reply(w, http.StatusOK, map[string]string{"Name": name, "Hash": id, "Size": strconv.Itoa(len(bytes))})
}

func upload(r *http.Request) ([]byte, string, error) {
	kind, attributes, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || !strings.HasPrefix(kind, "multipart/") {
		bytes, err := io.ReadAll(r.Body)
		return bytes, "", err
	}
	form := multipart.NewReader(r.Body, attributes["boundary"])
	file, err := form.NextPart()
	if err != nil {
		return nil, "", err
	}
	bytes, err := io.ReadAll(file)
	return bytes, file.FileName(), err
}
