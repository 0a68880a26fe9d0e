Feature: The Clock Protocol

  @CLOCK-2-01
  Scenario: A reading has unix
    Then each clock.now is answered
    And each reading has its unix

  @CLOCK-2-02
  Scenario: A reading has utc
    Then each reading has its utc
    And the utc of each reading is the time of its unix

  @CLOCK-2-03
  Scenario: A clock does not run backwards
    Then the clock does not run backwards

  @CLOCK-3-01
  Scenario: A zone has a name
    Then each clock.zones is answered
    And each zone has its name

  @CLOCK-3-02
  Scenario: A zone has an offset
    Then each zone has its offset

  @CLOCK-3-03
  Scenario: A list shows each zone once
    Then each clock.zones is answered
    And each zone has a unique name

  @document @CLOCK-3-01
  Scenario: A zone in a file has a name
    Then each zone has its name

  @document @CLOCK-3-03
  Scenario: A list in a file shows each zone once
    Then each zone has a unique name

  @CLOCK-4-01
  Scenario: A converted time repeats its conversion
    Then each converted time repeats its conversion

  @CLOCK-4-02
  Scenario: A converted time has the time of the zone
    Then each result of clock.convert matches its schema
    And local is the time of the zone

  @CLOCK-4-03
  Scenario: Callers at once get their own results
    Then each caller gets the result of its own conversion

  @CLOCK-5-01
  Scenario: A zone that does not exist is refused
    Then each unknown-zone is refused with code UNKNOWN_ZONE

  @CLOCK-5-02
  Scenario: Invalid params are refused
    Then each invalid-conversion is refused with code INVALID_PARAMS
