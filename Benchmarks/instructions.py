#!/usr/bin/env python3
"""Counts the instructions of each work per row, and compares them with the committed counts.

Times differ from machine to machine and from run to run; instructions hardly do, so that a loop which came to do
more is found without an idle machine. Needs valgrind (its tool callgrind) and strip. The counts are of x86-64 with AVX2:
valgrind knows no AVX-512, so that a kernel for it is not chosen.
"""

import argparse
import os
import re
import subprocess
import sys

import works

HERE = os.path.dirname(os.path.abspath(__file__))
THRESHOLDS = os.path.join(HERE, "instructions.tsv")
ROWS = (10_000, 30_000)
TOLERANCE = 0.05


def instructions(command):
    """How many instructions a command takes."""
    run = subprocess.run(
        ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *command],
        env={**os.environ, "SIMDJSON_FORCE_IMPLEMENTATION": "haswell"},
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    found = re.search(r"Collected : (\d+)", run.stderr)
    if run.returncode != 0 or not found:
        sys.exit(f"{' '.join(command)} failed:\n{run.stderr}")
    return int(found.group(1))


def counts(binary, folder):
    """Instructions per row of each work: between two sizes of input, so that starting does not count."""
    found = {}
    os.makedirs(folder, exist_ok=True)
    stripped = os.path.join(folder, "counted")
    # Valgrind gives up on debug information of a form that it does not know.
    subprocess.run(["strip", "--strip-debug", "-o", stripped, binary], check=True)
    for name in works.DESCRIPTIONS:
        sizes = []
        for rows in ROWS:
            data = os.path.join(folder, str(rows))
            if not os.path.exists(os.path.join(data, "complete")):
                subprocess.run(
                    [sys.executable, os.path.join(HERE, "generate.py"), "--dir", data, "--rows", str(rows)], check=True)
                open(os.path.join(data, "complete"), "w").close()
            sizes.append(instructions(works.aggregate(stripped, data, os.path.join(data, "counted")).commands[name]))
        found[name] = (sizes[1] - sizes[0]) / (ROWS[1] - ROWS[0])
    return found


def thresholds():
    """The committed counts by work."""
    with open(THRESHOLDS, encoding="utf-8") as file:
        return {name: float(count) for name, count in (line.split("\t") for line in file if not line.startswith("#"))}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", required=True, help="the aggregate to measure, a release build")
    parser.add_argument("--dir", required=True, help="where the data goes")
    parser.add_argument("--record", action="store_true", help="commit to what is counted now")
    options = parser.parse_args()
    found = counts(options.binary, options.dir)
    if options.record:
        with open(THRESHOLDS, "w", encoding="utf-8") as file:
            file.write("# instructions per row, release build, x86-64 with AVX2; made by instructions.py --record\n")
            file.writelines(f"{name}\t{count:.0f}\n" for name, count in found.items())
        return
    limits = thresholds()
    failed = False
    print("| work | instructions per row | committed | change |\n|---|---|---|---|")
    for name, count in found.items():
        change = count / limits[name] - 1
        failed = failed or change > TOLERANCE
        print(f"| {name} | {count:.0f} | {limits[name]:.0f} | {change:+.1%}{' TOO MANY' if change > TOLERANCE else ''} |")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
