package judge

// The subjects: descriptors and lists; the answers to invocations; the events of the evidence;
// the replays of a correlation.
type (
	descriptors struct{ *evidence }
	invocations struct{ *evidence }
	events      struct{ *evidence }
	replays     struct{ *evidence }
)
