package driver_test

import (
	"encoding/base64"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/suites/driver"
)

func TestSecretName(t *testing.T) {
	for want, names := range map[bool][]string{
		true: {
			"NPM_CONFIG__AUTHTOKEN", "npm_config__authToken", "npm_config_//registry.example/:_authToken", "NPM_CONFIG__AUTH",
			"npm_config__password", "npm_config_otp", "NPM_CONFIG_KEY", "GITHUB_TOKEN", "AWS_SECRET_ACCESS_KEY", "PGPASSWORD", "DB_PASS",
			"MYSQL_PWD", "Authorization", "X-Api-Key", "Cookie", "--api-key", "sig", "SENTRY_DSN", "Proxy-Authorization", "GOOGLE_CREDENTIALS",
		},
		false: {
			"PATH", "HOME", "PWD", "OLDPWD", "LANG", "LC_ALL", "NPM_CONFIG_REGISTRY", "NPM_CONFIG_INIT_AUTHOR_NAME", "npm_config_cache",
			"XDG_CONFIG_HOME", "HTTPS_PROXY", "NODE_EXTRA_CA_CERTS", "TMPDIR", "--design", "--compass", "XDG_SESSION_TYPES", "KEYBOARD",
		},
	} {
		for _, name := range names {
			if got := driver.IsSecretName(name); got != want {
				t.Errorf("SecretName(%q) = %v, want %v", name, got, want)
			}
		}
	}
}

func TestSecretValue(t *testing.T) {
	for want, values := range map[bool][]string{
		true: {
			"http://user:pass@proxy:3128", "https://ghost@host/", "user:pass@proxy:3128", "user:pass@proxy.example.com",
			"-----BEGIN OPENSSH PRIVATE KEY-----\nabc", "ghp_0123456789abcdef", "github_pat_11ABC", "sk-proj-0123456789", "xoxb-123-456",
			"AKIAIOSFODNN7EXAMPLE", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln", "Bearer abcdef", "Basic dXNlcjpwYXNz", "glpat-0123456789",
			"Server=db;Password=hunter2;", "https://host/?api_key=1", "exec server --token abc", "npm_0123456789", "AIzaSyA0123456789",
		},
		false: {
			"", "/usr/bin:/bin", "http://proxy:3128", "https://registry.example/", "sk_SK.UTF-8", "sk-SK", "de_DE.UTF-8", "npm:left-pad@1.3.0",
			"git@github.com:owner/repo", "@modelcontextprotocol/server-everything", "task-runner", "a bearer", "Basic tools of the house",
			`exec server --token "$TOKEN"`, "localhost,127.0.0.1,.example.com", "key", "http://host/a@b",
		},
	} {
		for _, value := range values {
			if got := driver.IsSecretValue(value); got != want {
				t.Errorf("SecretValue(%q) = %v, want %v", value, got, want)
			}
		}
	}
}

func TestAddress(t *testing.T) {
	const mask = driver.Masked
	for given, want := range map[string]string{
		"http://127.0.0.1:8899":                                           "http://127.0.0.1:8899",
		"http://[::1]:8899/":                                              "http://[::1]:8899/",
		"https://host.example/mcp":                                        "https://host.example/mcp",
		"https://host.example/v1/tools/list-all":                          "https://host.example/v1/tools/list-all",
		"https://host.example/api/v1.2/2025-06-18/getTools":               "https://host.example/api/v1.2/2025-06-18/getTools",
		"https://host.example/jsonrpc/.well-known/oauth2":                 "https://host.example/jsonrpc/.well-known/oauth2",
		"https://host.example/~acme/conformance_host":                     "https://host.example/~acme/conformance_host",
		"https://user:pass@host.example/rpc#part":                         "https://host.example/rpc",
		"https://host.example/hooks/T000/B000/XXXXXXXX":                   "https://host.example/hooks/" + mask + "/" + mask + "/" + mask,
		"https://host.example/s/0b6f3c1e-1111-4222-8333-944444444444/mcp": "https://host.example/s/" + mask + "/mcp",
		"https://host.example/bot123456:ABCdef/send":                      "https://host.example/" + mask + "/send",
		"https://host.example/abcd1234/qWeRtYuIoPaSdF":                    "https://host.example/" + mask + "/" + mask,
		"https://host.example/token/sesame/rpc":                           "https://host.example/token/" + mask + "/rpc",
		"https://host.example/xkcdqwrtzp":                                 "https://host.example/" + mask,
		"https://host.example/a%2Fb%zz":                                   "",
		"https://host.example/rpc?lang=de&version=2":                      "https://host.example/rpc?lang=de&version=2",
		"https://host.example/rpc?api_key=abc&tenant=acme":                "https://host.example/rpc?api_key=" + mask + "&tenant=" + mask,
		"https://host.example/?0b6f3c1e11114222":                          "https://host.example/?" + mask,
		"https://host.example/?version=0b6f3c1e11114222&debug=&x":         "https://host.example/?version=" + mask + "&debug=&x",
	} {
		u, err := url.Parse(given)
		if want == "" {
			require.Error(t, err, given)
			continue
		}
		require.NoError(t, err)
		got, _ := driver.Address(u)
		if got != want {
			t.Errorf("Address(%s)\n got %s\nwant %s", given, got, want)
		}
	}
	u, err := url.Parse(
		"https://user-name:pass-word@host.example/hooks/XXXXXXXX?tenant=acme&id=0b6f3c1e11114222&sig=deed",
	)
	require.NoError(t, err)
	_, secrets := driver.Address(u)
	if diff := cmp.Diff([]string{"user-name", "pass-word", "XXXXXXXX", "0b6f3c1e11114222", "deed"}, secrets); diff != "" {
		t.Errorf("secrets (-want +got):\n%s", diff)
	}
}

func TestMaskWords(t *testing.T) {
	const mask = driver.Masked
	for given, want := range map[string]string{
		"npx -y @scope/server-everything stdio":               "npx -y @scope/server-everything stdio",
		"server --token sesame --port 8080":                   "server --token " + mask + " --port 8080",
		"server --api-key=sesame --author=me":                 "server --api-key=" + mask + " --author=me",
		"server --token --verbose":                            "server --token --verbose",
		"server --token $TOKEN":                               "server --token $TOKEN",
		"env GITHUB_TOKEN=sesame DEBUG=1 server":              "env GITHUB_TOKEN=" + mask + " DEBUG=1 server",
		"npx server-postgres postgres://me:sesame@db:5/app1x": "npx server-postgres postgres://db:5/app1x",
		"npx mcp-remote https://host/s/0b6f3c1e11114222/mcp":  "npx mcp-remote https://host/s/" + mask + "/mcp",
		"server ghp_0123456789abcdef":                         "server " + mask,
		"server --url=https://me@host/mcp":                    "server --url=https://host/mcp",
	} {
		shown, _ := driver.MaskWords(strings.Fields(given))
		if got := strings.Join(shown, " "); got != want {
			t.Errorf("MaskWords(%s)\n got %s\nwant %s", given, got, want)
		}
	}
	shown, secrets := driver.MaskWords(
		[]string{"mcp-remote", "--header", "Authorization: Bearer sesame-open", "sh", "-c", "x --token sesame-close"},
	)
	require.Equal(t, []string{"mcp-remote", "--header", "Authorization: " + mask, "sh", "-c", mask}, shown)
	require.Equal(t, []string{"Bearer sesame-open", "x --token sesame-close"}, secrets)
}

func TestMaskAddresses(t *testing.T) {
	for given, want := range map[string]string{
		"htp://user:pass@host/x":               "htp://host/x",
		"user:pass@host:80/x and more":         driver.Masked + "@host:80/x and more",
		"http://user:pa ss@host/x":             "http://" + driver.Masked + "@host/x",
		"see http://127.0.0.1:8899/mcp, again": "see http://127.0.0.1:8899/mcp, again",
		"a plain word, 10:30 o'clock":          "a plain word, 10:30 o'clock",
	} {
		if got := driver.MaskAddresses(given); got != want {
			t.Errorf("MaskAddresses(%q) = %q, want %q", given, got, want)
		}
	}
}

// A target may return only a part of what it received.
func TestSecretsInside(t *testing.T) {
	basic := "Basic " + base64.StdEncoding.EncodeToString([]byte("user-name:pass-word"))
	for part, value := range map[string]string{
		"pass-word":    basic,
		"user-name":    "https://user-name:pass-word@host/",
		"pass word":    "https://user-name:pass%20word@host/",
		"s3ssion0id":   "theme=dark; sid=s3ssion0id",
		"line-two-99":  "-----BEGIN KEY-----\nline-one-98\nline-two-99\n",
		"private-9876": `{"type": "service_account", "inner": {"private_key": "private-9876"}}`,
		"open-sesame":  "open-sesame\n",
		`open\/sesame`: "open/sesame",
		`pa\u00dfword`: "paßword",
		`pa\u00DFword`: "paßword",
	} {
		if got := driver.NewSecrets(value).MaskText("<" + part + ">"); got != "<"+driver.Masked+">" {
			t.Errorf("%q of %q is masked as %s", part, value, got)
		}
	}
	if got := driver.NewSecrets(`{"type": "service_account"}`).MaskText("service_account"); got != "service_account" {
		t.Errorf("an ordinary word is masked as %s", got)
	}
}

// A truncated message may end with the beginning of a secret.
func TestTruncatedSecrets(t *testing.T) {
	secrets := driver.NewSecrets("open-sesame-and-more", "open-sesame-or-less")
	for given, want := range map[string]string{
		"got open-sesame-an... of it":  "got [masked]... of it",
		"got open-sesame-o…":           "got [masked]…",
		"open-ses\uFFFD":               "[masked]\uFFFD",
		"a... open-sesame-x...":        "a... open-sesame-x...",
		"open-se...":                   "open-se...", // too short to be recognised
		"open-sesame-an... open-sesa…": "[masked]... [masked]…",
	} {
		if got := secrets.MaskText(given); got != want {
			t.Errorf("%q is masked as %q, want %q", given, got, want)
		}
	}
}
