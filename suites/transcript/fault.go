package transcript

import (
	"cmp"
	"context"
	"errors"

	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

// lostKinds maps the kinds of lost calls in a record to the errors of a driver.
var lostKinds = []struct {
	kind record.FaultKind
	is   error
}{
	{record.Unreachable, driver.ErrUnreachable}, {record.Closed, driver.ErrClosed}, {record.TimedOut, driver.ErrTimeout},
	{record.Cancelled, driver.ErrCancelled}, {record.TooLarge, driver.ErrTooLarge},
	{record.Throttling, driver.ErrThrottled},
	{record.Configuration, driver.ErrConfiguration},
}

// FaultOf returns the record's description of an error: of a call without an answer, or of a
// stimulus that was not performed.
func FaultOf(err error) *record.Fault {
	var (
		lost *driver.CallError
		open *verdict.Inconclusive
		not  *verdict.NotApplicable
	)
	switch {
	case errors.As(err, &lost):
		for _, known := range lostKinds {
			if errors.Is(lost, known.is) {
				return &record.Fault{Kind: known.kind, Message: lost.Error()}
			}
		}
	case errors.As(err, &open):
		return &record.Fault{Kind: record.Missing, Message: open.Reason, Supply: open.Supply}
	case errors.As(err, &not):
		return &record.Fault{Kind: record.Inapplicable, Message: not.Reason}
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded), errors.Is(err, verdict.ErrTargetDied):
		return &record.Fault{Kind: record.Cancelled, Message: err.Error()}
	}
	return &record.Fault{Kind: record.Internal, Message: err.Error()}
}

// LostCall returns the error of an entry whose call was not answered, or nil if the call was
// answered. It is the error that the call returned in its run, with the exchange of the entry.
func LostCall(e record.Entry) error {
	if e.Error == nil || e.Error.Kind == "" {
		return nil
	}
	err := ErrorOf(e.Error)
	var lost *driver.CallError
	if errors.As(err, &lost) {
		lost.Exchange = ExchangeFrom(e)
	}
	return err
}

// ErrorOf returns the error that a fault describes. It is the inverse of FaultOf.
func ErrorOf(f *record.Fault) error {
	switch f.Kind {
	case record.Missing:
		return &verdict.Inconclusive{Reason: f.Message, Supply: f.Supply}
	case record.Inapplicable:
		return &verdict.NotApplicable{Reason: f.Message}
	}
	for _, known := range lostKinds {
		if known.kind == f.Kind {
			return &driver.CallError{Kind: known.is, Detail: detailOf(f.Message, known.is)}
		}
	}
	return errors.New(cmp.Or(f.Message, "the record states no reason"))
}

// detailOf returns the message without the prefix that names its kind, or "" if it has no such
// prefix.
func detailOf(message string, kind error) string {
	begin := kind.Error() + ": "
	if len(message) > len(begin) && message[:len(begin)] == begin {
		return message[len(begin):]
	}
	return ""
}
