package driver

// Deaths tells how often the target ended where it should not have.
func (r *Reopened) Deaths() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.deaths
}
