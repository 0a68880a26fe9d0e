package capsuite

import (
	"encoding/json"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/capconform/capconform/suites/cap/history"
)

// A number may be a count: the suite increases it only while the answers stay short.
func TestLargeNumbersAreApproachedGradually(t *testing.T) {
	for name, test := range map[string]struct {
		length func(n float64) int // the length of the output
		unit   time.Duration       // the delay of the capability per unit of the number
		most   int64               // the largest number that is sent
	}{
		"a value": {func(float64) int { return 1 }, 0, 4_294_967_297},
		"a count": {func(n float64) int { return int(n) }, 0, 1009},
		"a time":  {func(float64) int { return 1 }, 300 * time.Millisecond, 1},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSource(t)
			s.manifests = s.manifests[1:2]
			s.manifests[0][history.MemberInput] = map[string]any{
				"type": "object", "required": []any{"n"}, "properties": map[string]any{"n": map[string]any{"type": "number"}},
			}
			s.manifests[0][history.MemberOutput] = map[string]any{}
			var most atomic.Int64
			s.invoke = func(c asking) map[string]any {
				n := number(c.input["n"])
				for {
					seen := most.Load()
					if seen >= int64(n) || most.CompareAndSwap(seen, int64(n)) {
						break
					}
				}
				<-time.After(time.Duration(n) * test.unit)
				return succeeding(map[string]any{"text": strings.Repeat("a", max(0, min(test.length(n), 5_000_000)))})
			}
			for range 3 { // a busy machine may answer slowly once
				failed(t, s)
				if most.Load() == test.most {
					return
				}
			}
			t.Errorf("the largest number was %d, want %d", most.Load(), test.most)
		})
	}
}

func number(value any) float64 {
	switch n := value.(type) {
	case float64:
		return n
	case json.Number:
		f, _ := n.Float64()
		return f
	}
	return 0
}
