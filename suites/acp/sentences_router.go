package acpsuite

import "github.com/capconform/capconform/suites/acp/judge"

// routerJudgements are the sentences about routers and runtimes.
var routerJudgements = []judgement{
	about(`the subject serves (acp\.[a-z]+)`, (*judge.Judge).Serves),
	decide(`each package that is installed was downloaded by its CID`, (*judge.Judge).Downloaded),
}
