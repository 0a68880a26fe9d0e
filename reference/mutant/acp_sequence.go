package mutant

import (
	"context"
	"strings"

	"github.com/capconform/capconform/reference/acphost"
	"github.com/capconform/capconform/reference/rpc"
)

// acpSequences are registries that do right by the first version, and by plain ones.
func acpSequences() []Mutant {
	return []Mutant{
		acpMutant("event-of-last-version", "ACP-CHAIN-02", "Keeps the event of a name's last version alone.", onResult(acphost.OpEvents, func(_, result object) any {
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
		acpMutant("record-of-release", "ACP-CHAIN-03", "Keeps a version without what stands behind its three numbers.", func(h *acphost.Host) {
			sound := h.Record
			h.Record = func(t *acphost.Transaction) map[string]any {
				record := sound(t)
				record["semver"] = threeNumbers(t.Version)
				return record
			}
		}),
		acpMutant("event-of-release", "ACP-CHAIN-07", "Tells a version without what stands behind its three numbers.", func(h *acphost.Host) {
			sound := h.Event
			h.Event = func(t *acphost.Transaction) []map[string]any {
				events := sound(t)
				for _, event := range events {
					event["semver"] = threeNumbers(t.Version)
				}
				return events
			}
		}),
		acpMutant("owner-of-major", "ACP-TERM-03", "Gives a name to whoever begins another major version of it.", gateSpares("name", func(t *acphost.Transaction) bool { return !strings.HasPrefix(t.Version, "1.") })),
		acpMutant("proof-of-new-names", "ACP-PUB-02", "Wants the proof of an author for the first version of a name alone.", gateSpares("author", func(t *acphost.Transaction) bool { return t.Owner != "" && t.Author.DID != "" })),
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
func gateSpares(name string, which func(t *acphost.Transaction) bool) acpDefect {
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

// acpAuthors are publishers that know plain words and versions.
func acpAuthors() []Mutant {
	return []Mutant{
		acpMutant("submits-release", "ACP-PUB-06", "Submits a version without what stands behind its three numbers.", func(h *acphost.Host) {
			sound := h.Submission
			h.Submission = func(p *acphost.Package, content []byte, cid string, by acphost.Author) map[string]any {
				submission := sound(p, content, cid, by)
				submission["semver"] = threeNumbers(p.Version.Original())
				return submission
			}
		}),
		acpMutant("stores-ascii", "ACP-PUB-01", "Stores a package without what is not ASCII.", func(h *acphost.Host) {
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

// acpLookups are indexes that look at a part of a name, or at one place for a word.
func acpLookups() []Mutant {
	found := func(places ...string) acpDefect {
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
	return []Mutant{
		acpMutant("search-of-names", "ACP-INDEX-02", "Looks for words in the names of capabilities alone.", found("name", "id")).starves("ACP-INDEX-08"),
		acpMutant("search-of-descriptions", "ACP-INDEX-02", "Looks for words in the descriptions of capabilities alone.", found("description")).starves("ACP-INDEX-08"),
		acpMutant("latest-by-beginning", "ACP-INDEX-05", "Takes a capability whose name begins as the one that was asked for.", onCall(acphost.OpResolve, func(sound rpc.Operation, ctx context.Context, params object) (any, error) {
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
