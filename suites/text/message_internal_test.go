package text

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/capconform/capconform/suites/live"
)

func TestMessagesCallOnlyWhatIsAdmitted(t *testing.T) {
	const made = `"unknown-0a1b2c3d"`
	for message, foreign := range map[string]string{
		`{"jsonrpc": "2.0", "method": ` + made + `, "params": ["method"], "id": 1}`: "",
		`{"method": "rpc.unknown-0a1b2c3d"}`:                                        "",
		`{"method": "count.next"}`:                                                  "", // it reads
		`{"method": "count.reset"}`:                                                 "count.reset",
		`{"method": "unknown-reset"}`:                                               "unknown-reset",
		`{"method": "rpc.discover"}`:                                                "rpc.discover",
		`[{"method": ` + made + `}, {"method": "a"}]`:                               "a",
		`{"method": ` + made + `, "method": "a"}`:                                   "a",
		`{"METHOD": "a"}`:                                                           "a",
		`{"\u006dethod": "\u0061"}`:                                                 "a",
		`{"\x6dethod": "a"}`:                                                        `\x6dethod`,
		`{"method" : "a`:                                                            "a",
		`{"method": 1, "id": {}}`:                                                   "",
		`{"method": null}`:                                                          "",
		`{"method": nullify}`:                                                       "nullify}",
		`{"method": ["a"]}`:                                                         `["a"]}`,
		`{"method"]`:                                                                "",
		`{method: "a"}`:                                                             "method: ",
		`{'method': 'a'}`:                                                           "method': 'a'}",
		`"{\"method\": \"a\"}"`:                                                     `{"method": "a"}`,
		"{\"m\x00\": 1}":                                                            "{\"m\x00\": 1}",
		`[]`:                                                                        "",
		``:                                                                          "",
	} {
		want := live.Use{}
		if foreign != "" {
			want = live.Use{Invokes: true, ID: foreign, Also: []string{}}
		}
		assert.Equal(t, want, messageUse([]byte(message), []string{"count.next"}), message)
	}
}
