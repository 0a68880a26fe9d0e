package acpmutant

import (
	"context"
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/capconform/capconform/reference/acphost"
	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reference/rpc"
)

// textOccasions returns routers that change rare characters of texts for the model.
func textOccasions() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("message-backslashes-dropped", "ACP-EXEC-01", "Drops backslashes from a message.",
			changesUserMessage(func(text string) string { return strings.ReplaceAll(text, "\\", "") })),
		newMutant("message-without-rare-letters", "ACP-EXEC-01",
			"Drops the characters of a message beyond the basic multilingual plane.",
			changesUserMessage(func(text string) string {
				return strings.Map(func(r rune) rune {
					if r > 0xffff {
						return -1
					}
					return r
				}, text)
			})),
		newMutant("prompt-variables-replaced", "ACP-EXEC-10", "Replaces names after a dollar sign in a prompt.",
			func(h *acphost.Host) {
				variable := regexp.MustCompile(`\$[a-z]+`)
				h.System = func(p *acphost.Package) string { return variable.ReplaceAllString(p.Prompt, "") }
			}),
		newMutant("prompt-markup-dropped", "ACP-EXEC-10", "Drops asterisks and backticks from a prompt.",
			func(h *acphost.Host) {
				h.System = func(p *acphost.Package) string {
					return strings.NewReplacer("*", "", "`", "").Replace(p.Prompt)
				}
			}),
	}
}

// valueOccasions returns runtimes that change or accept rare values.
func valueOccasions() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("service-texts-trimmed", "ACP-EXEC-06", "Trims texts in the arguments for a service.",
			payload("mcp_service", func(arguments object) object {
				changeTexts(arguments, strings.TrimSpace)
				return arguments
			})),
		newMutant("service-lists-cut", "ACP-EXEC-06", "Sends only the first four elements of a list to a service.",
			payload("mcp_service", func(arguments object) object {
				for name, value := range arguments {
					if list, isList := value.([]any); isList {
						arguments[name] = list[:min(4, len(list))]
					}
				}
				return arguments
			})),
		newMutant("get-in-lower-case", "ACP-BIND-06", "Writes the URL of http_get in lower case.",
			changesBinding("http_get", "url", strings.ToLower)),
		newMutant("agent-texts-as-numbers", "ACP-EXEC-06", "Sends texts of digits as numbers to an agent.",
			payload("nuwa_a2a", func(arguments object) object {
				textsAsNumbers(arguments)
				return arguments
			})),
		newMutant("object-texts-as-numbers", "ACP-STATE-01", "Stores texts of digits as numbers.",
			changesObjects(func(_ *acphost.Package, value object) { textsAsNumbers(value) })),
		newMutant("object-names-in-lower-case", "ACP-STATE-01", "Stores the names of members in lower case.",
			changesObjects(func(_ *acphost.Package, value object) {
				for name, member := range clone(value) {
					delete(value, name)
					value[strings.ToLower(name)] = member
				}
			})),
		newMutant("validates-null-as-absent", "ACP-EXEC-04", "Accepts null for every optional member.", nullAsAbsent),
		newMutant("delete-by-beginning", "ACP-STATE-06",
			"Deletes every object whose id begins as the named one.", deletesByBeginning),
		newMutant("filter-in-of-two", "ACP-STATE-04", "Evaluates only the first two operands of $in.", someOperands),
		newMutant("page-without-last-object", "ACP-STATE-05", "Omits a last page with one object.",
			onVerb(acphost.Query, func(original acphost.Verb, ctx context.Context, p *acphost.Package, arguments object) (any, error) {
				result, err := original(ctx, p, arguments)
				page, _ := result.(object)
				objects, _ := page["objects"].([]any)
				if arguments["cursor"] != nil && len(objects) == 1 {
					return object{"objects": []any{}}, err
				}
				return result, err
			})),
	}
}

// patchOccasions returns runtimes that apply rare patches wrongly.
func patchOccasions() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("patch-until-absent", "ACP-STATE-02",
			"Refuses a patch that removes an absent member, but keeps the earlier changes.", patchesUntilAbsent),
		newMutant("patch-escapes-in-order", "ACP-STATE-02", "Decodes the escapes of a JSON Pointer in the wrong order.",
			patches(func(_ object, patch []any) []any {
				for _, one := range patch {
					members, _ := one.(object)
					if path, isText := members["path"].(string); isText {
						members["path"] = strings.ReplaceAll(path, "~01", "~1")
					}
				}
				return patch
			})),
	}
}

// patchesUntilAbsent applies the part of a patch before the removal of an absent member.
func patchesUntilAbsent(h *acphost.Host) {
	onVerb(acphost.Update, func(original acphost.Verb, ctx context.Context, p *acphost.Package, arguments object) (any, error) {
		patch, _ := arguments["patch"].([]any)
		at := slices.IndexFunc(patch, func(one any) bool {
			members, _ := one.(object)
			return members["op"] == "remove" && members["path"] == "/absent"
		})
		if at < 0 {
			return original(ctx, p, arguments)
		}
		kept := clone(arguments)
		kept["patch"] = patch[:at]
		_, err := original(ctx, p, kept)
		return nil, errors.Join(errors.New("the member is absent"), err)
	})(h)
}

// textsAsNumbers replaces texts of digits by numbers.
func textsAsNumbers(members object) {
	for name, value := range members {
		text, _ := value.(string)
		if number, err := strconv.Atoi(strings.TrimSpace(text)); err == nil {
			members[name] = json.Number(strconv.Itoa(number))
		}
	}
}

// nullAsAbsent validates objects without their members that are null.
func nullAsAbsent(h *acphost.Host) {
	original := h.CheckObject
	h.CheckObject = func(p *acphost.Package, value any) error {
		members, isObject := value.(object)
		if !isObject {
			return original(p, value)
		}
		present := clone(members)
		for name, member := range present {
			if member == nil {
				delete(present, name)
			}
		}
		return original(p, present)
	}
}

// deletesByBeginning also deletes objects whose ids differ only in the last digit.
func deletesByBeginning(h *acphost.Host) {
	onVerb(acphost.Delete, func(original acphost.Verb, ctx context.Context, p *acphost.Package, arguments object) (any, error) {
		result, err := original(ctx, p, arguments)
		id, _ := arguments["id"].(string)
		kept, failed := keptIDs(ctx, h, p)
		for _, one := range kept {
			other, _ := one.(string)
			if err == nil && failed == nil && len(id) > 1 && strings.HasPrefix(other, id[:len(id)-1]) {
				_, _ = original(ctx, p, object{"id": other}) // the result is that of the named object
			}
		}
		return result, err
	})(h)
}

// someOperands drops the operands of $in after the second.
func someOperands(h *acphost.Host) {
	original := h.Matches
	h.Matches = func(filter, value any) (bool, error) {
		return original(rpc.Transform(rpc.Clone(filter), func(one any) any {
			if members, isObject := one.(object); isObject {
				if list, isList := members["$in"].([]any); isList && len(list) > 2 {
					members["$in"] = list[:2]
				}
			}
			return one
		}), value)
	}
}
