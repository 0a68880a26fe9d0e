package acpmutant

import (
	"context"
	"strings"
	"sync"

	"github.com/capconform/capconform/reference/acphost"
	"github.com/capconform/capconform/reference/mutant"
)

// sequences returns registries that fail for later versions, or for pre-releases.
func sequences() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("owner-of-major", "ACP-TERM-03", "Accepts another author for another major version of a name.",
			passesGate("name", func(t *acphost.Transaction) bool { return !strings.HasPrefix(t.Version, "1.") })),
		newMutant("owner-of-first-two", "ACP-TERM-03", "Accepts another author for a name that has two versions.",
			ownerOfFirstTwo),
		newMutant("proof-of-new-names", "ACP-PUB-02", "Requires the author's proof only for the first version of a name.",
			passesGate("author", func(t *acphost.Transaction) bool { return t.Owner != "" && t.Author.DID != "" })),
	}
}

// laterAuthorDefects returns registries that fail for later authors.
func laterAuthorDefects() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("record-of-later-author", "ACP-CHAIN-04", "Stores no cid for the publications of a second author.",
			laterAuthors(func(h *acphost.Host, later func(*acphost.Transaction) bool) {
				original := h.RecordOf
				h.RecordOf = func(t *acphost.Transaction) map[string]any {
					record := original(t)
					if later(t) {
						delete(record, "cid")
					}
					return record
				}
			})),
		newMutant("event-of-later-author", "ACP-CHAIN-09", "Omits the hash from the events of a second author.",
			laterAuthors(func(h *acphost.Host, later func(*acphost.Transaction) bool) {
				original := h.EventsOf
				h.EventsOf = func(t *acphost.Transaction) []map[string]any {
					events := original(t)
					for _, event := range events {
						if later(t) {
							delete(event, "sha256")
						}
					}
					return events
				}
			})),
	}
}

// laterVersionDefects returns registries that fail for later versions.
func laterVersionDefects() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("file-of-later-version", "ACP-PUB-03", "Stores the file itself for the second version of a name.",
			func(h *acphost.Host) {
				original, whole := h.RecordOf, withFile(h, h.RecordOf)
				h.RecordOf = func(t *acphost.Transaction) map[string]any {
					if t.Owner != "" {
						return whole(t)
					}
					return original(t)
				}
			}),
		newMutant("event-of-refused-version", "ACP-CHAIN-10",
			"Emits an event for a refused further version if it names the author.", func(h *acphost.Host) {
				h.RefusalEvents = func(t *acphost.Transaction) []map[string]any {
					if t.Owner == "" || t.Owner != t.Author.DID {
						return nil
					}
					return h.EventsOf(t)
				}
			}),
	}
}

// laterAuthors changes the behaviour for every author except the first.
func laterAuthors(breaks func(h *acphost.Host, later func(*acphost.Transaction) bool)) defect {
	return func(h *acphost.Host) {
		var mutex sync.Mutex
		first := ""
		breaks(h, func(t *acphost.Transaction) bool {
			mutex.Lock()
			defer mutex.Unlock()
			if first == "" {
				first = t.Author.DID
			}
			return t.Author.DID != first
		})
	}
}

func threeNumbers(version string) string {
	core, _, _ := strings.Cut(version, "+")
	core, _, _ = strings.Cut(core, "-")
	return core
}

// passesGate makes a check of the registry accept some transactions.
func passesGate(name string, which func(t *acphost.Transaction) bool) defect {
	return func(h *acphost.Host) {
		for i, gate := range h.Checks {
			if gate.Name == name {
				h.Checks[i].Check = func(ctx context.Context, t *acphost.Transaction) error {
					if which(t) {
						return nil
					}
					return gate.Check(ctx, t)
				}
			}
		}
	}
}

func ownerOfFirstTwo(h *acphost.Host) {
	versions := map[string]int{} // by name; transactions are judged one at a time
	record := h.RecordOf
	h.RecordOf = func(t *acphost.Transaction) map[string]any {
		name, _, _ := strings.Cut(t.URI, "@")
		versions[name]++
		return record(t)
	}
	passesGate("name", func(t *acphost.Transaction) bool {
		name, _, _ := strings.Cut(t.URI, "@")
		return versions[name] >= 2
	})(h)
}
