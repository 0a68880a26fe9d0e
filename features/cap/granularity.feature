Feature: Tool and Skill Granularity

  A tool is a single function. A skill is a package of tools, instructions,
  resources and permissions, and is invoked in the same way.

  @CAP-GRAN-01
  Scenario: A tool has neither prompt template nor resources
    Then no manifest of a tool has a prompt template or a resource

  @CAP-GRAN-04 @role:skill
  Scenario: A skill is invoked in the same way as a tool
    Then each answer of the role skill is an InvokeResult, as for a tool

  @CAP-GRAN-05 @when:skills
  Scenario: A skill can be reduced to tools, instructions, resources and permissions
    Then each skill can be reduced to tools, prompt instructions, resources and permissions
