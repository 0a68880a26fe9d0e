Feature: HTTP binding

  @CHP-HTTP-01 @live @todo
  Scenario: A processed invocation is answered with status 200, whatever its outcome

  @CHP-HTTP-02 @live @todo
  Scenario: A request that is malformed or lacks a member is answered with status 400

  @CHP-HTTP-03 @live @todo
  Scenario: An unknown route is answered with status 404

  @CHP-HTTP-04 @live @todo
  Scenario: An answer that is no result has the error envelope

  @CHP-HTTP-06 @live @todo
  Scenario: A denial is answered with status 200 and the outcome denied

  @CHP-HTTP-08 @live @todo
  Scenario: The health route is public and shows ok, the id of the host, the protocol and both versions

  @CHP-HTTP-09 @live @todo
  Scenario: The health route does not show how many capabilities there are

  @CHP-HTTP-10 @live @todo
  Scenario: The version that the health route shows is that of the protocol

  @CHP-HTTP-11 @live @todo
  Scenario: A replay by path is a replay result

  @CHP-HTTP-12 @live @todo
  Scenario: The verification route says whether the chain of a correlation is valid

  @CHP-HTTP-13 @live @todo
  Scenario: The verification of an intact chain says that it is valid

  @CHP-HTTP-15 @live @todo
  Scenario: The metrics are text of Prometheus

  @CHP-HTTP-17 @live @todo
  Scenario: A correlation id at the top of a request becomes that of the correlation

  @CHP-HTTP-18 @live @todo
  Scenario: The members of answers are sorted
