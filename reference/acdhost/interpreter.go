package acdhost

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/interp"
	"mvdan.cc/sh/v3/syntax"
)

// interpret runs a script if the system has no sh, such as Windows or an image from
// scratch. The script can open no file, folder or socket and start no process.
func interpret(ctx context.Context, script string) (any, error) {
	parsed, err := syntax.NewParser(syntax.Variant(syntax.LangPOSIX)).Parse(strings.NewReader(script), "")
	if err != nil {
		return object{"exit_status": 2, "stdout": ""}, nil // the status of a shell for a script that it cannot parse
	}
	var out bytes.Buffer
	runner, err := interp.New(
		interp.StdIO(nil, &out, io.Discard),
		interp.Env(expand.ListEnviron("PATH=")),
		interp.ExecHandlers(func(interp.ExecHandlerFunc) interp.ExecHandlerFunc { return noProcess }),
		interp.OpenHandler(noFile),
		interp.ReadDirHandler2(func(context.Context, string) ([]fs.DirEntry, error) { return nil, os.ErrPermission }),
		interp.StatHandler(func(context.Context, string, bool) (fs.FileInfo, error) { return nil, os.ErrPermission }),
	)
	if err != nil {
		return nil, err
	}
	status := 0
	if err := runner.Run(ctx, parsed); err != nil {
		var exit interp.ExitStatus
		if !errors.As(err, &exit) {
			return nil, err
		}
		status = int(exit)
	}
	return object{"exit_status": status, "stdout": out.String()}, nil
}

// noProcess replaces a program: it returns status 127, as for a program that is not found.
// It ignores ulimit, because there is no process to limit.
func noProcess(_ context.Context, words []string) error {
	if words[0] == "ulimit" {
		return nil
	}
	return interp.ExitStatus(127)
}

// noFile lets a script open only the null device.
func noFile(_ context.Context, path string, _ int, _ os.FileMode) (io.ReadWriteCloser, error) {
	if path == "/dev/null" {
		return nothing{}, nil
	}
	return nil, &os.PathError{Op: "open", Path: path, Err: os.ErrPermission}
}

// nothing is the null device.
type nothing struct{}

func (nothing) Read([]byte) (int, error)    { return 0, io.EOF }
func (nothing) Write(p []byte) (int, error) { return len(p), nil }
func (nothing) Close() error                { return nil }
