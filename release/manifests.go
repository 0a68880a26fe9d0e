package main

import (
	"bytes"
	"embed"
	"fmt"
	"io/fs"
	"os"
	"text/template"
)

//go:embed templates
var templates embed.FS

// manifest is a file by which a package manager installs archives of a release.
type manifest struct {
	name      string
	platforms []platform // the platforms that it offers; if one is missing, it is not written
}

func manifestFiles() []manifest {
	return []manifest{
		{"capconform.rb", []platform{{"darwin", "arm64"}, {"darwin", "amd64"}, {"linux", "arm64"}, {"linux", "amd64"}}},
		{"capconform.json", []platform{{"windows", "amd64"}, {"windows", "arm64"}}},
	}
}

// manifests writes the Homebrew formula and the Scoop manifest. A build of only some platforms may
// lack either.
func (r *release) manifests() error {
	for _, m := range manifestFiles() {
		if !r.has(m.platforms...) {
			fmt.Fprintf(os.Stderr, "release: %s is not written: it needs all of %s\n", m.name, m.platforms)
			continue
		}
		text, err := r.fill(m.name)
		if err != nil {
			return err
		}
		if err := r.write(m.name, text); err != nil {
			return err
		}
	}
	return nil
}

// fill fills in a template.
func (r *release) fill(name string) ([]byte, error) {
	source, err := fs.ReadFile(templates, "templates/"+name)
	if err != nil {
		return nil, err
	}
	t, err := template.New(name).Option("missingkey=error").Funcs(template.FuncMap{
		"url": func(os, arch string) string {
			return home + "/releases/download/" + r.tag() + "/" + platform{os, arch}.archive()
		},
		"digest": func(os, arch string) (string, error) { return r.digest(platform{os, arch}.archive()) },
		"file":   func(os, arch string) string { return platform{os, arch}.archive() },
	}).Parse(string(source))
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	err = t.Execute(&text, map[string]string{"Version": r.version, "Home": home, "About": about})
	return text.Bytes(), err
}
