package capsuite

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"time"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites/cap/history"
	"github.com/capconform/capconform/suites/cap/judge"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/jsonvalue"
)

// jsonRPCInvalidParams is the number by which servers refuse arguments.
const jsonRPCInvalidParams = -32602

// The message of a validator states what is required of a value, or that a value could not be read as
// an argument; a handler that did not validate fails with an exception of its language.
var (
	validatorWords = regexp.MustCompile(`(?i)\b(invalid|validat\w*|schema|expected|required|` +
		`must (be|have|match|not|contain)|should (be|have|match|not)|` +
		`not allowed|not permitted|additional propert(y|ies)|unrecognized|` +
		`unknown (argument|parameter|property|field)s?|missing|too (small|big|long|short)|out of range|` +
		`arguments?|params?|parameters?|wrong type|not of type|cannot unmarshal|(un|de)seriali[sz]\w*|` +
		`malformed|violat\w*|constraints?|not an? (string|number|integer|boolean|array|object)|` +
		`(minimum|maximum|minLength|maxLength|minItems|maxItems|pattern|enum|const|multipleOf|uniqueItems|oneOf|anyOf))\b`)
	exceptionWords = regexp.MustCompile(`(?i)\b(cannot (read propert|destructure|convert undefined|invoke ")|` +
		`undefined is not|is not a function|is not iterable|not a constructor|null pointer|nil pointer|nonetype|` +
		`(type|key|attribute|index|reference|value)error\b|` +
		`traceback|stack overflow|positional argument|segmentation|panic|unsupported operand|can only concatenate|has no attribute|indices must be|index out of (range|bounds)|` +
		`object of type|object is not)`)
)

// fromValidator reports whether an error has the message of a validator.
func fromValidator(message string) bool {
	return validatorWords.MatchString(message) && !exceptionWords.MatchString(message)
}

// invoke passes every input on to the server, valid or not, so that the server is examined and not
// the adapter.
func (s *toolSession) invoke(ctx context.Context, op driver.Operation) (driver.Answer, error) {
	var asked struct {
		Ref   history.Ref     `json:"ref"`
		Input json.RawMessage `json:"input"`
	}
	started := time.Now()
	if err := json.Unmarshal(op.Params, &asked); err != nil {
		return refusal(history.InvalidInput, "no CapabilityRef"), nil
	}
	t, found, err := s.lookUp(ctx, asked.Ref)
	if err != nil {
		return driver.Answer{}, err
	}
	if !found {
		return s.failed(driver.Answer{}, started, history.NotFound, "the server lists no such tool"), nil
	}
	params := jsonvalue.Encode(map[string]any{"name": asked.Ref.ID, "arguments": asked.Input})
	answer, err := s.Session.Call(ctx, driver.Operation{Name: mcpCall, Params: params})
	if err != nil {
		return driver.Answer{}, err
	}
	call := call{tool: t, ref: asked.Ref, invalid: s.breaks(t.input, asked.Input), started: started, answer: answer}
	return s.outcome(ctx, call)
}

// call is one tools/call that was answered.
type call struct {
	tool    tool
	ref     history.Ref
	invalid bool
	started time.Time
	answer  driver.Answer
}

// breaks reports whether the input is known to break the schema of the tool.
func (s *toolSession) breaks(schema any, input json.RawMessage) bool {
	compiled, err := judge.CompileSchema(s.cache, history.Manifest{history.MemberInput: schema}, history.MemberInput)
	if err != nil {
		return false
	}
	invalid := judge.Invalid(compiled.Validate(history.Value(input)))
	return invalid
}

// outcome makes an InvokeResult from the answer of the server.
func (s *toolSession) outcome(ctx context.Context, c call) (driver.Answer, error) {
	switch c.answer.Outcome {
	case driver.Returned:
		return s.returned(c), nil
	case driver.Refused, driver.NotProvided:
		return s.refusedBy(ctx, c)
	default:
		if status := c.answer.Exchange.Status; status == http.StatusUnauthorized || status == http.StatusForbidden {
			return s.failed(c.answer, c.started, history.PermissionDenied,
				fmt.Sprintf("the server answers with status %d", status)), nil
		}
		return c.answer, nil
	}
}

// returned reads a CallToolResult. A task or a request for input is passed on unchanged.
func (s *toolSession) returned(c call) driver.Answer {
	value, err := schemas.Decode(c.answer.Result, schemas.Limits{})
	result, isObject := value.(map[string]any)
	if err != nil || !isObject {
		return malformed(c.answer, "the result of tools/call is not an object")
	}
	structured, hasStructured := result["structuredContent"]
	if structured == nil && describesObject(c.tool.output) {
		hasStructured = false // some encoders write null for an absent member
	}
	blocks, hasBlocks := result["content"].([]any)
	switch {
	case result["task"] != nil || result["resultType"] == "input_required":
		return c.answer
	case !hasBlocks && !hasStructured:
		return malformed(c.answer, "the result of tools/call has neither content nor structuredContent")
	case result["isError"] == true && c.invalid:
		return s.failed(c.answer, c.started, history.InvalidInput, joinedText(blocks))
	case result["isError"] == true:
		return s.failed(c.answer, c.started, history.ExecutionFailed, joinedText(blocks))
	case hasStructured:
		return s.succeeded(c, envelope(c.tool.output, structured))
	case c.tool.output != nil:
		return s.succeeded(c, nil)
	default:
		return s.succeeded(c, map[string]any{"content": blocks})
	}
}

// envelope wraps an output whose schema enveloped wraps.
func envelope(schema, structured any) any {
	if _, isObject := structured.(map[string]any); isObject && describesObject(schema) {
		return structured
	}
	return map[string]any{"value": structured}
}

// refusedBy reads a protocol error. -32602 means that the arguments are invalid, and so does any
// other number with the message of a validator; MCP defines no such meaning for other errors.
func (s *toolSession) refusedBy(ctx context.Context, c call) (driver.Answer, error) {
	var number int64
	said := "the server does not provide tools/call"
	if e := c.answer.Error; e != nil {
		number, said = e.Number, fmt.Sprintf("MCP error %d: %s", e.Number, e.Message)
	}
	switch {
	case c.invalid && (number == jsonRPCInvalidParams || fromValidator(said)):
		return s.failed(c.answer, c.started, history.InvalidInput, said), nil
	case number != jsonRPCInvalidParams:
		return s.failed(c.answer, c.started, history.ExecutionFailed, said), nil
	}
	if _, err := s.list(ctx); err != nil {
		return driver.Answer{}, err
	}
	if _, _, still := s.latest.find(c.ref); !still {
		return s.failed(c.answer, c.started, history.NotFound, said), nil
	}
	return s.failed(c.answer, c.started, history.ExecutionFailed, said), nil
}

func (s *toolSession) succeeded(c call, output any) driver.Answer {
	return concluded(c.answer, c.started, map[string]any{"ok": true, "output": output, "error": nil})
}

func (s *toolSession) failed(answer driver.Answer, started time.Time, code, message string) driver.Answer {
	return concluded(answer, started, map[string]any{"ok": false, "output": nil,
		"error": map[string]any{"code": code, "message": message}})
}

func concluded(answer driver.Answer, started time.Time, result map[string]any) driver.Answer {
	result["duration_ms"] = time.Since(started).Milliseconds()
	answer.Outcome, answer.Error, answer.Result = driver.Returned, nil, jsonvalue.Encode(result)
	return answer
}

func malformed(answer driver.Answer, defect string) driver.Answer {
	answer.Outcome, answer.Defect, answer.Result = driver.Malformed, defect, nil
	return answer
}

func joinedText(blocks []any) string {
	var all []string
	for _, b := range blocks {
		block, _ := b.(map[string]any)
		if text, ok := block["text"].(string); ok {
			all = append(all, text)
		}
	}
	return strings.Join(all, "\n")
}
