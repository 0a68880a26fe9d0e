package acdhost

import (
	"net/http"
	"time"

	"github.com/capconform/capconform/reference/rpc"
)

// modelDeadline is the longest time that a request to the model may take.
const modelDeadline = 5 * time.Second

// New returns a host with the given entries.
func New(entries []object) *Host {
	h := &Host{
		AgentID: "urn:agent:ieee:3394:exemplar", Name: "IEEE3394 Exemplar Agent", entries: entries,
		Gates: gates(), Channels: channels(), Guard: guard, Route: substrateOf, Record: record, Render: render,
		Realizes: realizes,
		Wrap:     map[string]func(rpc.Operation) rpc.Operation{}, Path: path, client: &http.Client{Timeout: modelDeadline},
	}
	h.Consent, h.RunWithHooks = designer{h}.consent, engine{h}.runWithHooks
	h.Handlers = entryPoints{h}.handlers()
	h.Executors = entryPoints{h}.executors()
	return h
}

// Operations returns the operations that the host provides.
func (h *Host) Operations() map[string]rpc.Operation {
	r, e, v, d := registry{h}, engine{h}, views{h}, designer{h}
	all := map[string]rpc.Operation{
		OpList: r.list, OpGet: r.get, OpCreate: r.create, OpUpdate: r.update, OpDelete: r.remove, OpQuery: r.query,
		OpLegacy: r.legacy,
		OpInvoke: e.invoke, OpAudit: e.audit, OpExecLog: e.execLog, OpCalls: e.modelCalls,
		OpManifest: v.manifest, OpDeclare: v.declare, OpProject: v.project, OpDocs: v.docs,
		OpConfigure: d.configure,
	}
	for name, turn := range h.Wrap {
		if original := all[name]; original != nil {
			if all[name] = turn(original); all[name] == nil {
				delete(all, name)
			}
		}
	}
	return all
}
