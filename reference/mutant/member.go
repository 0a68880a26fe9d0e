package mutant

import (
	"strings"

	"github.com/capconform/capconform/reference/rpc"
)

// With sets a member of an object.
func With(member string, value any) func(map[string]any) any {
	return func(result map[string]any) any {
		result[member] = value
		return result
	}
}

// Without removes a member of an object.
func Without(member string) func(map[string]any) any {
	return func(result map[string]any) any {
		delete(result, member)
		return result
	}
}

// Dashed returns the name of a member in the form of a part of a mutant's name.
func Dashed(member string) string { return strings.ReplaceAll(member, "_", "-") }

// ProtocolError returns an error without a code of the protocol.
func ProtocolError(message string) error {
	return &rpc.Error{Number: rpc.InternalError, Message: message}
}
