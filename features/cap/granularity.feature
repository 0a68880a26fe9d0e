Feature: Tool and Skill Granularity

  A tool is a single function. A skill is a package of tools, instructions,
  resources and permissions, and is invoked in the same way.

  @CAP-GRAN-01
  Scenario: A tool carries neither prompt template nor resources
    When the capabilities are listed and each is described
    Then in every manifest of a tool there is neither a prompt template nor a resource

  @CAP-GRAN-04 @role:skill
  Scenario: A skill is invoked as a tool is
    When "skill" is invoked with a sound input
    Then the answer is an InvokeResult like that of a tool

  @CAP-GRAN-05 @when:skills
  Scenario: A skill reduces to tools, instructions, resources and permissions
    When the capabilities are listed
    Then every skill reduces to tools, prompt instructions, resources and permissions
