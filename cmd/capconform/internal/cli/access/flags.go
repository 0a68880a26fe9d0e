package access

import (
	"time"

	"github.com/spf13/pflag"

	"github.com/capconform/capconform/suites/driver/mcpdriver"
)

// Flags are the values of the flags that decide how a target is reached.
type Flags struct {
	Driver      string
	Headers     []string
	PassEnv     []string
	MCPVersion  string
	Wait        time.Duration
	CallTimeout time.Duration
}

// Register registers the flags that all commands with a target have. The sentence describes what the value of a
// header may be.
func (f *Flags) Register(flags *pflag.FlagSet, values string) {
	flags.StringVar(&f.Driver, "driver", "auto", "reach the target by `DRIVER`: auto or one of capconform list drivers")
	flags.StringArrayVar(&f.Headers, "header", nil,
		"send `'Name: value'` with every request; the value may "+values+" (repeatable)")
	flags.StringVar(&f.MCPVersion, "mcp-version", "",
		"speak only the `REVISION` of MCP, such as "+mcpdriver.ModernVersion+"; by default, what the server speaks")
	flags.StringSliceVar(&f.PassEnv, "pass-env", nil, "pass the variable `NAME`, or all, to the command (repeatable)")
}

// RegisterWait registers --wait.
func (f *Flags) RegisterWait(flags *pflag.FlagSet) {
	flags.DurationVar(&f.Wait, "wait", 0, "wait `TIME` for a target that is starting, such as 30s")
}

// RegisterCallTimeout registers --call-timeout.
func (f *Flags) RegisterCallTimeout(flags *pflag.FlagSet) {
	flags.DurationVar(&f.CallTimeout, "call-timeout", 0, "wait `TIME` for the answer to one call (default 10s)")
}
