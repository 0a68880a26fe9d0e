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
			edgeArguments(func(arguments object) { fractions(arguments, wholeNumber) })).AlsoBreaks("ACP-BIND-19", inQuery),
		newMutant("arguments-cut", "ACP-EXEC-06", "Shortens long texts in the arguments of every binding.",
			edgeArguments(func(arguments object) { eachText(arguments, cutText) })).AlsoBreaks("ACP-BIND-19", inQuery),
		newMutant("get-query-lost", "ACP-BIND-06", "Drops the query of the URL of http_get.",
			rebinds("http_get", "url", withoutQuery)),
		newMutant("post-query-lost", "ACP-BIND-07", "Drops the query of the URL of http_post.",
			rebinds("http_post", "url", withoutQuery)),
		newMutant("agent-of-habit", "ACP-BIND-08", "Always calls the same agent.",
			rebinds("nuwa_a2a", "target_did", func(did string) string {
				if strings.HasSuffix(did, "-other") {
					return strings.TrimSuffix(did, "-other")
				}
				return did
			})),
		newMutant("sandbox-open", "ACP-SEC-02", "Allows a tool in the sandbox to request any address.",
			func(h *acphost.Host) { h.Reach = h.Request }),
		newMutant("sandbox-told", "ACP-SEC-02",
			"Reports to a tool in the sandbox that it has no network, but requests the address.", func(h *acphost.Host) {
				refuse := h.Reach
				h.Reach = func(ctx context.Context, address string) error {
					_ = h.Request(ctx, address) // the request is the defect
					return refuse(ctx, address)
				}
			}),
		newMutant("service-of-habit", "ACP-BIND-09", "Always calls the same service.",
			rebinds("mcp_service", "service_uri", func(uri string) string {
				return strings.Replace(uri, "-other", "", 1)
			})),
	}
}

func withoutQuery(address string) string {
	bare, _, _ := strings.Cut(address, "?")
	return bare
}

// edgeArguments changes the arguments of every binding.
func edgeArguments(change func(arguments object)) defect {
	return func(h *acphost.Host) {
		h.Arguments = func(arguments map[string]any) map[string]any {
			copied := clone(arguments)
			change(copied)
			return copied
		}
	}
}

// cutText truncates a text to 255 characters, a common width of a database column.
func cutText(text string) string {
	const longest = 255
	runes := []rune(text)
	return string(runes[:min(longest, len(runes))])
}

// fractions changes the numbers of an object that have a fraction.
func fractions(members object, change func(number json.Number) json.Number) {
	for name, value := range members {
		if number, is := value.(json.Number); is && strings.Contains(number.String(), ".") {
			members[name] = change(number)
		}
	}
}

func wholeNumber(number json.Number) json.Number {
	text, _, _ := strings.Cut(number.String(), ".")
	return json.Number(text)
}

// eachText changes the texts of an object.
func eachText(members object, change func(text string) string) {
	for name, value := range members {
		if text, is := value.(string); is {
			members[name] = change(text)
		}
	}
}
