package environment

import (
	"strings"

	"github.com/capconform/capconform/suites/acp/content"
)

// Publish makes a file available for installation: the gateway serves it, the chain names its author,
// and the resolver returns the author's document. Publish returns the CID.
func (r *Run) Publish(capURI string, file []byte, author Author) string {
	id := r.Gateway.Serve(file)
	r.Register(capURI, file, author)
	return id
}

// Register registers a file on the chain and its author at the resolver. It does not serve the file.
func (r *Run) Register(capURI string, file []byte, author Author) {
	r.Resolver.SetDocument(author.DID, author.Document(nil))
	_, version, _ := strings.Cut(capURI, "@")
	r.Chain.Publish(Registration{CapURI: capURI, Semver: version, CID: content.CID(file),
		SHA256: content.SHA256(file), Author: author.DID})
}
