package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// npmPackage is a package.json. Its members are in the order of the file.
type npmPackage struct {
	Name        string            `json:"name"`
	Version     string            `json:"version"`
	Description string            `json:"description"`
	License     string            `json:"license"`
	Homepage    string            `json:"homepage"`
	Repository  npmRepository     `json:"repository"`
	Engines     map[string]string `json:"engines,omitempty"`
	OS          []string          `json:"os,omitempty"`
	CPU         []string          `json:"cpu,omitempty"`
	Bin         map[string]string `json:"bin,omitempty"`
	Files       []string          `json:"files"`
	Optional    map[string]string `json:"optionalDependencies,omitempty"`
	Unplugged   bool              `json:"preferUnplugged,omitempty"`
	Publish     npmPublish        `json:"publishConfig"`
}

type npmRepository struct {
	Type string `json:"type"`
	URL  string `json:"url"`
}

type npmPublish struct {
	Access string `json:"access"`
}

// npmPlatform returns a platform by the names of Node.js.
func npmPlatform(p platform) (system, cpu string) {
	system, cpu = p.os, p.arch
	if p.os == "windows" {
		system = "win32"
	}
	if p.arch == "amd64" {
		cpu = "x64"
	}
	return system, cpu
}

// npm packs a launcher, and a package with the binary for each platform.
func (r *release) npm() error {
	license, err := os.ReadFile(filepath.Join(r.root, "LICENSE"))
	if err != nil {
		return err
	}
	launcher, err := fs.ReadFile(templates, "templates/launcher.js")
	if err != nil {
		return err
	}
	readme := []byte("# capconform\n\n" + about +
		".\n\n    npx capconform run reference\n\nThe documentation is at " + home + ".\n")

	main := r.npmPackage("capconform")
	main.Engines = map[string]string{"node": ">=18"}
	main.Bin, main.Files = map[string]string{"capconform": "launcher.js"}, []string{"launcher.js"}
	main.Optional = map[string]string{}
	for _, p := range r.platforms {
		binary, err := os.ReadFile(r.path(p.binary()))
		if err != nil {
			return err
		}
		system, cpu := npmPlatform(p)
		one := r.npmPackage("@capconform/" + system + "-" + cpu)
		one.Description = fmt.Sprintf("The binary of capconform for %s on %s", p.os, p.arch)
		one.OS, one.CPU, one.Files, one.Unplugged = []string{system}, []string{cpu}, []string{"bin"}, true
		main.Optional[one.Name] = r.version
		file := "capconform-" + system + "-" + cpu + ".tgz"
		if err := r.npmTarball(file, one, member{"LICENSE", plainMode, license},
			member{"bin/capconform" + p.suffix(), executableMode, binary}); err != nil {
			return err
		}
	}
	return r.npmTarball("capconform.tgz", main, member{"LICENSE", plainMode, license},
		member{"README.md", plainMode, readme},
		member{"launcher.js", executableMode, launcher})
}

func (r *release) npmPackage(name string) npmPackage {
	return npmPackage{
		Name: name, Version: r.version, Description: about, License: "Apache-2.0", Homepage: home,
		Repository: npmRepository{"git", "git+" + home + ".git"}, Publish: npmPublish{"public"},
	}
}

// npmTarball writes a package as npm pack does: everything is in the folder package.
func (r *release) npmTarball(file string, described npmPackage, members ...member) error {
	text, err := json.MarshalIndent(described, "", "  ")
	if err != nil {
		return err
	}
	members = append(members, member{"package.json", plainMode, append(text, '\n')})
	for i := range members {
		members[i].name = "package/" + members[i].name
	}
	packed, err := gzipped(members, r.time)
	if err != nil {
		return err
	}
	return r.write(file, packed)
}
