package environment

import (
	"encoding/json"
	"net/http"
	"strings"
	"sync"
)

// Resolver is the DID resolver: GET /1.0/identifiers/{did}.
type Resolver struct {
	mu        sync.Mutex
	documents map[string]json.RawMessage
}

// SetDocument makes the resolver return a DID document from now on.
func (v *Resolver) SetDocument(did string, document json.RawMessage) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.documents[did] = document
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
	result := map[string]any{
		"@context": "https://w3id.org/did-resolution/v1", "didDocument": document,
		"didDocumentMetadata":   map[string]any{},
		"didResolutionMetadata": map[string]any{"contentType": "application/did+ld+json"},
	}
	status := http.StatusOK
	if !found {
		status = http.StatusNotFound
		result["didDocument"], result["didResolutionMetadata"] = nil, map[string]any{"error": "notFound"}
	}
	writeJSON(w, status, result)
}
