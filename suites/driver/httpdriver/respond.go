package httpdriver

import (
	"context"
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/jsonrpc"
)

// EventStream is the media type of a stream of events.
const EventStream = "text/event-stream"

// endTime is how long a stream may last after the event that ends it, and how long a stream is read that answers no
// request.
const endTime = time.Second

// Respond sends a request and returns the whole answer. A stream of events is read until a time after the first event
// for which last is true, and one that answers a GET for the same time after its beginning. If the time for the call
// ends, the answer has what arrived.
func (c *Client) Respond(ctx context.Context, r Request, limits driver.Limits, last func(driver.Event) bool) (
	driver.Response, *driver.CallError) {
	got, failed := c.Send(ctx, r)
	if failed != nil {
		return driver.Response{Status: failed.Exchange.Status, Headers: map[string]string{}, Events: []driver.Event{}}, failed
	}
	defer got.Body.Close()
	made := c.Heading(got.StatusCode, got.Header)
	if made.Type != EventStream {
		body, failed := c.Read(ctx, got, limits.Message)
		made.Text, made.Ended = string(body), failed == nil
		return made, failed
	}
	made.Events, made.Ended, failed = eventsOf(ctx, got.Body, limits, r.Method == http.MethodGet, last)
	return made, failed
}

// eventsOf returns the events of a stream, and whether the target ended it.
func eventsOf(ctx context.Context, in io.ReadCloser, limits driver.Limits, standing bool, last func(driver.Event) bool) (
	[]driver.Event, bool, *driver.CallError) {
	stop := func() bool { return true } // reports whether the stream was not closed here
	closeLater := func() {
		stop()
		stop = time.AfterFunc(endTime, func() { _ = in.Close() }).Stop
	}
	defer func() { stop() }()
	if standing {
		closeLater()
	}
	all := []driver.Event{}
	stream := NewEvents(in, limits.Message, limits.Total)
	for {
		e, err := stream.Any()
		switch {
		case errors.Is(err, ErrEventTooLong):
			return all, false, &driver.CallError{Kind: driver.ErrTooLarge, Detail: err.Error()}
		case err != nil && ctx.Err() != nil:
			return all, false, &driver.CallError{Kind: driver.ContextKind(ctx)}
		case err != nil:
			return all, errors.Is(err, io.EOF) || stop(), nil
		}
		one := driver.Event{ID: e.Own, Retry: e.Retry, Name: e.Name, Data: string(e.Data), Form: formOf(e)}
		if all = append(all, one); !standing && last(one) {
			closeLater()
		}
	}
}

// formOf returns the form of the message in an event.
func formOf(e ServerEvent) string {
	m, err := jsonrpc.Read(e.Data)
	switch {
	case len(e.Data) == 0:
		return ""
	case err != nil || m.Defect != "" || e.Name != "" && e.Name != "message":
		return "other"
	case m.IsRequest():
		return "request"
	case m.IsNotification():
		return "notification"
	case m.IsResponse():
		return "response"
	}
	return "other"
}
