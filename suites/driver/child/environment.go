package child

import (
	"slices"
	"strings"
)

// markerName is the variable by which descendants are found again.
const markerName = "CAPCONFORM_CHILD"

// ordinary are the variables that every child gets: what a program needs to run,
// to find its files, to reach the network and to be installed by npx. A name that
// ends with * stands for all that begin like it. Case is ignored.
var ordinary = []string{
	"PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LC_*", "TZ", "TMPDIR", "TMP", "TEMP", "XDG_*",
	"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR",
	"NPM_CONFIG_*", "NODE_EXTRA_CA_CERTS",
	"SYSTEMROOT", "SYSTEMDRIVE", "COMSPEC", "PATHEXT", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "PROGRAMFILES*",
}

// environment picks what a child gets from ours. What is given comes last, so it wins.
func environment(ours []string, config Config) []string {
	all := slices.Contains(config.Pass, "all")
	var env []string
	for _, pair := range ours {
		name, _, _ := strings.Cut(pair, "=")
		if all || slices.Contains(config.Pass, name) || slices.ContainsFunc(ordinary, matches(name)) {
			env = append(env, pair)
		}
	}
	return append(env, config.Env...)
}

func matches(name string) func(pattern string) bool {
	upper := strings.ToUpper(name)
	return func(pattern string) bool {
		prefix, open := strings.CutSuffix(pattern, "*")
		return upper == pattern || open && strings.HasPrefix(upper, prefix)
	}
}
