package driver_test

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/suites/driver"
)

func TestSecretsInEveryForm(t *testing.T) {
	const secret = `p"w/d+<ü>&1=`
	quoted, err := json.Marshal(secret)
	require.NoError(t, err)
	forms := map[string]string{
		"plain": secret, "json": string(quoted[1 : len(quoted)-1]), "json without html": `p\"w/d+<ü>&1=`,
		"query": url.QueryEscape(secret), "path": url.PathEscape(secret), "lower percent": strings.ToLower(url.QueryEscape(secret)),
		"base64": base64.StdEncoding.EncodeToString([]byte(secret)), "base64url": base64.RawURLEncoding.EncodeToString([]byte(secret)),
		"basic": base64.StdEncoding.EncodeToString([]byte("me:" + secret)), "basic, other offset": base64.StdEncoding.EncodeToString([]byte("you2:" + secret + "x")),
		"hexadecimal": hex.EncodeToString([]byte(secret)), "html": html.EscapeString(secret),
		"small letters": strings.ToLower(secret), "capital letters": strings.ToUpper(secret),
		"in json in json": strings.Trim(mustJSON(t, string(quoted[1:len(quoted)-1])), `"`),
	}
	s := driver.NewSecrets("Bearer " + secret)
	for name, form := range forms {
		t.Run(name, func(t *testing.T) {
			masked := s.MaskText("before " + form + " after")
			if !strings.Contains(masked, driver.Masked) || !strings.HasPrefix(masked, "before ") ||
				!strings.HasSuffix(masked, " after") {
				t.Errorf("%q became %q", form, masked)
			}
		})
	}
}

func mustJSON(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	require.NoError(t, err)
	return string(text)
}

func TestMaskingLeavesOtherText(t *testing.T) {
	tests := map[string]struct {
		secrets driver.Secrets
		text    string
		want    string
	}{
		"none":                 {driver.Secrets{}, "abcdefgh", "abcdefgh"},
		"too short":            {driver.NewSecrets("abcdefg"), "abcdefg", "abcdefg"},
		"word in another case": {driver.NewSecrets("Production"), "production", "production"},
		"eight":                {driver.NewSecrets("abcdefgh"), "xabcdefghx", "x[masked]x"},
		"scheme":               {driver.NewSecrets("Bearer abcdefgh"), "Bearer Bearer abcdefgh", "Bearer [masked]"},
		"longest first":        {driver.NewSecrets("abcdefgh", "abcdefghij"), "abcdefghij", "[masked]"},
		"joined":               {driver.NewSecrets("abcdefgh").Join(driver.NewSecrets("12345678")), "abcdefgh 12345678", "[masked] [masked]"},
		"added":                {driver.NewSecrets("abcdefgh").With("12345678"), "abcdefgh 12345678", "[masked] [masked]"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, test.secrets.MaskText(test.text)); diff != "" {
				t.Errorf("text (-want +got):\n%s", diff)
			}
		})
	}
}

// Encoders differ in the characters that they escape, in the case of digits, and in spaces.
func TestSecretsInAddresses(t *testing.T) {
	secrets := driver.NewSecrets("abcd/EFGH+ijkl==", "two (words)!")
	for _, form := range []string{
		"abcd%2FEFGH%2Bijkl%3D%3D", "abcd/EFGH%2Bijkl%3D%3D", "abcd/EFGH+ijkl%3D%3D", "abcd%2fEFGH%2bijkl%3d%3d", "abcd%2FEFGH+ijkl==", "abcd/EFGH+ijkl==",
		"two+%28words%29%21", "two%20(words)!", "two%20%28words%29%21", "two+(words)!",
	} {
		if got := secrets.MaskText("https://host/?key=" + form + "&x=1"); got != "https://host/?key=[masked]&x=1" {
			t.Errorf("%s is masked as %s", form, got)
		}
	}
}

func TestShellQuote(t *testing.T) {
	words := []string{"plain", "", "two words", `it's`, `"$HOME" \n`, "a\nb", "--x=/y:z,1@2%3+4", "ü*?", "#x", "~", "`ls`",
		"\x1b[31m'!%d\\$(touch owned)", "a\r\nb\n\n", "\n", "\u202e\u0085\u2028", "\xff\xfe!", "!x", "@/etc/passwd", "[masked]"}
	out, err := exec.Command("sh", "-c", "printf '%s\\0' "+driver.ShellQuote(words...)).Output()
	require.NoError(t, err)
	if diff := cmp.Diff(words, strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")); diff != "" {
		t.Errorf("words (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff("plain -x 'a b'", driver.ShellQuote("plain", "-x", "a b")); diff != "" {
		t.Errorf("quotes (-want +got):\n%s", diff)
	}
}

// TestShellQuoteCanBePasted: a terminal and an interactive shell interpret nothing in the text except the line break
// at the end.
func TestShellQuoteCanBePasted(t *testing.T) {
	for _, word := range []string{"a\x1b[2Jb", "a\nb", "\x03\x04\x16", "\u009b31m", "\u202eb", "x\x7f", "a\r!b", "\xff"} {
		quoted := driver.ShellQuote(word)
		if at := strings.IndexFunc(quoted, unicode.IsControl); at >= 0 || !utf8.ValidString(quoted) ||
			strings.Contains(quoted, "\u202e") {
			t.Errorf("%q is written as %q", word, quoted)
		}
		if inside, double := strings.CutPrefix(quoted, `"`); double && strings.Contains(inside, "!") {
			t.Errorf("%q is written as %q: a shell expands the exclamation mark", word, quoted)
		}
	}
}

// TestShellReference: inside double quotes, only ${NAME} is expanded.
func TestShellReference(t *testing.T) {
	for text, want := range map[string]string{
		"${KEY}": "the value", "Bearer ${KEY}!": "Bearer the value!", "$KEY $(touch owned) `touch owned`": "$KEY $(touch owned) `touch owned`",
		`"; touch owned; "${KEY}\\`: `"; touch owned; "the value\\`, "${KEY:-$(id)}": "${KEY:-$(id)}", "a\x1b${KEY}": "a\x1bthe value",
	} {
		c := exec.Command("sh", "-c", `printf '%s' "`+driver.ShellReference(text)+`"`)
		c.Dir, c.Env = t.TempDir(), append(os.Environ(), "KEY=the value")
		got, err := c.Output()
		require.NoError(t, err)
		if string(got) != want {
			t.Errorf("%q: want %q, got %q", text, want, got)
		}
	}
	require.Equal(t, "Bearer ${KEY}", driver.ShellReference("Bearer ${KEY}"))
}

func TestForCall(t *testing.T) {
	d := driver.Deadlines{Call: time.Hour}
	ctx, cancel := d.ForCall(context.Background())
	defer cancel()
	if deadline, has := ctx.Deadline(); !has || time.Until(deadline) < 50*time.Minute {
		t.Errorf("deadline %v, %v", deadline, has)
	}
	own, stop := context.WithTimeout(context.Background(), 3*time.Hour)
	defer stop()
	ctx, cancel = d.ForCall(own)
	defer cancel()
	if deadline, _ := ctx.Deadline(); time.Until(deadline) < 2*time.Hour {
		t.Errorf("the deadline of the caller was shortened to %v", deadline)
	}
}

// mortal is a driver whose sessions die after some answers.
type mortal struct {
	answers int // per session, before it dies
	opened  int
	refuse  int // Open fails from this opening on; 0 for never
	living  int
}

func (m *mortal) Target() driver.Target { return driver.Target{Driver: "mortal"} }

func (m *mortal) Open(context.Context) (driver.Session, error) {
	m.opened++
	if m.refuse > 0 && m.opened >= m.refuse {
		return nil, &driver.CallError{Kind: driver.ErrUnreachable, Detail: "gone"}
	}
	m.living++
	return &mortalSession{m: m, left: m.answers}, nil
}

type mortalSession struct {
	m    *mortal
	left int
}

func (s *mortalSession) Info() driver.Info { return driver.Info{Name: fmt.Sprint("life ", s.m.opened)} }

func (s *mortalSession) Close() error {
	s.m.living--
	return nil
}

func (s *mortalSession) Call(_ context.Context, op driver.Operation) (driver.Answer, error) {
	switch {
	case op.Name == "slow":
		return driver.Answer{}, &driver.CallError{Kind: driver.ErrTimeout}
	case s.left == 0:
		return driver.Answer{}, &driver.CallError{Kind: driver.ErrClosed}
	}
	s.left--
	return driver.Answer{}, nil
}

// TestWithLife: a context ends with the life of a session, at once if that is over.
func TestWithLife(t *testing.T) {
	life, end := context.WithCancel(t.Context())
	during, stop := driver.WithLife(t.Context(), life)
	defer stop()
	require.NoError(t, during.Err())
	end()
	<-during.Done()

	for range 100 {
		after, stop := driver.WithLife(t.Context(), life)
		require.ErrorIs(t, after.Err(), context.Canceled)
		stop()
	}
}

func TestLasting(t *testing.T) {
	tests := map[string]struct {
		below  *mortal
		calls  string // the result of each call: . an answer, c closed, u unreachable
		opened int
	}{
		"lives":            {&mortal{answers: 100}, "....", 1},
		"dies and returns": {&mortal{answers: 2}, "..c..c.", 3},
		"never answers":    {&mortal{}, "ccccuu", 4},
		"can't be opened":  {&mortal{answers: 1, refuse: 2}, ".cuuu", 4},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			session, err := driver.Reopening(test.below).Open(t.Context())
			require.NoError(t, err)
			got := ""
			for range test.calls {
				_, err := session.Call(t.Context(), driver.Operation{})
				switch {
				case err == nil:
					got += "."
				case errors.Is(err, driver.ErrClosed):
					got += "c"
				case errors.Is(err, driver.ErrUnreachable):
					got += "u"
				}
			}
			reopened, ok := session.(*driver.Reopened)
			require.True(t, ok)
			want := fmt.Sprint(test.calls, " ", test.opened, " openings, ", strings.Count(test.calls, "c"), " deaths")
			deaths, _ := reopened.Endings()
			got += fmt.Sprint(" ", test.below.opened, " openings, ", deaths, " deaths")
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("calls, openings, deaths (-want +got):\n%s", diff)
			}
			require.NoError(t, session.Close())
			if test.below.living != 0 {
				t.Errorf("%d sessions are still open", test.below.living)
			}
		})
	}
}

// closing is a target that closes the connection of seven consecutive calls, answers one, and stays alive.
type closing struct{ mortal }

func (c *closing) Open(context.Context) (driver.Session, error) { return &closingSession{}, nil }

type closingSession struct{ calls int }

func (*closingSession) Info() driver.Info { return driver.Info{} }
func (*closingSession) Close() error      { return nil }
func (*closingSession) Alive() bool       { return true }

func (s *closingSession) Call(context.Context, driver.Operation) (driver.Answer, error) {
	if s.calls++; s.calls%8 != 0 {
		return driver.Answer{}, &driver.CallError{Kind: driver.ErrClosed}
	}
	return driver.Answer{}, nil
}

// A target over HTTP that closes connections is not given up, however many layers there are.
func TestLastingKeepsReconnectingTarget(t *testing.T) {
	session, err := driver.Reopening(driver.Reopening(&closing{})).Open(t.Context())
	require.NoError(t, err)
	for range 500 {
		if _, err = session.Call(t.Context(), driver.Operation{}); errors.Is(err, driver.ErrUnreachable) {
			t.Fatal(err)
		}
	}
}

func TestLastingKeepsSlowTarget(t *testing.T) {
	below := &mortal{answers: 5}
	session, err := driver.Reopening(below).Open(t.Context())
	require.NoError(t, err)
	_, err = session.Call(t.Context(), driver.Operation{Name: "slow"})
	require.ErrorIs(t, err, driver.ErrTimeout)
	_, err = session.Call(t.Context(), driver.Operation{})
	require.NoError(t, err)
	if below.opened != 1 {
		t.Errorf("the session was opened %d times, want 1", below.opened)
	}
}
