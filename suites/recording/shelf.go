package recording

import (
	"bytes"
	"compress/flate"
	"io"

	"github.com/capconform/capconform/suites/driver"
)

const (
	// shelfPiece is how many bytes of bodies are compressed together: those of many calls, which say
	// much the same.
	shelfPiece = 64 << 10
	// shelfOpen is how many pieces are kept as they are. Below it, compression takes more than it saves.
	shelfOpen = 4
)

// shelf keeps the exchanges of a suite. A report shows few of them, so that the bodies of many are
// compressed. The zero value is empty. It is not safe for concurrent use.
type shelf struct {
	pieces [][]byte // of shelfPiece bytes each, but for the last one; the first ones are compressed
	packed int      // how many are
	packer *flate.Writer
	plain  bool // nothing is compressed
}

// shelved is an exchange without its bodies, and where they are.
type shelved struct {
	driver.Exchange
	sent, received, params place
}

// place is where a body stands among all of a shelf. The zero value is that of a body that is nil.
type place struct {
	at, length int
	is         bool
}

// put keeps an exchange.
func (s *shelf) put(e driver.Exchange) shelved {
	kept := shelved{Exchange: e, sent: s.hold(e.Sent), received: s.hold(e.Received)}
	if within := bytes.Index(e.Sent, e.Params); e.Params != nil && within >= 0 {
		kept.params = place{kept.sent.at + within, len(e.Params), true}
	} else {
		kept.params = s.hold(e.Params)
	}
	kept.Sent, kept.Received, kept.Params = nil, nil, nil
	return kept
}

// take gives an exchange that was kept, as it was.
func (s *shelf) take(kept shelved) driver.Exchange {
	e := kept.Exchange
	e.Sent, e.Received, e.Params = s.text(kept.sent), s.text(kept.received), s.text(kept.params)
	return e
}

func (s *shelf) hold(text []byte) place {
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

// size is how many bytes the shelf holds.
func (s *shelf) size() int {
	if len(s.pieces) == 0 {
		return 0
	}
	return (len(s.pieces)-1)*shelfPiece + len(s.pieces[len(s.pieces)-1])
}

// empty gives memory for a piece: that of the first one that is not compressed yet, once there are many.
func (s *shelf) empty() []byte {
	if s.plain || len(s.pieces)-s.packed < shelfOpen {
		return make([]byte, 0, shelfPiece)
	}
	piece := s.pieces[s.packed]
	s.pieces[s.packed] = s.compressed(piece)
	s.packed++
	return piece[:0]
}

// compressed gives a piece in less memory. Nothing fails, since all of it is in memory.
func (s *shelf) compressed(piece []byte) []byte {
	var out bytes.Buffer
	if s.packer == nil {
		s.packer, _ = flate.NewWriter(&out, flate.BestSpeed)
	}
	s.packer.Reset(&out)
	_, _ = s.packer.Write(piece)
	_ = s.packer.Close()
	return bytes.Clone(out.Bytes())
}

func (s *shelf) text(where place) []byte {
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

func (s *shelf) piece(number int) []byte {
	piece := s.pieces[number]
	if number < s.packed {
		piece, _ = io.ReadAll(flate.NewReader(bytes.NewReader(piece))) // what was compressed here
	}
	return piece
}
