package history

import (
	"encoding/json"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites/reading"
	"github.com/capconform/capconform/suites/record"
)

// Service is an exchange with a service of the harness: what it offered, or a call of a tool that
// reached it.
type Service struct {
	Call
	Operation string
	Tool      string          // of a call
	Arguments json.RawMessage // of a call
	Reply     string          // a word in the answer to a call
	Offer     Offer
}

// Offer is what the harness offers to be attached: tools, or skills.
type Offer struct {
	Address []string `json:"address,omitempty"` // how the server was reached
	Tools   []Tool   `json:"tools,omitempty"`
	Skills  []Skill  `json:"skills,omitempty"`
}

// Tool is a tool of the server of the harness, with valid and invalid inputs.
type Tool struct {
	Name        string            `json:"name"`
	InputSchema json.RawMessage   `json:"inputSchema"`
	Valid       []json.RawMessage `json:"sound"`
	Invalid     []json.RawMessage `json:"unsound,omitempty"`
	Fails       bool              `json:"fails,omitempty"` // every call is answered with isError
}

// Skill is a skill of the folder that the harness offers.
type Skill struct {
	Name         string     `json:"name"`
	Description  string     `json:"description"`
	Instructions []string   `json:"instructions,omitempty"`
	Resources    []Resource `json:"resources,omitempty"`
	Permissions  []string   `json:"permissions,omitempty"`
}

// Resource is a file that is bundled with a skill.
type Resource struct {
	Path string `json:"path"`
	Text string `json:"text"`
}

// ToolCall is the content of a call of a tool, as in the record.
type ToolCall struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
}

// ToolReply is the content of an answer of the harness to a call.
type ToolReply struct {
	Reply string `json:"reply"`
}

func (h *History) addService(c Call, e record.Entry) {
	s := &Service{Call: c, Operation: e.Operation}
	sent, _ := e.Sent.Text()
	got, _ := e.Received.Text()
	switch e.Operation {
	case ServiceCall:
		var call ToolCall
		var reply ToolReply
		_ = json.Unmarshal(sent, &call) // the harness wrote both
		_ = json.Unmarshal(got, &reply)
		s.Tool, s.Arguments, s.Reply = call.Name, call.Arguments, reply.Reply
	default:
		_ = json.Unmarshal(got, &s.Offer)
	}
	h.services = append(h.services, s)
}

// Services returns the exchanges of a stimulus with the services of the harness.
func (h *History) Services(stimulus string) []*Service {
	return reading.Select(&h.Reading, &h.services, func(s *Service) bool { return s.Stimulus == stimulus })
}

// Reached returns the calls of tools that an entry caused.
func (h *History) Reached(entry record.Tick) []*Service {
	return reading.Select(&h.Reading, &h.services,
		func(s *Service) bool { return s.Operation == ServiceCall && s.Is(record.CausedBy, entry) })
}

// Value decodes a JSON text. It returns nil if the text is not JSON.
func Value(raw json.RawMessage) any {
	value, err := schemas.Decode(raw, schemas.Limits{})
	if err != nil {
		return nil
	}
	return value
}
