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

// ledger reads all calls of built-in tools. It is made again only where there are more.
func (j installations) ledger() *ledger {
	j.mu.Lock()
	defer j.mu.Unlock()
	actions := j.Actions()
	restarts := j.Restarts()
	if j.kept != nil && j.keptOf == len(actions)+len(restarts) {
		return j.kept
	}
	l := &ledger{things: map[string]*thing{}}
	for _, d := range actions {
		for len(restarts) > 0 && restarts[0].Entry < d.Entry {
			l.restart(restarts[0])
			restarts = restarts[1:]
		}
		l.take(d)
	}
	j.kept, j.keptOf = l, len(actions)+len(j.Restarts())
	return l
}
