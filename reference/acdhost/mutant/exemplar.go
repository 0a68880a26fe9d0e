package acdmutant

import (
	"strings"

	"github.com/capconform/capconform/reference/acdhost"
	"github.com/capconform/capconform/reference/mutant"
)

// exemplars returns exemplars that break one of the requirements FR-EX-1 to FR-EX-4.
func exemplars() []mutant.Mutant {
	var broken []mutant.Mutant
	for _, m := range []struct{ requirement, id string }{
		{"ACD-EX1-01", "cap.identify"}, {"ACD-EX1-02", "cap.send_umf"}, {"ACD-EX1-03", "cap.cli.adapter"},
		{"ACD-EX1-04", "cap.capability.list"},
		{"ACD-EX1-05", "cap.capability.create"},
		{"ACD-EX1-06", "cap.subagent.create"},
		{"ACD-EX1-07", "cap.command.bind"},
		{"ACD-EX1-08", "cap.hook.create"},
	} {
		name := strings.NewReplacer(".", "-", "_", "-").Replace(m.id)
		missing := newMutant("no-"+name, m.requirement, "Ships without "+m.id+".", func(h *acdhost.Host) { h.Delete(m.id) }).
			WithFixtures()
		if m.id == "cap.capability.create" {
			missing = missing.AlsoBreaks("ACD-SDK3-02", "it is the capability that creates")
		}
		broken = append(broken, missing)
	}
	return append(broken,
		newMutant("hook-create-disabled", "ACD-EX1-08", "Ships with cap.hook.create switched off.",
			changesDescriptor(entryOf("cap.hook.create"), setAt("status.enabled", false))).WithFixtures(),
		newMutant("cli-no-transport", "ACD-EX2-01", "Has a CLI adapter that is no transport.",
			changesDescriptor(entryOf("cap.cli.adapter"), setAt("execution.substrate", "symbolic"))).WithFixtures(),
		newMutant("cli-unexposed", "ACD-EX2-01", "Has a channel cli that does not expose its adapter.",
			func(h *acdhost.Host) {
				original := h.Realizes
				h.Realizes = func(c acdhost.Channel, entry map[string]any) bool {
					return !(c.ID == "cli" && entry["capability_id"] == c.Adapter) && original(c, entry)
				}
			}).WithFixtures(),
		newMutant("cli-partial", "ACD-EX2-02", "Has a capability for people that the channel cli does not expose.",
			func(h *acdhost.Host) {
				original := h.Realizes
				h.Realizes = func(c acdhost.Channel, entry map[string]any) bool {
					return !(c.ID == "cli" && entry["capability_id"] == "cap.minutes") && original(c, entry)
				}
			}).WithFixtures(),
	)
}
