package judge

// The subjects: descriptors and lists; the answers to invocations; correlation ids; the events of the evidence; the replays of a correlation, and the
// replays by a query with optional members. What several of them conclude is in evidence.
type (
	descriptors  struct{ *evidence }
	invocations  struct{ *evidence }
	correlations struct{ *evidence }
	events       struct{ *evidence }
	replays      struct{ *evidence }
	queries      struct{ *evidence }
)
