package fake

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"
)

func TestServerRecordsCalls(t *testing.T) {
	server, err := NewMCPServer()
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, server.Close()) })
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(
		t.Context(),
		&mcp.StreamableClientTransport{Endpoint: server.URL, DisableStandaloneSSE: true},
		nil,
	)
	require.NoError(t, err)
	t.Cleanup(func() { _ = session.Close() })

	listed, err := session.ListTools(t.Context(), nil)
	require.NoError(t, err)
	require.Len(t, listed.Tools, len(server.Tools))
	require.Empty(t, server.Calls(), "tools/list is not a call")

	for _, tool := range server.Tools {
		for _, input := range append(tool.Valid, tool.Invalid...) { // the server validates nothing
			result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool.Name, Arguments: input})
			require.NoError(t, err)
			require.Equal(t, tool.Fails, result.IsError, "%s %s", tool.Name, input)
			calls := server.Calls()
			last := calls[len(calls)-1]
			require.Equal(t, tool.Name, last.Name)
			require.JSONEq(t, string(input), string(last.Arguments))
			encoded, err := json.Marshal(result)
			require.NoError(t, err)
			require.Equal(t, !tool.Fails, strings.Contains(string(encoded), last.Reply))
		}
	}
	_, err = session.CallTool(t.Context(), &mcp.CallToolParams{Name: "other", Arguments: map[string]any{}})
	require.Error(t, err)
	calls := server.Calls()
	require.Equal(t, "other", calls[len(calls)-1].Name, "a call of an unknown tool is recorded too")
}

func TestNamesAreUnique(t *testing.T) {
	first, second := tools(freshWord()), tools(freshWord())
	for i := range first {
		require.NotEqual(t, first[i].Name, second[i].Name)
	}
}

func TestFolderContainsSkills(t *testing.T) {
	folder, err := NewSkillFolder()
	require.NoError(t, err)
	for _, skill := range folder.Skills {
		text, err := os.ReadFile(filepath.Join(folder.Path, skill.Name, "SKILL.md"))
		require.NoError(t, err)
		for _, part := range append([]string{"name: " + skill.Name, "description: " + skill.Description}, skill.Instructions...) {
			require.Contains(t, string(text), part)
		}
		for _, permission := range skill.Permissions {
			require.Contains(t, string(text), permission)
		}
		for _, file := range skill.Resources {
			bundled, err := os.ReadFile(filepath.Join(folder.Path, skill.Name, file.Path))
			require.NoError(t, err)
			require.Equal(t, file.Text, string(bundled))
		}
	}
	require.NoError(t, folder.Close())
	_, err = os.Stat(folder.Path)
	require.ErrorIs(t, err, os.ErrNotExist)
}
