package recording

import (
	"bytes"
	"compress/flate"
	"io"

	"github.com/capconform/capconform/suites/driver"
)

const (
	// shelfPiece is the size of a piece, in bytes. The bodies of many calls are compressed
	// together, because they are similar.
	shelfPiece = 64 << 10
	// shelfOpen is the number of pieces that stay uncompressed. With fewer pieces, compression
	// costs more than it saves.
	shelfOpen = 4
)

// pieces keeps the exchanges of a suite. A report shows few of them, so their bodies are compressed
// once there are many. The zero value is empty. It is not safe for concurrent use.
type pieces struct {
	pieces [][]byte // each of shelfPiece bytes except the last; the first ones are compressed
	packed int      // number of compressed pieces
	packer *flate.Writer
	plain  bool // nothing is compressed
}

// shelved is an exchange without its bodies, and the places of the bodies in the pieces.
type shelved struct {
	driver.Exchange
	sent, received, params place
}

// place is the position of a body among all bytes of the pieces. The zero value is the place of a
// nil body.
type place struct {
	at, length int
	is         bool
}

// put adds an exchange.
func (s *pieces) put(e driver.Exchange) shelved {
	kept := shelved{Exchange: e, sent: s.hold(e.Sent), received: s.hold(e.Received)}
	if within := bytes.Index(e.Sent, e.Params); e.Params != nil && within >= 0 {
		kept.params = place{kept.sent.at + within, len(e.Params), true}
	} else {
		kept.params = s.hold(e.Params)
	}
	kept.Sent, kept.Received, kept.Params = nil, nil, nil
	return kept
}

// take returns an exchange that was added, with its bodies.
func (s *pieces) take(kept shelved) driver.Exchange {
	e := kept.Exchange
	e.Sent, e.Received, e.Params = s.text(kept.sent), s.text(kept.received), s.text(kept.params)
	return e
}

func (s *pieces) hold(text []byte) place {
	where := place{at: s.size(), length: len(text), is: text != nil}
	for len(text) > 0 {
		if s.size()%shelfPiece == 0 {
			s.pieces = append(s.pieces, s.empty())
		}
		last := &s.pieces[len(s.pieces)-1]
		n := min(len(text), shelfPiece-len(*last))
		*last, text = append(*last, text[:n]...), text[n:]
	}
	return where
}

// size returns the number of bytes in the pieces before compression.
func (s *pieces) size() int {
	if len(s.pieces) == 0 {
		return 0
	}
	return (len(s.pieces)-1)*shelfPiece + len(s.pieces[len(s.pieces)-1])
}

// empty returns memory for a new piece. If there are many pieces, empty compresses the first
// uncompressed one and reuses its memory.
func (s *pieces) empty() []byte {
	if s.plain || len(s.pieces)-s.packed < shelfOpen {
		return make([]byte, 0, shelfPiece)
	}
	piece := s.pieces[s.packed]
	s.pieces[s.packed] = s.compressed(piece)
	s.packed++
	return piece[:0]
}

// compressed returns the compressed piece. Compression cannot fail, because it writes to memory.
func (s *pieces) compressed(piece []byte) []byte {
	var out bytes.Buffer
	if s.packer == nil {
		s.packer, _ = flate.NewWriter(&out, flate.BestSpeed)
	}
	s.packer.Reset(&out)
	_, _ = s.packer.Write(piece)
	_ = s.packer.Close()
	return bytes.Clone(out.Bytes())
}

func (s *pieces) text(where place) []byte {
	if !where.is {
		return nil
	}
	text := make([]byte, 0, where.length)
	for at := where.at; len(text) < where.length; at = where.at + len(text) {
		rest := s.piece(at / shelfPiece)[at%shelfPiece:]
		text = append(text, rest[:min(len(rest), where.length-len(text))]...)
	}
	return text
}

func (s *pieces) piece(number int) []byte {
	piece := s.pieces[number]
	if number < s.packed {
		piece, _ = io.ReadAll(flate.NewReader(bytes.NewReader(piece))) // cannot fail: compressed made it
	}
	return piece
}
