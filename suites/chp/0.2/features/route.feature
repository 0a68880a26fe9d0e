Feature: Routing

  @CHP-ROUTE-04 @live @todo
  Scenario: A single host does not deny with host_unreachable
