package judge

// The subjects of the judgements.
type (
	// refusing are the calls that the engine must refuse, and the reasons.
	refusing struct{ *evidence }
	// documents are the manifest, the descriptors and the documentation.
	documents struct{ refusing }
	// channels are what a channel shows and lets through.
	channels struct{ refusing }
	// views are what a list of the registry shows.
	views struct{ refusing }
	// changes are what a change of the registry does.
	changes struct{ views }
	// executions are how the engine runs a capability.
	executions struct{ refusing }
	// records are what the log, the hooks and the defaults make of a call.
	records struct{ refusing }
	// creations are what meta-capabilities and the language model have to do with new entries.
	creations struct{ records }
)
