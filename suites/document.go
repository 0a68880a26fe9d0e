package suites

import "github.com/capconform/capconform/suites/document"

// Document is a file under examination, read and with its positions.
type Document = document.File
