Feature: Packages in files

  A package is examined as a file, before it is published. The harness calls and
  fetches nothing. An upgrade is two files of one capability.

  @document @ACP-ABS-01
  Scenario: The name of a package's file ends in .acp.yaml
    Given the documents contain packages
    Then in the documents, the name of each package's file ends in .acp.yaml

  @document @ACP-TERM-01
  Scenario: A package is one YAML document
    Given the documents contain packages
    Then in the documents, each package is one YAML document

  @document @ACP-TERM-04
  Scenario: A schema URI has a usual form
    Given the documents contain schemas
    Then in the documents, each schema URI has a usual form

  @document @ACP-TERM-07
  Scenario: Names contain only characters that every registry accepts
    Given the documents contain packages
    Then in the documents, each name in a capability URI contains only lower-case letters, digits, hyphens and underscores

  @document @ACP-TERM-08
  Scenario: A schema URI names the state after the capability
    Given the documents contain schemas
    Then in the documents, each schema URI names the state after the capability

  @document @ACP-FILE-01
  Scenario: A package has metadata
    Given the documents contain packages
    Then in the documents, each package has metadata

  @document @ACP-FILE-02
  Scenario: A package has a schema
    Given the documents contain packages
    Then in the documents, each package has a schema

  @document @ACP-FILE-03
  Scenario: A prompt is a string
    Given the documents contain prompts
    Then in the documents, each prompt is a string

  @document @ACP-FILE-04
  Scenario: Tools are functions in OpenAI's form
    Given the documents contain tools
    Then in the documents, each tool is a function in the form of OpenAI

  @document @ACP-FILE-05
  Scenario: Tool bindings are a mapping
    Given the documents contain tool bindings
    Then in the documents, each tool_bindings is a mapping

  @document @ACP-FILE-06
  Scenario: A schema is a JSON Schema
    Given the documents contain schemas
    Then in the documents, each schema is a JSON Schema of the dialect 2020-12

  @document @ACP-FILE-07
  Scenario: The parameters of a tool are a JSON Schema
    Given the documents contain tools
    Then in the documents, the parameters of each tool are a JSON Schema of type object

  @document @ACP-FILE-08
  Scenario: Tools have different names
    Given the documents contain tools
    Then in the documents, no two tools of a package have the same name

  @document @ACP-FILE-09
  Scenario: The name of a tool has the form that OpenAI allows
    Given the documents contain tools
    Then in the documents, the name of each tool has the form that OpenAI allows, or also contains dots

  @document @ACP-FILE-10
  Scenario: A package has no unknown keys
    Given the documents contain packages
    Then in the documents, the text defines each key of a package

  @document @ACP-FILE-11
  Scenario: A package uses no anchors, merge keys or tags
    Given the documents contain packages
    Then in the documents, each package uses no anchors, merge keys or custom tags

  @document @ACP-FILE-12
  Scenario: The name and the description of a package are strings
    Given the documents contain packages
    Then in the documents, the name and the description of each package are strings

  @document @ACP-FIELD-01
  Scenario: The id of a package is a capability URI
    Given the documents contain packages
    Then in the documents, the id of each package is a capability URI

  @document @ACP-FIELD-03
  Scenario: A schema has a schema URI
    Given the documents contain schemas
    Then in the documents, each schema has a schema URI as $id

  @document @ACP-FIELD-04
  Scenario: A state tool names the schema of its package
    Given the documents contain tools
    Then in the documents, if a state tool fixes schema_uri, the $id of the schema is among the values

  @document @ACP-FIELD-05
  Scenario: Triggers are regular expressions, keywords and hashes
    Given the documents contain triggers
    Then in the documents, each trigger contains a regular expression, a keyword or a hash

  @document @ACP-FIELD-21
  Scenario: A trigger has a type and a value
    Given the documents contain triggers
    Then in the documents, each trigger has a type and a value

  @document @ACP-FIELD-07
  Scenario: LLM requirements are an object
    Given the documents contain LLM requirements
    Then in the documents, each llm_requirements is an object

  @document @ACP-FIELD-08
  Scenario: The model family is a list of strings
    Given the documents contain LLM requirements
    Then in the documents, each model_family is a list of strings

  @document @ACP-FIELD-09
  Scenario: The model URI is a string
    Given the documents contain LLM requirements
    Then in the documents, each specific_model_uri is a string

  @document @ACP-FIELD-10
  Scenario: The context window is an integer
    Given the documents contain LLM requirements
    Then in the documents, each min_context_window is an integer

  @document @ACP-FIELD-11
  Scenario: The required features are a list of strings
    Given the documents contain LLM requirements
    Then in the documents, each required_features is a list of strings

  @document @ACP-FIELD-13
  Scenario: The signature is the author's
    Given the documents contain signatures
    Then in the documents, each signature is the author's signature over the file

  @document @ACP-FIELD-14
  Scenario: The version in an id is a semantic version
    Given the documents contain packages
    Then in the documents, the version in the id of each package is a semantic version

  @document @ACP-FIELD-16
  Scenario: The value of a regex trigger is a regular expression
    Given the documents contain triggers
    Then in the documents, the value of each regex trigger is a regular expression

  @document @ACP-FIELD-17
  Scenario: A package has triggers
    Given the documents contain packages
    Then in the documents, each package has triggers

  @document @ACP-FIELD-18
  Scenario: A trigger has one of the three types
    Given the documents contain triggers
    Then in the documents, each trigger has the type regex, keyword or embedding

  @document @ACP-FIELD-19
  Scenario: A regular expression works in both engines
    Given the documents contain triggers
    Then in the documents, each regular expression is one that RE2 and ECMAScript can read

  @document @ACP-FIELD-20
  Scenario: A draft has a signature
    Given the documents contain drafts
    Then in the documents, each draft contains a signature that can be decoded

  @document @ACP-BIND-02
  Scenario: A tool that is not built in has a binding
    Given the documents contain tools
    Then in the documents, each tool that is not built in has a binding

  @document @ACP-BIND-03
  Scenario: The key of a binding is the name of a tool
    Given the documents contain tool bindings
    Then in the documents, each key of tool_bindings is the name of a tool

  @document @ACP-BIND-04
  Scenario: A binding states its type
    Given the documents contain tool bindings
    Then in the documents, each binding states its type

  @document @ACP-BIND-12
  Scenario: A binding of type http_get has an address
    Given the documents contain tool bindings
    Then in the documents, each binding of type http_get has a url

  @document @ACP-BIND-13
  Scenario: A binding of type http_post has an address
    Given the documents contain tool bindings
    Then in the documents, each binding of type http_post has a url

  @document @ACP-BIND-14
  Scenario: A binding of type nuwa_a2a has a DID
    Given the documents contain tool bindings
    Then in the documents, each binding of type nuwa_a2a has a target_did

  @document @ACP-BIND-15
  Scenario: A binding of type nuwa_a2a has a method
    Given the documents contain tool bindings
    Then in the documents, each binding of type nuwa_a2a has a service_method

  @document @ACP-BIND-16
  Scenario: A binding of type mcp_service has a URI
    Given the documents contain tool bindings
    Then in the documents, each binding of type mcp_service has a service_uri

  @document @ACP-BIND-17
  Scenario: A binding of type mcp_service has an action
    Given the documents contain tool bindings
    Then in the documents, each binding of type mcp_service has an mcp_action

  @document @ACP-BIND-20
  Scenario: A placeholder names a parameter
    Given the documents contain tool bindings
    Then in the documents, each placeholder in a binding names a parameter of its tool

  @document @ACP-BIND-21
  Scenario: A built-in tool has no binding
    Given the documents contain tool bindings
    Then in the documents, no built-in tool has a binding

  @document @ACP-STATE-08
  Scenario: A package that creates objects declares it
    Given the documents contain tools
    Then in the documents, each package with the tool state.create declares it

  @document @ACP-STATE-10
  Scenario: A strategy is one of the state model
    Given the documents contain schemas
    Then in the documents, each x-crdt is a strategy of the state model

  @document @ACP-STATE-13
  Scenario: A package that updates objects declares it
    Given the documents contain tools
    Then in the documents, each package with the tool state.update declares it

  @document @ACP-STATE-14
  Scenario: A package that queries objects declares it
    Given the documents contain tools
    Then in the documents, each package with the tool state.query declares it

  @document @ACP-STATE-15
  Scenario: A package that deletes objects declares it
    Given the documents contain tools
    Then in the documents, each package with the tool state.delete declares it

  @document @ACP-STATE-16
  Scenario: The required permissions are a list of strings
    Given the documents contain packages
    Then in the documents, each permissions.require is a list of strings

  @document @ACP-STATE-17
  Scenario: A policy has the form of the state model
    Given the documents contain schemas
    Then in the documents, each x-asm has the form of the state model

  @document @ACP-STATE-18
  Scenario: A strategy fits the type of its member
    Given the documents contain schemas
    Then in the documents, each x-crdt fits the type of its member

  @document @ACP-STATE-19
  Scenario: A memory scope has the usual form
    Given the documents contain packages
    Then in the documents, each memory_scope is sc, a colon and a name

  @document @ACP-STATE-20
  Scenario: The four verbs are the only names that begin with state
    Given the documents contain packages
    Then in the documents, each tool and permission that begins with state is one of the four verbs

  @document @ACP-COMP-02
  Scenario: The version of an upgraded schema follows SemVer
    Given the documents contain upgrades
    Then in the documents, the version of each upgraded schema follows SemVer

  @document @ACP-COMP-03
  Scenario: An incompatible schema has a new URI
    Given the documents contain upgrades
    Then in the documents, each incompatible schema has a new schema URI

  @document @ACP-COMP-04
  Scenario: An upgrade has a higher version
    Given the documents contain upgrades
    Then in the documents, each upgrade has a higher version than the package that it replaces
