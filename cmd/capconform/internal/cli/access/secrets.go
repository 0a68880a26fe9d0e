package access

import (
	"os"
	"slices"
	"strings"

	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/httpdriver"
)

// Secrets masks what no report may show: the given secrets, and the credentials in a URL.
func (t *Target) Secrets() driver.Secrets {
	if t.URL == "" {
		return t.secrets()
	}
	config, err := t.overHTTP()
	if err != nil {
		return t.secrets()
	}
	client, err := httpdriver.NewClient(config)
	if err != nil {
		return t.secrets()
	}
	return client.Secrets()
}

// secrets masks the values of --header and --pass-env, of headers and env of the target file, and
// the credentials in the words of the command.
func (t *Target) secrets() driver.Secrets {
	_, values := driver.MaskWords(t.command)
	for _, pair := range os.Environ() {
		name, value, _ := strings.Cut(pair, "=")
		if slices.Contains(t.pass, name) || slices.Contains(t.pass, "all") && driver.IsCredential(name, value) {
			values = append(values, value)
		}
	}
	for _, h := range t.headers {
		if h.source != "" || !publicHeader.MatchString(h.name) {
			values = append(values, h.value)
		}
	}
	for _, e := range t.env {
		if e.Source != "" {
			values = append(values, e.Value)
		}
	}
	return driver.NewSecrets(values...)
}
