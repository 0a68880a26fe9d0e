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
	mu            sync.Mutex
	contents      map[string]stored
	uploadedBytes int             // the number of bytes that the subject stored
	fetches       records[string] // CIDs
}

// stored is the content that is served under a CID.
type stored struct {
	bytes   []byte
	dropped bool
}

// maxCIDLength limits the length, in bytes, of a requested CID that is recorded.
const maxCIDLength = 1 << 10

// maxUploadedBytes limits what a subject may store in one run, in bytes. It is many times the size of
// the packages that a publisher receives from the harness.
const maxUploadedBytes = 32 << 20

// reserve reports whether the subject may store this number of further bytes, and counts them if so.
func (g *Gateway) reserve(bytes int) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.uploadedBytes+bytes > maxUploadedBytes {
		return false
	}
	g.uploadedBytes += bytes
	return true
}

// Serve stores content and returns its CID. If the content fits into one UnixFS block, it is also
// available under the CID of that block, for clients that compute it.
func (g *Gateway) Serve(bytes []byte) string {
	id := content.CID(bytes)
	g.ServeAs(id, bytes)
	if len(bytes) <= content.MaxBlock {
		g.ServeAs(content.UnixFS(bytes), bytes)
	}
	return id
}

// ServeAs serves bytes from now on under a CID, which need not be the correct one.
func (g *Gateway) ServeAs(cid string, bytes []byte) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.contents[content.Canonical(cid)] = stored{bytes: bytes}
}

// Drop makes the gateway close the connection without an answer for a CID.
func (g *Gateway) Drop(cid string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.contents[content.Canonical(cid)] = stored{dropped: true}
}

// Fetched reports whether a CID was requested.
func (g *Gateway) Fetched(cid string) bool {
	cid = content.Canonical(cid)
	return len(g.fetches.filter(func(requested string) bool { return requested == cid })) > 0
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
	if len(cid) > maxCIDLength {
		http.Error(w, "no content of that CID", http.StatusNotFound)
		return
	}
	cid = content.Canonical(cid)
	g.fetches.add(cid)
	g.mu.Lock()
	found, known := g.contents[cid]
	g.mu.Unlock()
	switch {
	case found.dropped:
		panic(http.ErrAbortHandler)
	case !known:
		http.Error(w, "no content of that CID", http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Content-Length", strconv.Itoa(len(found.bytes)))
	_, _ = w.Write(found.bytes) // the client may have closed the connection
}

// add stores a file: a multipart form with one file, or the body itself.
func (g *Gateway) add(w http.ResponseWriter, r *http.Request) {
	bytes, name, err := upload(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if !g.reserve(len(bytes)) {
		http.Error(w, "the gateway of the harness stores no more", http.StatusInsufficientStorage)
		return
	}
	id := g.Serve(bytes)
	writeJSON(w, http.StatusOK, map[string]string{"Name": name, "Hash": id, "Size": strconv.Itoa(len(bytes))})
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
