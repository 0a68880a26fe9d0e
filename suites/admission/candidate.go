package admission

// Candidate is a capability as it describes itself.
type Candidate struct {
	ID          string
	Name        string
	Description string
	Members     map[string]any // its whole manifest or descriptor
}
