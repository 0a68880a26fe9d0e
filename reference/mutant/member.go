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

// Without takes a member out of an object.
func Without(member string) func(map[string]any) any {
	return func(result map[string]any) any {
		delete(result, member)
		return result
	}
}

// Dashed returns a member's name as part of a mutant's.
func Dashed(member string) string { return strings.ReplaceAll(member, "_", "-") }

// ProtocolError is an error that carries no code of the protocol.
func ProtocolError(message string) error {
	return &rpc.Error{Number: rpc.InternalError, Message: message}
}
