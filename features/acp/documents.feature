Feature: Packages in files

  A package is examined as it lies in its file, before it is published. Nothing is
  called and nothing is fetched. An upgrade is two files of one capability.

  @document @ACP-ABS-01
  Scenario: The files of packages are named as packages
    Given the documents hold packages
    Then in them each package lies in a file whose name ends in .acp.yaml

  @document @ACP-TERM-01
  Scenario: A package is one YAML document
    Given the documents hold packages
    Then in them each package is one YAML document

  @document @ACP-TERM-04
  Scenario: Schema URIs have a usual form
    Given the documents hold schemas
    Then in them each schema URI has a usual form

  @document @ACP-TERM-07
  Scenario: Names keep to letters that every registry takes
    Given the documents hold packages
    Then in them each name in a capability URI keeps to lower-case letters, digits, hyphens and underscores

  @document @ACP-TERM-08
  Scenario: Schema URIs name the state after the capability
    Given the documents hold schemas
    Then in them each schema URI names the state after the capability

  @document @ACP-FILE-01
  Scenario: Packages have metadata
    Given the documents hold packages
    Then in them each package has its metadata

  @document @ACP-FILE-02
  Scenario: Packages have a schema
    Given the documents hold packages
    Then in them each package has its schema

  @document @ACP-FILE-03
  Scenario: Prompts are strings
    Given the documents hold prompts
    Then in them each prompt is a string

  @document @ACP-FILE-04
  Scenario: Tools are functions in the form of OpenAI
    Given the documents hold tools
    Then in them each tool is a function in the form of OpenAI

  @document @ACP-FILE-05
  Scenario: Tool bindings are a mapping
    Given the documents hold tool bindings
    Then in them each tool_bindings is a mapping

  @document @ACP-FILE-06
  Scenario: Schemas are JSON Schemas
    Given the documents hold schemas
    Then in them each schema is a JSON Schema of the dialect 2020-12

  @document @ACP-FILE-07
  Scenario: Parameters of tools are JSON Schemas
    Given the documents hold tools
    Then in them each parameters of a tool is a JSON Schema of type object

  @document @ACP-FILE-08
  Scenario: Tools have different names
    Given the documents hold tools
    Then in them no two tools of a package have one name

  @document @ACP-FILE-09
  Scenario: Names of tools have the form that OpenAI allows
    Given the documents hold tools
    Then in them each name of a tool has the form that OpenAI allows, dots beside it

  @document @ACP-FILE-10
  Scenario: Packages have no unknown keys
    Given the documents hold packages
    Then in them each key of a package is one that the text knows

  @document @ACP-FILE-11
  Scenario: Packages do without anchors, merge keys and tags
    Given the documents hold packages
    Then in them each package does without anchors, merge keys and custom tags

  @document @ACP-FILE-12
  Scenario: Names and descriptions are strings
    Given the documents hold packages
    Then in them each name and description of a package is a string

  @document @ACP-FIELD-01
  Scenario: Ids are capability URIs
    Given the documents hold packages
    Then in them each id of a package is a capability URI

  @document @ACP-FIELD-03
  Scenario: Schemas have a schema URI
    Given the documents hold schemas
    Then in them each schema has a schema URI as $id

  @document @ACP-FIELD-04
  Scenario: State tools name the schema of the package
    Given the documents hold tools
    Then in them each schema_uri that a state tool fixes is the $id of the schema

  @document @ACP-FIELD-05
  Scenario: Triggers are regular expressions, keywords and hashes
    Given the documents hold triggers
    Then in them each trigger holds a regular expression, a keyword or a hash

  @document @ACP-FIELD-21
  Scenario: Triggers have a type and a value
    Given the documents hold triggers
    Then in them each trigger has its type and value

  @document @ACP-FIELD-07
  Scenario: LLM requirements are an object
    Given the documents hold LLM requirements
    Then in them each llm_requirements is an object

  @document @ACP-FIELD-08
  Scenario: Model families are a list of strings
    Given the documents hold LLM requirements
    Then in them each model_family is a list of strings

  @document @ACP-FIELD-09
  Scenario: Model URIs are strings
    Given the documents hold LLM requirements
    Then in them each specific_model_uri is a string

  @document @ACP-FIELD-10
  Scenario: Context windows are integers
    Given the documents hold LLM requirements
    Then in them each min_context_window is an integer

  @document @ACP-FIELD-11
  Scenario: Required features are a list of strings
    Given the documents hold LLM requirements
    Then in them each required_features is a list of strings

  @document @ACP-FIELD-13
  Scenario: Signatures are the author's
    Given the documents hold signatures
    Then in them each signature is one of the author over the file

  @document @ACP-FIELD-14
  Scenario: Versions in ids are semantic versions
    Given the documents hold packages
    Then in them each version in the id of a package is a semantic version

  @document @ACP-FIELD-16
  Scenario: Values of regex triggers are regular expressions
    Given the documents hold triggers
    Then in them each value of a regex trigger is a regular expression

  @document @ACP-FIELD-17
  Scenario: Packages have triggers
    Given the documents hold packages
    Then in them each package has triggers

  @document @ACP-FIELD-18
  Scenario: Triggers are of the three types
    Given the documents hold triggers
    Then in them each trigger is of the type regex, keyword or embedding

  @document @ACP-FIELD-19
  Scenario: Regular expressions work in both engines
    Given the documents hold triggers
    Then in them each regular expression is one for RE2 and ECMAScript

  @document @ACP-FIELD-20
  Scenario: Drafts have a signature
    Given the documents hold drafts
    Then in them each draft bears a signature that can be decoded

  @document @ACP-BIND-02
  Scenario: Tools that are not built in have a binding
    Given the documents hold tools
    Then in them each tool that is not built in has a binding

  @document @ACP-BIND-03
  Scenario: Keys of bindings are names of tools
    Given the documents hold tool bindings
    Then in them each key of tool_bindings is the name of a tool

  @document @ACP-BIND-04
  Scenario: Bindings say their type
    Given the documents hold tool bindings
    Then in them each binding says its type

  @document @ACP-BIND-12
  Scenario: Bindings of GETs have their address
    Given the documents hold tool bindings
    Then in them each binding of type http_get has its url

  @document @ACP-BIND-13
  Scenario: Bindings of POSTs have their address
    Given the documents hold tool bindings
    Then in them each binding of type http_post has its url

  @document @ACP-BIND-14
  Scenario: Bindings of agents have their DID
    Given the documents hold tool bindings
    Then in them each binding of type nuwa_a2a has its target_did

  @document @ACP-BIND-15
  Scenario: Bindings of agents have their method
    Given the documents hold tool bindings
    Then in them each binding of type nuwa_a2a has its service_method

  @document @ACP-BIND-16
  Scenario: Bindings of tool services have their URI
    Given the documents hold tool bindings
    Then in them each binding of type mcp_service has its service_uri

  @document @ACP-BIND-17
  Scenario: Bindings of tool services have their action
    Given the documents hold tool bindings
    Then in them each binding of type mcp_service has its mcp_action

  @document @ACP-BIND-20
  Scenario: Placeholders name parameters
    Given the documents hold tool bindings
    Then in them each placeholder in a binding names a parameter of its tool

  @document @ACP-BIND-21
  Scenario: Built-in tools are not bound
    Given the documents hold tool bindings
    Then in them each built-in tool is without a binding

  @document @ACP-STATE-08
  Scenario: Packages that create declare it
    Given the documents hold tools
    Then in them each package with the tool state.create declares it

  @document @ACP-STATE-10
  Scenario: Strategies are those of the state model
    Given the documents hold schemas
    Then in them each x-crdt is a strategy of the state model

  @document @ACP-STATE-13
  Scenario: Packages that update declare it
    Given the documents hold tools
    Then in them each package with the tool state.update declares it

  @document @ACP-STATE-14
  Scenario: Packages that query declare it
    Given the documents hold tools
    Then in them each package with the tool state.query declares it

  @document @ACP-STATE-15
  Scenario: Packages that delete declare it
    Given the documents hold tools
    Then in them each package with the tool state.delete declares it

  @document @ACP-STATE-16
  Scenario: Permissions are lists of strings
    Given the documents hold packages
    Then in them each permissions.require is a list of strings

  @document @ACP-STATE-17
  Scenario: Policies have the form of the state model
    Given the documents hold schemas
    Then in them each x-asm has the form of the state model

  @document @ACP-STATE-18
  Scenario: Strategies fit the types of their members
    Given the documents hold schemas
    Then in them each x-crdt fits the type of its member

  @document @ACP-STATE-19
  Scenario: Memory scopes have the usual form
    Given the documents hold packages
    Then in them each memory_scope is sc, a colon and a name

  @document @ACP-STATE-20
  Scenario: Names that begin with state are the four verbs
    Given the documents hold packages
    Then in them each tool and permission below state is one of the four verbs

  @document @ACP-COMP-02
  Scenario: Versions of upgraded schemas follow SemVer
    Given the documents hold upgrades
    Then in them each upgraded schema has a version that follows SemVer

  @document @ACP-COMP-03
  Scenario: Incompatible schemas have a new URI
    Given the documents hold upgrades
    Then in them each incompatible change of a schema has a new schema URI

  @document @ACP-COMP-04
  Scenario: Upgrades have a higher version
    Given the documents hold upgrades
    Then in them each upgrade has a higher version than what it replaces
