package spec

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestSketches(t *testing.T) {
	const sentence = "A host MUST emit evidence for each attempt, and keep it for a day."
	for _, c := range []struct {
		other    string
		from, to float64
	}{
		{sentence, 1, 1},
		{"a **host** must  emit [evidence](https://a.example) for each attempt and keep it for a day", 1, 1},
		{"A host SHOULD emit evidence for each attempt, and keep it for a week.", 0.5, 0.95},
		{"A client MUST send a correlation with each query that it makes.", 0, 0.19},
		{"MUST", 0, 0.1},
		{"", 0, 0.1},
	} {
		similarity := SketchOf(sentence).Similarity(SketchOf(c.other))
		assert.GreaterOrEqual(t, similarity, c.from, c.other)
		assert.LessOrEqual(t, similarity, c.to, c.other)
	}
	assert.Zero(t, Sketch{}.Similarity(Sketch{}), "nothing is known of sentences without sketches")
}

// Two requirements that share a sentence are reworded together; a sentence is the new form of one other at most, the
// most similar one; and a sentence without a sketch may be either.
func TestChanges(t *testing.T) {
	const older = "Parcels MUST have a seal of red wax when they leave the depot. Parcels MUST have a seal of green or blue wax.\n\n" +
		"Depots SHOULD open at dawn.\n\nReceipts are final once the depot has printed them.\n"
	blocks := Blocks([]byte(older))
	requirement := func(ordinal int, level Level, fingerprint string) string {
		return fmt.Sprintf("- {id: PP-1-0%d, level: %s, section: '1', actor: depot, summary: s%d, fingerprint: [%s], check: excluded, excluded: x}\n",
			ordinal, level, ordinal, fingerprint)
	}
	file := []byte("suite: pp\ntitle: t\nversion: '1'\nrequirements:\n" + requirement(1, Must, blocks[0].Fingerprint) +
		requirement(2, Must, blocks[0].Fingerprint) + requirement(3, Must, blocks[1].Fingerprint) +
		requirement(4, Should, blocks[2].Fingerprint) + requirement(5, Declared, blocks[3].Fingerprint))
	c, err := Parse("pp.yaml", "", file)
	require.NoError(t, err)
	sketched, count := WithSketches(c, file, blocks)
	assert.Equal(t, 4, count)
	again, _ := WithSketches(c, sketched, blocks)
	assert.Equal(t, string(sketched), string(again))
	assert.NotContains(t, strings.ToLower(string(sketched)), "wax")
	with, err := Parse("pp.yaml", "pp", sketched)
	require.NoError(t, err)

	describe := func(c *Catalogue, newer string) (all []string) {
		for _, change := range Audit(c, []byte(newer), false).Changes {
			all = append(all, fmt.Sprintf("%d %s %s after %q, %s to %s", change.Is.Line, change.Kind, change.Was.Owner, change.After,
				change.Was.Level, change.LevelNow()))
		}
		return all
	}
	assert.Empty(t, describe(with, older))
	const newer = "Parcels SHOULD have a seal of bright red wax when they leave the depot.\n\nReceipts are final once a depot has printed them. Horses MUST rest.\n\n" +
		"Parcels MUST have a seal of green or blue wax.\n"
	assert.Equal(t, []string{
		`0 gone PP-1-04 after "", SHOULD to `,
		`1 reworded PP-1-01 after "", MUST to SHOULD`,
		`1 reworded PP-1-02 after "", MUST to SHOULD`,
		`3 reworded PP-1-05 after "", DECLARED to DECLARED`,
		`3 new  after "",  to MUST`,
	}, describe(with, newer))
	assert.Equal(t, []string{
		`0 gone PP-1-01 after "", MUST to `,
		`0 gone PP-1-02 after "", MUST to `,
		`0 gone PP-1-04 after "", SHOULD to `,
		`0 gone PP-1-05 after "", DECLARED to DECLARED`,
		`1 new  after "",  to SHOULD`,
		`3 new  after "",  to MUST`,
	}, describe(c, newer))
	assert.Equal(t, "PP-1-03", Audit(with, []byte(older+"\n\nHorses MUST rest.\n\nParcels MUST have a seal of green or blue wax. Cats MAY stay."), false).
		Changes[1].After)
}

// A few letters are easily similar, so that nothing is claimed of them.
func TestShortBlocksAreNotJoined(t *testing.T) {
	kinds := func(older, newer string) (all []ChangeKind) {
		for _, c := range Compare([]byte(older), []byte(newer)) {
			all = append(all, c.Kind)
		}
		return all
	}
	assert.Equal(t, []ChangeKind{Gone, New}, kinds("Printing MUST end.", "Printing MAY end."))
	assert.Equal(t, []ChangeKind{Reworded}, kinds("Printing of all receipts MUST end.", "Printing of all receipts MAY end."))
}
