package chphost

import (
	"fmt"
	"time"

	"github.com/capconform/capconform/reference/rpc"
)

// The operations of CHP, as DESIGN section 9 names them.
const (
	OpHost         = "chp.host"
	OpCapabilities = "chp.capabilities"
	OpInvoke       = "chp.invoke"
	OpReplay       = "chp.replay"
)

// The members of the host descriptor.
const (
	HostID          = "capconform-reference"
	HostVersion     = "1.0.0"
	ProtocolVersion = "0.1"
)

// The kinds of ids that NewID makes.
const (
	EventID       = "evt"
	CorrelationID = "corr"
)

// InvalidRequest is the error code for a request that cannot be processed.
const InvalidRequest = "invalid_request"

// Refuse returns the error for a request that cannot be processed.
func Refuse(format string, args ...any) error {
	return &rpc.Error{Number: rpc.InvalidParams, Code: InvalidRequest, Message: fmt.Sprintf(format, args...)}
}

// FormatTime formats a time as the host writes it: RFC 3339, in UTC.
func FormatTime(at time.Time) string { return at.UTC().Format(time.RFC3339Nano) }
