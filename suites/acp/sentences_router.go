package acpsuite

// routerJudgements are the sentences about routers and runtimes.
var routerJudgements = []judgement{}
