package cli

import (
	"net/http"
	"slices"

	"github.com/spf13/pflag"

	"github.com/capconform/capconform/cmd/capconform/internal/cli/process"
	"github.com/capconform/capconform/cmd/capconform/internal/cli/scope"
	"github.com/capconform/capconform/reference/chp2host"
)

// editionHosts returns the hosts of editions that are data, by the names of the editions. Each has an HTTP binding
// alone, and asks for a key unless it is empty.
func editionHosts() map[string]func(key string) http.Handler {
	return map[string]func(string) http.Handler{"chp@0.2": func(key string) http.Handler {
		if key == "" {
			return chp2host.New(chp2host.Settings{})
		}
		return chp2host.New(chp2host.Settings{Keys: map[string]string{"caller": key}})
	}}
}

// editionHandler returns the host of the edition that the flags name, nil if it is the reference.
func (f *serveFlags) editionHandler(flags *pflag.FlagSet) (http.Handler, error) {
	names, err := scope.InEdition(f.suites, f.edition)
	if err != nil || f.edition == "" {
		return nil, err
	}
	host := editionHosts()[names[0]]
	if host == nil || len(names) > 1 {
		return nil, scope.OwnSuites("serve", names)
	}
	flags.Visit(func(given *pflag.Flag) {
		if !slices.Contains([]string{"suite", "edition", "listen", "key"}, given.Name) {
			err = process.Misuse("serve: --%s is not for the edition %s", given.Name, f.edition)
		}
	})
	if err == nil && f.listen == "" {
		err = process.Misuse("serve: the edition %s has a binding over HTTP alone: use --listen ADDR", f.edition)
	}
	return host(f.key), err
}
