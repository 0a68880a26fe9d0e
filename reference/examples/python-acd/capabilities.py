"""What the agent can do: descriptors, most of them lean, and the code behind them."""

import subprocess

MESSAGE = {"type": "object", "required": ["message"], "properties": {"message": {"type": "string", "minLength": 1, "maxLength": 280}}}
# No new file descriptor: neither a file nor a socket can be opened, and the system holds to it.
SANDBOX = "ulimit -t 2; ulimit -n 3; "


def descriptor(capability_id, kind, substrate, scope, modes, **more):
    made = {
        "permissions": {"required": more.pop("needs", [])},
        "exposure": {"scope": scope},
        "invocation": {"modes": modes.split()},
        "execution": {"substrate": substrate, "entrypoint": more.pop("entry", capability_id)},
        "kind": kind,
        "description": "",
        "version": "3.1.0",
        "name": capability_id.split(".", 1)[1],
        "capability_id": capability_id,
        "x-motto": "every line in its place",
    }
    made.update(more)
    return made


def offer():
    people = "message command direct"
    return [
        descriptor("cap.hook.create", "atomic", "symbolic", "agent", "event direct", needs=["hooks"]),
        descriptor("cap.command.bind", "atomic", "symbolic", "agent", people, needs=["commands"], entry="capability.bind"),
        descriptor("cap.subagent.create", "atomic", "llm", "agent", people, needs=["creation"], entry="capability.create"),
        descriptor("cap.capability.create", "atomic", "llm", "agent", people, needs=["creation"], entry="capability.create"),
        descriptor("capability.enable", "atomic", "symbolic", "internal", "direct", needs=["creation"]),
        descriptor("capability.bind", "atomic", "symbolic", "internal", "direct", needs=["creation"]),
        descriptor("cap.capability.list", "atomic", "symbolic", "human", people),
        descriptor("cap.cli.adapter", "atomic", "transport", "channel", "direct command message ui_action"),
        descriptor("cap.page.adapter", "atomic", "transport", "channel", "ui_action"),
        descriptor("cap.send_umf", "atomic", "symbolic", "public", "message direct"),
        descriptor("cap.identify", "atomic", "symbolic", "public", people, outputs={"schema": True}),
        descriptor("cap.almanac", "composite", "llm", "human", "command ui_action", dependencies={"capabilities": ["cap.moon"]}),
        descriptor("cap.moon", "atomic", "external_service", "public", "direct ui_action", audit={"log_outputs": True}),
        descriptor("cap.lookout", "proxy", "agent", "agent", "message", delegation={"creates_subagent": True}, lifecycle={"hooks": {"post_invoke": ["cap.moon"]}}),
        descriptor("cap.lantern", "template", "symbolic", "internal", "direct", status={"enabled": False, "signed": False}),
        descriptor(
            "conformance.echo", "atomic", "symbolic", "public", "ui_action event message command direct",
            inputs={"schema": MESSAGE, "required": ["message"]}, outputs={"schema": {"type": "object"}}, dependencies={"resources": ["patience"]},
        ),
        descriptor("conformance.fail", "atomic", "symbolic", "agent", "direct"),
        descriptor("conformance.shell", "atomic", "shell", "internal", "direct", needs=["shell"], status={"mutable": False}),
        descriptor("conformance.immutable", "atomic", "symbolic", "agent", "direct", status={"mutable": False}),
    ]


def run_script(given):
    done = subprocess.run(["sh", "-c", SANDBOX + given.get("script", "")], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, timeout=5)
    return {"exit_status": done.returncode, "stdout": done.stdout.decode(errors="replace")}
