package httpdriver_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/httpdriver"
)

// The params that a route names are sent in the query, the others nowhere.
func TestRoutesWithAQuery(t *testing.T) {
	var asked []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.Method+" "+r.URL.RequestURI())
		_, _ = w.Write([]byte(`[]`))
	}))
	defer server.Close()
	routes := []driver.Route{
		{Operation: "list", Method: http.MethodGet, Path: "/list", Query: []string{"kind", "enabled"}},
	}
	at := httpdriver.New(httpdriver.Config{URL: server.URL, Bindings: httpdriver.Bindings{}.WithRoutes(routes)})
	session, err := at.Open(t.Context())
	require.NoError(t, err)
	defer session.Close() // the test is over
	for _, params := range []string{``, `{"kind":"a b","enabled":false,"other":1}`, `{"kind":null,"enabled":[true]}`} {
		answer, err := session.Call(t.Context(), driver.Operation{Name: "list", Params: json.RawMessage(params)})
		require.NoError(t, err)
		require.Equal(t, driver.Returned, answer.Outcome)
	}
	if diff := cmp.Diff([]string{"GET /list", "GET /list?enabled=false&kind=a+b", "GET /list"}, asked); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
