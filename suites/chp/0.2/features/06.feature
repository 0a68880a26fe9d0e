Feature: Evidence event

  @CHP-6-03 @live @todo
  Scenario: An evidence event has an id

  @CHP-6-03 @document @todo
  Scenario: An evidence event has an id, in a file

  @CHP-6-04 @live @todo
  Scenario: An evidence event has a type

  @CHP-6-04 @document @todo
  Scenario: An evidence event has a type, in a file

  @CHP-6-05 @live @todo
  Scenario: An evidence event has the id of the invocation it belongs to

  @CHP-6-05 @document @todo
  Scenario: An evidence event has the id of the invocation it belongs to, in a file

  @CHP-6-06 @live @todo
  Scenario: An evidence event has the id of the capability it is about

  @CHP-6-06 @document @todo
  Scenario: An evidence event has the id of the capability it is about, in a file

  @CHP-6-07 @live @todo
  Scenario: An evidence event has the id of the host that wrote it

  @CHP-6-07 @document @todo
  Scenario: An evidence event has the id of the host that wrote it, in a file

  @CHP-6-08 @live @todo
  Scenario: An evidence event has the time at which it was written

  @CHP-6-08 @document @todo
  Scenario: An evidence event has the time at which it was written, in a file

  @CHP-6-09 @live @todo
  Scenario: An evidence event has its place in the local sequence of evidence

  @CHP-6-09 @document @todo
  Scenario: An evidence event has its place in the local sequence of evidence, in a file

  @CHP-6-10 @live @todo
  Scenario: An evidence event has a payload

  @CHP-6-10 @document @todo
  Scenario: An evidence event has a payload, in a file

  @CHP-6-11 @live @todo
  Scenario: An evidence event states whether it was redacted

  @CHP-6-11 @document @todo
  Scenario: An evidence event states whether it was redacted, in a file

  @CHP-6-12 @live @todo
  Scenario: An evidence event has assurance metadata

  @CHP-6-12 @document @todo
  Scenario: An evidence event has assurance metadata, in a file
