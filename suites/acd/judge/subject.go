package judge

// The subjects of the judgements.
type (
	// refusing judges the calls that the engine must refuse, by reason.
	refusing struct{ *evidence }
	// documents judges the manifest, the descriptors and the documentation.
	documents struct{ refusing }
	// channels judges what a channel shows and permits.
	channels struct{ refusing }
	// views judges the lists of the registry.
	views struct{ refusing }
	// changes judges the effects of changes of the registry.
	changes struct{ views }
	// executions judges how the engine runs capabilities.
	executions struct{ refusing }
	// records judges the log, the hooks and the defaults of calls.
	records struct{ refusing }
	// creations judges how meta-capabilities and the language model create entries.
	creations struct{ records }
)
