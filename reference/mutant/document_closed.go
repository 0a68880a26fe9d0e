package mutant

// closedEdits break the closed readings of CHP and ACD, which advise, and with
// --strict alone: the texts permit what is done here.
func closedEdits() []edit {
	var all []edit
	for _, w := range []wrong{
		{"CHP-3-19", "descriptor", "modes/1", "cron"}, {"CHP-3-19", "descriptor", "x_shelf", "B4"}, {"CHP-3-19", "discovery", "capabilities/0/status", "new"},
		{"CHP-4-11", "host", "x_shelf", "B4"}, {"CHP-4-11", "host", "metadata", "none"},
		{"CHP-5-13", "envelope", "x_shelf", "B4"}, {"CHP-5-13", "envelope", "mode", "cron"},
		{"CHP-6-18", "replay", "events/0/x_shelf", "B4"},
		{"CHP-7-08", "replay", "events/0/correlation/x_shelf", "B4"},
		{"CHP-10-11", "replay-query", "x_shelf", "B4"}, {"CHP-10-11", "replay-query", "limit", "10"},
		{"CHP-4-11", "host", "evidence/append_only", "yes"}, {"CHP-5-13", "envelope", "requested_at", "today"},
		{"CHP-6-18", "replay", "events/0/timestamp", "today"}, {"CHP-10-12", "replay", "replayed_at", 1767225600},
		{"CHP-10-12", "replay", "x_shelf", "B4"},
		{"ACD-DESC-32", "agent-capability", "x_shelf", "B4"}, {"ACD-DESC-32", "agent-capability", "execution/x_shelf", "B4"},
		{"ACD-MAN-12", "agent-manifest", "x_shelf", "B4"},
	} {
		all = append(all, w.edit("closed", "Gives "+w.at+" as no closed reading has it.", w.value))
	}
	return all
}
