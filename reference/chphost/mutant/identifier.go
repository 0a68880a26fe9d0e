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

// alike takes different ids for one in a lookup, though it keeps each as it came.
func alike() []mutant.Mutant {
	var broken []mutant.Mutant
	for _, m := range []struct {
		name, summary string
		key           func(id string) string
	}{
		{"replay-any-case", "Looks evidence up without regard to case.", strings.ToLower},
		{"replay-trimmed", "Looks evidence up by an id without the blanks around it.", strings.TrimSpace},
		{"replay-by-beginning", "Looks evidence up by the first 200 characters of an id.",
			func(id string) string { return id[:min(len(id), 200)] }},
		{"replay-any-sign", "Looks evidence up without regard to signs.",
			func(id string) string { return strings.NewReplacer("-", "", "/", "", "_", "").Replace(id) }},
	} {
		broken = append(broken, newMutant(m.name, "CHP-10-02", m.summary, keyed(m.key)))
	}
	return broken
}

// keyed replays whatever was kept under an id with the same key.
func keyed(key func(id string) string) defect {
	return func(h *chphost.Host) {
		var mutex sync.Mutex
		ids, correlate, sound := map[string][]string{}, h.Correlate, h.Select
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
				records, _ := sound(query)
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

// identifierDefects handle ids, modes and names wrongly.
func identifierDefects() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("known-by-beginning", "CHP-9-02", "Finds a capability by an id that only begins like its own.",
			func(h *chphost.Host) {
				sound := h.Resolve
				h.Resolve = func(inv *chphost.Invocation) *chphost.Capability {
					if c := sound(inv); c != nil {
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
		newMutant("stream-as-sync", "CHP-9-03", "Takes the mode stream for sync.",
			ungated(chphost.UnsupportedMode, func(inv *chphost.Invocation) bool { return inv.Mode == "stream" })),
		newMutant("correlation-number", "CHP-7-05", "Writes a correlation id of digits as a number.",
			inResult(anyInvocation, func(result object) any {
				correlation, _ := result["correlation"].(object)
				id, _ := correlation["correlation_id"].(string)
				if _, err := strconv.ParseFloat(id, 64); err == nil {
					number := maps.Clone(correlation)
					number["correlation_id"] = rpc.Raw(id)
					result["correlation"] = number
				}
				return result
			})),
		newMutant("descriptors-swapped", "CHP-3-15", "Swaps the names of two capabilities after some calls.", swapsNames),
		newMutant("ids-counted", "CHP-3-15",
			"Gives a capability an id with a new number at each listing, by which it is not served.", countsIDs),
	}
}

// crossed crosses out the texts of an object, and not what lies deeper.
func crossed(payload map[string]any) object {
	told := object{}
	for name, value := range payload {
		switch value.(type) {
		case []any, map[string]any:
			told["deeper"] = value
		default:
			told["crossed"] = name == ""
		}
	}
	return told
}

// quietCalls is how many listings a defect of names lets pass.
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

// unknownReplays answer the replay of an unused id with an incomplete result.
func unknownReplays() []mutant.Mutant {
	var broken []mutant.Mutant
	for requirement, member := range map[string]string{"CHP-10-06": "correlation_id", "CHP-10-07": "events",
		"CHP-10-08": "event_count", "CHP-10-09": "replayed_at"} {
		broken = append(broken, newMutant("empty-replay-no-"+mutant.Dashed(member), requirement,
			"Gives null as "+member+" of a replay without events.", func(h *chphost.Host) {
				sound := h.Replayed
				h.Replayed = func(query chphost.Query, events []any, total int) any {
					result := sound(query, events, total)
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

// rareCorrelations are wrong for correlation ids that callers rarely use.
func rareCorrelations() []mutant.Mutant {
	blank := renames(func(string) any { return "" })
	return []mutant.Mutant{
		newMutant("made-id-not-in-events", "CHP-7-03", "Makes a correlation id and leaves it out of the events.",
			inEvents(both(missingID, served), chphost.Completed, one(mutant.With("correlation", object{})))),
		newMutant("long-id-without-correlation", "CHP-7-04",
			"Leaves correlation out of a result where the id is longer than 100 characters.",
			inResult(longID, mutant.Without("correlation"))),
		newMutant("long-id-uncorrelated-events", "CHP-7-03",
			"Leaves correlation out of an event where the id is longer than 100 characters.",
			inEvents(longID, chphost.Completed, one(mutant.Without("correlation")))),
		newMutant("made-id-not-for-denials", "CHP-7-02", "Makes no correlation id for what it denies.",
			inResult(both(missingID, ofUnknown), blank)),
		newMutant("made-id-not-for-failures", "CHP-7-02", "Makes no correlation id for what fails.",
			inResult(both(missingID, asked(fails)), blank)).WithRole("fails"),
		newMutant("made-id-not-for-skips", "CHP-7-02", "Makes no correlation id for what it skips.",
			inResult(both(missingID, asked(disabled)), blank)).WithRole("disabled"),
		newMutant("half-context-not-completed", "CHP-7-02",
			"Makes no correlation id where the caller gives a trace id alone.",
			inResult(both(missingID, func(inv *chphost.Invocation) bool { return inv.Given["trace_id"] != nil }), blank)),
		newMutant("denied-long-id-cut", "CHP-7-05", "Cuts long correlation ids in the results of denials.",
			inResult(both(ofUnknown, longID), renames(func(id string) any { return id[:100] }))),
		newMutant("failed-id-composed", "CHP-7-05", "Composes the letters of correlation ids in the results of failures.",
			inResult(asked(fails), renames(func(id string) any {
				return strings.NewReplacer("u\u0308", "\u00fc", "e\u0301", "\u00e9").Replace(id)
			}))).WithRole("fails"),
		newMutant("replay-not-of-rare-ids", "CHP-10-01",
			"Replays nothing for ids that are not of ASCII letters, digits and hyphens.",
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
		newMutant("replay-as-pattern", "CHP-10-02", "Takes an underscore in a correlation id for any letter.",
			keyed(func(id string) string { return strings.ReplaceAll(id, "-2", "_2") })),
		newMutant("replay-composed", "CHP-10-02", "Looks evidence up by composed letters.",
			keyed(func(id string) string { return strings.ReplaceAll(id, "u\u0308", "\u00fc") })),
	}
}

// missingID tells the invocations whose correlation id is left to the host.
func missingID(inv *chphost.Invocation) bool { return inv.Given["correlation_id"] == nil }

func both(one, other struck) struck {
	return func(inv *chphost.Invocation) bool { return one(inv) && other(inv) }
}

// longID tells the invocations under a long correlation id.
func longID(inv *chphost.Invocation) bool { return len(inv.CorrelationID()) > 100 }
