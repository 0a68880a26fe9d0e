package acphost

import (
	"time"

	"github.com/google/uuid"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/capconform/capconform/reference/rpc"
)

// New returns a conforming host that stores its state in store.
func New(store *Store) *Host {
	h := &Host{
		Profile: BlankToken, Store: store, Now: time.Now, NewID: uuid.NewString,
		client: newClient(), conversations: map[string]*Conversation{}, services: map[string]*mcp.ClientSession{},
		index: newIndex(),
	}
	h.ownAuthor, h.Reopen = NewAuthor(), store.Restart
	h.Provided = map[string]rpc.Operation{
		OpConfigure: h.configure, OpInstall: installer{h}.install, OpUninstall: installer{h}.uninstall,
		OpMessage: router{h}.message, OpState: router{h}.state,
		OpAuthor: publisher{h}.author, OpPublish: registrar{h}.publish, OpGet: registrar{h}.getRecord,
		OpEvents: registrar{h}.events, OpResolve: indexer{h}.resolve, OpSearch: indexer{h}.search,
	}
	h.Installation = installer{h}.installation()
	h.Routing = router{h}.routing()
	h.Prompting = prompter{h}.prompting()
	h.Runtime = verbs{h}.runtime()
	h.Chain = registrar{h}.chain()
	h.Publishing = publisher{h}.publishing()
	h.Indexing = indexer{h}.indexing()
	return h
}
