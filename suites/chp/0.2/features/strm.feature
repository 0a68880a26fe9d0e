Feature: Streams

  @CHP-STRM-07 @live
  Scenario: A stream of a capability without that mode is denied with unsupported_mode
    Then a stream of a capability without it is denied in JSON
