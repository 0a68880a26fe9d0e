package judge

// The subjects: the state of installed packages; which package a message reaches; what a
// package may do as it runs; the registry on the chain; the indexing service; the publisher.
type (
	installations struct{ *evidence }
	routes        struct{ *evidence }
	executions    struct{ *evidence }
	registries    struct{ *evidence }
	indexes       struct{ *evidence }
	publishers    struct{ *evidence }
)
