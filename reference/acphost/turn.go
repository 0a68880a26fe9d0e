package acphost

// Turn is one message under way in a capability.
type Turn struct {
	Package      *Package
	Conversation *Conversation
	Text         string
	// Shown are the names of tools as the model sees them, to their names in the package.
	Shown map[string]string
}

// Result is what came of a tool call. It is either a value as JSON, a text, or a fault.
type Result struct {
	Value any
	Text  string // where the value is no JSON
	Fault string
	// InText: the value stood in a text of a service, not in structured content.
	InText bool
	// Done: a tool said that the capability has done what it was there for.
	Done bool
}
