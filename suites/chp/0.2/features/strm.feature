Feature: Streams

  @CHP-STRM-07 @live @todo
  Scenario: A stream of a capability without that mode is denied with unsupported_mode
