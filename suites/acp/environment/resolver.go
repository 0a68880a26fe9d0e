package environment

import (
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"time"
)

// Resolver is the DID resolver: GET /1.0/identifiers/{did}.
type Resolver struct {
	news      *news
	mu        sync.Mutex
	documents map[string]json.RawMessage
	asked     records[Resolution]
}

// Resolution is one question of a DID.
type Resolution struct {
	DID   string
	Found bool
	At    time.Time
}

// Know makes a DID document known, from now on.
func (v *Resolver) Know(did string, document json.RawMessage) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.documents[did] = document
}

// Forget makes a DID unknown.
func (v *Resolver) Forget(did string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	delete(v.documents, did)
}

// Asked gives the questions of a DID.
func (v *Resolver) Asked(did string) []Resolution {
	return v.asked.those(func(r Resolution) bool { return r.DID == did })
}

func (v *Resolver) serve(w http.ResponseWriter, r *http.Request, rest string) {
	did, isQuestion := strings.CutPrefix(rest, "1.0/identifiers/")
	if !isQuestion || (r.Method != http.MethodGet && r.Method != http.MethodHead) {
		http.NotFound(w, r)
		return
	}
	v.mu.Lock()
	document, found := v.documents[did]
	v.mu.Unlock()
	v.asked.add(v.news, Resolution{DID: did, Found: found, At: time.Now()})
	result := map[string]any{
		"@context": "https://w3id.org/did-resolution/v1", "didDocument": document,
		"didDocumentMetadata": map[string]any{}, "didResolutionMetadata": map[string]any{"contentType": "application/did+ld+json"},
	}
	status := http.StatusOK
	if !found {
		status = http.StatusNotFound
		result["didDocument"], result["didResolutionMetadata"] = nil, map[string]any{"error": "notFound"}
	}
	reply(w, status, result)
}
