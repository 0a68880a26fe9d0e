package cli

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/cmd/capconform/internal/cli/process"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/schemas"
)

var update = flag.Bool("update", false, "write the names that users rely on")

// publicNames has one name per line. Its names must not be renamed or removed; new names are added before a release.
const publicNames = "testdata/public.txt"

// TestPublicNamesStay: users rely on the ids, flags, exit statuses and members of files that an earlier version had.
func TestPublicNamesStay(t *testing.T) {
	now := slices.Concat(listed(t), flagsOf(root((&process.App{}))), exitStatuses(), fields(t))
	slices.Sort(now)
	now = slices.Compact(now)
	if *update {
		require.NoError(t, os.WriteFile(publicNames, []byte(strings.Join(now, "\n")+"\n"), 0o600))
	}
	text, err := os.ReadFile(publicNames)
	require.NoError(t, err)
	before := strings.Split(strings.TrimSpace(string(text)), "\n")
	require.Greater(t, len(before), 2000)
	for _, name := range before {
		if _, there := slices.BinarySearch(now, name); !there {
			t.Errorf("%s was removed or renamed; users rely on it", name)
		}
	}
}

// listed returns the first column of each list.
func listed(t *testing.T) []string {
	t.Helper()
	var all []string
	for _, kind := range []string{"suites", "requirements", "mutants", "variants", "drivers", "formats"} {
		var out, errs bytes.Buffer
		require.Zero(t, Main([]string{"list", kind}, strings.NewReader(""), &out, &errs), errs.String())
		for _, line := range strings.Split(out.String(), "\n")[1:] {
			if name, _, _ := strings.Cut(line, " "); name != "" {
				all = append(all, strings.TrimSuffix(kind, "s")+" "+name)
			}
		}
	}
	return all
}

// flagsOf returns the flags of each command, including short forms.
func flagsOf(c *cobra.Command) []string {
	var all []string
	if !c.Hidden {
		all = append(all, "command "+c.CommandPath())
		c.Flags().VisitAll(func(f *pflag.Flag) {
			name := "flag " + c.CommandPath() + " --" + f.Name
			all = append(all, name)
			if f.Shorthand != "" {
				all = append(all, name+", -"+f.Shorthand)
			}
		})
	}
	for _, sub := range c.Commands() {
		all = append(all, flagsOf(sub)...)
	}
	return all
}

func exitStatuses() []string {
	var all []string
	for e := reports.ExitConformant; e <= reports.ExitIncomplete; e++ {
		all = append(all, fmt.Sprintf("exit status %d: %s", e, e))
	}
	return all
}

// fields returns the members that the schemas of user files permit, and the words that a member may contain.
func fields(t *testing.T) []string {
	t.Helper()
	var all []string
	for _, kind := range []string{"report", "record", "target", "gateways"} {
		text, err := schemas.Read(kind + "/" + kind + ".schema.json")
		require.NoError(t, err)
		var schema any
		require.NoError(t, json.Unmarshal(text, &schema))
		all = append(all, membersIn(schema, kind)...)
	}
	return all
}

// membersIn returns the members at any place of a schema, qualified by the $defs that contain them.
func membersIn(schema any, at string) []string {
	var all []string
	switch of := schema.(type) {
	case []any:
		for _, v := range of {
			all = append(all, membersIn(v, at)...)
		}
	case map[string]any:
		for key, v := range of {
			switch named, _ := v.(map[string]any); key {
			case "properties", "$defs":
				for name, sub := range named {
					place := at + "/" + name
					all = append(all, place)
					all = append(all, membersIn(sub, place)...)
				}
			case "enum":
				for _, word := range v.([]any) {
					all = append(all, fmt.Sprintf("%s = %v", at, word))
				}
			default:
				all = append(all, membersIn(v, at)...)
			}
		}
	}
	return all
}
