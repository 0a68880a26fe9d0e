//go:build !linux

package main

import "github.com/rogpeppe/go-internal/testscript"

// systemCommands are the commands of scripts that exist only on some systems.
func systemCommands() map[string]func(*testscript.TestScript, bool, []string) { return nil }
