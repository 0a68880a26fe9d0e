package chpsuite

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/driver"
)

// throttledAtMost is how often a request is sent again that is answered by 429 or 503.
const throttledAtMost = 4

// askAgain asks, and asks again where the host says that it has too much to do. The driver waits
// out Retry-After. Without it a host may refuse a request by its own rules as well: an answer that
// stays away shows nothing. Again tells whether the request was sent more than once: somebody on the
// way may have lost the first answer.
func (e *examination) askAgain(ctx context.Context, sc *suites.Scenario, op driver.Operation) (answer driver.Answer, again bool, err error) {
	wait := settlePoll
	for try := 0; ; try++ {
		answer, err = sc.Ask(ctx, op, e.subject.Deadlines.Call)
		status := answer.Exchange.Status
		if err != nil || status != http.StatusTooManyRequests && status != http.StatusServiceUnavailable {
			return answer, try > 0, err
		}
		if try == throttledAtMost {
			return answer, true, &driver.CallError{Kind: driver.ErrThrottled, Detail: fmt.Sprintf("status %d, %d times", status, try+1), Exchange: answer.Exchange}
		}
		select {
		case <-ctx.Done():
			return answer, true, err
		case <-time.After(wait):
			wait *= 2
		}
	}
}
