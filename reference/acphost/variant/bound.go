package acpvariant

import (
	"context"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/capconform/capconform/reference/acphost"
	"github.com/capconform/capconform/reference/rpc"
	"github.com/capconform/capconform/reference/variant"
)

// bounds returns routers that refuse long messages, large files, or versions that they have seen before.
func bounds() []variant.Variant {
	const longestMessage, largestFile = 4096, 32 << 10
	return []variant.Variant{
		newVariant("message-length", "Refuses messages of more than 4096 characters.", func(h *acphost.Host) {
			original := h.Provided[acphost.OpMessage]
			h.Provided[acphost.OpMessage] = func(ctx context.Context, params object) (any, error) {
				if text, _ := params["text"].(string); utf8.RuneCountInString(text) > longestMessage {
					return nil, rpc.Refuse("TOO_LONG", "the message is too long")
				}
				return original(ctx, params)
			}
		}, "ACP-FIELD-06", "ACP-EXEC-01"),
		newVariant("file-size", "Refuses files of more than 32 KiB.",
			refusingFiles(func(content []byte, _ *acphost.Package) bool { return len(content) > largestFile }), "ACP-SEC-07"),
		newVariant("versions-once", "Refuses other content under a capability URI that was installed before.",
			refusesReusedVersions,
			"ACP-ABS-02"),
		newVariant("calls-one-at-a-time", "Tells the model to call one tool at a time, and executes the first call.",
			combine(changesRequest(func(_ *acphost.Turn, request object) { request["parallel_tool_calls"] = false }),
				keepsFirstCall),
			"ACP-EXEC-05"),
		newVariant("calls-forgotten",
			"Executes the first call of a message, and shows the model only this one.", keepsFirstCall, "ACP-EXEC-05"),
	}
}

// refusingFiles refuses to install some packages.
func refusingFiles(which func(content []byte, p *acphost.Package) bool) style {
	return func(h *acphost.Host) {
		h.Rules = append(h.Rules, acphost.Rule{Name: "style", Check: func(p *acphost.Package) error {
			if which(p.Text, p) {
				return rpc.Refuse("UNWANTED", "this package is not wanted")
			}
			return nil
		}})
	}
}

func refusesReusedVersions(h *acphost.Host) {
	var known sync.Map
	mount := h.Mount
	h.Mount = func(installed []*acphost.Package, p *acphost.Package) []*acphost.Package {
		known.Store(p.URI, p.CID)
		return mount(installed, p)
	}
	refusingFiles(func(_ []byte, p *acphost.Package) bool {
		cid, is := known.Load(p.URI)
		return is && cid != p.CID
	})(h)
}

// keepsFirstCall removes all calls except the first from a message of the model, also in later requests
// to the model.
func keepsFirstCall(h *acphost.Host) {
	original := h.Complete
	h.Complete = func(ctx context.Context, request map[string]any) (acphost.Reply, error) {
		reply, err := original(ctx, request)
		if calls, _ := reply.Message["tool_calls"].([]any); len(calls) > 1 {
			reply.Message["tool_calls"], reply.Calls = calls[:1], reply.Calls[:1]
		}
		return reply, err
	}
}

// refusals returns runtimes that refuse a call for a reason that the text permits.
func refusals() []variant.Variant {
	return []variant.Variant{
		newVariant("ids-once", "Refuses to create an object under the id of a deleted one.", func(h *acphost.Host) {
			h.CreateAgain(func(string, map[string]any) (any, error) {
				return nil, rpc.Refuse("EXISTS", "the id was used before")
			})
		}, "ACP-STATE-01"),
		newVariant("mode-required", "Refuses a deletion without a mode.", func(h *acphost.Host) {
			original := h.Verbs[acphost.Delete]
			h.Verbs[acphost.Delete] = func(ctx context.Context, p *acphost.Package, arguments object) (any, error) {
				if arguments["mode"] == nil {
					return nil, rpc.Refuse("MODE", "the mode is missing")
				}
				return original(ctx, p, arguments)
			}
		}, "ACP-STATE-06"),
		newVariant("names-plain", "Refuses objects with a dot or a dollar sign in the name of a member.", refusesUnusualNames,
			"ACP-STATE-01"),
		newVariant("calls-refused", "Executes the first call of a message, and answers the others with an error.",
			refusesFurtherCalls, "ACP-EXEC-05"),
	}
}

func refusesUnusualNames(h *acphost.Host) {
	original := h.CheckObject
	h.CheckObject = func(p *acphost.Package, value any) error {
		members, _ := value.(object)
		for name := range members {
			if strings.ContainsAny(name, ".$") {
				return rpc.Refuse("NAME", "the name of a member is not supported")
			}
		}
		return original(p, value)
	}
}

// refusesFurtherCalls replaces the arguments of all calls of a message except the first by an invalid
// value.
func refusesFurtherCalls(h *acphost.Host) {
	original := h.Complete
	h.Complete = func(ctx context.Context, request map[string]any) (acphost.Reply, error) {
		reply, err := original(ctx, request)
		for i := range reply.Calls {
			if i > 0 {
				reply.Calls[i].Arguments = "[]"
			}
		}
		return reply, err
	}
}
