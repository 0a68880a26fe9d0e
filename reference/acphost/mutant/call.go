package acpmutant

import (
	"bytes"
	"context"
	"encoding/json"
	"sync"

	"github.com/capconform/capconform/reference/acphost"
	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reference/rpc"
)

// callDefects returns runtimes that fail for one verb, one package or one call.
func callDefects() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("bound-verbs-followed", "ACP-EXEC-03", "Follows the bindings of built-in tools except state.create.",
			func(h *acphost.Host) {
				original := h.BuiltIn
				h.BuiltIn = func(p *acphost.Package, name string) bool {
					_, bound := p.Bindings[name]
					return original(p, name) && (!bound || name == acphost.Create)
				}
			}),
		newMutant("creation-permitted", "ACP-MOT-04", "Allows every package to create objects.", permits(acphost.Create)),
		newMutant("query-permitted", "ACP-MOT-04", "Allows every package to query.", permits(acphost.Query)),
		newMutant("update-reaches-over", "ACP-SEC-03", "Changes the objects of the package that owns a schema URI.",
			actsAsOwner(acphost.Update)),
		newMutant("delete-reaches-over", "ACP-SEC-03", "Deletes the objects of the package that owns a schema URI.",
			actsAsOwner(acphost.Delete)),
		newMutant("create-reaches-over", "ACP-SEC-03", "Creates objects with those of the package that owns a schema URI.",
			actsAsOwner(acphost.Create)),
		newMutant("nested-unchecked", "ACP-EXEC-04", "Does not validate what is inside a member.", func(h *acphost.Host) {
			original := h.CheckObject
			h.CheckObject = func(p *acphost.Package, value any) error {
				if members, isObject := value.(object); isObject {
					value = flat(clone(members))
				}
				return original(p, value)
			}
		}),
		newMutant("names-of-all", "ACP-EXEC-05",
			"Follows the first binding under the name of a tool, of whatever package.", func(h *acphost.Host) {
				original := h.BindingOf
				h.BindingOf = func(p *acphost.Package, name string) (acphost.Binding, bool) {
					if binding, bound := findBinding(h, name); bound {
						return binding, true
					}
					return original(p, name)
				}
			}).AlsoBreaks("ACP-EXEC-07", "if the package has no binding, the first one is that of another package"),
		newMutant("bindings-lent", "ACP-EXEC-07", "Follows the binding of another package if a package has none.",
			func(h *acphost.Host) {
				original := h.BindingOf
				h.BindingOf = func(p *acphost.Package, name string) (acphost.Binding, bool) {
					if binding, bound := original(p, name); bound {
						return binding, true
					}
					return findBinding(h, name)
				}
			}),
		newMutant("service-without-empty", "ACP-EXEC-06", "Omits arguments that are false, zero or empty.",
			payload("mcp_service", withoutEmpty)),
		newMutant("agent-without-empty", "ACP-EXEC-06", "Omits arguments that are false, zero or empty for an agent.",
			payload("nuwa_a2a", withoutEmpty)),
		newMutant("service-asked-once", "ACP-EXEC-06", "Calls a tool of a service once, and then repeats its result.",
			repeatsFirstResult("mcp_service")),
		newMutant("agent-asked-once", "ACP-EXEC-06", "Calls an agent once for a tool, and then repeats its result.",
			repeatsFirstResult("nuwa_a2a")),
	}
}

func permits(verb string) defect {
	return func(h *acphost.Host) {
		original := h.CheckPermission
		h.CheckPermission = func(p *acphost.Package, name string) error {
			if name == verb {
				return nil
			}
			return original(p, name)
		}
	}
}

// actsAsOwner executes a verb as the first package that has the schema URI.
func actsAsOwner(verb string) defect {
	return func(h *acphost.Host) {
		onVerb(verb, func(original acphost.Verb, ctx context.Context, p *acphost.Package, arguments object) (any, error) {
			for _, owner := range h.Installed() {
				if owner.SchemaURI == arguments["schema_uri"] {
					return original(ctx, owner, arguments)
				}
			}
			return original(ctx, p, arguments)
		})(h)
	}
}

func findBinding(h *acphost.Host, name string) (acphost.Binding, bool) {
	for _, p := range h.Installed() {
		if binding, bound := p.Bindings[name]; bound {
			return binding, true
		}
	}
	return acphost.Binding{}, false
}

func withoutEmpty(arguments object) object {
	for name, value := range arguments {
		list, isList := value.([]any)
		if number, isNumber := value.(json.Number); value == false || value == "" || isNumber && number == "0" || isList &&
			len(list) == 0 {
			delete(arguments, name)
		}
	}
	return arguments
}

// repeatsFirstResult stores the results of bindings of one type, by package and tool, and returns them
// to later calls.
func repeatsFirstResult(kind string) defect {
	const whose = "asked-for"
	return func(h *acphost.Host) {
		var kept sync.Map
		bound, call := h.BindingOf, h.Binders[kind]
		h.BindingOf = func(p *acphost.Package, name string) (acphost.Binding, bool) {
			binding, found := bound(p, name)
			members, _ := rpc.Clone(binding.Members).(object)
			if found {
				members[whose] = p.URI + " " + name
			}
			return acphost.Binding{Type: binding.Type, Members: members}, found
		}
		h.Binders[kind] = func(ctx context.Context, binding acphost.Binding, arguments object) (acphost.Result, error) {
			if before, asked := kept.Load(binding.Members[whose]); asked {
				result, _ := before.(acphost.Result)
				return result, nil
			}
			result, err := call(ctx, binding, arguments)
			if err == nil {
				kept.Store(binding.Members[whose], result)
			}
			return result, err
		}
	}
}

// vowelsBetween returns the texts that a file may have had before one vowel between begin and end was
// changed.
func vowelsBetween(text []byte, begin, end string) [][]byte {
	const allVowels = "aeiou"
	var texts [][]byte
	from, to := bytes.Index(text, []byte(begin)), bytes.Index(text, []byte(end))
	for at := max(0, from); at < to; at++ {
		if !bytes.ContainsAny(text[at:at+1], allVowels) {
			continue
		}
		for _, vowel := range []byte(allVowels) {
			other := bytes.Clone(text)
			other[at] = vowel
			texts = append(texts, other)
		}
	}
	return texts
}
