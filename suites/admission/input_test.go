package admission

import (
	"strings"
	"testing"
)

// flag and choice return schemas of members.
func flag() map[string]any { return object("type", "boolean") }

func choice(values ...any) map[string]any { return object("type", "string", "enum", values) }

// TestSafeReadsTheWholeInput lists inputs of a capability whose texts say that it reads. Each input can request a
// change, in a place of the schema below the first level.
func TestSafeReadsTheWholeInput(t *testing.T) {
	r := PublishedReader()
	erasing := object("properties", object("delete", flag()))
	input := func(schema map[string]any) map[string]any { return object("input_schema", schema) }
	for name, members := range map[string]map[string]any{
		"a flag of a nested object":      takes("options", erasing),
		"a flag of the items of a list":  takes("files", object("type", "array", "items", erasing)),
		"a flag in a referenced schema":  input(object("$ref", "#/$defs/i", "$defs", object("i", erasing))),
		"a flag in allOf":                input(object("allOf", []any{erasing})),
		"a flag in a branch":             input(object("oneOf", []any{object("type", "string"), erasing})),
		"a flag in then":                 input(object("if", object(), "then", erasing)),
		"a flag that may be null":        takes("delete", object("type", []any{"boolean", "null"})),
		"a flag in anyOf":                takes("delete", object("anyOf", []any{flag(), object("type", "null")})),
		"a flag by its values":           takes("delete", object("enum", []any{true, false})),
		"a flag of words":                takes("delete", choice("yes", "no")),
		"a flag whose schema is empty":   takes("delete", object()),
		"a flag whose schema is true":    takes("delete", true),
		"a flag that is a reference":     takes("delete", object("$ref", "#/$defs/flag")),
		"a flag with a modal verb":       takes("should_delete", flag()),
		"a flag in camel case":           takes("shouldDelete", flag()),
		"a dry run":                      takes("dry_run", flag()),
		"a dry run in camel case":        takes("dryRun", flag()),
		"a confirmation":                 takes("confirm", flag()),
		"force":                          takes("force", flag()),
		"a choice in a nested object":    takes("request", object("properties", object("action", choice("list", "delete")))),
		"a choice in a branch":           input(object("oneOf", []any{takesOnly("operation", object("const", "delete"))})),
		"a choice with a longer name":    takes("op_type", choice("list", "delete")),
		"a choice with another name":     takes("what", choice("list", "delete")),
		"options of a command":           takes("flags", object("items", object("enum", []any{"--list", "--delete"}))),
		"a choice by default":            takes("verb", object("type", "string", "default", "delete")),
		"a choice by example":            takes("verb", object("type", "string", "examples", []any{"delete"})),
		"a program in camel case":        takes("sqlQuery", object("type", "string")),
		"a program with a longer name":   takes("shell_command", object("type", "string")),
		"a program in a nested object":   takes("options", object("properties", object("script", object("type", "string")))),
		"a program by its description":   takes("query", object("type", "string", "description", "The SQL to run.")),
		"an address that is called":      takes("webhook_url", object("type", "string")),
		"an address that is called back": takes("options", object("properties", object("callbackUrl", object("type", "string")))),
	} {
		for _, id := range []string{"list_files", "get_report"} {
			if r.ReasonAgainst(Candidate{ID: id, Description: "Lists files.", Members: members}) == "" {
				t.Errorf("%s: %s was admitted", name, id)
			}
		}
	}
	annotated := takes("options", erasing)
	annotated["annotations"] = object("readOnlyHint", true)
	if r.ReasonAgainst(Candidate{ID: "list_files", Members: annotated}) == "" {
		t.Error("an annotation that contradicts a flag of the input was accepted")
	}
}

// takesOnly is like takes, without the member of a descriptor.
func takesOnly(members ...any) map[string]any { return object("properties", object(members...)) }

// TestSafeAdmitsOrdinaryInputs lists inputs that change nothing, but contain words of the lists.
func TestSafeAdmitsOrdinaryInputs(t *testing.T) {
	r := PublishedReader()
	text := object("type", "string")
	for name, members := range map[string]map[string]any{
		"a filter":                takes("include_deleted", flag(), "updated_after", text),
		"a noun":                  takes("commit", text, "store_id", text, "merge_base", text),
		"codes":                   takes("country_code", text, "zip_code", text, "status_code", object("type", "integer")),
		"an order":                takes("sort", choice("created", "updated"), "order", choice("asc", "desc")),
		"a state":                 takes("state", choice("open", "closed", "merged", "all")),
		"a kind of object":        takes("type", choice("commit", "tree", "blob")),
		"a nested filter":         takes("filter", object("properties", object("archived", flag(), "recursive", flag()))),
		"a mode":                  takes("travel_mode", choice("driving", "walking", "transit")),
		"a choice that computes":  takes("operation", choice("add", "subtract", "multiply")),
		"a description":           takes("limit", object("type", "integer", "description", "How many are returned")),
		"a member of that name":   takes("properties", object("type", "string")),
		"values that are objects": takes("where", object("enum", []any{object("properties", object("delete", flag()))})),
	} {
		if why := r.ReasonAgainst(Candidate{ID: "list_files", Description: "Lists files.", Members: members}); why != "" {
			t.Errorf("%s: not admitted, because %s", name, why)
		}
	}
}

// TestSafeBoundsTheInput: an input that is too large is not admitted, and reading it ends early.
func TestSafeBoundsTheInput(t *testing.T) {
	deep := object("properties", object("delete", flag()))
	for range 10_000 {
		deep = object("properties", object("inner", deep))
	}
	why := PublishedReader().ReasonAgainst(Candidate{ID: "list_files", Members: object("input_schema", deep)})
	if !strings.Contains(why, "too large") {
		t.Errorf("want a reason that the input is too large, got %q", why)
	}
}

// TestSafeRefusesContradictions lists capabilities that are annotated as read-only but state that they change
// something.
func TestSafeRefusesContradictions(t *testing.T) {
	r := PublishedReader()
	with := func(more ...any) map[string]any {
		return object(append([]any{"annotations", object("readOnlyHint", true)}, more...)...)
	}
	for _, c := range []Candidate{
		{ID: "delete_all", Members: with()},
		{ID: "files.remove_everything", Description: "Lists the files.", Members: with()},
		{ID: "deleteAll", Members: object("readOnly", true)},
		{ID: "list_and_purge", Members: with()},
		{ID: "deleteall", Members: with()},
		{ID: "files", Name: "Delete files", Members: with()},
		{ID: "files", Description: "Deletes all files.", Members: with()},
		{ID: "files", Description: "Permanently deletes all files.", Members: with()},
		{ID: "files", Description: "Apply a patch to all files.", Members: with()},
		{ID: "files", Members: object("annotations", object("readOnlyHint", true, "title", "Delete files"))},
		{ID: "files", Members: object("annotations", object("readOnlyHint", true, "sideEffects", true))},
		{ID: "files", Members: object("annotations", object("readOnlyHint", true, "destructive", "yes"))},
		{ID: "files", Members: object("annotations", object("readOnlyHint", true, "risk", "high"))},
		{ID: "files", Members: object("annotations", object("readOnlyHint", true, "destructiveHint", "true"))},
		{ID: "files", Members: object("annotations", object("readOnlyHint", true, "readonly", false))},
	} {
		if r.ReasonAgainst(c) == "" {
			t.Errorf("%s %q (%s) %v was admitted", c.ID, c.Name, c.Description, c.Members)
		}
	}
	for _, c := range []Candidate{
		{ID: "list_deleted_items", Members: with()},
		{ID: "delete_preview", Description: "Shows what would be deleted.", Members: with()},
		{ID: "run_report", Name: "Run the report", Description: "Use create_report to create one first.", Members: with()},
		{ID: "page_snapshot", Description: "Take a snapshot; never deletes anything.", Members: with()},
		{ID: "löschen", Members: with()},
	} {
		if why := r.ReasonAgainst(c); why != "" {
			t.Errorf("%s (%s): not admitted, because %s", c.ID, c.Description, why)
		}
	}
}

// TestSafeRefusesFurtherWords lists words for changes that earlier lists lacked.
func TestSafeRefusesFurtherWords(t *testing.T) {
	r := PublishedReader()
	for _, id := range strings.Fields(`get_rid_of_files list_demolish find_and_expunge check_eradicate get_dismantled
		show_reinstall list_recreate read_bootstrap get_offload status_annihilate`) {
		if r.ReasonAgainst(Candidate{ID: id}) == "" {
			t.Errorf("%s was admitted", id)
		}
	}
	for _, description := range []string{
		"Gets the file and gets rid of it.", "Gets the mail and forwards it to a colleague.", "Gets the item; it is blocked then.",
		"Gets the address and ingests the page.",
	} {
		if r.ReasonAgainst(Candidate{ID: "get_item", Description: description}) == "" {
			t.Errorf("%q was admitted", description)
		}
	}
}
