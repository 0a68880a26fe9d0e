package judge

// The subjects: what attaching changes; which capabilities a list contains, and what remains the
// same; descriptions, manifests and skills; the answers to invocations.
type (
	attachments struct{ *evidence }
	lists       struct{ *evidence }
	manifests   struct{ *evidence }
	invocations struct{ *evidence }
)
