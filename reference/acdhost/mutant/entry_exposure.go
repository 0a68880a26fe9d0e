package acdmutant

import (
	"github.com/capconform/capconform/reference/acdhost"
	"github.com/capconform/capconform/reference/mutant"
)

// entryExposures returns agents that reject new capabilities correctly on channels, but not one registered capability.
func entryExposures() []mutant.Mutant {
	exposed := func(channel string, change func(descriptor object)) defect {
		return func(h *acdhost.Host) {
			id := victim(h)["capability_id"]
			changesDescriptor(victim, change)(h)
			original := h.Realizes
			h.Realizes = func(c acdhost.Channel, entry map[string]any) bool {
				return entry != nil && c.ID == channel && entry["capability_id"] == id || original(c, entry)
			}
		}
	}
	elsewhere := setAt("exposure", object{"scope": "public", "channels": []any{"cli"}})
	events := func(descriptor object) {
		acdhost.Set(descriptor, "exposure.scope", "agent")
		acdhost.Set(descriptor, "invocation.modes", []any{"event"})
	}
	internal := setAt("exposure.scope", "internal")
	return []mutant.Mutant{
		newMutant("entry-projected-elsewhere", "ACD-SDK5-04",
			"Exposes on the channel web a registered capability that names the channel cli.", exposed("web", elsewhere)),
		newMutant("entry-projected-without-mode", "ACD-SDK5-03",
			"Exposes on the channel mcp a registered capability that has only the mode event.", exposed("mcp", events)),
		newMutant("entry-projected-internal", "ACD-SDK5-04",
			"Exposes on the channel mcp a registered capability that is internal.", exposed("mcp", internal)),
		newMutant("entry-projected-undeclared", "ACD-SDK5-04",
			"Projects a registered capability that is internal, but does not declare it.", func(h *acdhost.Host) {
				changesDescriptor(victim, internal)(h)
				id := victim(h)["capability_id"]
				projects(func(_ *acdhost.Host, params object) bool {
					return params["capability_id"] == id && params["channel_id"] == "web"
				})(h)
			}),
	}
}
