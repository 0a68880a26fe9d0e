package access

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/capconform/capconform/cmd/capconform/internal/cli/process"
	"github.com/capconform/capconform/cmd/capconform/internal/cli/scope"
	"github.com/capconform/capconform/cmd/capconform/internal/target"
	"github.com/capconform/capconform/suites/driver"
)

// read reads a target file. Flags override it.
func (t *Target) read(path string) error {
	words := target.Words{Roles: map[string][]string{}, Texts: scope.TextNames(),
		Editions: append(scope.Editions(), scope.EveryEdition)}
	for _, d := range scope.Definitions() {
		words.Operations = append(words.Operations, d.Operations...)
		for _, role := range d.Roles {
			words.Roles[d.Name] = append(words.Roles[d.Name], role.Name)
		}
	}
	file, err := target.Load(path, words, os.LookupEnv)
	if err != nil {
		return process.Misuse("%v", err)
	}
	t.File, t.command, t.env = file, file.Command, file.Env
	for i, e := range t.env {
		if e.Source == "" && (driver.IsSecretName(e.Name) || !driver.OrdinaryText(e.Value)) {
			t.env[i].Source = "${" + e.Name + "}"
		}
	}
	t.namedDriver = cmp.Or(t.namedDriver, file.Driver)
	for _, h := range file.Headers {
		one := header{h.Name, h.Value, driver.ShellReference(h.Source)}
		if one.source == "" && (!publicHeader.MatchString(h.Name) || driver.IsSecretValue(h.Value)) {
			one.source = VariableOf(h.Name)
		}
		t.headers = append(t.headers, one)
	}
	if file.URL == "" {
		return nil
	}
	return t.address(file.URL)
}

// IsTargetFile reports whether an argument names a target file.
func IsTargetFile(word string) bool {
	return slices.Contains([]string{".yaml", ".yml"}, filepath.Ext(word)) && !strings.Contains(word, "://")
}

// Options adds the settings of the target file that concern one suite.
func (t *Target) Options(all map[string]string) map[string]string {
	for name, value := range map[string]string{"signature": t.File.Signature, "switch": t.File.Switch} {
		if value != "" {
			all[name] = value
		}
	}
	for name, theirs := range t.File.Arguments {
		all["argument."+name] = theirs
	}
	return all
}
