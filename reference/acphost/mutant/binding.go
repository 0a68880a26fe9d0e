package acpmutant

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/capconform/capconform/reference/acphost"
	"github.com/capconform/capconform/reference/mutant"
)

// bindingValues returns runtimes that fail for unusual services and arguments.
func bindingValues() []mutant.Mutant {
	const inQuery = "the arguments are not the body either"
	return []mutant.Mutant{
		newMutant("arguments-whole", "ACP-EXEC-06", "Removes the fractions of numbers from the arguments of every binding.",
			changesArguments(func(arguments object) { changeFractions(arguments, truncateNumber) })).AlsoBreaks("ACP-BIND-19",
			inQuery),
		newMutant("arguments-cut", "ACP-EXEC-06", "Shortens long texts in the arguments of every binding.",
			changesArguments(func(arguments object) { changeTexts(arguments, truncate) })).AlsoBreaks("ACP-BIND-19", inQuery),
		newMutant("get-query-lost", "ACP-BIND-06", "Drops the query of the URL of http_get.",
			changesBinding("http_get", "url", withoutQuery)),
		newMutant("post-query-lost", "ACP-BIND-07", "Drops the query of the URL of http_post.",
			changesBinding("http_post", "url", withoutQuery)),
		newMutant("agent-of-habit", "ACP-BIND-08", "Always calls the same agent.",
			changesBinding("nuwa_a2a", "target_did", func(did string) string {
				if strings.HasSuffix(did, "-other") {
					return strings.TrimSuffix(did, "-other")
				}
				return did
			})),
		newMutant("sandbox-open", "ACP-SEC-02", "Allows a tool in the sandbox to request any address.",
			func(h *acphost.Host) { h.ReachFromSandbox = h.RequestAddress }),
		newMutant("sandbox-told", "ACP-SEC-02",
			"Reports to a tool in the sandbox that it has no network, but requests the address.", func(h *acphost.Host) {
				refuse := h.ReachFromSandbox
				h.ReachFromSandbox = func(ctx context.Context, address string) error {
					_ = h.RequestAddress(ctx, address) // the request is the defect
					return refuse(ctx, address)
				}
			}),
		newMutant("service-of-habit", "ACP-BIND-09", "Always calls the same service.",
			changesBinding("mcp_service", "service_uri", func(uri string) string {
				return strings.Replace(uri, "-other", "", 1)
			})),
	}
}

func withoutQuery(address string) string {
	bare, _, _ := strings.Cut(address, "?")
	return bare
}

// changesArguments changes the arguments of every binding.
func changesArguments(change func(arguments object)) defect {
	return func(h *acphost.Host) {
		h.Arguments = func(arguments map[string]any) map[string]any {
			copied := clone(arguments)
			change(copied)
			return copied
		}
	}
}

// truncate truncates a text to 255 characters, a common width of a database column.
func truncate(text string) string {
	const longest = 255
	runes := []rune(text)
	return string(runes[:min(longest, len(runes))])
}

// changeFractions changes the numbers of an object that have a fraction.
func changeFractions(members object, change func(number json.Number) json.Number) {
	for name, value := range members {
		if number, is := value.(json.Number); is && strings.Contains(number.String(), ".") {
			members[name] = change(number)
		}
	}
}

func truncateNumber(number json.Number) json.Number {
	text, _, _ := strings.Cut(number.String(), ".")
	return json.Number(text)
}

// changeTexts changes the texts of an object.
func changeTexts(members object, change func(text string) string) {
	for name, value := range members {
		if text, is := value.(string); is {
			members[name] = change(text)
		}
	}
}
