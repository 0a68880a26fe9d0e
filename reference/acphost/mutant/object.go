package acpmutant

import (
	"context"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/capconform/capconform/reference/acphost"
	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reference/rpc"
)

// objectValues returns runtimes that fail for unusual objects, patches and filters.
func objectValues() []mutant.Mutant {
	return slices.Concat([]mutant.Mutant{
		newMutant("object-cut", "ACP-STATE-01", "Truncates long texts of an object.",
			changesObjects(func(_ *acphost.Package, value object) { changeTexts(value, truncate) })),
		newMutant("object-whole-numbers", "ACP-STATE-01", "Removes the fractions of numbers of an object.",
			changesObjects(func(_ *acphost.Package, value object) {
				changeFractions(value, truncateNumber)
			})).AlsoBreaks("ACP-EXEC-04", "a number with a fraction becomes an integer before it is validated"),
		newMutant("object-by-columns", "ACP-STATE-01", "Stores only the members that the schema names.",
			changesObjects(func(p *acphost.Package, value object) {
				columns, _ := p.Schema["properties"].(object)
				for name := range value {
					if columns[name] == nil {
						delete(value, name)
					}
				}
			})).AlsoBreaks("ACP-EXEC-04", "an unnamed member is removed before validation"),
		newMutant("patch-of-first", "ACP-STATE-02", "Applies every patch to the object as it was created.",
			patchesFirstVersion),
		newMutant("patch-test-flat", "ACP-STATE-02", "Treats a test of an object as passed.",
			filtersPatches(func(operation object) bool {
				_, isObject := operation["value"].(object)
				return operation["op"] != "test" || !isObject
			})),
		newMutant("patch-without-move", "ACP-STATE-02", "Omits every move of a patch.",
			filtersPatches(func(operation object) bool { return operation["op"] != "move" })),
		newMutant("patch-without-copy", "ACP-STATE-02", "Omits every copy of a patch.",
			filtersPatches(func(operation object) bool { return operation["op"] != "copy" })),
		newMutant("patch-elements-stay", "ACP-STATE-02", "Removes no element of a list.",
			filtersPatches(func(operation object) bool {
				path, _ := operation["path"].(string)
				return operation["op"] != "remove" || !strings.ContainsAny(path[strings.LastIndex(path, "/")+1:], "0123456789")
			})),
	}, objectTypes(), ignoredKeywords())
}

// objectQueries returns runtimes that fail for unusual queries, deletions and schema URIs.
func objectQueries() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("filter-falsy", "ACP-STATE-04", "Ignores a condition with the value false or zero.", func(h *acphost.Host) {
			original := h.Matches
			h.Matches = func(filter, value any) (bool, error) {
				conditions, isObject := rpc.Clone(filter).(object)
				if !isObject {
					return original(filter, value)
				}
				for name, condition := range conditions {
					if condition == false || condition == json.Number("0") {
						delete(conditions, name)
					}
				}
				return original(conditions, value)
			}
		}),
		newMutant("page-of-ten", "ACP-STATE-05", "Returns ten objects, and no cursor, for a query without a limit.",
			firstPageAlone(10)),
		newMutant("deleted-by-id", "ACP-STATE-06", "Hides deleted objects only from queries by id.",
			hidesByID).AlsoBreaks("ACP-SEC-03",
			"an object that was deleted from another scope is hidden by its id").AlsoBreaks("ACP-FIELD-15",
			"so is an object that was deleted under another schema URI"),
		newMutant("update-under-any-uri", "ACP-FIELD-15", "Changes its own object, whatever schema URI the call names.",
			acceptsSimilarURI(acphost.Update)),
		newMutant("delete-under-any-uri", "ACP-FIELD-15", "Deletes its own object, whatever schema URI the call names.",
			acceptsSimilarURI(acphost.Delete)),
		newMutant("query-under-any-uri", "ACP-FIELD-15", "Finds its own object, whatever schema URI the call names.",
			acceptsSimilarURI(acphost.Query)),
	}
}

// objectTypes returns runtimes that fail for elements of a list, and for types of numbers.
func objectTypes() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("patch-around-elements", "ACP-STATE-02", "Ignores patch operations inside an element of a list.",
			filtersPatches(func(operation object) bool {
				path, _ := operation["path"].(string)
				return !elementWithin.MatchString(path)
			})),
		newMutant("validates-truth-as-number", "ACP-EXEC-04", "Accepts true and false as integers.",
			validatesOtherType("integer", []any{"integer", "boolean"})),
		newMutant("validates-references-alone", "ACP-EXEC-04", "Ignores keywords beside $ref in a schema.",
			validatesWith(removeKeywordsBesideReferences)),
		newMutant("validates-members-alone", "ACP-EXEC-04", "Ignores what a schema asks of an object as a whole.",
			validatesWith(func(schema any) {
				root, _ := schema.(object)
				for _, keyword := range []string{"additionalProperties", "dependentRequired", "allOf"} {
					delete(root, keyword)
				}
			})),
		newMutant("validates-fractions", "ACP-EXEC-04", "Accepts a number with a fraction as an integer.",
			validatesOtherType("integer", "number")),
	}
}

// ignoredKeywords returns runtimes that ignore one keyword of a schema.
func ignoredKeywords() []mutant.Mutant {
	var all []mutant.Mutant
	for _, keyword := range []string{"enum", "maximum", "pattern", "maxLength", "const", "anyOf", "minItems",
		"uniqueItems", "$ref", "additionalProperties",
		"prefixItems", "oneOf", "not", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxItems",
		"contains", "minProperties", "propertyNames", "patternProperties", "dependentRequired", "allOf", "then"} {
		all = append(all, newMutant("validates-without-"+strings.ToLower(strings.Trim(keyword, "$")), "ACP-EXEC-04",
			"Validates without "+keyword+".", validatesWith(func(loose any) { dropKeyword(loose, keyword) })))
	}
	return all
}

// validatesWith validates with a changed schema.
func validatesWith(change func(schema any)) defect {
	return func(h *acphost.Host) {
		h.CheckObject = func(p *acphost.Package, value any) error {
			loose := rpc.Clone(p.Schema)
			change(loose)
			text := rpc.Append([]byte("metadata: {}\nschema: "), string(rpc.Append(nil, loose)))
			read, err := acphost.ReadPackage(text)
			if err != nil || read.Contract() == nil {
				return err
			}
			return read.Contract().Check(value)
		}
	}
}

// removeKeywordsBesideReferences removes the keywords beside $ref, as older dialects require.
func removeKeywordsBesideReferences(schema any) {
	switch v := schema.(type) {
	case object:
		for name, member := range v {
			if v["$ref"] != nil && name != "$ref" {
				delete(v, name)
			}
			removeKeywordsBesideReferences(member)
		}
	case []any:
		for _, element := range v {
			removeKeywordsBesideReferences(element)
		}
	}
}

// validatesOtherType validates with a schema in which a type is replaced by another one.
func validatesOtherType(from string, to any) defect {
	var retype func(schema any)
	retype = func(schema any) {
		switch v := schema.(type) {
		case object:
			if v["type"] == from {
				v["type"] = to
			}
			for _, member := range v {
				retype(member)
			}
		case []any:
			for _, element := range v {
				retype(element)
			}
		}
	}
	return validatesWith(retype)
}

// elementWithin matches a path through an element of a list.
var elementWithin = regexp.MustCompile(`/[0-9]+/`)

func dropKeyword(schema any, keyword string) {
	switch v := schema.(type) {
	case object:
		delete(v, keyword)
		for _, member := range v {
			dropKeyword(member, keyword)
		}
	case []any:
		for _, element := range v {
			dropKeyword(element, keyword)
		}
	}
}

// changesObjects changes an object before it is created.
func changesObjects(change func(p *acphost.Package, value object)) defect {
	return onVerb(acphost.Create, func(original acphost.Verb, ctx context.Context, p *acphost.Package, arguments object) (any,
		error) {
		copied := clone(arguments)
		if value, isObject := copied["object"].(object); isObject {
			change(p, value)
		}
		return original(ctx, p, copied)
	})
}

// filtersPatches removes some operations of a patch.
func filtersPatches(kept func(operation object) bool) defect {
	return func(h *acphost.Host) {
		original := h.Patch
		h.Patch = func(p *acphost.Package, document, patch []byte) ([]byte, error) {
			read, err := rpc.Decode(patch)
			operations, isList := read.([]any)
			if err != nil || !isList {
				return original(p, document, patch)
			}
			left := slices.DeleteFunc(operations, func(one any) bool {
				operation, _ := one.(object)
				return !kept(operation)
			})
			return original(p, document, rpc.Append(nil, left))
		}
	}
}

func patchesFirstVersion(h *acphost.Host) {
	var created sync.Map
	original := h.Patch
	h.Patch = func(p *acphost.Package, document, patch []byte) ([]byte, error) {
		var known struct {
			ID string `json:"id"`
		}
		if json.Unmarshal(document, &known) != nil {
			return original(p, document, patch)
		}
		first, _ := created.LoadOrStore(known.ID, slices.Clone(document))
		text, _ := first.([]byte)
		return original(p, text, patch)
	}
}

// hidesByID keeps deleted objects, but hides them from queries by id.
func hidesByID(h *acphost.Host) {
	var gone sync.Map
	h.Verbs[acphost.Delete] = func(_ context.Context, _ *acphost.Package, arguments map[string]any) (any, error) {
		gone.Store(arguments["id"], true)
		return object{"deleted": arguments["id"]}, nil
	}
	original := h.Matches
	h.Matches = func(filter, value any) (bool, error) {
		conditions, _ := filter.(object)
		members, _ := value.(object)
		if _, hidden := gone.Load(members["id"]); hidden && conditions["id"] != nil {
			return false, nil
		}
		return original(filter, value)
	}
}

// acceptsSimilarURI makes one verb treat a similar schema URI as the package's own.
func acceptsSimilarURI(which string) defect {
	return onVerb(which, func(original acphost.Verb, ctx context.Context, p *acphost.Package, arguments object) (any, error) {
		own := clone(arguments)
		if uri, _ := own["schema_uri"].(string); strings.HasPrefix(uri, strings.TrimSuffix(p.SchemaURI, "#v1")) {
			own["schema_uri"] = p.SchemaURI
		}
		return original(ctx, p, own)
	})
}
