#!/usr/bin/env python3
"""An ACP router in Python, standard library only, behind the adapter of ADAPTER.md.

    capconform run --suite acp -- python3 adapter.py

It speaks JSON-RPC 2.0, a message a line. With --fault NAME it does something wrong.
"""

import argparse
import json
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

from package import Refused
from router import Router
from services import Unserved

FAULTS = ("unsigned-packages", "ignores-back", "unchecked-objects")


class Adapter:
    def __init__(self, router, out):
        self._router = router
        self._out = out
        self._lock = threading.Lock()
        self._operations = {
            "acp.configure": self._configure,
            "acp.install": lambda params: {"cap_uri": router.install(params["cid"])},
            "acp.uninstall": lambda params: router.uninstall(params["cap_uri"]) or {},
            "acp.message": lambda params: {"text": router.message(params["conversation"], params["text"])},
        }

    def _configure(self, params):
        self._router.configure(params)
        return {}

    def serve(self, lines):
        with ThreadPoolExecutor(max_workers=16) as pool:
            for line in lines:
                if line.strip():
                    pool.submit(self._answer, line)

    def _answer(self, line):
        try:
            request = json.loads(line)
        except ValueError:
            return self._say({"id": None, "error": {"code": -32700, "message": "no JSON"}})
        reply = {"id": request.get("id")}
        operation = self._operations.get(request.get("method"))
        if operation is None:
            reply["error"] = {"code": -32601, "message": "not served here"}
        else:
            try:
                reply["result"] = operation(request.get("params") or {})
            except Exception as fault:  # the line has to be answered, whatever it is
                expected = isinstance(fault, (Refused, Unserved, KeyError))
                reply["error"] = {"code": -32000 if expected else -32603, "message": str(fault) or type(fault).__name__}
        if "id" in request:
            self._say(reply)
        return None

    def _say(self, reply):
        with self._lock:
            self._out.write(json.dumps({"jsonrpc": "2.0", **reply}) + "\n")
            self._out.flush()


def main():
    options = argparse.ArgumentParser(description="An ACP router, over stdin and stdout.")
    options.add_argument("--fault", action="append", default=[], choices=FAULTS, help="do this wrong (repeatable)")
    Adapter(Router(options.parse_args().fault), sys.stdout).serve(sys.stdin)


if __name__ == "__main__":
    main()
