package judge

// The subjects: descriptors and lists; the answers to invocations; the events of the evidence; the replays of a
// correlation, and the replays by a query with optional members. What several of them conclude is in evidence.
type (
	descriptors struct{ *evidence }
	invocations struct{ *evidence }
	events      struct{ *evidence }
	replays     struct{ *evidence }
	queries     struct{ *evidence }
)
