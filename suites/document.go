package suites

import "github.com/capconform/capconform/suites/document"

// Document is a parsed file under examination, with the positions of its values.
type Document = document.File
