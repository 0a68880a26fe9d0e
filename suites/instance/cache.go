package instance

import (
	"context"
	"encoding/json"
	"sync"

	"github.com/capconform/capconform/schemas"
)

// Cache keeps compiled schemas, and what was made from them, by their content, so that a schema
// that occurs again in another manifest, scenario or run costs nothing. What exceeds the size of
// the cache is made again each time. The zero value is empty; a nil Cache keeps nothing. It is safe
// for concurrent use.
type Cache struct {
	mu       sync.Mutex
	kept     map[string]*outcome
	reserved int // bytes
}

const (
	cacheSize      = 24 << 20 // bytes that a Cache keeps, roughly
	compiledWeight = 64       // the size of a compiled schema, as a multiple of its text
)

// outcome is the result of a compilation.
type outcome struct {
	once     sync.Once
	template *Template
	err      error
}

// Template compiles a schema that schemas.Decode returned. The error is that of
// schemas.CompileValue.
func (w *Cache) Template(schema any) (*Template, error) {
	if w == nil {
		return newTemplate(nil, schema)
	}
	key := textOf(schema)
	w.mu.Lock()
	o := w.kept[key]
	if o == nil {
		o = &outcome{}
		if w.reserve(compiledWeight * len(key)) {
			if w.kept == nil {
				w.kept = map[string]*outcome{}
			}
			w.kept[key] = o
		}
	}
	w.mu.Unlock()
	o.once.Do(func() { o.template, o.err = newTemplate(w, schema) })
	return o.template, o.err
}

// reserve reserves this number of bytes if they are available. The caller holds the lock.
func (w *Cache) reserve(bytes int) bool {
	if w.reserved+bytes > cacheSize {
		return false
	}
	w.reserved += bytes
	return true
}

func newTemplate(w *Cache, schema any) (*Template, error) {
	compiled, err := schemas.CompileValue(schema, schemas.Options{})
	if err != nil {
		return nil, err
	}
	return &Template{Schema: compiled, cache: w}, nil
}

// Template is a compiled schema with what was made from it. It is safe for concurrent use, and so
// are its results, which must not be changed.
type Template struct {
	*schemas.Schema
	cache *Cache

	mu   sync.Mutex
	made map[productKey]product
}

// productKey is the request for a product.
type productKey struct {
	from    string // text of the valid instance; empty if valid ones are made
	edges   bool
	others  bool // the function Alternatives
	options Options
}

type product struct {
	samples []Sample
	err     error
}

// Sample is an instance as it is sent.
type Sample struct {
	Text    json.RawMessage
	Note    string // of a valid one see Input, of an invalid one Fault
	Doubt   string // see Input
	Keyword string // that an invalid one breaks, see Fault
	Pointer string // where it breaks it, see Fault; of a valid one see Input
	Size    int    // see Input
}

// Valid returns the results of ValidObject until ctx ends.
func (t *Template) Valid(ctx context.Context, seed int64) ([]Sample, error) {
	p := t.make(ctx, productKey{options: Options{Seed: seed}}, func(s *schemas.Schema) product {
		inputs, err := ValidObject(s, seed)
		return product{samplesOf(inputs), err}
	})
	return p.samples, p.err
}

// Alternatives returns the results of the function Alternatives until ctx ends.
func (t *Template) Alternatives(ctx context.Context, seed int64) []Sample {
	return t.make(ctx, productKey{others: true, options: Options{Seed: seed}}, func(s *schemas.Schema) product {
		return product{samples: samplesOf(Alternatives(s, seed))}
	}).samples
}

// Edges returns the results of the function Edges for a valid instance until ctx ends.
func (t *Template) Edges(ctx context.Context, valid json.RawMessage, limit int) []Sample {
	return t.make(ctx, productKey{from: string(valid), edges: true, options: Options{Limit: limit}},
		func(s *schemas.Schema) product {
			return product{samples: samplesOf(Edges(s, decoded(valid), limit))}
		}).samples
}

// Invalid returns the results of the function Invalid for a valid instance until ctx ends.
func (t *Template) Invalid(ctx context.Context, valid json.RawMessage, options Options) []Sample {
	return t.make(ctx, productKey{from: string(valid), options: options}, func(s *schemas.Schema) product {
		var samples []Sample
		for _, f := range Invalid(s, decoded(valid), options) {
			samples = append(samples, Sample{Text: json.RawMessage(f.text), Note: f.Note, Keyword: f.Keyword,
				Pointer: f.Pointer})
		}
		return product{samples: samples}
	}).samples
}

// make returns the product of this order, and makes it if it does not exist. A product that the end
// of ctx cut short is not kept.
func (t *Template) make(ctx context.Context, o productKey, work func(*schemas.Schema) product) product {
	t.mu.Lock()
	defer t.mu.Unlock()
	if p, ok := t.made[o]; ok {
		return p
	}
	p := work(Within(ctx, t.Schema))
	if ctx.Err() == nil && t.cache.reserveProduct(o, p) {
		if t.made == nil {
			t.made = map[productKey]product{}
		}
		t.made[o] = p
	}
	return p
}

// reserveProduct reserves space for a product.
func (w *Cache) reserveProduct(o productKey, p product) bool {
	if w == nil {
		return false
	}
	bytes := len(o.from)
	for _, s := range p.samples {
		bytes += sampleWeight + len(s.Text) + len(s.Note) + len(s.Pointer)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.reserve(bytes)
}

// sampleWeight is the size of a sample without its texts.
const sampleWeight = 128

func samplesOf(inputs []Input) []Sample {
	var samples []Sample
	for _, i := range inputs {
		samples = append(samples, Sample{Text: encoded(i.Value), Note: i.Note, Doubt: i.Doubt, Size: i.Size,
			Pointer: i.Pointer, Keyword: i.Keyword})
	}
	return samples
}

func encoded(value any) json.RawMessage { return json.RawMessage(textOf(value)) }

func decoded(text json.RawMessage) any {
	value, err := schemas.Decode(text, schemas.Limits{})
	if err != nil {
		return nil // nothing is made from it
	}
	return value
}
