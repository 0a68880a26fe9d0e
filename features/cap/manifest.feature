Feature: Capability Manifest

  What a source says of a capability: ten members, any others free.

  @CAP-MAN-01
  Scenario: Each member has its type
    When the capabilities are listed and each is described
    Then in every manifest each member has the type of the text

  @CAP-MAN-01 @exclusive
  Scenario: Each member still has its type at the end of a run
    When the capabilities are listed again
    Then in every manifest each member has the type of the text

  @CAP-MAN-02
  Scenario: The input schema is present
    When the capabilities are listed and each is described
    Then in every manifest the input schema is present and is a JSON Schema

  @CAP-MAN-02 @exclusive
  Scenario: The input schema is still present at the end of a run
    When the capabilities are listed again
    Then in every manifest the input schema is present and is a JSON Schema

  @CAP-MAN-03
  Scenario: An output schema is declared
    When the capabilities are listed
    Then in every manifest an output schema is declared

  @CAP-MAN-04 @when:skills
  Scenario: A skill declares what its Skills system has
    When the capabilities are listed and each is described
    Then every skill bears the members that its source supports

  @CAP-MAN-06
  Scenario: Nobody needs to read a custom member
    When each capability is invoked with sound inputs
    Then some capability came back ok
    And none is refused for want of what only a custom member announces
