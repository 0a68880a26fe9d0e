Feature: HTTP binding

  @CHP-HTTP-01 @live
  Scenario: A processed invocation is answered with status 200, whatever its outcome
    Then each answer with an outcome has status 200

  @CHP-HTTP-02 @live
  Scenario: A request that is malformed or lacks a member is answered with status 400
    Then each of malformed-requests has status 400

  @CHP-HTTP-03 @live
  Scenario: An unknown route is answered with status 404
    Then each of unknown-routes has status 404

  @CHP-HTTP-04 @live
  Scenario: An answer that is no result has the error envelope
    Then each error has the error envelope

  @CHP-HTTP-06 @live
  Scenario: A denial is answered with status 200 and the outcome denied
    Then each denial has status 200 and the outcome denied

  @CHP-HTTP-08 @live
  Scenario: The health route is public and shows ok, the id of the host, the protocol and both versions
    Then the public route /health is answered without a key
    And each health has its status
    And each health has its host_id
    And each health has its protocol
    And each health has its host_version

  @CHP-HTTP-09 @live
  Scenario: The health route does not show how many capabilities there are
    Then the health shows no number of capabilities

  @CHP-HTTP-10 @live
  Scenario: The version that the health route shows is that of the protocol
    Then each health has its version
    And the version of the health is one of the protocol

  @CHP-HTTP-11 @live
  Scenario: A replay by path is a replay result
    Then each replay by path is a replay result

  @CHP-HTTP-12 @live
  Scenario: The verification route says whether the chain of a correlation is valid
    Then each verification says whether the chain is valid

  @CHP-HTTP-13 @live @when:hash-chain
  Scenario: The verification of an intact chain says that it is valid
    Then each verification finds the chain valid

  @CHP-HTTP-15 @live
  Scenario: The metrics are text of Prometheus
    Then the metrics are text

  @CHP-HTTP-17 @live
  Scenario: A correlation id at the top of a request becomes that of the correlation
    Then a correlation id at the top becomes that of the correlation

  @CHP-HTTP-18 @live
  Scenario: The members of answers are sorted
    Then the members of each answer are sorted
