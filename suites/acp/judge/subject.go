package judge

// The subjects of judgement: the state and the model requests of installed packages; the routing of
// messages; the execution of bound tools; the registry on the chain; the index; the publisher.
type (
	installations struct{ *evidence }
	routes        struct{ *evidence }
	executions    struct{ *evidence }
	registries    struct{ *evidence }
	indexes       struct{ *evidence }
	publishers    struct{ *evidence }
)

// ledger returns the ledger of all calls of built-in tools. It is made again only if calls were added.
func (j installations) ledger() *ledger {
	j.mu.Lock()
	defer j.mu.Unlock()
	actions := j.Actions()
	restarts := j.Restarts()
	if j.cachedLedger != nil && j.cachedCalls == len(actions)+len(restarts) {
		return j.cachedLedger
	}
	l := &ledger{objects: map[string]*trackedObject{}}
	for _, d := range actions {
		for len(restarts) > 0 && restarts[0].Entry < d.Entry {
			l.recordRestart(restarts[0])
			restarts = restarts[1:]
		}
		l.recordAction(d)
	}
	j.cachedLedger, j.cachedCalls = l, len(actions)+len(j.Restarts())
	return l
}
