#!/usr/bin/env python3
"""Compares the rows that programs wrote for one work with those of the first of them.

usage: check.py WORK PROGRAM=PATH…   (PATH without its extension)
"""

import csv
import json
import os
import sys


def value(text):
    """A value as it compares: a whole number exactly, another number as one, everything else as text."""
    try:
        number = float(text)
    except ValueError:
        return text
    return int(number) if number.is_integer() else number


def contents(program, out):
    """The rows that a program wrote, without the names of the columns."""
    rows = []
    if os.path.exists(f"{out}.csv"):
        with open(f"{out}.csv", newline="", encoding="utf-8") as file:
            rows = [[value(text) for text in row] for row in csv.reader(file)]
        if program != "jq":
            rows = rows[1:]
    for name in (f"{out}.ndjson", f"{out}.json"):
        if os.path.exists(name):
            with open(name, encoding="utf-8") as file:
                rows = [[value(str(member)) for member in json.loads(line).values()] for line in file]
    return rows


def order(row):
    """What rows are sorted by; means whose last digits differ come to the same place."""
    return [("", round(cell, 4)) if isinstance(cell, (int, float)) else (cell, 0) for cell in row]


def differences(rows, expected):
    """What is to be said of rows that are not the expected ones, or None."""
    if len(rows) != len(expected):
        return f"{len(rows)} rows, not {len(expected)}"
    for mine, other in zip(sorted(rows, key=order), sorted(expected, key=order)):
        if len(mine) != len(other) or not all(map(is_same, mine, other)):
            return f"{mine}, not {other}"
    return None


def is_same(a, b):
    """Whether two values are the same, or differ in the last digits of a mean."""
    if isinstance(a, float) or isinstance(b, float):
        return isinstance(a, (int, float)) and isinstance(b, (int, float)) and abs(a - b) <= 1e-5 * max(1, abs(b))
    return a == b


def is_falling(rows):
    """Whether the first column of the rows never rises."""
    return all(a[0] >= b[0] for a, b in zip(rows, rows[1:]))


def main():
    work, *outputs = sys.argv[1:]
    expected = None
    failed = False
    for output in outputs:
        program, path = output.split("=", 1)
        rows = contents(program, path)
        if expected is None:
            expected = rows
        difference = "no rows" if not rows else differences(rows, expected)
        if not difference and work == "W2" and not is_falling(rows):
            difference = "the rows are not in order"
        failed = failed or bool(difference)
        print(f"{work} {program}: {difference or 'the same rows'}", file=sys.stderr)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
