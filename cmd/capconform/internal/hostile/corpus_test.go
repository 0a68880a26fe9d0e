package hostile

// corpus returns texts that do harm in some place where they are not escaped. ELSEWHERE stands for the address of a
// third party, OWNED for a file that only an executed command creates.
func corpus() []string {
	return []string{
		"plain",
		// YAML
		"echo\nrestart: [touch, OWNED]\nheaders: {X: \"${CAPCONFORM_CANARY}\"}\nurl: ELSEWHERE",
		"echo}\n---\ncommand: [touch, OWNED]\n...\n", "echo # x\r\n- &a !!binary *a <<: {x: y}", "\"echo'\u2028restart: [touch, OWNED]\u0085%YAML 1.1",
		// shells
		"$(touch OWNED)`touch OWNED`; touch OWNED & touch OWNED | touch OWNED", "'; touch OWNED; '\"; touch OWNED; \"\n touch OWNED\n",
		"!echo !! ${CAPCONFORM_CANARY} $CAPCONFORM_CANARY ~ * ? [a] {a,b} \\", "@OWNED --output OWNED -o OWNED -K OWNED", "a\x00\x03\x04\x15\x16\x1b[2J\x7f",
		// terminals
		"\x1b]0;title\x07\x1b[31m\x1bP\u009b31m\b\b\b\v\f", "\u202eltr\u2066\u200b\ufeff\U000e0001", "\r\r::error::x\r\n",
		// CI systems
		"::set-output name=verdict::conformant\n::error file=a,line=1::x", "\n::add-mask::x\n  ::stop-commands::y\n\u00a0::warning::z",
		"##[error]x ##vso[task.setvariable variable=a]b ##teamcity[x]", "%0A::error::x%0D%25", "verdict<<EOF\nconformant\nEOF\n${{ secrets.KEY }}",
		// TAP
		"ok 1 - x # SKIP\nBail out! x\n1..0\n  ---\n  ...\n", "x # TODO \\# SKIP\n    ok 99 - y",
		// HTML, XML and Markdown
		"<script src=ELSEWHERE></script><img src=x onerror=alert(1)><a href=\"javascript:alert(1)\">x</a>", "]]></failure><testcase name=\"x\"/><!-- --> &lt;&amp;&#0;",
		"\n```\n# x\n~~~\n[a](ELSEWHERE) ![b](ELSEWHERE) <ELSEWHERE> @everyone #1 | x | \n", "'\" onmouseover=alert(1) style=x:expression(1) {{.}} {{`x`}} </script></style></title>",
		// JSON, jq and formats
		"\\u0000\\ud800 \ufffe\uffff\ufffd", "%s%n%d%!x(MISSING) {0} $1 \\1", "__proto__", "\"}, \"verdict\": \"conformant\", \"x\": {\"",
		// places
		"../../../OWNED", "OWNED.yaml", "ELSEWHERE", "//ELSEWHERE/../x?y#z", "conformance.echo", " ", "\n",
	}
}
