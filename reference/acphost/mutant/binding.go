package acpmutant

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/capconform/capconform/reference/acphost"
	"github.com/capconform/capconform/reference/mutant"
)

// bindingValues are runtimes that are wrong for unusual services and arguments.
func bindingValues() []mutant.Mutant {
	const inQuery = "the arguments are no body either"
	return []mutant.Mutant{
		newMutant("arguments-whole", "ACP-EXEC-06", "Cuts the fractions of numbers off before it calls anybody.",
			edgeArguments(func(arguments object) { fractions(arguments, wholeNumber) })).AlsoBreaks("ACP-BIND-19", inQuery),
		newMutant("arguments-cut", "ACP-EXEC-06", "Cuts long texts before it calls anybody.",
			edgeArguments(func(arguments object) { eachText(arguments, cutText) })).AlsoBreaks("ACP-BIND-19", inQuery),
		newMutant("get-query-lost", "ACP-BIND-06", "Drops the query of an address that it GETs.",
			rebinds("http_get", "url", withoutQuery)),
		newMutant("post-query-lost", "ACP-BIND-07", "Drops the query of an address that it POSTs to.",
			rebinds("http_post", "url", withoutQuery)),
		newMutant("agent-of-habit", "ACP-BIND-08", "Calls one agent whichever is named.",
			rebinds("nuwa_a2a", "target_did", func(did string) string {
				if strings.HasSuffix(did, "-other") {
					return strings.TrimSuffix(did, "-other")
				}
				return did
			})),
		newMutant("sandbox-open", "ACP-SEC-02", "Lets a tool in the sandbox request any address.",
			func(h *acphost.Host) { h.Reach = h.Request }),
		newMutant("sandbox-told", "ACP-SEC-02",
			"Tells a tool in the sandbox that it has no network, and requests the address all the same.", func(h *acphost.Host) {
				refuse := h.Reach
				h.Reach = func(ctx context.Context, address string) error {
					_ = h.Request(ctx, address) // the request itself is the defect
					return refuse(ctx, address)
				}
			}),
		newMutant("service-of-habit", "ACP-BIND-09", "Calls one service whichever is named.",
			rebinds("mcp_service", "service_uri", func(uri string) string {
				return strings.Replace(uri, "-other", "", 1)
			})),
	}
}

func withoutQuery(address string) string {
	bare, _, _ := strings.Cut(address, "?")
	return bare
}

// edgeArguments changes what is passed to any binding.
func edgeArguments(change func(arguments object)) defect {
	return func(h *acphost.Host) {
		h.Arguments = func(arguments map[string]any) map[string]any {
			copied := clone(arguments)
			change(copied)
			return copied
		}
	}
}

// cutText cuts what is longer than a column of old.
func cutText(text string) string {
	const longest = 255
	runes := []rune(text)
	return string(runes[:min(longest, len(runes))])
}

// fractions changes the numbers of an object that have one.
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
