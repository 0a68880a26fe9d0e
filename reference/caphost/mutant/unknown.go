package capmutant

import (
	"net/url"
	"slices"
	"strings"

	"github.com/capconform/capconform/reference/caphost"
	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reference/rpc"
)

// unknownPairs returns hosts that break the answer to a pair that does not exist: of describe
// (CAP-DIS-04) and of invoke (CAP-ERR-01).
func unknownPairs() []mutant.Mutant {
	return append(append(unknownIDs(), absences()...), unknownInvokes()...)
}

// unknownIDs returns hosts that treat an unknown pair as a known one, each for one of the two
// operations.
func unknownIDs() []mutant.Mutant {
	var broken []mutant.Mutant
	for _, m := range slices.Concat(looseVersions(), oddVersions(), looseIDs()) {
		for operation, about := range map[string][2]string{
			caphost.OpDescribe: {"Describe", "CAP-DIS-04"}, caphost.OpInvoke: {"Invoke", "CAP-ERR-01"},
		} {
			broken = append(broken, newMutant(strings.ToLower(about[0])+"-"+m.name, about[1], about[0]+" "+m.summary+".",
				takesFor(operation, m.find)))
		}
	}
	return mutant.ByName(broken)
}

// looseMatch finds a capability for a pair that does not exist.
type looseMatch struct {
	name, summary string
	find          func(h *caphost.Host, ref caphost.Ref) *caphost.Capability
}

func looseVersions() []looseMatch {
	return []looseMatch{
		{"latest", "treats an unknown version of a known id as its last version",
			func(h *caphost.Host, ref caphost.Ref) *caphost.Capability {
				return lastWhere(h, func(c *caphost.Capability) bool { return c.ID == ref.ID })
			}},
		{"id-only", "treats an unknown version of a known id as its first version",
			func(h *caphost.Host, ref caphost.Ref) *caphost.Capability {
				return firstOf(h, ref.ID)
			}},
		{"crossed-pair", "accepts the version of another capability",
			func(h *caphost.Host, ref caphost.Ref) *caphost.Capability {
				if lastWhere(h, func(c *caphost.Capability) bool { return c.Version == ref.Version }) == nil {
					return nil
				}
				return firstOf(h, ref.ID)
			}},
		{"version-only", "treats an unknown id in a known version as some capability of that version",
			func(h *caphost.Host, ref caphost.Ref) *caphost.Capability {
				if firstOf(h, ref.ID) != nil {
					return nil
				}
				return lastWhere(h, func(c *caphost.Capability) bool { return c.Version == ref.Version && !isFixture(c) })
			}},
		{"version-range", "accepts 1 or 1.0 as a version that begins with it",
			func(h *caphost.Host, ref caphost.Ref) *caphost.Capability {
				return lastWhere(h, func(c *caphost.Capability) bool {
					return c.ID == ref.ID && strings.HasPrefix(c.Version, ref.Version+".")
				})
			}},
		{"version-v", "ignores a v before the version", func(h *caphost.Host, ref caphost.Ref) *caphost.Capability {
			return lastWhere(h, func(c *caphost.Capability) bool { return c.ID == ref.ID && "v"+c.Version == ref.Version })
		}},
		{"version-build", "ignores what follows a plus sign in the version",
			func(h *caphost.Host, ref caphost.Ref) *caphost.Capability {
				version, _, _ := strings.Cut(ref.Version, "+")
				return lastWhere(h, func(c *caphost.Capability) bool { return c.ID == ref.ID && c.Version == version })
			}},
		{"version-prerelease", "ignores what follows a hyphen in the version",
			func(h *caphost.Host, ref caphost.Ref) *caphost.Capability {
				version, _, _ := strings.Cut(ref.Version, "-")
				return lastWhere(h, func(c *caphost.Capability) bool { return c.ID == ref.ID && c.Version == version })
			}},
		{"same-major", "accepts any version of a known id with the same major number",
			func(h *caphost.Host, ref caphost.Ref) *caphost.Capability {
				major, _, _ := strings.Cut(ref.Version, ".")
				return lastWhere(h, func(c *caphost.Capability) bool {
					return c.ID == ref.ID && strings.Count(ref.Version, ".") == 2 && strings.HasPrefix(c.Version, major+".")
				})
			}},
		{"higher-version", "uses a higher version than the requested one",
			func(h *caphost.Host, ref caphost.Ref) *caphost.Capability {
				return lastWhere(h, func(c *caphost.Capability) bool {
					return c.ID == ref.ID && strings.Count(ref.Version, ".") == 2 && ref.Version[0] >= '0' &&
						ref.Version < c.Version
				})
			}},
	}
}

func oddVersions() []looseMatch {
	return []looseMatch{
		{"version-line-break", "ignores a line break behind the version",
			func(h *caphost.Host, ref caphost.Ref) *caphost.Capability {
				return h.Lookup(caphost.Ref{ID: ref.ID, Version: strings.TrimSuffix(ref.Version, "\n")})
			}},
		{"version-of-middle", "accepts any version of one capability in the middle of the list",
			func(h *caphost.Host, ref caphost.Ref) *caphost.Capability {
				all := slices.DeleteFunc(h.Capabilities(), isFixture)
				middle := all[len(all)/2]
				if ref.ID != middle.ID {
					return nil
				}
				return middle
			}},
	}
}

func looseIDs() []looseMatch {
	return []looseMatch{
		{"case", "ignores the case of an id", func(h *caphost.Host, ref caphost.Ref) *caphost.Capability {
			return lastWhere(h,
				func(c *caphost.Capability) bool { return strings.EqualFold(c.ID, ref.ID) && c.Version == ref.Version })
		}},
		{"prefix", "accepts the beginning of an id as the id", func(h *caphost.Host, ref caphost.Ref) *caphost.Capability {
			return lastWhere(h, func(c *caphost.Capability) bool {
				return ref.ID != "" && strings.HasPrefix(c.ID, ref.ID) && c.Version == ref.Version
			})
		}},
		{"separators", "accepts another separator in an id",
			func(h *caphost.Host, ref caphost.Ref) *caphost.Capability {
				return lastWhere(h, func(c *caphost.Capability) bool {
					return strings.ReplaceAll(c.ID, ".", "_") == ref.ID && c.Version == ref.Version
				})
			}},
		{"longer-id", "accepts a longer id that begins with the id",
			func(h *caphost.Host, ref caphost.Ref) *caphost.Capability {
				return lastWhere(h, func(c *caphost.Capability) bool {
					return strings.HasPrefix(ref.ID, c.ID+".") && c.Version == ref.Version
				})
			}},
		{"last-part", "accepts the last part of an id as the id",
			func(h *caphost.Host, ref caphost.Ref) *caphost.Capability {
				return lastWhere(h, func(c *caphost.Capability) bool {
					return strings.HasSuffix(c.ID, "."+ref.ID) && c.Version == ref.Version
				})
			}},
		{"by-name", "accepts the name of a capability as its id",
			func(h *caphost.Host, ref caphost.Ref) *caphost.Capability {
				return lastWhere(h, func(c *caphost.Capability) bool {
					return c.Manifest()["name"] == ref.ID &&
						c.Version == ref.Version
				})
			}},
		{"asterisk", "accepts an asterisk as any id", func(h *caphost.Host, ref caphost.Ref) *caphost.Capability {
			return lastWhere(h, func(c *caphost.Capability) bool {
				return ref.ID == "*" && c.Version == ref.Version &&
					!isFixture(c)
			})
		}},
		{"line-break", "ignores a line break behind an id", func(h *caphost.Host, ref caphost.Ref) *caphost.Capability {
			return h.Lookup(caphost.Ref{ID: strings.TrimSuffix(ref.ID, "\n"), Version: ref.Version})
		}},
		{"slash", "ignores a slash behind an id", func(h *caphost.Host, ref caphost.Ref) *caphost.Capability {
			return h.Lookup(caphost.Ref{ID: strings.TrimSuffix(ref.ID, "/"), Version: ref.Version})
		}},
		{"percent", "decodes an id", func(h *caphost.Host, ref caphost.Ref) *caphost.Capability {
			decoded, _ := url.PathUnescape(ref.ID) // an id that is not encoded stays unknown
			return h.Lookup(caphost.Ref{ID: decoded, Version: ref.Version})
		}},
		{"blanks", "ignores spaces around id and version", func(h *caphost.Host, ref caphost.Ref) *caphost.Capability {
			return h.Lookup(caphost.Ref{ID: strings.TrimSpace(ref.ID), Version: strings.TrimSpace(ref.Version)})
		}},
	}
}

func lastWhere(h *caphost.Host, fits selector) *caphost.Capability {
	var last *caphost.Capability
	for _, c := range h.Capabilities() {
		if fits(c) {
			last = c
		}
	}
	return last
}

func takesFor(operation string, find func(h *caphost.Host, ref caphost.Ref) *caphost.Capability) defect {
	return func(h *caphost.Host) {
		original := h.Resolve
		h.Resolve = func(asked string, ref caphost.Ref) *caphost.Capability {
			if c := original(asked, ref); c != nil || asked != operation {
				return c
			}
			return find(h, ref)
		}
	}
}

// absences returns hosts that answer the describe of an unknown pair with something other than
// NOT_FOUND.
func absences() []mutant.Mutant {
	var broken []mutant.Mutant
	for _, m := range []struct {
		name, summary string
		result        any
		err           error
	}{
		{"null", "null", nil, nil},
		{"empty-object", "an empty object", map[string]any{}, nil},
		{"empty-array", "an empty array", []any{}, nil},
		{"false", "false", false, nil},
		{"invalid-as-result", "the bare word INVALID_INPUT", caphost.InvalidInput, nil},
		{"text-as-result", "a sentence that names the code", "the capability is unknown (NOT_FOUND)", nil},
		{"codeless", "an error without code", nil, mutant.ProtocolError("unknown capability")},
		{"code-in-message", "an error that names the code only in its message", nil,
			mutant.ProtocolError(caphost.NotFound)},
		{"title-case-code", "the code NotFound", nil, rpc.Refuse("NotFound", "unknown")},
		{"lower-case-code", "the code not_found", nil, rpc.Refuse("not_found", "unknown")},
		{"number-code", "the code 404", nil, &rpc.Error{Number: rpc.ProtocolError, Message: "unknown",
			Data: map[string]any{"code": 404}}},
		{"invalid-input", "the code INVALID_INPUT", nil, rpc.Refuse(caphost.InvalidInput, "unknown")},
		{"failed", "the code EXECUTION_FAILED", nil, rpc.Refuse(caphost.ExecutionFailed, "unknown")},
	} {
		broken = append(broken, newMutant("absent-"+m.name, "CAP-DIS-04",
			"Answers the describe of an unknown pair with "+m.summary+".", func(h *caphost.Host) {
				h.Absent = func(caphost.Ref) (any, error) { return m.result, m.err }
			}))
	}
	return append(append(broken, absencesInRareCases()...),
		newMutant("absent-version-null", "CAP-DIS-04",
			"Answers the describe of an unknown version of a known id with null.", func(h *caphost.Host) {
				original := h.Absent
				h.Absent = func(ref caphost.Ref) (any, error) {
					if firstOf(h, ref.ID) != nil {
						return nil, nil
					}
					return original(ref)
				}
			}),
		newMutant("absent-stub", "CAP-DIS-04", "Invents a manifest for an unknown pair.", func(h *caphost.Host) {
			h.Absent = func(ref caphost.Ref) (any, error) {
				return victim(h).Edit(func(manifest map[string]any) {
					manifest["capability_id"], manifest["version"] = ref.ID, ref.Version
				}).Rendered(), nil
			}
		}),
	)
}

// unknownInvokes returns hosts that answer the invoke of an unknown pair with something other
// than NOT_FOUND.
func unknownInvokes() []mutant.Mutant {
	unknown := func(c *caphost.Capability) bool { return c == nil }
	broken := []mutant.Mutant{
		newMutant("unknown-as-ok", "CAP-ERR-01", "Answers the invoke of an unknown pair with ok.",
			reportsAsSuccess(caphost.NotFound, map[string]any{})),
		newMutant("unknown-as-ok-null", "CAP-ERR-01", "Answers the invoke of an unknown pair with ok and output null.",
			reportsAsSuccess(caphost.NotFound, nil)),
		newMutant("unknown-as-protocol-error", "CAP-ERR-01",
			"Answers the invoke of an unknown pair with a protocol error NOT_FOUND.",
			resultAs(caphost.NotFound, func(failure *caphost.Failure) error {
				return rpc.Refuse(failure.Code, failure.Message)
			})).AlsoBreaks("CAP-INV-01", "a protocol error is not an InvokeResult"),
		newMutant("unknown-as-internal-error", "CAP-ERR-01",
			"Answers the invoke of an unknown pair with an internal error.",
			resultAs(caphost.NotFound, func(*caphost.Failure) error {
				return mutant.ProtocolError("internal error")
			})).AlsoBreaks("CAP-INV-01", "a protocol error is not an InvokeResult"),
	}
	for name, code := range map[string]string{
		"invalid": caphost.InvalidInput, "failed": caphost.ExecutionFailed, "denied": caphost.PermissionDenied,
		"timeout": caphost.Timeout,
	} {
		broken = append(broken, newMutant("unknown-as-"+name, "CAP-ERR-01",
			"Answers the invoke of an unknown pair with the code "+code+".", recodes(caphost.NotFound, code, unknown)))
	}
	return mutant.ByName(broken)
}

// absencesInRareCases returns hosts that answer an unusual unknown id wrongly.
func absencesInRareCases() []mutant.Mutant {
	var broken []mutant.Mutant
	for _, m := range []struct {
		name, summary string
		odd           func(id string) bool
	}{
		{"long", "of more than 255 characters", func(id string) bool { return len(id) > 255 }},
		{"beyond-ascii", "with characters beyond ASCII",
			func(id string) bool { return strings.ContainsFunc(id, func(r rune) bool { return r > 127 }) }},
		{"prototype", "that every JavaScript object has",
			func(id string) bool { return id == "__proto__" || id == "constructor" }},
	} {
		broken = append(broken, newMutant("absent-"+m.name, "CAP-DIS-04",
			"Answers the describe of an unknown id "+m.summary+" with an internal error.", func(h *caphost.Host) {
				original := h.Absent
				h.Absent = func(ref caphost.Ref) (any, error) {
					if m.odd(ref.ID) {
						return nil, mutant.ProtocolError("internal error")
					}
					return original(ref)
				}
			}))
	}
	return broken
}
