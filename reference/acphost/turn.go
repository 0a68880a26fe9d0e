package acphost

// Turn is one message that a capability answers.
type Turn struct {
	Package      *Package
	Conversation *Conversation
	Text         string
	// ToolNames maps the names of tools as the model receives them to their names in the package.
	ToolNames map[string]string
}

// Result is the result of a tool call: a JSON value, a text, or a fault.
type Result struct {
	Value any
	Text  string // if the value is not JSON
	Fault string
	// InText reports whether a service returned the value as text instead of structured content.
	InText bool
	// Done reports whether the tool reported that the capability is done.
	Done bool
}
