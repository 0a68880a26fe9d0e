package acphost

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/capconform/capconform/reference/rpc"
)

// installer installs and uninstalls packages.
type installer struct{ *Host }

func (h installer) installation() Installation {
	return Installation{
		Fetch: h.fetch, CheckCID: checkCID, Parse: h.parse, Rules: rules(), AuthorOf: h.authorOf, KeysOf: h.keysOf,
		Verify:      h.verify,
		CheckPrompt: checkPrompt,
		Expired:     func(k Key) bool { return !k.Expires.IsZero() && !h.Now().Before(k.Expires) },
		Mount:       mount,
		Dismount:    dismount,
		Cached:      h.cached,
	}
}

// install implements acp.install: it downloads, verifies and caches a package.
func (h installer) install(ctx context.Context, params object) (any, error) {
	cid := stringOf(params["cid"])
	if cid == "" {
		return nil, refuse("cid must be a non-empty string")
	}
	content := h.Cached(cid)
	if content == nil {
		var err error
		if content, err = h.Fetch(ctx, cid); err != nil {
			return nil, refuse("%s", messageOf(err))
		}
	}
	p, err := h.checkFile(ctx, cid, content)
	if err != nil {
		return nil, refuse("%s", messageOf(err))
	}
	h.mutex.Lock()
	defer h.mutex.Unlock()
	packages := h.Mount(slices.Clone(h.packages), p)
	if err := h.Store.ReplacePackages(h.packages, packages); err != nil {
		return nil, err
	}
	h.packages = packages
	return object{"cap_uri": p.URI}, nil
}

// checkFile parses a downloaded file. It returns an error if the file must not be installed.
func (h installer) checkFile(ctx context.Context, cid string, content []byte) (*Package, error) {
	if err := h.CheckCID(cid, content); err != nil {
		return nil, err
	}
	p, err := h.Parse(content)
	if err != nil {
		return nil, err
	}
	p.CID = cid
	for _, rule := range h.Rules {
		if err := rule.Check(p); err != nil {
			return nil, err
		}
	}
	author, err := h.AuthorOf(ctx, p)
	if err != nil {
		return nil, err
	}
	keys, err := h.KeysOf(ctx, author)
	if err != nil {
		return nil, err
	}
	if err := h.Verify(p, keys); err != nil {
		return nil, err
	}
	return p, h.CheckPrompt(p.Prompt)
}

func (h installer) uninstall(_ context.Context, params object) (any, error) {
	uri := stringOf(params["cap_uri"])
	h.mutex.Lock()
	defer h.mutex.Unlock()
	at := slices.IndexFunc(h.packages, func(p *Package) bool { return p.URI == uri })
	if at < 0 {
		return nil, refuse("%.120q is not installed", uri)
	}
	packages := h.Dismount(slices.Clone(h.packages), h.packages[at])
	if err := h.Store.ReplacePackages(h.packages, packages); err != nil {
		return nil, err
	}
	h.packages = packages
	return object{}, nil
}

func (h installer) fetch(ctx context.Context, cid string) ([]byte, error) {
	gateway := h.currentConfiguration().Gateway
	if gateway == "" {
		return nil, errors.New("acphost: no gateway is configured")
	}
	status, content, err := h.get(ctx, gateway+"/ipfs/"+url.PathEscape(cid))
	if err == nil && status != http.StatusOK {
		err = fmt.Errorf("acphost: the gateway answers %d", status)
	}
	return content, err
}

// cached returns the installed file with a CID. Its bytes were checked after the download.
func (h installer) cached(cid string) []byte {
	for _, p := range h.Installed() {
		if p.CID == cid {
			return p.Text
		}
	}
	return nil
}

// authorOf returns the author that the registry names or, if it names none, the author in the file.
func (h installer) authorOf(ctx context.Context, p *Package) (string, error) {
	record, err := h.callRegistry(ctx, OpGet, object{"cap_uri": p.URI})
	if author := stringOf(record["author"]); err == nil && author != "" {
		if record["cid"] == p.CID && record["sha256"] != HashOf(p.Text) {
			return "", errors.New("acphost: the registry has another hash of the file")
		}
		return author, nil
	}
	if p.Author == "" {
		return "", errors.New("acphost: the author of the package is unknown")
	}
	return p.Author, nil
}

// mount keeps only one version of each name: the one that was installed last.
func mount(installed []*Package, p *Package) []*Package {
	at := slices.IndexFunc(installed, func(other *Package) bool { return other.Name == p.Name })
	if at < 0 {
		return append(installed, p)
	}
	installed[at] = p
	return installed
}

func dismount(installed []*Package, p *Package) []*Package {
	return slices.DeleteFunc(installed, func(other *Package) bool { return other == p })
}

// keysOf returns the keys of a DID that have not expired, those for assertions first.
func (h installer) keysOf(ctx context.Context, did string) ([]Key, error) {
	if encoded, isKey := strings.CutPrefix(did, "did:key:"); isKey {
		public, err := decodeMultikey(encoded)
		if err != nil {
			return nil, err
		}
		return []Key{{ID: did + "#" + encoded, Public: public, Asserts: true}}, nil
	}
	document, err := h.didDocument(ctx, did)
	if err != nil {
		return nil, err
	}
	keys := readKeys(document)
	keys = slices.DeleteFunc(keys, func(k Key) bool { return h.Expired(k) })
	slices.SortStableFunc(keys, func(a, b Key) int {
		switch {
		case a.Asserts == b.Asserts:
			return 0
		case a.Asserts:
			return -1
		}
		return 1
	})
	return keys, nil
}

func (h installer) didDocument(ctx context.Context, did string) (object, error) {
	if !strings.HasPrefix(did, "did:") {
		return nil, fmt.Errorf("acphost: %.80q is not a DID", did)
	}
	status, body, err := h.get(ctx, h.currentConfiguration().Resolver+"/1.0/identifiers/"+url.PathEscape(did))
	switch {
	case err != nil:
		return nil, err
	case status != http.StatusOK:
		return nil, fmt.Errorf("acphost: the resolver answers %d for %.80q", status, did)
	}
	result, err := rpc.Decode(body)
	if err != nil {
		return nil, fmt.Errorf("acphost: resolver: %w", err)
	}
	document := objectOf(objectOf(result)["didDocument"])
	if document == nil || stringOf(document["id"]) != did {
		return nil, errors.New("acphost: the resolver returns no document for the DID")
	}
	return document, nil
}

// verify returns an error unless one of the keys signed the package.
func (h installer) verify(p *Package, keys []Key) error {
	if p.Signature == "" {
		return errors.New("acphost: the package is not signed")
	}
	signature, ok := decodeSignature(p.Signature)
	if !ok {
		return errors.New("acphost: the signature cannot be decoded")
	}
	sum, err := digest(h.Profile, p.Text, p.file)
	if err != nil {
		return err
	}
	for _, key := range keys {
		if ed25519.Verify(key.Public, sum, signature) {
			return nil
		}
	}
	return errors.New("acphost: no key of the author made the signature")
}
