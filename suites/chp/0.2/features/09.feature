Feature: Denial

  @CHP-9-07 @live @todo
  Scenario: A denied result contains a denial record

  @CHP-9-08 @live @todo
  Scenario: A denial record has a stable code

  @CHP-9-09 @live @todo
  Scenario: A denial record has a human-readable message

  @CHP-9-11 @live @todo
  Scenario: A denial record states whether a retry makes sense
