package history

import (
	"encoding/json"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites/reading"
	"github.com/capconform/capconform/suites/record"
)

// Service is an exchange with a service that the harness played: what it offered, or a call
// of a tool that reached it.
type Service struct {
	Call
	Operation string
	Tool      string          // of a call
	Arguments json.RawMessage // of a call
	Reply     string          // a word that the answer to a call holds
	Offer     Offer
}

// Offer is what the harness offers to be attached: tools, or skills.
type Offer struct {
	Address []string `json:"address,omitempty"` // by what the server was reached
	Tools   []Tool   `json:"tools,omitempty"`
	Skills  []Skill  `json:"skills,omitempty"`
}

// Tool is a tool of the server that the harness plays, with inputs that keep and that break
// its schema.
type Tool struct {
	Name        string            `json:"name"`
	InputSchema json.RawMessage   `json:"inputSchema"`
	Sound       []json.RawMessage `json:"sound"`
	Unsound     []json.RawMessage `json:"unsound,omitempty"`
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

// ToolCall is what a call of a tool holds, as it stands in the record.
type ToolCall struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
}

// ToolReply is what the answer to a call holds that the harness gave.
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

// Services are the exchanges of a stimulus with what the harness played.
func (h *History) Services(stimulus string) []*Service {
	return reading.Those(&h.Reading, &h.services, func(s *Service) bool { return s.Stimulus == stimulus })
}

// Reached gives the calls of tools that an entry caused.
func (h *History) Reached(entry record.Tick) []*Service {
	return reading.Those(&h.Reading, &h.services,
		func(s *Service) bool { return s.Operation == ServiceCall && s.Is(record.CausedBy, entry) })
}

// Value decodes a JSON text, nil where it is none.
func Value(raw json.RawMessage) any {
	value, err := schemas.Decode(raw, schemas.Limits{})
	if err != nil {
		return nil
	}
	return value
}
