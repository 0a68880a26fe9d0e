package document

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Source is a file to read.
type Source struct {
	Path  string
	Named bool // named by the user, not found in a folder
}

// Collection is the list of files that paths stand for.
type Collection struct {
	Sources []Source
	Outside []string // links that lead out of their folder and are not followed
	Full    string   // if not empty, the limit because of which not all files are listed
}

// maxFiles bounds the number of files.
const maxFiles = 20_000

// Collect lists the files that paths stand for. A file stands for itself, whatever its name. A
// folder stands for the .json, .yaml, .yml, .jsonl and .ndjson files in it and below, in the order
// of their names, without hidden folders and node_modules. A link in a folder is followed if it
// leads to a place in the same folder, which is listed once. A path may be a link to any place,
// because the user named it. A file that is reached twice is listed once. The error is an *Error.
func Collect(ctx context.Context, paths []string) (*Collection, error) {
	c := &collection{seen: map[string]int{}, visited: map[string]bool{}}
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return nil, unreadable(path, err)
		}
		if !info.IsDir() {
			c.add(path, true)
			continue
		}
		if err := c.folder(ctx, path); err != nil {
			return nil, unreadable(path, err)
		}
	}
	return &c.Collection, nil
}

type collection struct {
	Collection
	seen    map[string]int  // files, by identity
	visited map[string]bool // folders, by identity
	links   []string        // links that are still to be followed
}

// identity returns the path that all spellings of a path share.
func identity(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	if absolute, err := filepath.Abs(path); err == nil {
		path = absolute
	}
	return path
}

func (c *collection) add(path string, named bool) {
	own := identity(path)
	if at, twice := c.seen[own]; twice {
		c.Sources[at].Named = c.Sources[at].Named || named
		return
	}
	if len(c.Sources) >= maxFiles && !named {
		c.Full = fmt.Sprintf("there are more than capconform's limit of %d files", maxFiles)
		return
	}
	c.seen[own] = len(c.Sources)
	c.Sources = append(c.Sources, Source{Path: path, Named: named})
}

// folder lists a folder, and then what its links add.
func (c *collection) folder(ctx context.Context, root string) error {
	within := identity(root)
	c.links = nil
	if err := c.walk(ctx, root); err != nil {
		return err
	}
	for len(c.links) > 0 {
		link := c.links[0]
		c.links = c.links[1:]
		info, err := os.Stat(link)
		if err != nil {
			continue // it leads nowhere
		}
		beyond, err := filepath.Rel(within, identity(link))
		switch {
		case err != nil || beyond == ".." || strings.HasPrefix(beyond, ".."+string(filepath.Separator)):
			if info.IsDir() || documentName(link) {
				c.Outside = append(c.Outside, link)
			}
		case info.IsDir():
			if err := c.walk(ctx, link); err != nil {
				return err
			}
		case info.Mode().IsRegular() && documentName(link):
			c.add(link, false)
		}
	}
	return nil
}

// walk lists the files of a folder that was not visited before, and collects its links.
func (c *collection) walk(ctx context.Context, root string) error {
	if !os.IsPathSeparator(root[len(root)-1]) {
		root += string(filepath.Separator) // otherwise a link to a folder is not followed
	}
	return filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err == nil {
			err = context.Cause(ctx)
		}
		switch {
		case err != nil:
			return err
		case c.Full != "":
			return filepath.SkipAll
		case entry.IsDir():
			hidden := strings.HasPrefix(entry.Name(), ".") || entry.Name() == "node_modules"
			own := identity(path)
			if path != root && hidden || c.visited[own] {
				return filepath.SkipDir
			}
			c.visited[own] = true
		case entry.Type()&fs.ModeSymlink != 0:
			c.links = append(c.links, path)
		case entry.Type().IsRegular() && documentName(path):
			c.add(path, false)
		}
		return nil
	})
}

// documentName reports whether a file of a folder may be a document by its name.
func documentName(path string) bool {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".json", ".yaml", ".yml", ".jsonl", ".ndjson":
		return true
	}
	return false
}
