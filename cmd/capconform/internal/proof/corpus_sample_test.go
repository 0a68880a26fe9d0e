package proof

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// membersSampled returns how many edits are judged: a sample, unless CAPCONFORM_MEMBERS is another number or "all"
// (make members, .ci/run).
func membersSampled(t *testing.T, all int) int {
	t.Helper()
	n := 1000
	if testing.Short() {
		n = 20
	}
	switch text := os.Getenv("CAPCONFORM_MEMBERS"); text {
	case "":
	case "all":
		n = all
	default:
		var err error
		n, err = strconv.Atoi(text)
		require.NoError(t, err)
	}
	return min(n, all)
}

// repeatedOften is the number of repetitions that are skipped for each one that is judged.
const repeatedOften = 300

// sampleOf returns the edits that are judged, from all parts of the recorded run. An edit is a repetition if the same operation returned the same element
// in another answer and the member was edited in that element, and also in an element at the same position. Edits
// that are not repetitions come first.
func sampleOf(t *testing.T, all []memberEdit) []memberEdit {
	t.Helper()
	known, elements := map[string]bool{}, map[string]element{}
	var distinct, repeated []memberEdit
	n := membersSampled(t, len(all))
	const perEdit = 4 // candidates for each edit of the sample, since many are repetitions
	for i := 0; i < len(all); i += max(1, len(all)/(n*perEdit)) {
		m := all[i]
		e := elementOf(m, elements)
		inside := fmt.Sprint(m.path[len(e.path):], m.how)
		place, contents := m.place.kind(m.path)+e.position+m.how, m.place.at().Operation+e.text+inside
		if known[place] && known[contents] {
			repeated = append(repeated, m)
			continue
		}
		known[place], known[contents] = true, true
		distinct = append(distinct, m)
	}
	if len(distinct) <= n {
		return slices.Concat(distinct, repeated[:min(n-len(distinct), len(repeated)/repeatedOften)])
	}
	some := make([]memberEdit, n)
	for i := range some {
		some[i] = distinct[i*len(distinct)/n]
	}
	return some
}

// element is an element of a list in an answer, or the whole answer.
type element struct {
	path     []string
	text     string // without the parts that differ between runs
	position string // in the list: first, last or between
}

// element returns the path of the list element that contains the member; it is empty if there is none.
func (m memberEdit) element() []string {
	value := m.place.value()
	if _, is := value.([]any); is && len(m.path) > 1 {
		return m.path[:1]
	}
	if _, is := objectAt(value, nil)[m.path[0]].([]any); is && len(m.path) > 2 {
		return m.path[:2]
	}
	return nil
}

// elementOf returns the element that contains a member. Known elements are not read again.
func elementOf(m memberEdit, known map[string]element) element {
	at, position := m.element(), ""
	if len(at) > 0 {
		position = "between"
		switch list := listIn(m.place.value(), at[0]); at[len(at)-1] {
		case "0":
			position = "first"
		case fmt.Sprint(len(list) - 1):
			position = "last"
		}
	}
	key := fmt.Sprint(m.place.at().Begun, at)
	if e, is := known[key]; is {
		return e
	}
	var of any = m.place.value()
	if len(at) > 0 {
		of = objectAt(of, at)
	}
	text, _ := json.Marshal(of)
	known[key] = element{path: at, text: madeByRun.ReplaceAllString(string(text), "*"), position: position}
	return known[key]
}

// madeByRun matches values that a run generates: marks, CIDs, digests, ids and numbers.
var madeByRun = regexp.MustCompile(`mk[0-9a-f]{16}|baf[a-z2-7]{20,}|[0-9a-f]{6,}|[0-9]{2,}`)
