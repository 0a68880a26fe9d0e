Feature: The exemplar

  The exemplar agent has a minimum set of capabilities, a CLI, projections and a true manifest.

  @ACD-EX1-01
  Scenario: The exemplar has cap.identify
    Then the exemplar ships with cap.identify

  @ACD-EX1-02
  Scenario: The exemplar has cap.send_umf
    Then the exemplar ships with cap.send_umf

  @ACD-EX1-03
  Scenario: The exemplar has cap.cli.adapter
    Then the exemplar ships with cap.cli.adapter

  @ACD-EX1-04
  Scenario: The exemplar has cap.capability.list
    Then the exemplar ships with cap.capability.list

  @ACD-EX1-05
  Scenario: The exemplar has cap.capability.create
    Then the exemplar ships with cap.capability.create

  @ACD-EX1-06
  Scenario: The exemplar has cap.subagent.create
    Then the exemplar ships with cap.subagent.create

  @ACD-EX1-07
  Scenario: The exemplar has cap.command.bind
    Then the exemplar ships with cap.command.bind

  @ACD-EX1-08
  Scenario: The exemplar has cap.hook.create
    Then the exemplar ships with cap.hook.create

  @ACD-EX2-01
  Scenario: The exemplar has a CLI adapter
    Then the exemplar includes a CLI adapter

  @ACD-EX2-02
  Scenario: The CLI operates the whole agent
    Then the whole agent can be operated through the CLI

  @ACD-EX2-03 @role:shell
  Scenario: Executions are backed by the operating system
    Then two scripts return different exit statuses

  @ACD-EX3-01
  Scenario: A capability is projected in two ways
    Then some capability is rendered differently on two channels

  @ACD-EX4-01
  Scenario: The documentation is generated
    Then the documentation matches the registry

  @ACD-EX4-02
  Scenario: The agent describes itself truthfully
    Then each manifest and the registry agree in both directions
