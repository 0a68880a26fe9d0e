package chpmutant

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/capconform/capconform/reference/chphost"
	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reference/rpc"
)

// confusedIDs returns hosts that treat different ids as one in a lookup, although they store each as
// received.
func confusedIDs() []mutant.Mutant {
	var broken []mutant.Mutant
	for _, m := range []struct {
		name, summary string
		key           func(id string) string
	}{
		{"replay-any-case", "Looks up evidence without regard to case.", strings.ToLower},
		{"replay-trimmed", "Looks up evidence by the id without surrounding blanks.", strings.TrimSpace},
		{"replay-by-beginning", "Looks up evidence by the first 200 characters of the id.",
			func(id string) string { return id[:min(len(id), 200)] }},
		{"replay-by-end", "Looks up evidence by the last 40 characters of the id.",
			func(id string) string { return id[max(0, len(id)-40):] }},
		{"replay-any-character", "Treats a dot in a correlation id as any character.",
			func(id string) string { return strings.ReplaceAll(id, ".2", "-2") }},
		{"replay-any-sign", "Looks up evidence without regard to punctuation.",
			func(id string) string { return strings.NewReplacer("-", "", "/", "", "_", "").Replace(id) }},
	} {
		broken = append(broken, newMutant(m.name, "CHP-10-02", m.summary, keyed(m.key)))
	}
	return broken
}

// keyed replays the evidence of every id with the same key.
func keyed(key func(id string) string) defect {
	return func(h *chphost.Host) {
		var mutex sync.Mutex
		ids, correlate, original := map[string][]string{}, h.Correlate, h.Select
		h.Correlate = func(given map[string]any) map[string]any {
			correlation := correlate(given)
			id, _ := correlation["correlation_id"].(string)
			mutex.Lock()
			defer mutex.Unlock()
			if !slices.Contains(ids[key(id)], id) {
				ids[key(id)] = append(ids[key(id)], id)
			}
			return correlation
		}
		h.Select = func(query chphost.Query) ([]chphost.Record, int) {
			mutex.Lock()
			defer mutex.Unlock()
			limit := query.Limit
			query.Limit = 0
			var all []chphost.Record
			for _, query.CorrelationID = range ids[key(query.CorrelationID)] {
				records, _ := original(query)
				all = append(all, records...)
			}
			slices.SortFunc(all, func(a, b chphost.Record) int { return int(a.Sequence - b.Sequence) })
			total := len(all)
			if limit > 0 {
				all = all[:min(limit, total)]
			}
			return all, total
		}
	}
}

// identifierDefects returns hosts that handle ids, modes and names wrongly.
func identifierDefects() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("known-by-beginning", "CHP-9-02",
			"Finds a capability by an id that only begins with the capability's id.", func(h *chphost.Host) {
				original := h.Resolve
				h.Resolve = func(inv *chphost.Invocation) *chphost.Capability {
					if c := original(inv); c != nil {
						return c
					}
					all := h.Capabilities()
					i := slices.IndexFunc(all,
						func(c *chphost.Capability) bool { return strings.HasPrefix(inv.CapabilityID, c.ID+".") })
					if i < 0 {
						return nil
					}
					return all[i]
				}
			}),
		newMutant("stream-as-sync", "CHP-9-03", "Treats the mode stream as sync.",
			withoutGate(chphost.UnsupportedMode, func(inv *chphost.Invocation) bool { return inv.Mode == "stream" })),
		newMutant("correlation-number", "CHP-7-05", "Writes a correlation id of digits as a number.",
			inResult(anyInvocation, func(result object) any {
				correlation, _ := result["correlation"].(object)
				id, _ := correlation["correlation_id"].(string)
				if _, err := strconv.ParseFloat(id, 64); err == nil {
					number := maps.Clone(correlation)
					number["correlation_id"] = rpc.Raw(strings.TrimLeft(id, "0"))
					result["correlation"] = number
				}
				return result
			})),
		newMutant("descriptors-swapped", "CHP-3-15", "Swaps the ids of two capabilities after some calls.", swapsNames),
		newMutant("ids-counted", "CHP-3-15",
			"Lists a capability with a new number in its id each time and does not serve it under that id.", countsIDs),
	}
}

// swapped redacts the strings at the top level of an object only.
func swapped(payload map[string]any) object {
	result := object{}
	for name, value := range payload {
		switch value.(type) {
		case []any, map[string]any:
			result["deeper"] = value
		default:
			result["crossed"] = name == ""
		}
	}
	return result
}

// quietCalls is the number of listings before a defect of names begins.
const quietCalls = 4

// named changes descriptors in listings; n counts the listings.
func named(change func(n int64, c *chphost.Capability) any) defect {
	return func(h *chphost.Host) {
		var mutex sync.Mutex
		n, catalogue, publish := int64(0), h.Catalogue, h.Publish
		h.Catalogue = func(operation string) []*chphost.Capability {
			mutex.Lock()
			defer mutex.Unlock()
			n++
			return catalogue(operation)
		}
		h.Publish = func(operation string, c *chphost.Capability) any {
			mutex.Lock()
			defer mutex.Unlock()
			if changed := change(n, c); changed != nil {
				return changed
			}
			return publish(operation, c)
		}
	}
}

func swapsNames(h *chphost.Host) {
	all := h.Capabilities()
	one, other := all[2], all[3]
	called := func(c *chphost.Capability, name *chphost.Capability) any {
		return c.Edit(func(d object) {
			d["id"], d["version"], d["capability_uri"] = name.ID, name.Version, name.ID+":"+name.Version
		}).Rendered()
	}
	named(func(n int64, c *chphost.Capability) any {
		switch {
		case n > quietCalls && c == one:
			return called(other, one)
		case n > quietCalls && c == other:
			return called(one, other)
		}
		return nil
	})(h)
}

func countsIDs(h *chphost.Host) {
	named(func(n int64, c *chphost.Capability) any {
		if c.ID != victim || n <= quietCalls {
			return nil
		}
		return c.Edit(func(d object) {
			id := fmt.Sprintf("%s-%d", c.ID, n)
			d["id"], d["capability_uri"] = id, id+":"+c.Version
		}).Rendered()
	})(h)
}

// unknownReplays returns hosts that answer the replay of an unused id with an incomplete
// result.
func unknownReplays() []mutant.Mutant {
	var broken []mutant.Mutant
	for requirement, member := range map[string]string{"CHP-10-06": "correlation_id", "CHP-10-07": "events",
		"CHP-10-08": "event_count", "CHP-10-09": "replayed_at"} {
		broken = append(broken, newMutant("empty-replay-no-"+mutant.Dashed(member), requirement,
			"Uses null as "+member+" of a replay without events.", func(h *chphost.Host) {
				original := h.ReplayResult
				h.ReplayResult = func(query chphost.Query, events []any, total int) any {
					result := original(query, events, total)
					if members, isObject := result.(object); isObject && total == 0 {
						members[member] = nil
					}
					return result
				}
			}))
	}
	slices.SortFunc(broken, func(a, b mutant.Mutant) int { return strings.Compare(a.Requirement, b.Requirement) })
	return broken
}

// correlationsInRareCases returns hosts that handle correlation ids wrongly that callers rarely
// use.
func correlationsInRareCases() []mutant.Mutant {
	blank := renames(func(string) any { return "" })
	return []mutant.Mutant{
		newMutant("made-id-not-in-events", "CHP-7-03", "Generates a correlation id and omits it from the events.",
			inEvents(both(missingID, served), chphost.EventCompleted, asEventChange(mutant.With("correlation", object{})))),
		newMutant("long-id-without-correlation", "CHP-7-04",
			"Omits correlation from a result if the id is longer than 100 characters.",
			inResult(longID, mutant.Without("correlation"))),
		newMutant("long-id-uncorrelated-events", "CHP-7-03",
			"Omits correlation from an event if the id is longer than 100 characters.",
			inEvents(longID, chphost.EventCompleted, asEventChange(mutant.Without("correlation")))),
		newMutant("made-id-not-for-denials", "CHP-7-02", "Generates no correlation id for an invocation that it denies.",
			inResult(both(missingID, ofUnknown), blank)),
		newMutant("made-id-not-for-failures", "CHP-7-02", "Generates no correlation id for an invocation that fails.",
			inResult(both(missingID, asked(fails)), blank)).WithRole("fails"),
		newMutant("made-id-not-for-skips", "CHP-7-02", "Generates no correlation id for an invocation that it skips.",
			inResult(both(missingID, asked(disabled)), blank)).WithRole("disabled"),
		newMutant("half-context-not-completed", "CHP-7-02",
			"Generates no correlation id if the caller supplies only a trace id.",
			inResult(both(missingID, func(inv *chphost.Invocation) bool { return inv.Given["trace_id"] != nil }), blank)),
		newMutant("denied-long-id-cut", "CHP-7-05", "Truncates long correlation ids in results of denials.",
			inResult(both(ofUnknown, longID), renames(func(id string) any { return id[:100] }))),
		newMutant("failed-id-composed", "CHP-7-05", "Composes the letters of correlation ids in results of failures.",
			inResult(asked(fails), renames(func(id string) any {
				return strings.NewReplacer("u\u0308", "\u00fc", "e\u0301", "\u00e9").Replace(id)
			}))).WithRole("fails"),
		newMutant("replay-not-of-rare-ids", "CHP-10-01",
			"Replays nothing for ids with characters other than ASCII letters, digits and hyphens.",
			selects(func(query chphost.Query, records []chphost.Record) []chphost.Record {
				rare := strings.ContainsFunc(query.CorrelationID, func(r rune) bool {
					return r >= utf8.RuneSelf ||
						strings.ContainsRune(" /%*?", r)
				})
				if rare {
					return nil
				}
				return records
			})),
		newMutant("replay-as-pattern", "CHP-10-02", "Treats an underscore in a correlation id as a wildcard.",
			keyed(func(id string) string { return strings.ReplaceAll(id, "-2", "_2") })),
		newMutant("replay-composed", "CHP-10-02", "Looks up evidence by the id in composed letters.",
			keyed(func(id string) string { return strings.ReplaceAll(id, "u\u0308", "\u00fc") })),
	}
}

// missingID reports whether the host must generate the correlation id.
func missingID(inv *chphost.Invocation) bool { return inv.Given["correlation_id"] == nil }

func both(one, other affects) affects {
	return func(inv *chphost.Invocation) bool { return one(inv) && other(inv) }
}

// longID reports whether the correlation id is long.
func longID(inv *chphost.Invocation) bool { return len(inv.CorrelationID()) > 100 }
