package driver

import (
	"context"
	"sync/atomic"
)

type resentKey struct{}

// CountResent returns a context in which a driver counts the requests that it sends again, because the
// target asked for that by 429 or 503 with Retry-After.
func CountResent(ctx context.Context) (context.Context, *atomic.Int64) {
	count := &atomic.Int64{}
	return context.WithValue(ctx, resentKey{}, count), count
}

// Resent counts a request that is sent again.
func Resent(ctx context.Context) {
	if count, is := ctx.Value(resentKey{}).(*atomic.Int64); is {
		count.Add(1)
	}
}
