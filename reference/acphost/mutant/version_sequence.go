package acpmutant

import (
	"context"
	"strings"
	"sync"

	"github.com/capconform/capconform/reference/acphost"
	"github.com/capconform/capconform/reference/mutant"
)

// sequences are registries that are wrong for later versions, or for pre-releases.
func sequences() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("event-of-last-version", "ACP-CHAIN-02", "Keeps the event of a name's last version alone.",
			onResult(acphost.OpEvents, func(_, result object) any {
				events, _ := result["events"].([]any)
				last := map[string]int{}
				for i, event := range events {
					last[nameOfEvent(event)] = i
				}
				kept := []any{}
				for i, event := range events {
					if last[nameOfEvent(event)] == i {
						kept = append(kept, event)
					}
				}
				return object{"events": kept}
			})),
		newMutant("record-of-release", "ACP-CHAIN-03", "Keeps a version without what stands behind its three numbers.",
			func(h *acphost.Host) {
				sound := h.Record
				h.Record = func(t *acphost.Transaction) map[string]any {
					record := sound(t)
					record["semver"] = threeNumbers(t.Version)
					return record
				}
			}),
		newMutant("event-of-release", "ACP-CHAIN-07", "Tells a version without what stands behind its three numbers.",
			func(h *acphost.Host) {
				sound := h.Event
				h.Event = func(t *acphost.Transaction) []map[string]any {
					events := sound(t)
					for _, event := range events {
						event["semver"] = threeNumbers(t.Version)
					}
					return events
				}
			}),
		newMutant("owner-of-major", "ACP-TERM-03", "Gives a name to whoever begins another major version of it.",
			passesGate("name", func(t *acphost.Transaction) bool { return !strings.HasPrefix(t.Version, "1.") })),
		newMutant("proof-of-new-names", "ACP-PUB-02", "Wants the proof of an author for the first version of a name alone.",
			passesGate("author", func(t *acphost.Transaction) bool { return t.Owner != "" && t.Author.DID != "" })),
	}
}

// laterAuthorDefects are registries that are wrong for later authors.
func laterAuthorDefects() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("record-of-later-author", "ACP-CHAIN-04", "Keeps no cid of what a second author publishes.",
			laterAuthors(func(h *acphost.Host, later func(*acphost.Transaction) bool) {
				sound := h.Record
				h.Record = func(t *acphost.Transaction) map[string]any {
					record := sound(t)
					if later(t) {
						delete(record, "cid")
					}
					return record
				}
			})),
		newMutant("event-of-later-author", "ACP-CHAIN-09", "Leaves the hash out of the events of a second author.",
			laterAuthors(func(h *acphost.Host, later func(*acphost.Transaction) bool) {
				sound := h.Event
				h.Event = func(t *acphost.Transaction) []map[string]any {
					events := sound(t)
					for _, event := range events {
						if later(t) {
							delete(event, "sha256")
						}
					}
					return events
				}
			})),
		newMutant("file-of-later-version", "ACP-PUB-03", "Keeps the file itself of the second version of a name.",
			func(h *acphost.Host) {
				sound, whole := h.Record, withFile(h, h.Record)
				h.Record = func(t *acphost.Transaction) map[string]any {
					if t.Owner != "" {
						return whole(t)
					}
					return sound(t)
				}
			}),
		newMutant("event-of-refused-version", "ACP-CHAIN-10", "Tells of a further version that it refused, if it came in the name of the author.", func(h *acphost.Host) {
			h.Refused = func(t *acphost.Transaction) []map[string]any {
				if t.Owner == "" || t.Owner != t.Author.DID {
					return nil
				}
				return h.Event(t)
			}
		}),
		newMutant("record-hash-once", "ACP-MOT-03", "Gives the hash of a version the first time that it is asked for it.", func(h *acphost.Host) {
			var mutex sync.Mutex
			given := map[string]bool{}
			onResult(acphost.OpGet, func(params, result object) any {
				mutex.Lock()
				defer mutex.Unlock()
				uri, _ := params["cap_uri"].(string)
				if given[uri] {
					return mutant.Without("sha256")(clone(result))
				}
				given[uri] = true
				return result
			})(h)
		}),
	}
}

// laterAuthors breaks what is done for every author but the first.
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

func nameOfEvent(event any) string {
	members, _ := event.(object)
	uri, _ := members["cap_uri"].(string)
	name, _, _ := strings.Cut(uri, "@")
	return name
}

func threeNumbers(version string) string {
	core, _, _ := strings.Cut(version, "+")
	core, _, _ = strings.Cut(core, "-")
	return core
}

// passesGate lets some transactions pass a gate.
func passesGate(name string, which func(t *acphost.Transaction) bool) defect {
	return func(h *acphost.Host) {
		for i, gate := range h.Gates {
			if gate.Name == name {
				h.Gates[i].Check = func(ctx context.Context, t *acphost.Transaction) error {
					if which(t) {
						return nil
					}
					return gate.Check(ctx, t)
				}
			}
		}
	}
}
