package acpmutant

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/capconform/capconform/reference/acphost"
	"github.com/capconform/capconform/reference/mutant"
)

// lenientChecks returns routers that refuse only obvious faults, or check only new packages.
func lenientChecks() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("verified-by-name", "ACP-SEC-07",
			"Verifies the first file of a capability URI, and no later file.", verifiesOnce),
		newMutant("id-unversioned", "ACP-SEC-08", "Accepts a package whose id has no version.",
			acceptsBy("id", func(p *acphost.Package) bool {
				name, is := strings.CutPrefix(p.URI, "did:nuwa:cap:")
				if !is || strings.Contains(name, "@") {
					return false
				}
				p.Name = name
				return true
			})),
		newMutant("id-of-any-version", "ACP-SEC-08", "Accepts a version that begins with a letter.",
			acceptsBy("id", func(p *acphost.Package) bool {
				name, version, _ := strings.Cut(strings.TrimPrefix(p.URI, "did:nuwa:cap:"), "@")
				if !strings.HasPrefix(version, "v") {
					return false
				}
				p.Name = name
				return true
			})),
		newMutant("schema-uri-relative", "ACP-SEC-08", "Accepts any text as a schema URI.",
			acceptsBy("schema-uri", func(p *acphost.Package) bool { return p.SchemaURI != "" })),
		newMutant("schema-uri-of-tools", "ACP-SEC-08", "Accepts any text as a schema URI that the state tools also fix.",
			schemaURIOfTools),
		newMutant("declares-no-update", "ACP-SEC-08", "Accepts a package that uses state.update without declaring it.",
			acceptsBy("permissions", declaresAllExcept(acphost.Update))),
		newMutant("declares-no-query", "ACP-SEC-08", "Accepts a package that uses state.query without declaring it.",
			acceptsBy("permissions", declaresAllExcept(acphost.Query))),
		newMutant("bindings-unchecked", "ACP-SEC-08", "Accepts a package with a binding for a missing tool.",
			removesRule("bindings")),
		newMutant("binding-keys-in-any-case", "ACP-SEC-08", "Compares the keys of bindings without regard to case.",
			acceptsBy("bindings", func(p *acphost.Package) bool {
				for key := range p.Bindings {
					if !slices.ContainsFunc(p.Tools, func(tool acphost.Tool) bool { return strings.EqualFold(tool.Name, key) }) {
						return false
					}
				}
				return true
			})),
		newMutant("content-of-first-document", "ACP-SEC-08",
			"Verifies the content of a file, not its bytes, and accepts a file with a second document.", func(h *acphost.Host) {
				h.Profile = acphost.Canonical
				h.Parse = acphost.Lenient(acphost.SecondDocument)
			}).AlsoBreaks("ACP-SEC-09", "comments and line ends are not part of the content"),
		newMutant("declares-creation", "ACP-SEC-08", "Checks that state.create is declared, but no other verb.",
			acceptsBy("permissions", func(p *acphost.Package) bool {
				return slices.Contains(p.Permissions, acphost.Create)
			})),
	}
}

// declaresAllExcept reports whether a package declares every verb that it uses except one.
func declaresAllExcept(verb string) func(*acphost.Package) bool {
	return func(p *acphost.Package) bool {
		return !slices.ContainsFunc(p.Tools, func(tool acphost.Tool) bool {
			return strings.HasPrefix(tool.Name, "state.") && tool.Name != verb && !slices.Contains(p.Permissions, tool.Name)
		})
	}
}

// schemaURIOfTools compares any schema URI with those that the state tools fix, and does not require its form.
func schemaURIOfTools(h *acphost.Host) {
	acceptsBy("schema-uri", func(p *acphost.Package) bool { return p.SchemaURI != "" })(h)
	for i := range h.Rules {
		if h.Rules[i].Name != "fixed-uri" {
			continue
		}
		h.Rules[i].Check = func(p *acphost.Package) error {
			for _, tool := range p.Tools {
				properties, _ := tool.Parameters["properties"].(object)
				uri, _ := properties["schema_uri"].(object)
				if fixed, isFixed := uri["enum"].([]any); isFixed && !slices.Contains(fixed, any(p.SchemaURI)) {
					return errors.New("a state tool fixes another schema URI")
				}
			}
			return nil
		}
	}
}

// acceptsBy makes a rule accept some packages.
func acceptsBy(rule string, which func(p *acphost.Package) bool) defect {
	return func(h *acphost.Host) {
		for i := range h.Rules {
			original := h.Rules[i].Check
			if h.Rules[i].Name == rule {
				h.Rules[i].Check = func(p *acphost.Package) error {
					if which(p) {
						return nil
					}
					return original(p)
				}
			}
		}
	}
}

// acceptsType accepts any value of a type for a member of llm_requirements.
func acceptsType[T any](member string) defect {
	return acceptsBy(member, func(p *acphost.Package) bool {
		requirements, _ := p.Metadata["llm_requirements"].(object)
		_, is := requirements[member].(T)
		return is
	})
}

// uncheckedPackages returns routers that do not check a whole package, or not every package.
func uncheckedPackages() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("upgrade-unverified", "ACP-SEC-06",
			"Does not check the signature of a package that replaces an installed one.", func(h *acphost.Host) {
				acceptsSignatures(func(p *acphost.Package) bool { return h.Find(p.Name) != nil })(h)
			}).AlsoBreaks("ACP-SEC-01", "a newer version needs no signature at all").AlsoBreaks("ACP-SEC-05",
			"random bytes are accepted").AlsoBreaks("ACP-SEC-07", "so is the signature of another file"),
		newMutant("null-signature-installed", "ACP-SEC-01", "Accepts a package whose signature is null.",
			acceptsSignatures(func(p *acphost.Package) bool {
				signature, given := p.Metadata["signature"]
				return given && signature == nil
			})),
		newMutant("description-forgiven", "ACP-SEC-07", "Accepts a package whose description was changed after signing.",
			acceptsTexts(func(p *acphost.Package) [][]byte {
				return vowelsBetween(p.Text, "\n  description:", "\n  triggers:")
			})),
		newMutant("tools-forgiven", "ACP-SEC-07", "Accepts a package whose tools were changed after signing.",
			acceptsTexts(func(p *acphost.Package) [][]byte {
				return vowelsBetween(p.Text, "\ntools:", "\ntool_bindings:")
			})),
		newMutant("bindings-forgiven", "ACP-SEC-07", "Accepts a package whose addresses were changed after signing.",
			acceptsTexts(func(p *acphost.Package) [][]byte {
				return [][]byte{bytes.ReplaceAll(p.Text, []byte("echoText/"), []byte("echo/"))}
			})),
		newMutant("name-forgiven", "ACP-SEC-07", "Accepts a package whose name was changed after signing.",
			acceptsTexts(func(p *acphost.Package) [][]byte {
				return vowelsBetween(p.Text, "\n  name:", "\n  description:")
			})),
		newMutant("scope-forgiven", "ACP-SEC-07", "Accepts a package whose memory scope was changed after signing.",
			acceptsTexts(func(p *acphost.Package) [][]byte {
				return [][]byte{bytes.Replace(p.Text, []byte("memory_scope: sc:a"), []byte("memory_scope: sc:"), 1)}
			})),
		newMutant("permission-forgiven", "ACP-SEC-07", "Accepts a package to which a permission was added after signing.",
			acceptsTexts(func(p *acphost.Package) [][]byte {
				return [][]byte{bytes.Replace(p.Text, []byte(`,"state.delete"]`), []byte("]"), 1)}
			})),
		newMutant("schema-needless", "ACP-SEC-08", "Accepts a package whose schema is missing or unreadable.",
			func(h *acphost.Host) {
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

// changesRequest changes the first request of a turn.
func changesRequest(change func(turn *acphost.Turn, request object)) defect {
	return func(h *acphost.Host) {
		original := h.ChangeRequest
		h.ChangeRequest = func(turn *acphost.Turn, request map[string]any) map[string]any {
			request = original(turn, request)
			change(turn, request)
			return request
		}
	}
}

// acceptedPackages returns routers that accept one kind of invalid package each.
func acceptedPackages() []mutant.Mutant {
	reads := func(takes acphost.Lenience) defect {
		return func(h *acphost.Host) { h.Parse = acphost.Lenient(takes) }
	}
	var all []mutant.Mutant
	for _, m := range []struct {
		name, kind string
		takes      defect
	}{
		{"two-documents", "that consists of two YAML documents", reads(acphost.SecondDocument)},
		{"repeated-key", "with a duplicate key", reads(acphost.RepeatedKey)},
		{"no-metadata", "without metadata, whose members are at the top level", reads(acphost.NoMetadata)},
		{"schema-mapping", "whose schema is a mapping", reads(acphost.MappedSchema)},
		{"prompt-list", "whose prompt is a list", removesRule("prompt")},
		{"tool-type", "with a tool that has no type", removesRule("tool-types")},
		{"bindings-list", "whose tool bindings are a list", removesRule("bindings-mapping")},
		{"dialect", "whose schema is of another dialect", removesRule("dialect")},
		{"fixed-uri", "with a state tool that fixes another schema URI", removesRule("fixed-uri")},
		{"null-trigger", "with null among its triggers", removesRule("trigger-values")},
		{"expression", "with a trigger that is not a regular expression", removesRule("trigger-expressions")},
		{"requirements-list", "whose LLM requirements are a list", removesRule("requirements")},
		{"model-family", "whose model family is a text", removesRule("model_family")},
		{"model-family-members", "whose model family is a list with a mapping", acceptsType[[]any]("model_family")},
		{"model-uri", "whose model URI is a list", removesRule("specific_model_uri")},
		{"context-window", "whose context window is a text", removesRule("min_context_window")},
		{"context-fraction", "whose context window has a fraction", acceptsType[json.Number]("min_context_window")},
		{"features", "whose required features are a text", removesRule("required_features")},
		{"feature-members", "whose required features are a list with a mapping",
			acceptsType[[]any]("required_features")},
		{"binding-type", "with a binding that has no type", removesRule("binding-types")},
		{"get-nowhere", "with a binding of type http_get that has no url", removesRule("http_get.url")},
		{"post-nowhere", "with a binding of type http_post that has no url", removesRule("http_post.url")},
		{"no-agent", "with a binding of type nuwa_a2a that has no target_did", removesRule("nuwa_a2a.target_did")},
		{"no-method", "with a binding of type nuwa_a2a that has no service_method", removesRule("nuwa_a2a.service_method")},
		{"no-service", "with a binding of type mcp_service that has no service_uri", removesRule("mcp_service.service_uri")},
		{"no-action", "with a binding of type mcp_service that has no mcp_action", removesRule("mcp_service.mcp_action")},
	} {
		all = append(all, newMutant("takes-"+m.name, "ACP-SEC-08", "Accepts a package "+m.kind+".", m.takes))
	}
	return all
}
