package recording

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/suites/driver"
)

// TestPiecesRestoreExchanges: an exchange is returned unchanged, whether or not its bodies are compressed.
func TestPiecesRestoreExchanges(t *testing.T) {
	exchange := func(i int) driver.Exchange {
		params := fmt.Appendf(nil, `{"number":%d,"text":%q}`, i, strings.Repeat("x", i%5000))
		e := driver.Exchange{Operation: "echo.say", Status: i, Params: params, Sent: fmt.Appendf(nil, `{"params":%s}`, params)}
		switch i % 4 {
		case 0:
			e.Received = bytes.Repeat([]byte{byte(i), byte(i >> 8)}, i*50)
		case 1:
			e.Received = []byte{}
		case 2:
			e.Sent = []byte("the params are elsewhere")
		case 3:
			e.Params = nil
		}
		return e
	}
	var s exchangeStore
	var kept []storedExchange
	for i := range 2000 {
		kept = append(kept, s.put(exchange(i)))
		require.Nil(t, kept[i].Sent)
	}
	require.Positive(t, s.packed)
	require.Less(t, s.packed, len(s.pieces))
	for i, one := range kept {
		require.Equal(t, exchange(i), s.take(one))
	}
}
