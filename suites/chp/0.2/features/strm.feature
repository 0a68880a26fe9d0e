Feature: Streams

  @CHP-STRM-01 @live
  Scenario: A stream is replayed with its chunks, then the result
    Then the replay of a stream has its chunks and its result

  @CHP-STRM-04 @live
  Scenario: A stream is chunks and then exactly one result
    Then each stream is chunks and then one result
    And each chunk has a delta, and each result is that of the invocation

  @CHP-STRM-05 @live
  Scenario: An outcome before the first chunk is answered in JSON
    Then no stream opens for a denial or a skip

  @CHP-STRM-06 @live
  Scenario: The completion of a stream has its usage
    Then each completion of a stream has its usage

  @CHP-STRM-07 @live
  Scenario: A stream of a capability without that mode is denied with unsupported_mode
    Then a stream of a capability without it is denied in JSON

  @CHP-STRM-08 @live
  Scenario: The ids of a stream count its chunks
    Then the ids of a stream count its chunks

  @CHP-STRM-09 @live
  Scenario: The completion of a stream has the digest and the number of its chunks
    Then the completion of each stream has the digest and the number of its chunks
    And no other completion has them

  @CHP-STRM-10 @live
  Scenario: A resumed stream continues after the chunk that the caller names
    Then a resumed stream continues after the chunk that the caller names

  @CHP-STRM-11 @live
  Scenario: The execution of a stream leaves its beginning and its end
    Then the execution of each stream leaves its beginning and its end
