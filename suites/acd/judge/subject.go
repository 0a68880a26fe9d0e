package judge

// The subjects: the manifest, the descriptors and the documentation; what a channel shows and
// lets through; what a list of the registry shows; what a change of the registry does; how the
// engine runs a capability; what the log, the hooks and the defaults make of it.
type (
	documents  struct{ *evidence }
	channels   struct{ *evidence }
	views      struct{ *evidence }
	changes    struct{ views }
	executions struct{ *evidence }
	records    struct{ *evidence }
)
