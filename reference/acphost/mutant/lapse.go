package acpmutant

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"sync"

	"github.com/capconform/capconform/reference/acphost"
	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reference/rpc"
)

// trusts are routers that look at most of a package, or at most packages.
func trusts() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("upgrade-unverified", "ACP-SEC-06", "Looks at no signature of what takes the place of an installed package.", func(h *acphost.Host) {
			installs(func(p *acphost.Package) bool { return h.Find(p.Name) != nil })(h)
		}).AlsoBreaks("ACP-SEC-01", "a newer version needs no signature at all").AlsoBreaks("ACP-SEC-05", "noise will do").AlsoBreaks("ACP-SEC-07", "so will that of another file"),
		newMutant("null-signature-installed", "ACP-SEC-01", "Takes a package whose signature is null.", installs(func(p *acphost.Package) bool {
			signature, given := p.Metadata["signature"]
			return given && signature == nil
		})),
		newMutant("description-forgiven", "ACP-SEC-07", "Takes a package whose description was changed after it was signed.", mendsText(func(p *acphost.Package) [][]byte {
			return vowelsBetween(p.Text, "\n  description:", "\n  triggers:")
		})),
		newMutant("tools-forgiven", "ACP-SEC-07", "Takes a package whose tools were changed after it was signed.", mendsText(func(p *acphost.Package) [][]byte {
			return vowelsBetween(p.Text, "\ntools:", "\ntool_bindings:")
		})),
		newMutant("bindings-forgiven", "ACP-SEC-07", "Takes a package whose addresses were changed after it was signed.", mendsText(func(p *acphost.Package) [][]byte {
			return [][]byte{bytes.ReplaceAll(p.Text, []byte("echo_text/"), []byte("echo/"))}
		})),
		newMutant("schema-needless", "ACP-SEC-08", "Takes a package whose schema is missing or can't be read.", func(h *acphost.Host) {
			for i, rule := range h.Rules {
				check := rule.Check
				h.Rules[i].Check = func(p *acphost.Package) error {
					if p.Schema == nil {
						return nil
					}
					return check(p)
				}
			}
		}),
	}
}

// lapses are routers that do it right at first, or in most places.
func lapses() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("uninstall-takes-another", "ACP-ABS-02", "Takes away what was installed first together with what is uninstalled.", takesAnother),
		newMutant("upgrade-old-triggers", "ACP-ABS-04", "Keeps the triggers of the version before.", upgrades(func(before, p *acphost.Package) { p.Triggers = before.Triggers })),
		newMutant("upgrade-old-bindings", "ACP-ABS-04", "Keeps the bindings of the version before.", upgrades(func(before, p *acphost.Package) {
			for name, binding := range before.Bindings {
				p.Bindings[name] = binding
			}
		})),
		newMutant("trigger-first-keyword", "ACP-FIELD-06", "Looks at no keyword but the first of a package.", firstTrigger("keyword")),
		newMutant("descriptions-withheld", "ACP-EXEC-11", "Shows tools without saying what they do.", shapes(func(turn *acphost.Turn, request object) {
			tools, _ := request["tools"].([]any)
			for _, tool := range tools {
				members, _ := tool.(object)
				function, _ := members["function"].(object)
				delete(function, "description")
			}
		})),
		newMutant("prompt-once", "ACP-EXEC-10", "Tells the prompt with the first message that a capability has in a conversation.", promptOnce),
		newMutant("done-everywhere", "ACP-DONE-01", "Ends a capability that is done in one conversation in all others too.", doneEverywhere),
		newMutant("done-of-get-ignored", "ACP-DONE-01", "Looks at no done of an http_get.", onBinderResult("http_get", func(result acphost.Result) acphost.Result {
			result.Done = false
			return result
		})),
	}
}

// shapes changes the first request of a turn.
func shapes(change func(turn *acphost.Turn, request object)) defect {
	return func(h *acphost.Host) {
		sound := h.Shape
		h.Shape = func(turn *acphost.Turn, request map[string]any) map[string]any {
			request = sound(turn, request)
			change(turn, request)
			return request
		}
	}
}

func promptOnce(h *acphost.Host) {
	type place struct {
		conversation *acphost.Conversation
		name         string
	}
	var told sync.Map
	shapes(func(turn *acphost.Turn, request object) {
		messages, _ := request["messages"].([]any)
		if _, before := told.LoadOrStore(place{turn.Conversation, turn.Package.Name}, true); before && len(messages) > 1 {
			request["messages"] = messages[1:]
		}
	})(h)
}

func takesAnother(h *acphost.Host) {
	var once sync.Once
	sound := h.Dismount
	h.Dismount = func(installed []*acphost.Package, p *acphost.Package) []*acphost.Package {
		installed = sound(installed, p)
		once.Do(func() {
			if len(installed) > 0 {
				installed = installed[1:]
			}
		})
		return installed
	}
}

// slips are runtimes that do it right for one verb, one package or one call alone.
func slips() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("bound-verbs-followed", "ACP-EXEC-03", "Follows the bindings of built-in tools, but for state.create.", func(h *acphost.Host) {
			sound := h.BuiltIn
			h.BuiltIn = func(p *acphost.Package, name string) bool {
				_, bound := p.Bindings[name]
				return sound(p, name) && (!bound || name == acphost.Create)
			}
		}),
		newMutant("creation-permitted", "ACP-MOT-04", "Lets every package create objects.", permitting(acphost.Create)),
		newMutant("query-permitted", "ACP-MOT-04", "Lets every package query.", permitting(acphost.Query)),
		newMutant("update-reaches-over", "ACP-SEC-03", "Changes the objects of whoever owns a schema URI.", reachesOver(acphost.Update)),
		newMutant("delete-reaches-over", "ACP-SEC-03", "Deletes the objects of whoever owns a schema URI.", reachesOver(acphost.Delete)),
		newMutant("create-reaches-over", "ACP-SEC-03", "Creates objects beside those of whoever owns a schema URI.", reachesOver(acphost.Create)),
		newMutant("nested-unchecked", "ACP-EXEC-04", "Looks over what lies within members.", func(h *acphost.Host) {
			sound := h.Valid
			h.Valid = func(p *acphost.Package, value any) error {
				if members, isObject := value.(object); isObject {
					value = flat(clone(members))
				}
				return sound(p, value)
			}
		}),
		newMutant("names-of-all", "ACP-EXEC-05", "Follows the first binding under the name of a tool, whichever package has it.", func(h *acphost.Host) {
			sound := h.Bound
			h.Bound = func(p *acphost.Package, name string) (acphost.Binding, bool) {
				if binding, bound := boundAnywhere(h, name); bound {
					return binding, true
				}
				return sound(p, name)
			}
		}).AlsoBreaks("ACP-EXEC-07", "the first binding is that of another package where there is none"),
		newMutant("bindings-lent", "ACP-EXEC-07", "Follows the binding of another package where a package has none.", func(h *acphost.Host) {
			sound := h.Bound
			h.Bound = func(p *acphost.Package, name string) (acphost.Binding, bool) {
				if binding, bound := sound(p, name); bound {
					return binding, true
				}
				return boundAnywhere(h, name)
			}
		}),
		newMutant("service-without-empty", "ACP-EXEC-06", "Leaves arguments out that are false, zero or empty.", payload("mcp_service", withoutEmpty)),
		newMutant("agent-without-empty", "ACP-EXEC-06", "Leaves arguments out that are false, zero or empty for an agent.", payload("nuwa_a2a", withoutEmpty)),
		newMutant("service-asked-once", "ACP-EXEC-06", "Calls a tool of a service once, and gives its result again.", askedOnce("mcp_service")),
		newMutant("agent-asked-once", "ACP-EXEC-06", "Calls an agent once for a tool, and gives its result again.", askedOnce("nuwa_a2a")),
	}
}

func permitting(verb string) defect {
	return func(h *acphost.Host) {
		sound := h.Permits
		h.Permits = func(p *acphost.Package, name string) error {
			if name == verb {
				return nil
			}
			return sound(p, name)
		}
	}
}

// reachesOver executes a verb as the first package that has the schema URI.
func reachesOver(verb string) defect {
	return func(h *acphost.Host) {
		onVerb(verb, func(sound acphost.Verb, ctx context.Context, p *acphost.Package, arguments object) (any, error) {
			for _, owner := range h.Installed() {
				if owner.SchemaURI == arguments["schema_uri"] {
					return sound(ctx, owner, arguments)
				}
			}
			return sound(ctx, p, arguments)
		})(h)
	}
}

func boundAnywhere(h *acphost.Host, name string) (acphost.Binding, bool) {
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
		if number, isNumber := value.(json.Number); value == false || value == "" || isNumber && number == "0" || isList && len(list) == 0 {
			delete(arguments, name)
		}
	}
	return arguments
}

// askedOnce keeps what a binding of one type gave, by package and tool.
func askedOnce(kind string) defect {
	const whose = "asked-for"
	return func(h *acphost.Host) {
		var kept sync.Map
		bound, call := h.Bound, h.Binders[kind]
		h.Bound = func(p *acphost.Package, name string) (acphost.Binding, bool) {
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

// doneEverywhere ends a capability in every conversation that it is in.
func doneEverywhere(h *acphost.Host) {
	var seen sync.Map
	turn, leave := h.Turn, h.Leave
	h.Turn = func(c *acphost.Conversation, from, to *acphost.Package) {
		seen.Store(c, true)
		turn(c, from, to)
	}
	h.Leave = func(c *acphost.Conversation, p *acphost.Package) {
		leave(c, p)
		seen.Range(func(other, _ any) bool {
			if conversation, isOne := other.(*acphost.Conversation); isOne {
				conversation.Drop(p.Name)
			}
			return true
		})
	}
}

// vowelsBetween gives the texts that a file may have had before one vowel of a part of
// it was changed.
func vowelsBetween(text []byte, begin, end string) [][]byte {
	const vowels = "aeiou"
	var texts [][]byte
	from, to := bytes.Index(text, []byte(begin)), bytes.Index(text, []byte(end))
	for at := max(0, from); at < to; at++ {
		if !bytes.ContainsAny(text[at:at+1], vowels) {
			continue
		}
		for _, vowel := range []byte(vowels) {
			other := bytes.Clone(text)
			other[at] = vowel
			texts = append(texts, other)
		}
	}
	return texts
}

// firstTrigger keeps of the triggers of one type the first of each package.
func firstTrigger(kind string) defect {
	return func(h *acphost.Host) {
		mount := h.Mount
		h.Mount = func(installed []*acphost.Package, p *acphost.Package) []*acphost.Package {
			seen := false
			p.Triggers = slices.DeleteFunc(p.Triggers, func(t acphost.Trigger) bool {
				spare := t.Type == kind && seen
				seen = seen || t.Type == kind
				return spare
			})
			return mount(installed, p)
		}
	}
}
