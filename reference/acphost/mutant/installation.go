package acpmutant

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/capconform/capconform/reference/acphost"
	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reference/rpc"
)

// installations returns routers that install, replace or uninstall packages wrongly.
func installations() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("uninstall-nothing", "ACP-ABS-02", "Reports that a package is uninstalled, and keeps it.",
			func(h *acphost.Host) {
				h.Dismount = func(installed []*acphost.Package, _ *acphost.Package) []*acphost.Package { return installed }
			}),
		newMutant("uninstall-spares-open", "ACP-ABS-02",
			"Keeps an uninstalled package active in conversations in which it is on top.", keepsActive),
		newMutant("upgrade-ignored", "ACP-ABS-04", "Installs a newer version, and continues to use the previous one.",
			func(h *acphost.Host) {
				h.Mount = func(installed []*acphost.Package, p *acphost.Package) []*acphost.Package {
					if slices.ContainsFunc(installed, func(other *acphost.Package) bool { return other.Name == p.Name }) {
						return installed
					}
					return append(installed, p)
				}
			}),
		newMutant("upgrade-old-prompt", "ACP-ABS-04", "Keeps the prompt of the previous version.",
			changesUpgrade(func(before, p *acphost.Package) { p.Prompt = before.Prompt })),
		newMutant("upgrade-old-tools", "ACP-ABS-04", "Keeps the tools of the previous version with the new ones.",
			changesUpgrade(func(before, p *acphost.Package) {
				for _, tool := range before.Tools {
					if !slices.ContainsFunc(p.Tools, func(other acphost.Tool) bool { return other.Name == tool.Name }) {
						p.Tools = append(p.Tools, tool)
					}
				}
			})),
		newMutant("install-once", "ACP-MOT-01", "Does not install an uninstalled package again.", installsOnce),
		newMutant("download-claimed", "ACP-INST-01", "Reports that a package is installed, and downloads nothing.",
			onCall(acphost.OpInstall,
				func(rpc.Operation, context.Context, object) (any, error) {
					return object{"cap_uri": "did:nuwa:cap:some@1.0.0"}, nil
				})),
		newMutant("fetched-each-time", "ACP-INST-03", "Downloads a package again for each message.", func(h *acphost.Host) {
			original := h.Route
			h.Route = func(ctx context.Context, c *acphost.Conversation, text string) *acphost.Package {
				p := original(ctx, c, text)
				if p != nil {
					if _, err := h.Fetch(ctx, p.CID); err != nil {
						return nil
					}
				}
				return p
			}
		}),
		newMutant("cid-unchecked", "ACP-INST-04", "Accepts any bytes that the gateway returns for a CID.",
			func(h *acphost.Host) {
				h.CheckCID = func(string, []byte) error { return nil }
			}),
	}
}

// acceptances returns routers that accept invalid packages.
func acceptances() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("id-unchecked", "ACP-SEC-08", "Accepts a package whose id is not a capability URI.", func(h *acphost.Host) {
			removesRule("id")(h)
			h.Mount = usesIDAsName(h.Mount)
		}),
		newMutant("schema-uri-unchecked", "ACP-SEC-08", "Accepts a package whose schema has no URI.",
			removesRule("schema-uri")),
		newMutant("verbs-unchecked", "ACP-SEC-08", "Accepts a package that uses a verb without declaring it.",
			removesRule("permissions")),
		newMutant("invalid-installed", "ACP-SEC-08", "Accepts any signed package.", func(h *acphost.Host) {
			h.Rules = nil
			h.Mount = usesIDAsName(h.Mount)
		}),
		newMutant("prompt-unread", "ACP-SEC-04", "Mounts every prompt without a check.", func(h *acphost.Host) {
			h.CheckPrompt = func(string) error { return nil }
		}),
	}
}

// usesIDAsName uses the id of a package as its name if the id is not a capability URI.
func usesIDAsName(original func([]*acphost.Package, *acphost.Package) []*acphost.Package) func([]*acphost.Package,
	*acphost.Package) []*acphost.Package {
	return func(installed []*acphost.Package, p *acphost.Package) []*acphost.Package {
		if p.Name == "" {
			p.Name = p.URI
		}
		return original(installed, p)
	}
}

func keepsActive(h *acphost.Host) {
	var mutex sync.Mutex
	gone := map[string]*acphost.Package{}
	dismount, find := h.Dismount, h.Find
	h.Dismount = func(installed []*acphost.Package, p *acphost.Package) []*acphost.Package {
		mutex.Lock()
		defer mutex.Unlock()
		gone[p.Name] = p
		return dismount(installed, p)
	}
	h.Find = func(name string) *acphost.Package {
		if p := find(name); p != nil {
			return p
		}
		mutex.Lock()
		defer mutex.Unlock()
		return gone[name]
	}
}

// endsConversations routes no more messages in a conversation after its active capability was
// uninstalled.
func endsConversations(h *acphost.Host) {
	var active sync.Map
	turn, route := h.ReplaceActive, h.Route
	h.ReplaceActive = func(c *acphost.Conversation, from, to *acphost.Package) {
		active.Store(c, to.Name)
		turn(c, from, to)
	}
	h.Route = func(ctx context.Context, c *acphost.Conversation, text string) *acphost.Package {
		if name, is := active.Load(c); is && h.Find(name.(string)) == nil {
			return nil
		}
		return route(ctx, c, text)
	}
}

// changesUpgrade changes a package that replaces another one.
func changesUpgrade(change func(before, p *acphost.Package)) defect {
	return func(h *acphost.Host) {
		original := h.Mount
		h.Mount = func(installed []*acphost.Package, p *acphost.Package) []*acphost.Package {
			for _, before := range installed {
				if before.Name == p.Name {
					change(before, p)
				}
			}
			return original(installed, p)
		}
	}
}

func installsOnce(h *acphost.Host) {
	var mutex sync.Mutex
	gone := map[string]bool{}
	dismount := h.Dismount
	h.Dismount = func(installed []*acphost.Package, p *acphost.Package) []*acphost.Package {
		mutex.Lock()
		defer mutex.Unlock()
		gone[p.URI] = true
		return dismount(installed, p)
	}
	h.Rules = append(slices.Clone(h.Rules), acphost.Rule{Name: "defect", Check: func(p *acphost.Package) error {
		mutex.Lock()
		defer mutex.Unlock()
		if gone[p.URI] {
			return errors.New("this package was installed before")
		}
		return nil
	}})
}

// signatures returns routers that verify signatures wrongly.
func signatures() []mutant.Mutant {
	given := func(p *acphost.Package) bool { _, given := p.Metadata["signature"]; return given }
	return []mutant.Mutant{
		newMutant("unsigned-installed", "ACP-SEC-01", "Accepts a package without a signature.",
			acceptsSignatures(func(p *acphost.Package) bool { return !given(p) })),
		newMutant("empty-signature-installed", "ACP-SEC-01", "Accepts a package whose signature is empty.",
			acceptsSignatures(func(p *acphost.Package) bool {
				return given(p) && p.Signature == ""
			})),
		newMutant("placeholder-installed", "ACP-SEC-05", "Accepts a package whose signature cannot be decoded.",
			acceptsSignatures(func(p *acphost.Package) bool {
				return p.Signature != "" && !acphost.IsSignature(p.Signature)
			})),
		newMutant("any-signature-installed", "ACP-SEC-06", "Accepts every signature that can be decoded, of any key.",
			acceptsSignatures(func(p *acphost.Package) bool {
				return acphost.IsSignature(p.Signature)
			})).AlsoBreaks("ACP-SEC-05", "random bytes can be decoded").AlsoBreaks("ACP-SEC-07",
			"the signature of another file can be decoded").
			AlsoBreaks("ACP-SEC-09", "so can that of a file with another comment"),
		newMutant("vowel-forgiven", "ACP-SEC-07",
			"Accepts a package in which one vowel of the prompt was changed after signing.",
			acceptsTexts(func(p *acphost.Package) [][]byte {
				return vowelsBetween(p.Text, "\nprompt:", "\ntools:")
			})),
		newMutant("line-ends-forgiven", "ACP-SEC-09",
			"Accepts a package in which the line ends were changed after signing.",
			acceptsTexts(func(p *acphost.Package) [][]byte {
				return [][]byte{bytes.ReplaceAll(p.Text, []byte("\r\n"), []byte("\n"))}
			})),
	}
}

// acceptsSignatures accepts some packages with any signature.
func acceptsSignatures(which func(p *acphost.Package) bool) defect {
	return func(h *acphost.Host) {
		original := h.Verify
		h.Verify = func(p *acphost.Package, keys []acphost.Key) error {
			if which(p) {
				return nil
			}
			return original(p, keys)
		}
	}
}

// acceptsTexts also accepts a signature that is valid for one of the texts that texts returns.
func acceptsTexts(texts func(p *acphost.Package) [][]byte) defect {
	return func(h *acphost.Host) {
		original := h.Verify
		h.Verify = func(p *acphost.Package, keys []acphost.Key) error {
			err := original(p, keys)
			if err == nil || !acphost.IsSignature(p.Signature) {
				return err
			}
			for _, text := range texts(p) {
				mended := *p
				if mended.Text = text; original(&mended, keys) == nil {
					return nil
				}
			}
			return err
		}
	}
}
