#!/usr/bin/env python3
"""nestor check --json-lines tells a result before the next formula is decided: the second one here takes for ever.

usage: streaming.py NESTOR SOURCE-ROOT
"""

import json
import subprocess
import sys

# With this engine the model's many contexts are made one by one (test/usage).
COMMAND = ["check", "--json-lines", "--engine=lazy", "test/usage/endless.rsm", "-f", "EX true", "-f", "AG (EF good | AX AG !good)"]


def main():
    with subprocess.Popen([sys.argv[1], *COMMAND], stdout=subprocess.PIPE, text=True, cwd=sys.argv[2]) as process:
        first = json.loads(process.stdout.readline())
        is_running = process.poll() is None
        process.kill()
    if first["formula"] != "EX true" or not is_running:
        print(f"the first line is about {first['formula']}; the program is {'' if is_running else 'not '}running")
        return 1
    print("the first result came while the second was being decided")
    return 0


if __name__ == "__main__":
    sys.exit(main())
