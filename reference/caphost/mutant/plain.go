package capmutant

import (
	"context"
	"slices"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/capconform/capconform/reference/caphost"
	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reference/plainmcp"
	"github.com/capconform/capconform/reference/rpc"
)

// Plain is a plain MCP server that differs from the reference: in a defect that
// is visible through the adapter, or in a style that the text permits or that the
// adapter must handle.
type Plain struct {
	Name        string // unique, of the form plain-unit-words
	Requirement string // the one requirement of CAP that it breaks; empty for a style
	Summary     string
	Role        string // as in Mutant
	Apply       func(server *plainmcp.Server)
}

// Plains returns every plain MCP server: the defects, then the styles.
func Plains() []Plain { return append(plainDefects(), plainStyles()...) }

// onHost applies a defect to the tools of a server.
func onHost(breaks defect) func(*plainmcp.Server) {
	return func(server *plainmcp.Server) { breaks(server.Host) }
}

// onTool changes one tool in the result of tools/list.
func onTool(change func(tool map[string]any)) func(*plainmcp.Server) {
	return func(server *plainmcp.Server) {
		target, original := victim(server.Host).ID, server.Publish
		server.Publish = func(c *caphost.Capability) map[string]any {
			tool := original(c)
			if c.ID == target {
				change(tool)
			}
			return tool
		}
	}
}

// onSuccess changes the successful result of one tool.
func onSuccess(change func(result map[string]any) any) func(*plainmcp.Server) {
	return onOutcome(func(server *plainmcp.Server) selector { return only(victim(server.Host)) }, "", change)
}

// onFailure changes the result of any tool for a failure with one code.
func onFailure(code string, change func(result map[string]any) any) func(*plainmcp.Server) {
	return onOutcome(func(*plainmcp.Server) selector { return everything }, code, change)
}

func onOutcome(which func(*plainmcp.Server) selector, code string,
	change func(result map[string]any) any) func(*plainmcp.Server) {
	return func(server *plainmcp.Server) {
		strikes, original := which(server), server.Answer
		server.Answer = func(c *caphost.Capability, outcome caphost.Outcome) (any, error) {
			result, err := original(c, outcome)
			members, isObject := result.(map[string]any)
			if !isObject || !strikes(c) || code == "" && outcome.Failure != nil || code != "" &&
				(outcome.Failure == nil || outcome.Failure.Code != code) {
				return result, err
			}
			changed := change(members)
			if refusal, isError := changed.(error); isError {
				return nil, refusal
			}
			return changed, nil
		}
	}
}

// declaring makes one tool declare an output schema, none if it is nil, and return structured content.
func declaring(schema, structured any) func(*plainmcp.Server) {
	return func(server *plainmcp.Server) {
		onTool(func(tool map[string]any) {
			tool["outputSchema"] = schema
			if schema == nil {
				delete(tool, "outputSchema")
			}
		})(server)
		onSuccess(mutant.With("structuredContent", structured))(server)
	}
}

func refusal(number int, message string) func(map[string]any) any {
	return func(map[string]any) any { return &rpc.Error{Number: number, Message: message} }
}

// failsAsText changes only the failures of the role fails: if it changed malformed outputs too,
// they would break their schema as well.
func failsAsText(server *plainmcp.Server) {
	fails := func(*plainmcp.Server) selector {
		return func(c *caphost.Capability) bool { return c.ID == "conformance.fail" }
	}
	onOutcome(fails, caphost.ExecutionFailed, func(result map[string]any) any {
		delete(result, "isError")
		result["structuredContent"] = map[string]any{}
		return result
	})(server)
}

func plainDefects() []Plain {
	coerces := func(h *caphost.Host) {
		admitsInvalid(func(c *caphost.Capability, input any) bool {
			return c.Input.Check(changeFromLeaves(c.Sample, input, numberFromText)) == nil
		})(h)
	}
	return []Plain{
		{"plain-coerces", "CAP-INV-02", `Accepts "2" as a number.`, "", onHost(coerces)},
		{"plain-ignores-enum", "CAP-INV-02", "Validates without the keyword enum.", "",
			onHost(ignores(func(schema map[string]any, _ int) { delete(schema, "enum") }))},
		{"plain-accepts-anything", "CAP-INV-02", "Does not validate.", "",
			onHost(admitsInvalid(func(*caphost.Capability, any) bool { return true }))},
		{"plain-invalid-as-crash", "CAP-INV-03",
			"Answers invalid arguments with the error -32603 of a handler that crashed.",
			"",
			onFailure(caphost.InvalidInput, refusal(rpc.InternalError,
				"Cannot read properties of undefined (reading 'length')"))},
		{"plain-invalid-as-key-error", "CAP-INV-03",
			"Answers invalid arguments with the error -32603 of a handler that misses a member.", "",
			onFailure(caphost.InvalidInput, refusal(rpc.InternalError, "KeyError: 'first' is missing"))},
		{"plain-invalid-as-index-error", "CAP-INV-03",
			"Answers invalid arguments with the error -32603 of a handler that reads beyond a list.", "",
			onFailure(caphost.InvalidInput, refusal(rpc.InternalError, "list index out of range"))},
		{"plain-output-breaks-schema", "CAP-INV-04", "Returns structured content that its output schema refuses.", "",
			onSuccess(func(result map[string]any) any {
				output, _ := result["structuredContent"].(map[string]any)
				output["share"] = "25"
				return result
			})},
		{"plain-no-structured-content", "CAP-INV-04", "Declares an output schema and returns only text.", "",
			onSuccess(mutant.Without("structuredContent"))},
		{"plain-output-array", "CAP-INV-04",
			"Returns an array as structured content although its output schema requires an object.", "",
			onSuccess(mutant.With("structuredContent", []any{"bf0040"}))},
		{"plain-task-handle", "CAP-INV-05", "Answers a call with a task.", "", onSuccess(func(map[string]any) any {
			return map[string]any{"task": map[string]any{"taskId": "t-17", "status": "working", "pollInterval": 500}}
		})},
		{"plain-input-required", "CAP-INV-05", "Answers a call with a request for further input.", "",
			onSuccess(func(map[string]any) any {
				return map[string]any{"resultType": "input_required", "inputRequests": map[string]any{}}
			})},
		{"plain-failure-as-text", "CAP-ERR-04", "Returns a failure as text without isError.", "fails", failsAsText},
		{"plain-name-twice", "CAP-CAP-02", "Lists a tool twice, with different schemas.", "", listsTwice},
		{"plain-name-a-list", "CAP-FC-01", "Gives a tool a new name with every list.", "", renamesTool},
		{"plain-no-input-schema", "CAP-MAN-02", "Lists a tool without an input schema.", "",
			onTool(func(tool map[string]any) { delete(tool, "inputSchema") })},
		{"plain-broken-input-schema", "CAP-MAN-02", "Lists a tool whose input schema does not compile.", "",
			onTool(func(tool map[string]any) {
				tool["inputSchema"] = map[string]any{"type": "object",
					"properties": map[string]any{"first": map[string]any{"type": "text"}}}
			})},
	}
}

func listsTwice(server *plainmcp.Server) {
	original := server.Host.Catalogue
	again := victim(server.Host).Edit(func(manifest map[string]any) {
		manifest["input_schema"] = map[string]any{"type": "object"}
	})
	server.Host.Catalogue = func() []*caphost.Capability { return append(original(), again) }
}

// renamesTool changes the name of a tool whenever the first page is read. A tool has no title.
func renamesTool(server *plainmcp.Server) {
	target, publish, page, lists := victim(server.Host).ID, server.Publish, server.Page, new(atomic.Int64)
	server.Publish = func(c *caphost.Capability) map[string]any {
		tool := publish(c)
		delete(tool, "title")
		if c.ID == target {
			tool["name"] = target + "." + strconv.FormatInt(lists.Load(), 10)
		}
		return tool
	}
	server.Page = func(session *plainmcp.Session, tools []any, cursor string) ([]any, string) {
		if cursor == "" {
			lists.Add(1)
		}
		return page(session, tools, cursor)
	}
}

// vanishes lists a tool until it is called, and does not know it from then on.
func vanishes(server *plainmcp.Server) {
	target, original := victim(server.Host), server.Host.Catalogue
	var called atomic.Bool
	server.Host.Remove(target.Ref)
	server.Host.Catalogue = func() []*caphost.Capability {
		if called.Load() {
			return original()
		}
		return append(original(), target)
	}
	unknown := server.Unknown
	server.Unknown = func(name string) (any, error) {
		if name == target.ID {
			called.Store(true)
		}
		return unknown(name)
	}
}

func plainStyles() []Plain {
	return slices.Concat(plainAnswers(), plainTools(), talkative())
}

// plainAnswers returns servers with other forms of pages, results and errors.
func plainAnswers() []Plain {
	unknown := func(answer func(name string) (any, error)) func(*plainmcp.Server) {
		return func(server *plainmcp.Server) { server.Unknown = answer }
	}
	return []Plain{
		{"plain-as-it-is", "", "Changes nothing.", "", func(*plainmcp.Server) {}},
		{"plain-streams", "", "Answers over HTTP with events.", "",
			func(server *plainmcp.Server) { server.Streams = true }},
		{"plain-pages", "", "Lists two tools per page.", "", pages(false)},
		{"plain-pages-for-ever", "",
			"Lists two tools per page and repeats the same cursor after the last.", "", pages(true)},
		{"plain-invalid-as-invalid-params", "", "Answers invalid arguments with the error -32602.", "",
			onFailure(caphost.InvalidInput, refusal(rpc.InvalidParams, "invalid arguments"))},
		{"plain-invalid-by-validator", "",
			"Answers invalid arguments with the error -32603 and the findings of its validator.", "",
			onFailure(caphost.InvalidInput,
				refusal(rpc.InternalError, "[{\"code\":\"invalid_type\",\"expected\":\"string\",\"message\":\"Required\"}]"))},
		{"plain-invalid-by-decoder", "",
			"Answers invalid arguments with the error -32603 of a decoder.", "",
			onFailure(caphost.InvalidInput, refusal(rpc.InternalError,
				"json: cannot unmarshal string into Go struct field input.first of type float64"))},
		{"plain-invalid-by-argument", "",
			"Answers invalid arguments with the error -32000 that names an argument.", "",
			onFailure(caphost.InvalidInput, refusal(-32000, "wrong type for argument 'first'"))},
		{"plain-invalid-as-server-error", "",
			"Answers invalid arguments with the error -32000 and the findings of its validator.", "",
			onFailure(caphost.InvalidInput, refusal(-32000, "Invalid request: first is required"))},
		{"plain-failure-as-protocol-error", "", "Answers a failure with the error -32000.", "",
			onFailure(caphost.ExecutionFailed, refusal(-32000, "it failed"))},
		{"plain-unknown-as-result", "", "Answers an unknown tool with isError.", "",
			unknown(func(name string) (any, error) {
				content := plainmcp.Text("MCP error -32602: Tool " + name + " not found")
				return map[string]any{"content": content, "isError": true}, nil
			})},
		{"plain-unknown-as-text", "", "Answers an unknown tool with text and without isError.", "",
			unknown(func(name string) (any, error) {
				return map[string]any{"content": plainmcp.Text("Unknown tool: " + name)}, nil
			})},
		{"plain-unknown-as-internal-error", "", "Answers an unknown tool with the error -32603.", "",
			unknown(func(name string) (any, error) {
				return nil, &rpc.Error{Number: rpc.InternalError, Message: "Unknown tool: " + name}
			})},
		{"plain-null-members", "", "Sends null for a member of a result that it does not use.", "",
			declaring(nil, nil)},
		{"plain-output-choice", "", "Declares an output schema without type whose value is an array.", "",
			declaring(map[string]any{"anyOf": []any{map[string]any{"type": "array"}, map[string]any{"type": "null"}}},
				[]any{"bf0040"})},
		{"plain-not-an-error", "", "Sends isError false with a success.", "", onSuccess(mutant.With("isError", false))},
		{"plain-rich-content", "", "Returns images and links beside the structured content.", "",
			onSuccess(mutant.With("content", []any{
				map[string]any{"type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png"},
				map[string]any{"type": "resource_link", "uri": "colour://bf0040", "name": "bf0040"},
			}))},
	}
}

// plainTools returns servers that list tools in other forms.
func plainTools() []Plain {
	return []Plain{
		{"plain-bare-tools", "", "Lists tools without title, description and output schema.", "",
			func(server *plainmcp.Server) {
				original := server.Publish
				server.Publish = func(c *caphost.Capability) map[string]any {
					tool := original(c)
					return map[string]any{"name": tool["name"], "inputSchema": tool["inputSchema"]}
				}
			}},
		{"plain-annotated-tools", "", "Lists a tool with annotations, icons and metadata.", "",
			onTool(func(tool map[string]any) {
				tool["annotations"] = map[string]any{"title": "Mix", "readOnlyHint": true, "openWorldHint": false}
				tool["_meta"] = map[string]any{"example.org/tier": 1}
				tool["icons"] = []any{map[string]any{"src": "data:image/png;base64,iVBORw0KGgo="}}
			})},
		{"plain-destructive-tool", "", "Lists a tool with destructiveHint true.", "",
			onTool(func(tool map[string]any) { tool["annotations"] = map[string]any{"destructiveHint": true} })},
		{"plain-task-required", "", "Lists a tool that must be called as a task, and refuses a plain call.", "",
			taskRequired},
		{"plain-draft-04", "", "Lists a tool with a schema of draft-04.", "", onTool(func(tool map[string]any) {
			schema, _ := tool["inputSchema"].(map[string]any)
			schema["$schema"] = "http://json-schema.org/draft-04/schema#"
		})},
		{"plain-unknown-dialect", "", "Lists a tool with a schema of an unknown dialect.", "",
			onTool(func(tool map[string]any) {
				schema, _ := tool["inputSchema"].(map[string]any)
				schema["$schema"] = "https://schemas.example.org/own-dialect"
			})},
		{"plain-tool-vanishes", "", "Lists a tool until it is called, and does not know it from then on.", "", vanishes},
		{"plain-unversioned", "", "Has an empty server version.", "",
			func(server *plainmcp.Server) { server.Version = "" }},
	}
}

// talkative returns servers that send messages before or between replies.
func talkative() []Plain {
	return []Plain{
		{"plain-list-changed", "", "Reports a change of its list as soon as the client is ready.", "",
			func(server *plainmcp.Server) {
				server.Initialized = func(ctx context.Context, session *plainmcp.Session) {
					session.Notify(ctx, "notifications/tools/list_changed", map[string]any{})
				}
			}},
		{"plain-logs", "", "Sends log messages and progress during a call.", "", func(server *plainmcp.Server) {
			server.Before = func(ctx context.Context, session *plainmcp.Session) {
				session.Notify(ctx, "notifications/message", map[string]any{"level": "info", "data": "mixing"})
				session.Notify(ctx, "notifications/progress", map[string]any{"progressToken": "none", "progress": 1})
			}
		}},
		{"plain-asks-client", "", "Asks the client for its roots and pings it during a call.", "",
			func(server *plainmcp.Server) {
				server.Before = func(ctx context.Context, session *plainmcp.Session) {
					ctx, cancel := context.WithTimeout(ctx, time.Second)
					defer cancel()
					for _, method := range []string{"roots/list", "ping"} {
						if session.Ask(ctx, method) != nil {
							return // the server also serves a client that never answers
						}
					}
				}
			}},
		{"plain-tools-by-client", "", "Lists one more tool for a client that supports sampling.", "",
			func(server *plainmcp.Server) {
				target, original := victim(server.Host).ID, server.Page
				server.Page = func(session *plainmcp.Session, tools []any, cursor string) ([]any, string) {
					if session.Supports("sampling") {
						return original(session, tools, cursor)
					}
					return original(session, slices.DeleteFunc(tools, func(tool any) bool {
						members, _ := tool.(map[string]any)
						return members["name"] == target
					}), cursor)
				}
			}},
	}
}

func pages(forEver bool) func(*plainmcp.Server) {
	return func(server *plainmcp.Server) {
		server.Page = func(_ *plainmcp.Session, tools []any, cursor string) ([]any, string) {
			const size = 2
			from, err := strconv.Atoi(cursor)
			if err != nil {
				from = 0
			}
			from = min(max(from, 0), len(tools))
			to := min(from+size, len(tools))
			switch {
			case to < len(tools):
				return tools[from:to], strconv.Itoa(to)
			case forEver:
				return tools[from:to], strconv.Itoa(from)
			}
			return tools[from:to], ""
		}
	}
}

func taskRequired(server *plainmcp.Server) {
	onTool(func(tool map[string]any) { tool["execution"] = map[string]any{"taskSupport": "required"} })(server)
	refused := func(map[string]any) any {
		return map[string]any{"content": plainmcp.Text("MCP error -32601: this tool requires a task"), "isError": true}
	}
	onSuccess(refused)(server)
}
