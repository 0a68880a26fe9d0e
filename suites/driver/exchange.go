package driver

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"time"
)

// Begin starts the exchange of one call.
func Begin(op Operation, sent []byte) Exchange {
	return Exchange{Sent: sent, Started: time.Now()}.Of(op)
}

// Of names the operation that was carried, if the wire has another name or form for it.
func (e Exchange) Of(op Operation) Exchange {
	e.Operation, e.Params = op.Name, op.Params
	switch {
	case op.Body != nil:
		e.Params = nil
	case op.Params == nil:
		e.Params = json.RawMessage("{}")
	}
	return e
}

// keptReceived is the number of received bytes that an exchange keeps: a run keeps many exchanges,
// and a report shows less of each.
const keptReceived = 32 << 10

// Complete completes the exchange with what arrived, secrets masked. Of a long text it keeps the
// beginning, the length and the digest.
func (e Exchange) Complete(received []byte, secrets Secrets) Exchange {
	e.Took = time.Since(e.Started)
	e.Params, e.Sent, e.Received = secrets.Mask(e.Params), secrets.Mask(e.Sent), secrets.Mask(received)
	e.Length, e.Digest = 0, ""
	if len(e.Received) > keptReceived {
		sum := sha256.Sum256(e.Received)
		e.Length, e.Digest = len(e.Received), hex.EncodeToString(sum[:])
		e.Received = bytes.Clone(e.Received[:keptReceived])
	}
	return e
}

// Fail returns the error of a call without an answer, its detail masked.
func (e Exchange) Fail(kind error, detail string, secrets Secrets) *CallError {
	return &CallError{Kind: kind, Detail: secrets.MaskText(detail), Exchange: e}
}

// ContextKind returns the sentinel error for a context that ended: ErrTimeout after its deadline,
// otherwise ErrCancelled.
func ContextKind(ctx context.Context) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return ErrTimeout
	}
	return ErrCancelled
}

// ForCall returns a context that ends with the deadline of one call, if the context of the caller
// has no deadline. A caller that knows more, such as that the call plays the role slow, sets it.
func (d Deadlines) ForCall(ctx context.Context) (context.Context, context.CancelFunc) {
	if _, has := ctx.Deadline(); has {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, d.WithDefaults().Call)
}

// WithLife returns a context that also ends when the session ends.
func WithLife(ctx, life context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	if life.Err() != nil {
		cancel() // immediately: AfterFunc cancels in another goroutine, and a short call could end first
	}
	stop := context.AfterFunc(life, cancel)
	return ctx, func() { stop(); cancel() }
}
