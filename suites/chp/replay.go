package chpsuite

import (
	"bytes"
	"fmt"
)

// A replay is kept for every scenario that judges it. A host that answers each
// with all that it has, 100,000 events say, must not fill the memory by that.
const (
	foreignAtMost = 100     // events of other correlations that are kept: CHP-10-02 needs one
	keptWhole     = 1 << 20 // bytes of an answer that is kept as it came
	keptOfLarger  = 32 << 10
	keptDecoded   = 64 << 10 // bytes of an answer whose events are kept decoded
)

// lighten lets go of a large answer: its events are copied, and of the rest the
// beginning is kept for the transcript.
func (r *replay) lighten() {
	whole := len(r.answer.Result)
	if whole <= keptWhole {
		return
	}
	for i := range r.events {
		r.events[i].raw = bytes.Clone(r.events[i].raw)
	}
	cut := fmt.Appendf(bytes.Clone(r.answer.Result[:keptOfLarger]), "... (%d bytes in all)", whole)
	r.answer.Result, r.answer.Exchange.Received = cut, cut
}
