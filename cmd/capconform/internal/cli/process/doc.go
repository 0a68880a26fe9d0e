// Package process contains what all commands share: the streams, the exit status and errors, the
// files that are written, the terminal, tables, progress, and the memory limits.
package process
