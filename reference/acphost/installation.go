package acphost

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
)

func (h *Host) installation() Installation {
	return Installation{
		Fetch: h.fetch, Fits: fits, Read: h.read, Rules: rules(), AuthorOf: h.authorOf, KeysOf: h.keysOf, Verify: h.verify,
		Lint:     lint,
		Expired:  func(k Key) bool { return !k.Expires.IsZero() && !h.Now().Before(k.Expires) },
		Mount:    mount,
		Dismount: dismount,
		Cached:   h.cached,
	}
}

// install is acp.install: download, verify, keep.
func (h *Host) install(ctx context.Context, params object) (any, error) {
	cid := word(params["cid"])
	if cid == "" {
		return nil, refuse("cid must be a string that is not empty")
	}
	content := h.Cached(cid)
	if content == nil {
		var err error
		if content, err = h.Fetch(ctx, cid); err != nil {
			return nil, refuse("%s", plainly(err))
		}
	}
	p, err := h.accept(ctx, cid, content)
	if err != nil {
		return nil, refuse("%s", plainly(err))
	}
	h.mutex.Lock()
	defer h.mutex.Unlock()
	packages := h.Mount(slices.Clone(h.packages), p)
	if err := h.Store.Keep(h.packages, packages); err != nil {
		return nil, err
	}
	h.packages = packages
	return object{"cap_uri": p.URI}, nil
}

// accept reads a file that was downloaded and says whether it may be installed.
func (h *Host) accept(ctx context.Context, cid string, content []byte) (*Package, error) {
	if err := h.Fits(cid, content); err != nil {
		return nil, err
	}
	p, err := h.Read(content)
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
	return p, h.Lint(p.Prompt)
}

func (h *Host) uninstall(_ context.Context, params object) (any, error) {
	uri := word(params["cap_uri"])
	h.mutex.Lock()
	defer h.mutex.Unlock()
	at := slices.IndexFunc(h.packages, func(p *Package) bool { return p.URI == uri })
	if at < 0 {
		return nil, refuse("%.120q is not installed", uri)
	}
	packages := h.Dismount(slices.Clone(h.packages), h.packages[at])
	if err := h.Store.Keep(h.packages, packages); err != nil {
		return nil, err
	}
	h.packages = packages
	return object{}, nil
}

func (h *Host) fetch(ctx context.Context, cid string) ([]byte, error) {
	gateway := h.configured().Gateway
	if gateway == "" {
		return nil, errors.New("acphost: no gateway is configured")
	}
	status, content, err := h.get(ctx, gateway+"/ipfs/"+url.PathEscape(cid))
	if err == nil && status != http.StatusOK {
		err = fmt.Errorf("acphost: the gateway answers %d", status)
	}
	return content, err
}

// cached is what is installed under a CID: those bytes were checked when they came.
func (h *Host) cached(cid string) []byte {
	for _, p := range h.Installed() {
		if p.CID == cid {
			return p.Text
		}
	}
	return nil
}

// authorOf believes the registry, else the file itself.
func (h *Host) authorOf(ctx context.Context, p *Package) (string, error) {
	record, err := h.askRegistry(ctx, OpGet, object{"cap_uri": p.URI})
	if author := word(record["author"]); err == nil && author != "" {
		if record["cid"] == p.CID && record["sha256"] != HashOf(p.Text) {
			return "", errors.New("acphost: the registry has another hash of the file")
		}
		return author, nil
	}
	if p.Author == "" {
		return "", errors.New("acphost: nobody says whose package it is")
	}
	return p.Author, nil
}

// mount has one version of a name: the last that was installed.
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

// forbidden are patterns of prompts that want to get out of their capability.
var forbidden = regexp.MustCompile(`(?i)\b(ignore|disregard|forget|override)\b[^.\n]{0,40}\b(previous|prior|above|earlier|system|all other)\b[^.\n]{0,20}\b(instructions?|prompts?|rules|messages?)\b|\breveal\b[^.\n]{0,40}\b(system prompt|secrets?|credentials?|private keys?)\b`)

func lint(prompt string) error {
	if forbidden.MatchString(prompt) {
		return errors.New("acphost: the prompt has a forbidden pattern")
	}
	return nil
}

// Installed gives the installed packages, in the order of their installation.
func (h *Host) Installed() []*Package {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	return slices.Clone(h.packages)
}

// named gives the installed package of a name, the latest if there are several.
func (h *Host) named(name string) *Package {
	var found *Package
	for _, p := range h.Installed() {
		if p.Name == name && (found == nil || p.Version != nil && found.Version != nil &&
			p.Version.GreaterThan(found.Version)) {
			found = p
		}
	}
	return found
}
