Feature: Built-in tools for state

  The model calls the tools. What they did is seen by what a query gives.

  @ACP-ABS-03
  Scenario: The runtime supplies the state tools
    Given a package that keeps objects is installed
    When the model creates an object
    Then a query finds the object

  @ACP-STATE-01
  Scenario: An object is stored whole
    Given a package that keeps objects is installed
    When the model creates an object
    Then the object is stored as it was given

  @ACP-STATE-01
  Scenario: An object of unusual values is stored whole
    Given a package that keeps objects is installed
    When the model creates an object of unusual values
    Then the object is stored as it was given

  @ACP-STATE-02
  Scenario: A JSON Patch changes an object
    Given a package that keeps objects is installed
    When the model changes an object by add, replace, remove and test
    Then the object is what the patch makes of it
    And the objects beside it are as they were

  @ACP-STATE-02
  Scenario: A JSON Patch moves and copies
    Given a package that keeps objects is installed
    When the model changes an object by move and copy
    Then the object is what the patch makes of it
    And the objects beside it are as they were

  @ACP-STATE-02
  Scenario: A JSON Patch whose test fails changes nothing
    Given a package that keeps objects is installed
    When the model changes an object by a patch whose test fails
    Then the object is what the patch makes of it

  @ACP-STATE-02
  Scenario: A JSON Patch that is refused changes nothing
    Given a package that keeps objects is installed
    When the model changes an object by a patch that breaks the schema
    Then the object is as it was, if the model is told an error

  @ACP-STATE-04
  Scenario: A filter finds the objects that it fits
    Given a package that keeps objects is installed
    When the model creates several objects and queries them by each operator
    Then each query gives the objects that its filter fits

  @ACP-STATE-05
  Scenario: All results of a large query can be had
    Given a package that keeps objects is installed
    When the model creates many objects and reads them in pages
    Then each object comes once

  @ACP-STATE-06
  Scenario: An object that was deleted is not found any more
    Given a package that keeps objects is installed
    When the model creates two objects and deletes the first
    Then the first is gone and the second is not

  @ACP-STATE-06
  Scenario: An object that was deleted for good is not found any more
    Given a package that keeps objects is installed
    When the model creates two objects and deletes the first for good
    Then the first is gone and the second is not, unless that was refused

  @ACP-FIELD-15
  Scenario: A state call under another schema URI is an error
    Given a package that keeps objects is installed
    When the model creates an object under a schema URI that no package owns
    Then the turn ends without a success
    And nothing is found under that URI
    And a sound one is stored

  @ACP-FIELD-15
  Scenario: What is called under another schema URI does not touch an object
    Given a package that keeps objects is installed
    When the model changes and deletes an object under a schema URI that no package owns
    Then the object is stored
    And a query under that URI does not give it

  @ACP-MOT-04
  Scenario: A verb that is not declared has no effect
    Given a package that keeps objects and declares no deletion is installed
    When the model creates an object and deletes it
    Then the object is stored
    And a package that declares the deletion deletes

  @ACP-MOT-04
  Scenario: A creation that is not declared has no effect
    Given a package that keeps objects and declares no creation is installed
    When the model creates an object that it may not create
    Then what it created is not found

  @ACP-MOT-04
  Scenario: A query that is not declared gives nothing
    Given a package that keeps objects and declares no query is installed
    When the model creates an object and looks for it
    Then it is given nothing

  @ACP-EXEC-08 @when:restart @exclusive
  Scenario: State survives a restart
    Given a package that keeps objects is installed
    When the model creates an object
    And the subject is restarted
    Then a query finds the object
    And what was changed and deleted before is as it was
