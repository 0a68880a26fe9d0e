package acphost

import (
	"crypto/sha256"
	"sync"
	"weak"

	"go.yaml.in/yaml/v3"
)

// file is what is read of a text. It must not be changed.
type file struct {
	document  object
	signature *yaml.Node // nil if there is none
	contracts *sync.Map  // by what schemas demand, each a func() *caphost.Contract; files may share it
}

func fileOf(root *yaml.Node, document object) *file {
	return &file{document: document, signature: child(child(root, "metadata"), "signature"), contracts: &sync.Map{}}
}

func readFile(text []byte, takes ...Lenience) (*file, error) {
	root, document, err := readDocument(text, takes...)
	if err != nil {
		return nil, err
	}
	return fileOf(root, document), nil
}

// read is ReadPackage, which reads the YAML of a text once while a package holds what was read.
func (h *Host) read(text []byte) (*Package, error) {
	sum := sha256.Sum256(text)
	if known, is := h.files.Load(sum); is {
		held, _ := known.(weak.Pointer[file])
		if f := held.Value(); f != nil {
			return packageOf(text, f, nil), nil
		}
	}
	f, err := readFile(text)
	if err != nil {
		return nil, err
	}
	f.contracts = &h.contracts
	h.files.Store(sum, weak.Make(f))
	return packageOf(text, f, nil), nil
}
