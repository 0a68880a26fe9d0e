Feature: Routing

  @CHP-ROUTE-04 @live
  Scenario: A single host does not deny with host_unreachable
    Then no denial has the code host_unreachable
