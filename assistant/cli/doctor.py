"""hector doctor: what works on this machine, what is missing, and how to get it."""

from __future__ import annotations

import argparse
from typing import Any

from assistant.cli.common import print_told


def add_parser(commands: Any) -> None:
    parser = commands.add_parser("doctor", help="checks microphone, voice, braille and model")
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from assistant.speaking import told
    from assistant.table.doctor import PARTS, examine

    findings = examine()
    if args.json:
        import json

        print(
            json.dumps(
                {f.part: {"works": f.works, "text": str(f.text)} for f in findings}, ensure_ascii=False
            )
        )
    else:
        for finding in findings:
            print_told("{name}: {reason}", name=told(PARTS[finding.part]), reason=told(finding.text))
    return 0 if all(finding.works or not finding.needed for finding in findings) else 1
