package acpmutant

import (
	"context"
	"slices"
	"sync"

	"github.com/capconform/capconform/reference/acphost"
	"github.com/capconform/capconform/reference/mutant"
)

// upgradeDefects returns routers that handle only the first installation and the first conversation correctly.
func upgradeDefects() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("upgrade-old-permissions", "ACP-ABS-04", "Keeps the permissions of the previous version.",
			changesUpgrade(func(before, p *acphost.Package) { p.Permissions = before.Permissions })),
		newMutant("upgrade-old-schema", "ACP-ABS-04", "Validates with the schema of the previous version.",
			changesUpgrade(func(before, p *acphost.Package) { p.Contract = before.Contract })),
		newMutant("upgrade-by-text", "ACP-ABS-04", "Treats 1.10.0 as older than 1.9.0.", func(h *acphost.Host) {
			original := h.Mount
			h.Mount = func(installed []*acphost.Package, p *acphost.Package) []*acphost.Package {
				if slices.ContainsFunc(installed, func(other *acphost.Package) bool {
					return other.Name == p.Name &&
						other.URI > p.URI
				}) {
					return installed
				}
				return original(installed, p)
			}
		}),
		newMutant("uninstall-once", "ACP-ABS-02", "Uninstalls a package only once.",
			func(h *acphost.Host) {
				var mutex sync.Mutex
				gone := map[string]bool{}
				original := h.Dismount
				h.Dismount = func(installed []*acphost.Package, p *acphost.Package) []*acphost.Package {
					mutex.Lock()
					defer mutex.Unlock()
					if gone[p.URI] {
						return installed
					}
					gone[p.URI] = true
					return original(installed, p)
				}
			}),
		newMutant("install-for-new-conversations", "ACP-MOT-01",
			"Does not use a package in conversations that began before its installation.", newcomersHidden),
	}
}

// newcomersHidden routes messages of a conversation only to packages that were installed when it began.
func newcomersHidden(h *acphost.Host) {
	var begun sync.Map
	original := h.Route
	h.Route = func(ctx context.Context, c *acphost.Conversation, text string) *acphost.Package {
		there, _ := begun.LoadOrStore(c, h.Installed())
		known, _ := there.([]*acphost.Package)
		if p := original(ctx, c, text); slices.Contains(known, p) {
			return p
		}
		return nil
	}
}

func verifiesOnce(h *acphost.Host) {
	var mutex sync.Mutex
	verified := map[string]bool{}
	original := h.Verify
	h.Verify = func(p *acphost.Package, keys []acphost.Key) error {
		mutex.Lock()
		defer mutex.Unlock()
		if verified[p.URI] {
			return nil
		}
		err := original(p, keys)
		verified[p.URI] = err == nil
		return err
	}
}
