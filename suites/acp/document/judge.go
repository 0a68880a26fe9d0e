package acpdocument

// judge goes through the package. What depends on something that is broken is not
// judged a second time.
func (m *manifest) judge() {
	metadata{m}.judge()
	schemaSection{m}.judge()
	toolSection{m}.judge()
	bindings{m}.judge()
	permissions{m}.judge()
	keys{m}.judgeKeys()
	keys{m}.judgeNotation()
	signing{m}.judge()
}
