package acpdocument

// judge judges the package. What depends on a broken part is not judged as well.
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
