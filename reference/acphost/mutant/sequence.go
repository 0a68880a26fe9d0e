package acpmutant

import (
	"context"
	"strings"
	"sync"

	"github.com/capconform/capconform/reference/acphost"
	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reference/rpc"
)

// sequences are registries that do right by the first version, and by plain ones.
func sequences() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("event-of-last-version", "ACP-CHAIN-02", "Keeps the event of a name's last version alone.", onResult(acphost.OpEvents, func(_, result object) any {
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
		newMutant("record-of-release", "ACP-CHAIN-03", "Keeps a version without what stands behind its three numbers.", func(h *acphost.Host) {
			sound := h.Record
			h.Record = func(t *acphost.Transaction) map[string]any {
				record := sound(t)
				record["semver"] = threeNumbers(t.Version)
				return record
			}
		}),
		newMutant("event-of-release", "ACP-CHAIN-07", "Tells a version without what stands behind its three numbers.", func(h *acphost.Host) {
			sound := h.Event
			h.Event = func(t *acphost.Transaction) []map[string]any {
				events := sound(t)
				for _, event := range events {
					event["semver"] = threeNumbers(t.Version)
				}
				return events
			}
		}),
		newMutant("owner-of-major", "ACP-TERM-03", "Gives a name to whoever begins another major version of it.", gateSpares("name", func(t *acphost.Transaction) bool { return !strings.HasPrefix(t.Version, "1.") })),
		newMutant("proof-of-new-names", "ACP-PUB-02", "Wants the proof of an author for the first version of a name alone.", gateSpares("author", func(t *acphost.Transaction) bool { return t.Owner != "" && t.Author.DID != "" })),
	}
}

// laterAuthorDefects are registries that do right by the first author.
func laterAuthorDefects() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("record-of-later-author", "ACP-CHAIN-04", "Keeps no cid of what a second author publishes.", laterAuthors(func(h *acphost.Host, later func(*acphost.Transaction) bool) {
			sound := h.Record
			h.Record = func(t *acphost.Transaction) map[string]any {
				record := sound(t)
				if later(t) {
					delete(record, "cid")
				}
				return record
			}
		})),
		newMutant("event-of-later-author", "ACP-CHAIN-09", "Leaves the hash out of the events of a second author.", laterAuthors(func(h *acphost.Host, later func(*acphost.Transaction) bool) {
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
		newMutant("file-of-later-version", "ACP-PUB-03", "Keeps the file itself of the second version of a name.", func(h *acphost.Host) {
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

// gateSpares lets transactions pass a gate.
func gateSpares(name string, which func(t *acphost.Transaction) bool) defect {
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

// authorDefects are publishers that know plain words and versions.
func authorDefects() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("submits-release", "ACP-PUB-06", "Submits a version without what stands behind its three numbers.", func(h *acphost.Host) {
			sound := h.Submission
			h.Submission = func(p *acphost.Package, content []byte, cid string, by acphost.Author) map[string]any {
				submission := sound(p, content, cid, by)
				submission["semver"] = threeNumbers(p.Version.Original())
				return submission
			}
		}),
		newMutant("stores-ascii", "ACP-PUB-01", "Stores a package without what is not ASCII.", func(h *acphost.Host) {
			sound := h.Sign
			h.Sign = func(text []byte, by acphost.Author) ([]byte, error) {
				return sound([]byte(strings.Map(func(r rune) rune {
					if r > 0x7f {
						return '?'
					}
					return r
				}, string(text))), by)
			}
		}),
	}
}

// laterIssues are publishers that do right by the first author and the first version of a name.
func laterIssues() []mutant.Mutant {
	remembered := func(member string) defect {
		return func(h *acphost.Host) {
			var mutex sync.Mutex
			first := map[string]any{}
			sound := h.Submission
			h.Submission = func(p *acphost.Package, content []byte, cid string, by acphost.Author) map[string]any {
				mutex.Lock()
				defer mutex.Unlock()
				submission := sound(p, content, cid, by)
				if first[p.Name] == nil {
					first[p.Name] = submission[member]
				}
				submission[member] = first[p.Name]
				return submission
			}
		}
	}
	return []mutant.Mutant{
		newMutant("submits-first-cid", "ACP-PUB-07", "Submits the CID of the first version of a name for each version.", remembered("cid")),
		newMutant("submits-first-hash", "ACP-PUB-08", "Submits the hash of the first version of a name for each version.", remembered("sha256")),
		newMutant("signs-by-first-author", "ACP-PUB-09", "Signs by the key of the first author whatever it publishes.", func(h *acphost.Host) {
			var mutex sync.Mutex
			first := acphost.Author{}
			sound := h.Sign
			h.Sign = func(text []byte, by acphost.Author) ([]byte, error) {
				mutex.Lock()
				defer mutex.Unlock()
				if first.DID == "" {
					first = by
				}
				return sound(text, first)
			}
		}),
	}
}

// lookups are indexes that look at a part of a name, or at one place for a word.
func lookups() []mutant.Mutant {
	found := func(places ...string) defect {
		return func(h *acphost.Host) {
			sound := h.Found
			h.Found = func(e *acphost.Entry, query string) bool {
				seen := *e
				seen.Metadata = map[string]any{}
				for _, name := range places {
					seen.Metadata[name] = e.Metadata[name]
				}
				return sound(&seen, query)
			}
		}
	}
	return []mutant.Mutant{
		newMutant("search-of-names", "ACP-INDEX-02", "Looks for words in the names of capabilities alone.", found("name", "id")),
		newMutant("search-of-descriptions", "ACP-INDEX-02", "Looks for words in the descriptions of capabilities alone.", found("description")),
		newMutant("latest-by-beginning", "ACP-INDEX-05", "Takes a capability whose name begins as the one that was asked for.", onCall(acphost.OpResolve, func(sound rpc.Operation, ctx context.Context, params object) (any, error) {
			uri, _ := params["cap_uri"].(string)
			if !strings.Contains(uri, "@") {
				if result, err := sound(ctx, object{"cap_uri": uri + "x"}); err == nil {
					return result, nil
				}
			}
			return sound(ctx, params)
		})),
	}
}
