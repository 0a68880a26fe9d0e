package admission

import (
	"strings"
	"testing"
)

func object(members ...any) map[string]any {
	made := map[string]any{}
	for i := 0; i < len(members); i += 2 {
		made[members[i].(string)] = members[i+1]
	}
	return made
}

// takes returns the members of a capability whose input has the given members.
func takes(members ...any) map[string]any {
	return object("input_schema", object("properties", object(members...)))
}

// TestSafeAdmits lists capabilities that read or compute.
func TestSafeAdmits(t *testing.T) {
	r := PublishedReader()
	hinted := func(hints ...any) map[string]any { return object("annotations", object(hints...)) }
	for _, c := range []Candidate{
		{ID: "echo", Description: "Gives its input back."},
		{ID: "text.measure", Description: "Counts the letters of a text."},
		{ID: "read_multiple_files", Description: "Read the contents of multiple files simultaneously. Failed reads for individual files won't stop the entire operation. Only works within allowed directories."},
		{ID: "read_multiple_files", Description: "Read many files. Failed reads won’t stop the entire operation."},
		{ID: "get_file_info", Description: "Retrieve detailed metadata about a file. Returns size, creation time, last modified time and permissions."},
		{ID: "list_directory", Description: "Get a detailed listing of all files and directories in a specified path. Results clearly distinguish between files and directories."},
		{ID: "slack_list_channels", Description: "List public channels in the workspace with pagination"},
		{ID: "slack_get_channel_history", Description: "Get recent messages from a channel"},
		{ID: "get_commit", Description: "Gets details of a commit in a repository"},
		{ID: "list_pull_requests", Description: "List pull requests of a repository"},
		{ID: "getWeather", Description: "Current weather for a city."},
		{ID: "weather-get", Description: "Gets the weather."},
		{ID: "git_status", Description: "Shows the working tree status"},
		{ID: "git_diff", Description: "Shows differences between branches"},
		{ID: "add", Description: "Adds two numbers."},
		{ID: "add_numbers"},
		{ID: "math.add_integers", Description: "Adds integers and returns their sum"},
		{ID: "calculate_sum", Description: "Calculates the sum of a list of numbers"},
		{ID: "format_json", Description: "Formats JSON with two blanks"},
		{ID: "validate_url", Description: "Checks that a URL has a valid form"},
		{ID: "parse_csv", Description: "Parses CSV. It does not modify or delete anything."},
		{ID: "convert_currency", Description: "Converts an amount between currencies"},
		{ID: "describe_table", Description: "Describes the columns of a table. Never writes."},
		{ID: "list_orders", Description: "Lists open orders"},
		{ID: "acme.inventory.lookup", Description: "Looks an item up by its id"},
		{ID: "list_updates", Members: hinted("readOnlyHint", true)},
		{ID: "run", Members: hinted("readOnlyHint", true, "openWorldHint", true, "destructiveHint", false)},
		{ID: "count_words", Members: object("risk", "low", "side_effects", []any{})},
		{ID: "count_words", Members: object("policy", object("risk_tier", "none", "approval_required", false))},
		{ID: "löschen", Members: object("read_only", true)},
		{ID: "list_issues", Members: takes("sort", object("enum", []any{"created", "updated"}), "state", object("enum", []any{"open", "closed"}))},
		{ID: "search_text", Members: takes("mode", object("enum", []any{"exact", "fuzzy"}), "include_deleted", object("type", "boolean"))},
		{ID: "calculate", Members: takes("operation", object("enum", []any{"add", "subtract"}))},
	} {
		if why := r.ReasonAgainst(c); why != "" {
			t.Errorf("%s (%s): not admitted, because %s", c.ID, c.Description, why)
		}
	}
}

func requireRefused(t *testing.T, r *Reader, c Candidate) {
	t.Helper()
	if r.ReasonAgainst(c) == "" {
		t.Errorf("%s %q (%s) %v was admitted", c.ID, c.Name, c.Description, c.Members)
	}
}

// TestSafeRefusesIDs lists ids of capabilities that change something, or might.
func TestSafeRefusesIDs(t *testing.T) {
	r := PublishedReader()
	ids := `
		wire_money ban_user format_disk close_issue start_instance rotate_keys slack_post_message slack_reply_to_thread fork_repository git_pull git_clone
		git_commit git_push git_checkout git_reset add_user add_to_list list_add add_note get_and_delete getAndDelete get-and-delete get.and.delete
		get_or_create getOrCreate search_and_replace find_replace read_and_mark list_and_purge check_out check_in checkout read_write read_then_archive
		count_up listAndPURGE getDELETEall list_deleteall list_de_lete get_up_date query execute_sql run_query http_request eval browser_evaluate browser_click
		puppeteer_navigate transfer transfer_funds create_payment create_refund cancel_subscription stripe_charge kubectl_apply kubectl_delete scale_deployment
		drain_node reboot sequentialthinking write_file edit_file move_file create_directory upload_file send_email reply_email archive_thread
		get_and_increment test_and_set fetch_and_add find_and_modify dispense_count open_valve_check mark_list reserve_seat_view unlock_door_status
		search_start list_flush echo_off show_and_tell read_and_forward acme.list.clear user.get.remove users/list/purge set_status update_status
		format_drive format split_payment reverse_payment join_channel filter_wheel add_number_to_blocklist get_ordeal_and_delete log_out sign_up turn_on
		check_and_set verify_and_charge validate_or_reject list_users_delete get_n_delete toString conformance.delete_everything`
	for _, id := range strings.Fields(ids) {
		requireRefused(t, r, Candidate{ID: id})
	}
}

// TestSafeRefusesDescriptions lists descriptions of such capabilities.
func TestSafeRefusesDescriptions(t *testing.T) {
	r := PublishedReader()
	described := func(id, description string) Candidate { return Candidate{ID: id, Description: description} }
	for _, c := range []Candidate{
		described("get_report", "Gets the report and deletes it afterwards."),
		described("get_report", "Gets the report. The original is then removed."),
		described("get_report", "Returns the report after deleting the older ones."),
		described("read_message", "Reads a message and marks it as read."),
		described("get_quote", "Gets a quote and orders it"),
		described("check_door", "Checks the door, and will open it if it is closed."),
		described("check_status", "Never deletes files without asking."),
		described("check_status", "Does not stop until everything is deleted."),
		described("check_status", "Cannot be undone."),
		described("get_item", "Does not only read but deletes the item."),
		described("list_mail", "Lists mail. Messages are archived."),
		described("get_token", "Rotates the token and gives the new one."),
		described("echo", "Gives its input back and POSTs it to a channel."),
		described("get_file", "Gets a file. deleteOriginal is the default."),
		described("get_file", "Gets a file and dеletes it."), // with a Cyrillic letter
		described("get_file", "Gets a file and de\u200bletes it."),
		described("get_file", "Löscht die Datei."),
		described("gеt_file", "Gets a file."), // with a Cyrillic letter
		described("get_\u202etxt", "Gets a file."),
		described("get\nfile", "Gets a file."),
		described("fetch", "Fetches a URL from the internet and extracts its contents as markdown."),
		described("get_page", "Gets a web page."),
		described("acme_dispenser_count", "Dispenses the count of banknotes."),
		described("add_numbers", "Adds numbers and sends them to a channel."),
		described("add", "Adds a user to the list."),
	} {
		requireRefused(t, r, c)
	}
}

// TestSafeRefusesMembers lists names, annotations, effects and inputs of such capabilities.
func TestSafeRefusesMembers(t *testing.T) {
	r := PublishedReader()
	for _, c := range []Candidate{
		{ID: "get_report", Name: "Delete a report"},
		{ID: "get_report", Members: object("annotations", object())},
		{ID: "get_report", Members: object("annotations", object("title", "Get a report"))},
		{ID: "get_report", Members: object("annotations", object("readOnlyHint", false))},
		{ID: "get_report", Members: object("annotations", object("readOnlyHint", "true"))},
		{ID: "get_report", Members: object("annotations", object("destructiveHint", false))},
		{ID: "get_report", Members: object("annotations", object("readOnlyHint", true, "destructiveHint", true))},
		{ID: "get_report", Members: object("annotations", "read-only")},
		{ID: "get_report", Members: object("annotations", object("readOnlyHint", true), "side_effects", []any{"disk"})},
		{ID: "get_report", Members: object("side_effects", []any{"disk"})},
		{ID: "get_report", Members: object("side_effects", true)},
		{ID: "get_report", Members: object("sideEffects", "writes to disk")},
		{ID: "get_report", Members: object("risk", "medium")},
		{ID: "get_report", Members: object("risk", object("level", "high"))},
		{ID: "get_report", Members: object("policy", object("risk_tier", "critical"))},
		{ID: "get_report", Members: object("policy", object("approval_required", true))},
		{ID: "get_report", Members: object("permissions", object("danger_level", "high"))},
		{ID: "get_report", Members: object("permissions", object("required", []any{"reports.delete"}))},
		{ID: "get_report", Members: object("required_permissions", []any{"payments:send"})},
		{ID: "get_report", Members: object("x-acme", object("destructive", true))},
		{ID: "get_report", Members: object("tags", []any{"write"})},
		{ID: "get_report", Members: object("read_only", false)},
		{ID: "get_report", Members: takes("sql", object())},
		{ID: "get_report", Members: takes("action", object("enum", []any{"get", "delete"}))},
		{ID: "get_report", Members: takes("operation", object("oneOf", []any{object("const", "show"), object("const", "removeAll")}))},
		{ID: "get_list", Members: takes("op", object("enum", []any{"show", "add"}))},
		{ID: "get_report", Members: takes("delete_after", object("type", "boolean"))},
		{ID: "get_report", Members: takes("overwrite", object("type", "boolean"))},
		{ID: "get_context", Members: object("annotations", object("readOnlyHint", true),
			"input_schema", object("properties", object("operation", object("enum", []any{"list", "get", "set"}))))},
	} {
		requireRefused(t, r, c)
	}
}

func TestWordsAreListedOnce(t *testing.T) {
	w := Published()
	seen := map[string]string{}
	for name, list := range map[string][]string{"changing": w.Changing, "ambiguous": w.Ambiguous, "reading or computing": append(w.Reading, w.Computing...)} {
		for _, word := range list {
			if other := seen[word]; other != "" && word != "count" && word != "echo" {
				t.Errorf("%s is listed as both %s and %s", word, other, name)
			}
			seen[word] = name
		}
	}
}

// TestWordWithinAWord: the same id is refused for the same word in each run, and the time for an id of many words is
// linear.
func TestWordWithinAWord(t *testing.T) {
	r := PublishedReader()
	for range 50 {
		if why := r.ReasonAgainst(Candidate{ID: "list_xdeletexremovexinstallx"}); why != `its id contains "delete"` {
			t.Fatalf("want the first changing word, got %s", why)
		}
	}
	long := "list" + strings.Repeat(
		".zq",
		20_000,
	) // a word takes microseconds; a search of all lists takes milliseconds
	if why := r.ReasonAgainst(Candidate{ID: long, Description: "Lists what there is."}); why != "" {
		t.Error(why)
	}
}
