package chpmutant

import (
	"maps"
	"net/url"
	"path"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode"

	"github.com/google/uuid"

	"github.com/capconform/capconform/reference/chphost"
	"github.com/capconform/capconform/reference/mutant"
)

// renamed returns a correlation with another id.
func renamed(correlation any, change func(id string) any) object {
	members, _ := correlation.(object)
	copied := object{}
	maps.Copy(copied, members)
	id, _ := copied["correlation_id"].(string)
	copied["correlation_id"] = change(id)
	return copied
}

func renames(change func(id string) any) func(object) any {
	return func(holder object) any {
		holder["correlation"] = renamed(holder["correlation"], change)
		return holder
	}
}

// correlations returns hosts that omit or replace the correlation id of a caller (CHP-7-01, 04
// and 05), or do not generate one (CHP-7-02).
func correlations() []mutant.Mutant {
	fresh := func(id string) any { return "corr-of-" + id }
	given := func(which affects) affects {
		return func(inv *chphost.Invocation) bool { return which(inv) && inv.Given["correlation_id"] != nil }
	}
	broken := []mutant.Mutant{
		newMutant("result-other-correlation", "CHP-7-01", "Uses another correlation id in a result than the caller.",
			inResult(given(ofVictim), renames(fresh))),
		newMutant("denied-result-other-correlation", "CHP-7-01",
			"Uses another correlation id in a denied result than the caller.", inResult(given(ofUnknown), renames(fresh))),
		newMutant("event-other-correlation", "CHP-7-01", "Uses another correlation id in an event than the caller.",
			inEvents(given(ofVictim), chphost.EventCompleted, asEventChange(renames(fresh)))),
		newMutant("denied-event-other-correlation", "CHP-7-01",
			"Uses another correlation id in the event of a denial than the caller.",
			inEvents(given(ofUnknown), chphost.EventDenied, asEventChange(renames(fresh)))),
		newMutant("failed-event-other-correlation", "CHP-7-01",
			"Uses another correlation id in the event of a failure than the caller.",
			inEvents(given(asked(fails)), chphost.EventFailed, asEventChange(renames(fresh)))).WithRole("fails"),
	}
	return append(append(broken, madeIDs()...), unusualIDs()...)
}

// madeIDs returns hosts that fail if the caller supplies no id.
func madeIDs() []mutant.Mutant {
	missing := func(inv *chphost.Invocation) bool { return inv.Given["correlation_id"] == nil }
	return []mutant.Mutant{
		newMutant("missing-correlation-refused", "CHP-7-02", "Refuses every envelope without a correlation id.",
			func(h *chphost.Host) {
				original := h.Admit
				h.Admit = func(envelope object) (*chphost.Invocation, error) {
					inv, err := original(envelope)
					if err == nil && missing(inv) {
						return nil, chphost.Refuse("correlation.correlation_id must be a string")
					}
					return inv, err
				}
			}).AlsoBreaks("CHP-7-07", "every form of a missing id is refused"),
		newMutant("made-id-not-in-result", "CHP-7-02", "Generates a correlation id and does not return it in the result.",
			inResult(missing, renames(func(string) any { return "" }))),
		newMutant("made-id-not-in-evidence", "CHP-7-02",
			"Returns another correlation id than the one that it generated for the evidence.",
			inResult(missing, renames(func(id string) any { return id + "-1" }))),
		newMutant("made-id-per-event", "CHP-7-02",
			"Generates one correlation id for the result and another one for an event.",
			inEvents(missing, chphost.EventStarted, asEventChange(renames(func(id string) any { return id + "-1" })))),
		newMutant("made-id-constant", "CHP-7-02", "Generates the same correlation id for every invocation without one.",
			makes(func(int64) string { return "corr-default" })),
		newMutant("made-id-of-two", "CHP-7-02", "Generates the same correlation id for two consecutive invocations.",
			makes(func(n int64) string {
				return "corr-pair-" + strconv.FormatInt(n/2, 10)
			})),
		newMutant("made-id-empty", "CHP-7-02", "Uses the empty string as the correlation id that it generates.",
			makes(func(int64) string { return "" })),
	}
}

// makes generates the n-th correlation id, from 0 on, in another way.
func makes(id func(n int64) string) defect {
	return func(h *chphost.Host) {
		original, made := h.Correlate, new(atomic.Int64)
		h.Correlate = func(given map[string]any) map[string]any {
			if given["correlation_id"] != nil {
				return original(given)
			}
			return renamed(original(given), func(string) any { return id(made.Add(1) - 1) })
		}
	}
}

// mangles replaces the caller's correlation id everywhere.
func mangles(change func(id string) string) defect {
	return func(h *chphost.Host) {
		original := h.Correlate
		h.Correlate = func(given map[string]any) map[string]any {
			if given["correlation_id"] == nil {
				return original(given)
			}
			return renamed(original(given), func(id string) any { return change(id) })
		}
	}
}

// unusualIDs returns hosts that silently replace correlation ids (CHP-7-05).
func unusualIDs() []mutant.Mutant {
	broken := []mutant.Mutant{
		newMutant("callers-mixed", "CHP-7-05", "Keeps the correlation in a variable that all callers share.", mixes),
		newMutant("used-id-renamed", "CHP-7-05", "Appends a number to a correlation id that was used before.",
			func(h *chphost.Host) {
				var mutex sync.Mutex
				used := map[string]bool{}
				mangles(func(id string) string {
					mutex.Lock()
					defer mutex.Unlock()
					if used[id] {
						return id + "-2"
					}
					used[id] = true
					return id
				})(h)
			}),
	}
	for _, m := range idRewrites() {
		broken = append(broken, newMutant(m.name, "CHP-7-05", m.summary, mangles(m.turn)))
	}
	return broken
}

// rewrite is a way to replace correlation ids.
type rewrite struct {
	name, summary string
	turn          func(id string) string
}

// idRewrites returns the ways in which hosts replace correlation ids by their form.
func idRewrites() []rewrite {
	return []rewrite{
		{"id-cut", "Truncates correlation ids to 128 characters.",
			func(id string) string { return id[:min(128, len(id))] }},
		{"id-cut-late", "Truncates correlation ids to 1,024 characters.",
			func(id string) string { return id[:min(1024, len(id))] }},
		{"id-zeros", "Removes leading zeros from correlation ids.",
			func(id string) string { return strings.TrimLeft(id, "0") }},
		{"id-hyphens", "Adds hyphens to correlation ids of 32 hexadecimal digits.", hyphenated},
		{"id-lowered", "Converts correlation ids to lower case.", strings.ToLower},
		{"id-slashes", "Replaces slashes in correlation ids.", replacing("/", "_")},
		{"id-blanks", "Removes blanks from correlation ids.", replacing(" ", "")},
		{"id-ascii", "Removes non-ASCII characters from correlation ids.", without(func(r rune) bool {
			return r > unicode.MaxASCII
		})},
		{"id-four-bytes", "Removes characters of more than three bytes from correlation ids.", without(func(r rune) bool {
			return r > 0xffff
		})},
		{"id-canonical", "Rewrites correlation ids that are UUIDs in lower case.", func(id string) string {
			if len(id) == 36 && strings.Count(id, "-") == 4 {
				return strings.ToLower(id)
			}
			return id
		}},
		{"id-dots", "Replaces dots in correlation ids.", replacing(".", "_")},
		{"id-joined", "Removes characters that only format, such as joiners, from correlation ids.",
			without(func(r rune) bool { return unicode.Is(unicode.Cf, r) })},
		{"id-width", "Replaces full-width letters in correlation ids.", replacing("\uff21", "A")},
		{"id-path", "Resolves the segments of a path in correlation ids.", func(id string) string {
			if scheme, rest, isURI := strings.Cut(id, "://"); isURI {
				return scheme + "://" + path.Clean(rest)
			}
			return id
		}},
		{"id-list", "Truncates correlation ids at a comma or a semicolon.",
			func(id string) string {
				if at := strings.IndexAny(id, ",;"); at >= 0 {
					return id[:at]
				}
				return id
			}},
		{"id-control", "Removes control characters from correlation ids.", without(unicode.IsControl)},
		{"id-unescaped", "Decodes percent signs in correlation ids.", func(id string) string {
			if decoded, err := url.PathUnescape(id); err == nil {
				return decoded
			}
			return id
		}},
		{"id-short", "Replaces correlation ids of fewer than eight characters.", func(id string) string {
			if len(id) < 8 {
				return "corr-of-" + id
			}
			return id
		}},
		{"id-query", "Truncates correlation ids at a question mark.", func(id string) string {
			before, _, _ := strings.Cut(id, "?")
			return before
		}},
	}
}

// replacing returns a function that replaces a text in a string wherever it occurs.
func replacing(old, by string) func(string) string {
	return func(id string) string { return strings.ReplaceAll(id, old, by) }
}

// hyphenated returns a UUID without hyphens as a UUID with hyphens.
func hyphenated(id string) string {
	if parsed, err := uuid.Parse(id); err == nil && len(id) == 32 {
		return parsed.String()
	}
	return id
}

// without returns a function that removes some characters from a string.
func without(removed func(rune) bool) func(string) string {
	return func(id string) string {
		return strings.Map(func(r rune) rune {
			if removed(r) {
				return -1
			}
			return r
		}, id)
	}
}

// meetingTime is how long an invocation waits for another one to mix with.
const meetingTime = 10 * time.Millisecond

// mixes uses the correlation of the last caller for an invocation. It waits a short time for
// another invocation, so that concurrent invocations are sure to meet.
func mixes(h *chphost.Host) {
	var last exchanger[map[string]any]
	original := h.Correlate
	h.Correlate = func(given map[string]any) map[string]any { return last.exchange(original(given)) }
}

// contexts returns hosts that omit the rest of a correlation (CHP-7-06), or use an empty id
// (CHP-7-07).
func contexts() []mutant.Mutant {
	var broken []mutant.Mutant
	drop := func(member string) func(object) any {
		return func(holder object) any {
			members, _ := holder["correlation"].(object)
			copied := object{}
			maps.Copy(copied, members)
			delete(copied, member)
			holder["correlation"] = copied
			return holder
		}
	}
	for _, member := range []string{"causation_id", "parent_correlation_id", "trace_id", "baggage"} {
		broken = append(broken,
			newMutant(mutant.Dashed(member)+"-lost", "CHP-7-06", "Omits the caller's "+member+" from the result.",
				inResult(anyInvocation, drop(member))),
			newMutant(mutant.Dashed(member)+"-lost-in-evidence", "CHP-7-06", "Omits the caller's "+member+" from events.",
				inEvents(anyInvocation, chphost.EventCompleted, asEventChange(drop(member)))))
	}
	for name, id := range map[string]any{"null": nil, "empty": ""} {
		broken = append(broken, newMutant(name+"-id-carried-on", "CHP-7-07",
			"Uses a correlation id that is "+name+" as sent.", func(h *chphost.Host) {
				original := h.Correlate
				h.Correlate = func(given map[string]any) map[string]any {
					if had, isGiven := given["correlation_id"]; isGiven && had == id {
						return given
					}
					return original(given)
				}
			}))
	}
	return append(mutant.ByName(broken),
		newMutant("absent-correlation-refused", "CHP-7-07",
			"Refuses an envelope without correlation, and accepts one with an empty correlation.", func(h *chphost.Host) {
				original := h.Admit
				h.Admit = func(envelope object) (*chphost.Invocation, error) {
					if envelope["correlation"] == nil {
						return nil, chphost.Refuse("correlation must be an object")
					}
					return original(envelope)
				}
			}),
		newMutant("context-foreign-environment", "CHP-7-08",
			"Adds an environment that the schema does not define to the correlation of a result.",
			inResult(ofVictim, func(result object) any {
				result["correlation"] = renamed(result["correlation"], func(id string) any { return id })
				members, _ := result["correlation"].(object)
				members["environment"] = "garden"
				return result
			})).OnlyStrict())
}
