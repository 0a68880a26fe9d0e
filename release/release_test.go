package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func every() []platform {
	return []platform{{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "amd64"}, {"darwin", "arm64"}, {"windows", "amd64"}, {"windows", "arm64"}}
}

func TestParseFlags(t *testing.T) {
	valid := []string{"-version", "v0.1.0", "-commit", "c0ffee", "-time", "1", "linux/amd64", "windows/arm64"}
	r, err := parse(valid)
	require.NoError(t, err)
	assert.Equal(t, "0.1.0", r.version)
	assert.Equal(t, []platform{{"linux", "amd64"}, {"windows", "arm64"}}, r.platforms)
	for want, args := range map[string][]string{
		"want a tag such as v0.1.0": {"-version", "0.1.0", "-commit", "c0ffee", "-time", "1", "linux/amd64"},
		"want -time and -commit":    {"-version", "v0.1.0", "linux/amd64"},
		"want a platform such as":   append(valid, "linux"),
		"want one platform or more": valid[:6],
	} {
		_, err := parse(args)
		assert.ErrorContains(t, err, want)
	}
}

// Each address in the formula and in the manifest has the digest of that archive.
func TestManifestsContainDigestOfEachArchive(t *testing.T) {
	r := &release{version: "0.1.0", dist: t.TempDir(), platforms: every()}
	for _, p := range r.platforms {
		require.NoError(t, r.write(p.archive(), []byte(p.String())))
	}
	require.NoError(t, r.manifests())
	formula := string(r.read(t, "capconform.rb"))
	var scoop struct {
		Version      string
		Architecture map[string]struct{ URL, Hash string }
	}
	require.NoError(t, json.Unmarshal(r.read(t, "capconform.json"), &scoop))
	assert.Equal(t, "0.1.0", scoop.Version)
	offered := map[string]string{}
	for _, a := range scoop.Architecture {
		offered[a.URL] = a.Hash
	}
	for _, p := range r.platforms {
		sum, err := r.digest(p.archive())
		require.NoError(t, err)
		url := home + "/releases/download/v0.1.0/" + p.archive()
		if p.os == "windows" {
			assert.Equal(t, sum, offered[url])
			continue
		}
		assert.Contains(t, strings.Join(strings.Fields(formula), " "), `url "`+url+`" sha256 "`+sum+`"`)
	}
}

func TestManifestsRequireAllPlatforms(t *testing.T) {
	r := &release{version: "0.1.0", dist: t.TempDir(), platforms: every()[:1]}
	require.NoError(t, r.write(r.platforms[0].archive(), nil))
	require.NoError(t, r.manifests())
	entries, err := os.ReadDir(r.dist)
	require.NoError(t, err)
	assert.Len(t, entries, 1)
}

func TestNotesAreExtractedForVersion(t *testing.T) {
	const log = "# Changelog\n\n## [Unreleased]\n\n- later\n\n## [0.1.0] - 2026-11-23\n\n- first\n\n## [0.0.9]\n\n- old\n"
	for version, want := range map[string]string{"0.1.0": "- first\n", "0.1.1-3-gabc": "- later\n", "0.2.0": ""} {
		r := &release{version: version, dist: t.TempDir(), root: t.TempDir()}
		require.NoError(t, os.WriteFile(filepath.Join(r.root, "CHANGELOG.md"), []byte(log), 0o666))
		err := r.notes()
		if want == "" {
			require.ErrorContains(t, err, "there is no text under ## [0.2.0]")
			continue
		}
		require.NoError(t, err)
		assert.Equal(t, want, string(r.read(t, notesFile)))
	}
}

func TestCorpusContainsOnlyData(t *testing.T) {
	r := &release{dist: t.TempDir(), root: ".."}
	require.NoError(t, r.corpus())
	files := unpack(t, corpusFile, r.read(t, corpusFile))
	for _, name := range []string{"corpus/LICENSE", "corpus/README.md", "corpus/chp/records/fixtures.jsonl.gz", "corpus/schemas/corpus/edits.schema.json"} {
		assert.NotEmpty(t, files[name].data, name)
	}
	for name := range files {
		assert.False(t, strings.HasSuffix(name, ".go"), name)
	}
}

// The action, its examples and the hooks must name the same version, the next release, and the notes must exist.
func TestVersionsAgree(t *testing.T) {
	text, err := os.ReadFile("../action/version")
	require.NoError(t, err)
	version := strings.TrimSpace(string(text))
	require.Regexp(t, tag, version)
	log, err := os.ReadFile("../CHANGELOG.md")
	require.NoError(t, err)
	_, err = section(string(log), strings.TrimPrefix(version, "v"))
	require.NoError(t, err)
	used := regexp.MustCompile(`capconform/capconform@(v[0-9][^ ]*)|\n *rev: (v[0-9]\S*)`)
	found := 0
	for _, pattern := range []string{"../README.md", "../docs/*.md", "../docs/*.yml"} {
		pages, err := filepath.Glob(pattern)
		require.NoError(t, err)
		for _, page := range pages {
			text, err := os.ReadFile(page)
			require.NoError(t, err)
			for _, m := range used.FindAllStringSubmatch(string(text), -1) {
				assert.Equal(t, version, strings.TrimSpace(m[1]+m[2]), page)
				found++
			}
		}
	}
	assert.GreaterOrEqual(t, found, 3)
}

func TestArchivesAreReproducible(t *testing.T) {
	members := []member{{"folder", executableMode, nil}, {"folder/file", plainMode, []byte("text")}}
	made := time.Unix(1e9, 0).UTC()
	for name, pack := range map[string]func([]member, time.Time) ([]byte, error){"x.tar.gz": gzipped, "x.zip": zipped} {
		first, err := pack(members[1:], made)
		require.NoError(t, err)
		second, err := pack(members[1:], made)
		require.NoError(t, err)
		assert.True(t, bytes.Equal(first, second), name)
		files := unpack(t, name, first)
		assert.Equal(t, "text", string(files["folder/file"].data))
		assert.EqualValues(t, plainMode, files["folder/file"].mode)
	}
}
