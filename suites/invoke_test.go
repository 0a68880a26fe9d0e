package suites

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/suites/live"
)

func TestInvokeFlagRoundTrips(t *testing.T) {
	for _, id := range []string{"git_pull", "a b", "a,b", `a"b`, "a'b", "$(reboot)", "`x`", "all", "none", "safe", " lead", "-x", "größe", "a;b", "--"} {
		flag := live.InvokeFlag(id)
		value, quoted := strings.CutPrefix(flag, "--invoke ")
		require.True(t, quoted, id)
		if strings.HasPrefix(value, "'") { // as a shell reads it
			value = strings.ReplaceAll(strings.TrimSuffix(strings.TrimPrefix(value, "'"), "'"), `'\''`, "'")
		}
		policy, names, err := ReadInvoke([]string{value})
		require.NoError(t, err, id)
		require.Equal(t, live.InvokeSafe, policy, id)
		require.Equal(t, []string{id}, names, flag)
	}
	for _, id := range []string{"", " ", "a\nb", "a\x1b[2Jb", "a\u202eb", "\x00"} {
		require.Empty(t, live.InvokeFlag(id), "%q", id)
	}
}

func TestReadInvoke(t *testing.T) {
	for _, tt := range []struct {
		values []string
		policy live.InvokePolicy
		names  []string
		wrong  bool
	}{
		{nil, live.InvokeSafe, nil, false},
		{[]string{"all"}, live.InvokeAll, nil, false},
		{[]string{"none"}, live.InvokeNone, nil, false},
		{[]string{"a,b", "c"}, live.InvokeSafe, []string{"a", "b", "c"}, false},
		{[]string{"safe", "a"}, live.InvokeSafe, []string{"a"}, false},
		{[]string{"none", "a"}, "", nil, true},
		{[]string{"all", "none"}, "", nil, true},
		{[]string{`"a`}, "", nil, true},
		{[]string{""}, "", nil, true},
		{[]string{"none,a"}, "", nil, true},
		{[]string{"a,all"}, "", nil, true},
		{[]string{`"none",a`}, live.InvokeSafe, []string{"none", "a"}, false},
	} {
		policy, names, err := ReadInvoke(tt.values)
		if (err != nil) != tt.wrong || policy != tt.policy || !slices.Equal(names, tt.names) {
			t.Errorf("%q: got %q %q %v", tt.values, policy, names, err)
		}
	}
}
