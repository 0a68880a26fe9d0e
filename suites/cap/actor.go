package capsuite

// actorSource is the actor that CAP obliges on the wire.
const actorSource = "source"
