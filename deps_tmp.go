package capconform

import (
	_ "github.com/Masterminds/semver/v3"
	_ "github.com/cucumber/gherkin/go/v26"
	_ "github.com/cucumber/godog"
	_ "github.com/cucumber/messages/go/v21"
	_ "github.com/dlclark/regexp2"
	_ "github.com/go-json-experiment/json/jsontext"
	_ "github.com/google/go-cmp/cmp"
	_ "github.com/google/uuid"
	_ "github.com/gowebpki/jcs"
	_ "github.com/itchyny/gojq"
	_ "github.com/modelcontextprotocol/go-sdk/mcp"
	_ "github.com/rogpeppe/go-internal/testscript"
	_ "github.com/santhosh-tekuri/jsonschema/v6"
	_ "github.com/spf13/cobra"
	_ "github.com/stretchr/testify/require"
	_ "go.uber.org/goleak"
	_ "go.yaml.in/yaml/v3"
	_ "golang.org/x/sys/unix"
	_ "golang.org/x/term"
	_ "pgregory.net/rapid"
)
