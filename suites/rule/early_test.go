package rule_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const paired = `
- sentence: no two books have one name
  each: [first: book, second: book]
  if: %s
  must: first.name != second.name
  message: two books have one name
  want: another name
  got: second.name
  otherwise: no pair was seen
`

// What a condition says of the first variable alone is decided before any pair is formed: 3,000 books have 4,498,500
// pairs, which no budget admits.
func TestPairsAreFormedOnlyOfWhatTheConditionAdmits(t *testing.T) {
	var books []*book
	for i := range 3000 {
		books = append(books, &book{name: fmt.Sprint(i)})
	}
	books[2999].name = "7"
	v := judge(t, fmt.Sprintf(paired, `'first.name == "7" && size(second.name) < 5'`), &shelf{books})
	require.NoError(t, v.Open)
	assert.Equal(t, 2991, v.Judged)
	assert.Len(t, v.Breaches, 1)
}

// A part of a condition that has no value decides nothing: another part may be false, or a later object may have one.
func TestAPartOfAConditionWithoutAValueExcludesNothing(t *testing.T) {
	books := []*book{{name: "a"}, {name: "a", content: parse(t, `{"title":"yes"}`)}, {name: "a"}}
	v := judge(t, fmt.Sprintf(paired, `'first.content.title == "yes" && second.name == "b"'`), &shelf{books})
	assert.EqualError(t, v.Open, "no pair was seen")
	v = judge(t, fmt.Sprintf(paired, `'first.content.title == "yes" && second.name == "a"'`), &shelf{books})
	require.NoError(t, v.Open)
	assert.Len(t, v.Breaches, 1)
}
