package child

import (
	"slices"
	"strings"

	"github.com/capconform/capconform/suites/driver"
)

// markerName is the variable that identifies descendants.
const markerName = "CAPCONFORM_CHILD"

// passedVariables are the variables that every child gets: those that a program needs to run, to find its
// files, to reach the network and to be installed by npx. A name that ends with * matches every
// name with that prefix. Case is ignored. A variable that looks like a credential is withheld
// nevertheless.
var passedVariables = []string{
	"PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LC_*", "TZ", "TMPDIR", "TMP", "TEMP", "XDG_*",
	"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR",
	"NPM_CONFIG_*", "NODE_EXTRA_CA_CERTS",
	"SYSTEMROOT", "SYSTEMDRIVE", "COMSPEC", "PATHEXT", "USERPROFILE", "APPDATA", "LOCALAPPDATA",
	"PROGRAMDATA", "PROGRAMFILES*",
}

// Environment selects what a child gets from the environment of this process, as NAME=value pairs.
// The given pairs come last, so they take precedence.
func Environment(ours []string, config Config) []string {
	all := slices.Contains(config.Pass, "all")
	var env []string
	for _, pair := range ours {
		name, value, _ := strings.Cut(pair, "=")
		if all || slices.Contains(config.Pass, name) || isPassed(name) && !driver.IsCredential(name, value) {
			env = append(env, pair)
		}
	}
	return append(env, config.Env...)
}

// Withheld returns, in order, the names of the variables that every child would get and this one
// does not, because the name or value looks like a credential.
func Withheld(ours []string, config Config) []string {
	var names []string
	for _, pair := range ours {
		name, value, _ := strings.Cut(pair, "=")
		given := slices.ContainsFunc(config.Env, func(pair string) bool { return strings.HasPrefix(pair, name+"=") })
		passed := slices.Contains(config.Pass, name) || slices.Contains(config.Pass, "all")
		if isPassed(name) && driver.IsCredential(name, value) && !given && !passed {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func isPassed(name string) bool { return slices.ContainsFunc(passedVariables, matches(name)) }

func matches(name string) func(pattern string) bool {
	upper := strings.ToUpper(name)
	return func(pattern string) bool {
		prefix, open := strings.CutSuffix(pattern, "*")
		return upper == pattern || open && strings.HasPrefix(upper, prefix)
	}
}
