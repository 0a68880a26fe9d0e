package record

import (
	"bytes"
	"encoding/json"
	"maps"
)

// masked returns the entry with secrets masked in all its texts. A body that is no longer JSON
// afterwards becomes bytes.
func (w *Writer) masked(e Entry) (Entry, error) {
	e.Sent, e.Received = w.maskedBody(e.Sent), w.maskedBody(e.Received)
	if len(e.About) > 0 {
		e.About = maps.Clone(e.About)
		for name, value := range e.About {
			e.About[name] = w.text(value)
		}
	}
	if e.Error != nil {
		fault := *e.Error
		fault.Message = w.text(fault.Message)
		fault.Code = w.text(fault.Code)
		fault.Supply = w.text(fault.Supply)
		if len(fault.Data) > 0 {
			data := w.maskedBody(NewBody(fault.Data))
			if fault.Data = data.JSON; !data.IsJSON() {
				quoted, err := json.Marshal(string(data.Bytes))
				if err != nil {
					return e, err
				}
				fault.Data = quoted
			}
		}
		e.Error = &fault
	}
	e.Operation, e.Provided = w.text(e.Operation), w.text(e.Provided)
	return e, nil
}

func (w *Writer) text(text string) string { return string(w.mask([]byte(text))) }

func (w *Writer) maskedBody(b *Body) *Body {
	switch {
	case b == nil:
		return nil
	case !b.IsJSON():
		return &Body{Bytes: w.mask(b.Bytes), Length: b.Length}
	}
	text := w.mask(b.JSON)
	if b.compact && bytes.Equal(text, b.JSON) {
		return b
	}
	return NewBody(text)
}
