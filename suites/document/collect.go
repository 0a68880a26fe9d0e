package document

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Source is a file to be read.
type Source struct {
	Path  string
	Named bool // given by name, and not found in a folder
}

// Collect lists the files that paths stand for: a file stands for itself,
// whatever its name; a folder for the .json, .yaml, .yml, .jsonl and .ndjson files in it and
// below, in the order of their names, without hidden folders and node_modules.
// A file that is reached twice is listed once. The error is an *Error.
func Collect(ctx context.Context, paths []string) ([]Source, error) {
	c := &collection{seen: map[string]int{}}
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return nil, unreadable(path, err)
		}
		if !info.IsDir() {
			c.add(path, true)
			continue
		}
		if err := c.walk(ctx, path); err != nil {
			return nil, unreadable(path, err)
		}
	}
	return c.sources, nil
}

type collection struct {
	sources []Source
	seen    map[string]int // by the path that all spellings share
}

func (c *collection) add(path string, named bool) {
	identity := path
	if real, err := filepath.EvalSymlinks(path); err == nil {
		identity = real
	}
	if absolute, err := filepath.Abs(identity); err == nil {
		identity = absolute
	}
	if at, twice := c.seen[identity]; twice {
		c.sources[at].Named = c.sources[at].Named || named
		return
	}
	c.seen[identity] = len(c.sources)
	c.sources = append(c.sources, Source{Path: path, Named: named})
}

func (c *collection) walk(ctx context.Context, root string) error {
	if !os.IsPathSeparator(root[len(root)-1]) {
		root += string(filepath.Separator) // else a link to a folder is not followed
	}
	return filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err == nil {
			err = context.Cause(ctx)
		}
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if path != root && (strings.HasPrefix(entry.Name(), ".") || entry.Name() == "node_modules") {
				return filepath.SkipDir
			}
			return nil
		}
		switch strings.ToLower(filepath.Ext(path)) {
		case ".json", ".yaml", ".yml", ".jsonl", ".ndjson":
			if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
				c.add(path, false)
			}
		}
		return nil
	})
}
