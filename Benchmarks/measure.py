#!/usr/bin/env python3
"""Times this program and its peers on the same work, one after the other, several times over."""

import argparse
import os
import platform
import statistics
import subprocess
import sys
import time

import works

SLOW_SECONDS = 20


class Measured:
    """What one run took."""

    def __init__(self, wall, usage, rows):
        self.wall = wall
        self.cpu = usage.ru_utime + usage.ru_stime
        # Kilobytes, but bytes on a Mac.
        self.peak = usage.ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10)
        self.rows = rows


def run(command, out):
    """Runs a command and counts the lines of the file that it wrote."""
    for name in (f"{out}.csv", f"{out}.ndjson", f"{out}.json"):
        if os.path.exists(name):
            os.remove(name)
    start = time.monotonic()
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    message = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.monotonic() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        return None, message.decode(errors="replace").strip()
    rows = 0
    for name in (f"{out}.csv", f"{out}.ndjson", f"{out}.json"):
        if os.path.exists(name):
            with open(name, "rb") as file:
                while block := file.read(1 << 20):
                    rows += block.count(b"\n")
    return Measured(wall, usage, rows), None


def start_up(binary, repeat):
    """Milliseconds to start, beside curl: the median of many starts."""
    print("\n| start-up | ms |\n|---|---|")
    for command in ([binary, "version"], ["curl", "--version"], [os.environ.get("DUCKDB") or "duckdb", "--version"]):
        times = []
        try:
            for _ in range(10 * repeat):
                start = time.monotonic()
                subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
                times.append((time.monotonic() - start) * 1000)
        except (OSError, subprocess.CalledProcessError):
            continue
        print(f"| {os.path.basename(command[0])} {command[1]} | {statistics.median(times):.1f} |")


def table(name, results, reference):
    """One row per program: medians, and ratios to the reference."""
    print(f"\n**{name}** {works.DESCRIPTIONS[name]}\n")
    print(f"| program | wall s | CPU s | peak MB | rows | wall ÷ {reference} | CPU ÷ {reference} | peak ÷ {reference} |")
    print("|---|---|---|---|---|---|---|---|")

    def figures(runs):
        return [statistics.median(getattr(run, field) for run in runs) for field in ("wall", "cpu", "peak")]

    base = figures(results[reference]) if results.get(reference) else None
    for program, runs in results.items():
        if not runs:
            continue
        wall, cpu, peak = figures(runs)
        ratios = " | ".join(f"{a / b:.2f}" for a, b in zip((wall, cpu, peak), base)) if base else " |  | "
        print(f"| {program} | {wall:.2f} | {cpu:.2f} | {peak:.0f} | {runs[-1].rows} | {ratios} |")
    sys.stdout.flush()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", required=True, help="the aggregate to measure")
    parser.add_argument("--dir", required=True, help="where the data is, and where results go")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--only", action="append", help="a work or a program, such as W1 or duckdb")
    parser.add_argument("--check", action="store_true", help="compare the rows that the programs write (slow)")
    options = parser.parse_args()

    out = os.path.join(options.dir, "out")
    os.makedirs(out, exist_ok=True)
    programs = works.programs(options.binary, options.dir, out)
    only = set(options.only or [])
    chosen = [name for name in works.DESCRIPTIONS if not only & works.DESCRIPTIONS.keys() or name in only]
    named = only - works.DESCRIPTIONS.keys()
    programs = [p for p in programs if not named or p.name in named or p.name == "aggregate"]

    print(f"{time.strftime('%Y-%m-%d')} · {platform.machine()}, {os.cpu_count()} cores · load {os.getloadavg()[0]:.1f}")
    for program in programs:
        print(f"- {program.name}: {program.version}")
    for name in chosen:
        results = {program.name: [] for program in programs}
        given_up = set()
        for _ in range(options.repeat):
            # In turn, so that what else the machine does meets all of them alike.
            for program in programs:
                command = program.commands.get(name)
                if command is None or program.name in given_up:
                    continue
                measured, failure = run(command, os.path.join(out, program.file))
                if measured is None:
                    print(f"{program.name} failed on {name}: {failure}", file=sys.stderr)
                    given_up.add(program.name)
                    continue
                results[program.name].append(measured)
                if measured.wall > SLOW_SECONDS:
                    given_up.add(program.name)
        if options.check:
            # In a process of its own: what this one holds would count as the peak of each program it starts.
            outputs = [f"{program.name}={os.path.join(out, program.file)}" for program in programs if results[program.name]]
            subprocess.run([sys.executable, os.path.join(os.path.dirname(__file__), "check.py"), name, *outputs], check=True)
        table(name, results, "duckdb")
    if not only & works.DESCRIPTIONS.keys():
        start_up(options.binary, options.repeat)


if __name__ == "__main__":
    main()
