package recording

import (
	"bytes"
	"compress/flate"
	"io"

	"github.com/capconform/capconform/suites/driver"
)

const (
	// pieceSize is the size of a piece, in bytes. The bodies of many calls are compressed
	// together, because they are similar.
	pieceSize = 64 << 10
	// uncompressedPieces is the number of pieces that stay uncompressed. With fewer pieces, compression
	// costs more than it saves.
	uncompressedPieces = 4
)

// exchangeStore keeps the exchanges of a suite. A report shows few of them, so their bodies are compressed
// once there are many. The zero value is empty. It is not safe for concurrent use.
type exchangeStore struct {
	pieces [][]byte // each of pieceSize bytes except the last; the first ones are compressed
	packed int      // number of compressed pieces
	packer *flate.Writer
	plain  bool // nothing is compressed
}

// storedExchange is an exchange without its bodies, and the places of the bodies in the pieces.
type storedExchange struct {
	driver.Exchange
	sent, received, params place
}

// place is the position of a body among all bytes of the pieces. The zero value is the place of a
// nil body.
type place struct {
	at, length int
	present    bool
}

// put adds an exchange.
func (s *exchangeStore) put(e driver.Exchange) storedExchange {
	kept := storedExchange{Exchange: e, sent: s.storeBody(e.Sent), received: s.storeBody(e.Received)}
	if within := bytes.Index(e.Sent, e.Params); e.Params != nil && within >= 0 {
		kept.params = place{kept.sent.at + within, len(e.Params), true}
	} else {
		kept.params = s.storeBody(e.Params)
	}
	kept.Sent, kept.Received, kept.Params = nil, nil, nil
	return kept
}

// take returns an exchange that was added, with its bodies.
func (s *exchangeStore) take(kept storedExchange) driver.Exchange {
	e := kept.Exchange
	e.Sent, e.Received, e.Params = s.text(kept.sent), s.text(kept.received), s.text(kept.params)
	return e
}

func (s *exchangeStore) storeBody(text []byte) place {
	where := place{at: s.size(), length: len(text), present: text != nil}
	for len(text) > 0 {
		if s.size()%pieceSize == 0 {
			s.pieces = append(s.pieces, s.empty())
		}
		last := &s.pieces[len(s.pieces)-1]
		n := min(len(text), pieceSize-len(*last))
		*last, text = append(*last, text[:n]...), text[n:]
	}
	return where
}

// size returns the number of bytes in the pieces before compression.
func (s *exchangeStore) size() int {
	if len(s.pieces) == 0 {
		return 0
	}
	return (len(s.pieces)-1)*pieceSize + len(s.pieces[len(s.pieces)-1])
}

// empty returns memory for a new piece. If there are many pieces, empty compresses the first
// uncompressed one and reuses its memory.
func (s *exchangeStore) empty() []byte {
	if s.plain || len(s.pieces)-s.packed < uncompressedPieces {
		return make([]byte, 0, pieceSize)
	}
	piece := s.pieces[s.packed]
	s.pieces[s.packed] = s.compressed(piece)
	s.packed++
	return piece[:0]
}

// compressed returns the compressed piece. Compression cannot fail, because it writes to memory.
func (s *exchangeStore) compressed(piece []byte) []byte {
	var out bytes.Buffer
	if s.packer == nil {
		s.packer, _ = flate.NewWriter(&out, flate.BestSpeed)
	}
	s.packer.Reset(&out)
	_, _ = s.packer.Write(piece)
	_ = s.packer.Close()
	return bytes.Clone(out.Bytes())
}

func (s *exchangeStore) text(where place) []byte {
	if !where.present {
		return nil
	}
	text := make([]byte, 0, where.length)
	for at := where.at; len(text) < where.length; at = where.at + len(text) {
		rest := s.piece(at / pieceSize)[at%pieceSize:]
		text = append(text, rest[:min(len(rest), where.length-len(text))]...)
	}
	return text
}

func (s *exchangeStore) piece(number int) []byte {
	piece := s.pieces[number]
	if number < s.packed {
		piece, _ = io.ReadAll(flate.NewReader(bytes.NewReader(piece))) // cannot fail: compressed made it
	}
	return piece
}
