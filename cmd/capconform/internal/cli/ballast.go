package cli

// Ballast is for the collector, which runs when the heap has doubled: without it a
// run, whose heap is a few megabytes, is walked again for every few megabytes more,
// while the target is waited for (DESIGN section 13). Nobody writes to it, so that
// it takes addresses and no memory. The caller keeps it until the end.
func Ballast() []byte { return make([]byte, 4<<20) }
