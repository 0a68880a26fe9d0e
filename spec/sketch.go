package spec

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
)

// Sketch tells how similar two blocks are, without their words: the minima of hashes of the parts of a block, one byte
// of each (MinHash). The zero value stands for a block that nobody sketched.
type Sketch [sketchSize]byte

const (
	sketchSize = 32
	prefixSize = 4 // bytes of a fingerprint, which tell the blocks of a text apart
	partLength = 5 // characters
)

// SketchOf returns the sketch of a block. Like its fingerprint, it depends on letters and digits only, but not on case.
func SketchOf(text string) Sketch {
	letters := []rune(strings.ToLower(fingerprintText(text)))
	var s Sketch
	for i := range s {
		least := ^uint64(0)
		for at := 0; at == 0 || at+partLength <= len(letters); at++ {
			h := fnv.New64a()
			_, _ = h.Write([]byte{byte(i)})
			_, _ = h.Write([]byte(string(letters[at:min(at+partLength, len(letters))])))
			least = min(least, mixed(h.Sum64()))
		}
		s[i] = byte(least)
	}
	return s
}

// mixed spreads the bits of a hash of a short text (the finalizer of SplitMix64).
func mixed(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// Similarity returns the estimated part of the parts that two blocks share, from 0 to 1.
func (s Sketch) Similarity(other Sketch) float64 {
	if s == (Sketch{}) || other == (Sketch{}) {
		return 0
	}
	same := 0
	for i := range s {
		if s[i] == other[i] {
			same++
		}
	}
	return float64(same) / sketchSize
}

// sketchesKey begins the last member of a catalogue.
const sketchesKey = "sketches: |"

// WithSketches returns the bytes of a catalogue file with the sketches of those blocks of a text that it covers, and
// their number. Sketches of other blocks remain if the catalogue covers them. Those of a base stay there.
func WithSketches(c *Catalogue, file []byte, blocks []Block) (with []byte, count int) {
	known := c.sketches()
	for _, b := range blocks {
		known[b.Fingerprint[:2*prefixSize]] = SketchOf(b.Text)
	}
	var all []string
	for _, of := range c.covered() {
		s, sketched := known[of.Fingerprint[:2*prefixSize]]
		prefix, err := hex.DecodeString(of.Fingerprint[:2*prefixSize])
		if _, inBase := c.sketched[of.Fingerprint[:2*prefixSize]]; sketched && err == nil && !inBase {
			all = append(all, base64.RawStdEncoding.EncodeToString(append(prefix, s[:]...)))
		}
	}
	slices.Sort(all)
	all = slices.Compact(all)
	const inLine = 2
	head, _, _ := bytes.Cut(file, []byte("\n"+sketchesKey+"\n"))
	out := bytes.NewBuffer(append(bytes.TrimRight(head, "\n"), "\n"+sketchesKey+"\n"...))
	for line := range slices.Chunk(all, inLine) {
		fmt.Fprintf(out, "  %s\n", strings.Join(line, " "))
	}
	return out.Bytes(), len(all)
}

// sketches returns the sketches of a catalogue by the beginning of the fingerprint.
func (c *Catalogue) sketches() map[string]Sketch {
	all := map[string]Sketch{}
	for _, one := range strings.Fields(c.Sketches) {
		if raw, err := base64.RawStdEncoding.DecodeString(one); err == nil && len(raw) == prefixSize+sketchSize {
			all[hex.EncodeToString(raw[:prefixSize])] = Sketch(raw[prefixSize:])
		}
	}
	return all
}
