// Command release makes a release from the binaries in dist/: archives, bills of materials, a
// container image, npm packages, a Homebrew formula, a Scoop manifest, checksums and notes. make
// dist builds the binaries and runs it. Its output depends only on its input: the same commit gives
// the same bytes.
//
// It is a separate module, so that capconform does not depend on its dependencies.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// home is the address of the project, below which its releases can be downloaded.
const home = "https://github.com/capconform/capconform"

// about describes capconform in one line, for packages.
const about = "Conformance tests for hosts of the capability protocols CAP, CHP, ACP and ACD"

// platform is a system and a processor, by the names of Go.
type platform struct{ os, arch string }

func (p platform) String() string { return p.os + "_" + p.arch }

// binary returns the name of the plain binary in dist/.
func (p platform) binary() string { return "capconform_" + p.String() + p.suffix() }

func (p platform) suffix() string {
	if p.os == "windows" {
		return ".exe"
	}
	return ""
}

// archive returns the name of the archive in dist/.
func (p platform) archive() string {
	if p.os == "windows" {
		return "capconform_" + p.String() + ".zip"
	}
	return "capconform_" + p.String() + ".tar.gz"
}

// release is one release, with the folders that it uses.
type release struct {
	version   string // without the v of the tag
	commit    string
	time      time.Time // of the commit; no file of a release has a later time
	dist      string    // the folder of the binaries and of the results
	root      string    // the root of the repository
	share     string    // the folder with man/ and completions/
	platforms []platform
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	r, err := parse(args)
	if err != nil {
		return err
	}
	for _, step := range []struct {
		name string
		make func(*release) error
	}{
		{"notes", (*release).notes},
		{"bills of materials", (*release).sboms},
		{"archives", (*release).archives},
		{"corpus", (*release).corpus},
		{"npm packages", (*release).npm},
		{"container image", (*release).image},
		{"formula and manifest", (*release).manifests},
		{"checksums", (*release).checksums},
	} {
		if err := step.make(r); err != nil {
			return fmt.Errorf("%s: %w", step.name, err)
		}
	}
	return nil
}

// tag matches a version in the form of a tag: v0.1.0, v0.1.0-rc.1, v0.1.0-3-g1a2b3c4.
var tag = regexp.MustCompile(`^v(\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?)$`)

func parse(args []string) (*release, error) {
	r := &release{}
	flags := flag.NewFlagSet("release", flag.ContinueOnError)
	version := flags.String("version", "", "the `TAG` that is released, such as v0.1.0")
	seconds := flags.Int64("time", 0, "the time of the commit in `SECONDS` since 1970")
	flags.StringVar(&r.commit, "commit", "", "the `HASH` of the commit")
	flags.StringVar(&r.dist, "dist", "", "the `FOLDER` with the binaries")
	flags.StringVar(&r.root, "root", "", "the root `FOLDER` of the repository")
	flags.StringVar(&r.share, "share", "", "the `FOLDER` with man pages and completions")
	if err := flags.Parse(args); err != nil {
		return nil, err
	}
	m := tag.FindStringSubmatch(*version)
	switch {
	case m == nil:
		return nil, fmt.Errorf("-version: want a tag such as v0.1.0, got %q", *version)
	case *seconds <= 0 || r.commit == "":
		return nil, errors.New("want -time and -commit")
	}
	r.version, r.time = m[1], time.Unix(*seconds, 0).UTC()
	for _, p := range flags.Args() {
		system, arch, ok := strings.Cut(p, "/")
		if !ok {
			return nil, fmt.Errorf("want a platform such as linux/amd64, got %q", p)
		}
		r.platforms = append(r.platforms, platform{system, arch})
	}
	if len(r.platforms) == 0 {
		return nil, errors.New("want one platform or more, such as linux/amd64")
	}
	return r, nil
}

// tag returns the tag of the release.
func (r *release) tag() string { return "v" + r.version }

// has reports whether the release contains all of these platforms.
func (r *release) has(all ...platform) bool {
	return !slices.ContainsFunc(all, func(p platform) bool { return !slices.Contains(r.platforms, p) })
}

// path returns the path of a file in dist/.
func (r *release) path(name ...string) string {
	return filepath.Join(append([]string{r.dist}, name...)...)
}

// write writes a file of the release, readable for everybody.
func (r *release) write(name string, data []byte) error {
	return os.WriteFile(r.path(name), data, 0o644) // a release must be readable by everybody
}
