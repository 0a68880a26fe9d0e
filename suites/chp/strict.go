package chpsuite

import "github.com/capconform/capconform/suites"

// strictOnly returns the requirements that are judged only in a strict run: readings that are narrower than the
// prose, which lawful hosts break.
func strictOnly() []string {
	return []string{"CHP-3-07", "CHP-3-19", "CHP-4-11", "CHP-5-13", "CHP-6-18", "CHP-7-08", "CHP-8-14", "CHP-10-11",
		"CHP-10-12"}
}

// notJudgedUnlessStrict returns the requirements that this run does not judge because it is not strict, with the
// reason.
func notJudgedUnlessStrict(subject *suites.Subject) map[string]string {
	beyond := map[string]string{}
	if subject.Options["strict"] == "true" {
		return beyond
	}
	for _, id := range strictOnly() {
		beyond[id] = "narrower than the prose: checked only with --strict"
	}
	return beyond
}
