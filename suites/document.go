package suites

// Document is a file under examination.
type Document struct {
	Path string
	Text []byte
}
