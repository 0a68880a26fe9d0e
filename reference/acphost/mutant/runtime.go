package acpmutant

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	"github.com/capconform/capconform/reference/acphost"
	"github.com/capconform/capconform/reference/mutant"
)

// success returns the result of a tool that did nothing.
func success() acphost.Result { return acphost.Result{Value: object{"result": "all is well"}} }

// resolutions returns runtimes that resolve tool calls wrongly.
func resolutions() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("binding-before-runtime", "ACP-EXEC-03", "Follows a binding of a built-in tool.",
			func(h *acphost.Host) {
				original := h.BuiltIn
				h.BuiltIn = func(p *acphost.Package, name string) bool {
					_, bound := p.Bindings[name]
					return original(p, name) && !bound
				}
			}),
		newMutant("binding-beside-runtime", "ACP-EXEC-03", "Executes a built-in tool, and also follows its binding.",
			func(h *acphost.Host) {
				onVerb(acphost.Create, func(original acphost.Verb, ctx context.Context, p *acphost.Package, arguments object) (any,
					error) {
					result, err := original(ctx, p, arguments)
					if binding, bound := p.Bindings[acphost.Create]; bound && err == nil {
						_, err = h.Binders[binding.Type](ctx, binding, arguments)
					}
					return result, err
				})(h)
			}),
		newMutant("objects-unchecked", "ACP-EXEC-04", "Stores objects without validation.", func(h *acphost.Host) {
			h.CheckObject = func(*acphost.Package, any) error { return nil }
		}),
		newMutant("required-unchecked", "ACP-EXEC-04", "Accepts objects with missing members.", func(h *acphost.Host) {
			original := h.CheckObject
			h.CheckObject = func(p *acphost.Package, value any) error {
				if members, isObject := value.(object); isObject {
					value = filled(p, members)
				}
				return original(p, value)
			}
		}),
		newMutant("types-unchecked", "ACP-EXEC-04", "Accepts members of a wrong type.", func(h *acphost.Host) {
			original := h.CheckObject
			h.CheckObject = func(p *acphost.Package, value any) error {
				if members, isObject := value.(object); isObject {
					value = retyped(p, members)
				}
				return original(p, value)
			}
		}),
		newMutant("binding-of-type", "ACP-EXEC-05",
			"Follows the first binding of type http_get for every tool with such a binding.", func(h *acphost.Host) {
				h.BindingOf = func(p *acphost.Package, name string) (acphost.Binding, bool) {
					binding, bound := p.Bindings[name]
					for _, tool := range p.Tools {
						if first, isBound := p.Bindings[tool.Name]; bound && isBound && first.Type == binding.Type &&
							first.Type == "http_get" {
							return first, true
						}
					}
					return binding, bound
				}
			}),
	}
}

// reaches returns runtimes that fail for calls without a binding, for schema URIs, or for
// state that must persist.
func reaches() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("unbound-succeeds", "ACP-EXEC-07", "Returns a success for a tool without a binding.",
			unbound(func() acphost.Result { return success() })),
		newMutant("unbound-invented", "ACP-EXEC-07", "Invents a result for a tool without a binding.",
			unbound(func() acphost.Result {
				return acphost.Result{Value: object{"temperature": 21, "sky": "blue"}}
			})),
		newMutant("unbound-empty", "ACP-EXEC-07", "Returns an empty result for a tool without a binding.",
			unbound(func() acphost.Result { return acphost.Result{} })),
		newMutant("uri-of-nobody", "ACP-FIELD-15", "Stores objects under a schema URI that is not the package's own.",
			func(h *acphost.Host) {
				h.CheckSchemaURI = func(*acphost.Package, string, string) error { return nil }
			}),
		newMutant("uri-unread", "ACP-FIELD-15", "Treats every schema URI as the package's own.", func(h *acphost.Host) {
			own := h.Partition
			h.CheckSchemaURI = func(*acphost.Package, string, string) error { return nil }
			h.Partition = func(p *acphost.Package, _ string) string { return own(p, p.SchemaURI) }
		}),
		newMutant("state-forgotten", "ACP-EXEC-08", "Loses its state at a restart.",
			func(h *acphost.Host) { h.Reopen = h.Store.Close }),
	}
}

func unbound(result func() acphost.Result) defect {
	return func(h *acphost.Host) {
		h.RunUnbound = func(*acphost.Package, string) (acphost.Result, error) { return result(), nil }
	}
}

// properties returns the properties of a package's schema.
func properties(p *acphost.Package) object {
	found, _ := p.Schema["properties"].(object)
	return found
}

// sample returns a value of the type in a schema.
func sample(schema any) any {
	members, _ := schema.(object)
	switch members["type"] {
	case "integer", "number":
		return json.Number("1")
	case "array":
		return []any{}
	case "boolean":
		return true
	case "object":
		return object{}
	}
	return "text"
}

// filled adds the missing members to an object.
func filled(p *acphost.Package, members object) object {
	whole := clone(members)
	for name, schema := range properties(p) {
		if _, given := whole[name]; !given {
			whole[name] = sample(schema)
		}
	}
	return whole
}

// retyped replaces members of an object by values of the type in the schema.
func retyped(p *acphost.Package, members object) object {
	right := clone(members)
	for name, schema := range properties(p) {
		_, nested := right[name].(object)
		if _, given := right[name]; given && !nested {
			right[name] = sample(schema)
		}
	}
	return right
}

// bindings returns runtimes that execute bindings wrongly.
func bindings() []mutant.Mutant {
	likewise := func(kind, other string) defect {
		return func(h *acphost.Host) { h.Binders[kind] = h.Binders[other] }
	}
	never := func(kind string) defect {
		return onBinder(kind, func(acphost.Binder, context.Context, acphost.Binding, object) (acphost.Result, error) {
			return success(), nil
		})
	}
	other := func(uri string) string { return strings.Replace(uri, "capconform", "capconform-other", 1) }
	return []mutant.Mutant{
		newMutant("strange-type-succeeds", "ACP-BIND-05", "Returns a success for a binding of an unknown type.",
			func(h *acphost.Host) {
				h.RunUnknownType = func(acphost.Binding) (acphost.Result, error) { return success(), nil }
			}),
		newMutant("strange-type-empty", "ACP-BIND-05", "Returns an empty result for a binding of an unknown type.",
			func(h *acphost.Host) {
				h.RunUnknownType = func(acphost.Binding) (acphost.Result, error) { return acphost.Result{}, nil }
			}),
		newMutant("get-as-post", "ACP-BIND-06", "Executes http_get as a POST.", likewise("http_get", "http_post")),
		newMutant("get-invented", "ACP-BIND-06", "Returns a success for http_get without a request.", never("http_get")),
		newMutant("post-as-get", "ACP-BIND-07", "Executes http_post as a GET.", likewise("http_post", "http_get")),
		newMutant("post-invented", "ACP-BIND-07", "Returns a success for http_post without a request.", never("http_post")),
		newMutant("agent-other-method", "ACP-BIND-08", "Calls another method of an agent.",
			changesBinding("nuwa_a2a", "service_method", func(string) string { return "chat" })),
		newMutant("agent-without-method", "ACP-BIND-08", "Calls an agent without naming the method.",
			changesBinding("nuwa_a2a", "service_method", func(string) string { return "" })),
		newMutant("agent-other", "ACP-BIND-08", "Calls another agent.", changesBinding("nuwa_a2a", "target_did", other)),
		newMutant("agent-invented", "ACP-BIND-08", "Returns a success for nuwa_a2a without a request.", never("nuwa_a2a")),
		newMutant("service-other-action", "ACP-BIND-09", "Calls another action of a service.",
			changesBinding("mcp_service", "mcp_action", func(action string) string {
				if action == "echo" {
					return "echoText"
				}
				return action
			})),
		newMutant("service-other", "ACP-BIND-09", "Calls another service.", changesBinding("mcp_service", "service_uri",
			other)),
		newMutant("service-invented", "ACP-BIND-09",
			"Returns a success for mcp_service without a request.", never("mcp_service")),
	}
}

// payloads returns runtimes that pass on other arguments.
func payloads() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("placeholder-left", "ACP-BIND-10", "Does not replace a placeholder.",
			changesBinding("nuwa_a2a", "target_did", func(did string) string {
				return strings.ReplaceAll(did, "{", "{ ")
			})),
		newMutant("get-without-query", "ACP-BIND-18", "Omits the arguments of http_get.",
			payload("http_get", func(object) object { return object{} })),
		newMutant("post-wrapped", "ACP-BIND-19", "Wraps the arguments of http_post in another object.",
			payload("http_post", func(arguments object) object {
				return object{"arguments": arguments}
			})),
		newMutant("service-texts", "ACP-EXEC-06", "Sends numbers as texts to a service.", payload("mcp_service", inTexts)),
		newMutant("service-more", "ACP-EXEC-06", "Adds an argument to the model's arguments for a service.",
			payload("mcp_service", func(arguments object) object {
				arguments["user"] = "somebody"
				return arguments
			})),
		newMutant("service-flat", "ACP-EXEC-06", "Sends only scalar arguments to a service.", payload("mcp_service", flat)),
		newMutant("service-without-payload", "ACP-EXEC-06", "Sends no arguments to a service.",
			payload("mcp_service", func(object) object { return object{} })),
		newMutant("agent-texts", "ACP-EXEC-06", "Sends numbers as texts to an agent.", payload("nuwa_a2a", inTexts)),
		newMutant("agent-without-payload", "ACP-EXEC-06", "Sends no arguments to an agent.",
			payload("nuwa_a2a", func(arguments object) object {
				return object{"agent": arguments["agent"]}
			})),
	}
}

// payload changes the arguments of bindings of one type.
func payload(kind string, turn func(arguments object) object) defect {
	return onBinder(kind, func(original acphost.Binder, ctx context.Context, binding acphost.Binding,
		arguments object) (acphost.Result, error) {
		return original(ctx, binding, turn(clone(arguments)))
	})
}

// inTexts replaces numbers by texts.
func inTexts(arguments object) object {
	for name, value := range arguments {
		if number, isNumber := value.(json.Number); isNumber {
			arguments[name] = number.String()
		}
	}
	return arguments
}

// flat removes objects and lists.
func flat(arguments object) object {
	for name, value := range arguments {
		switch value.(type) {
		case object, []any:
			delete(arguments, name)
		}
	}
	return arguments
}

// permissions returns runtimes that allow a package too much.
func permissions() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("verbs-permitted", "ACP-MOT-04", "Allows a package to use every built-in tool.", func(h *acphost.Host) {
			h.CheckPermission = func(*acphost.Package, string) error { return nil }
		}),
		newMutant("verb-refused-late", "ACP-MOT-04", "Refuses an undeclared tool, but only after executing it.",
			func(h *acphost.Host) {
				original := h.CheckPermission
				h.CheckPermission = func(*acphost.Package, string) error { return nil }
				for name := range h.Verbs {
					onVerb(name, func(verb acphost.Verb, ctx context.Context, p *acphost.Package, arguments object) (any, error) {
						result, err := verb(ctx, p, arguments)
						return result, errors.Join(err, original(p, name))
					})(h)
				}
			}),
		newMutant("scopes-shared", "ACP-SEC-03", "Stores the objects of a schema URI in one place for all memory scopes.",
			func(h *acphost.Host) {
				h.Partition = func(_ *acphost.Package, uri string) string { return strconv.Quote(uri) }
				original := h.CheckSchemaURI
				h.CheckSchemaURI = func(p *acphost.Package, verb, uri string) error {
					if verb == acphost.Query {
						return nil
					}
					return original(p, verb, uri)
				}
			}),
		newMutant("no-state-tools", "ACP-ABS-03", "Provides no tools for state.", func(h *acphost.Host) {
			h.BuiltIn = func(*acphost.Package, string) bool { return false }
		}),
	}
}
