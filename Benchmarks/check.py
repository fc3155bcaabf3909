#!/usr/bin/env python3
"""Compares the rows that programs wrote for one work with those of the first of them.

usage: check.py WORK PROGRAM=PATH…   (PATH without its extension)
"""

import csv
import json
import os
import sys


def normal(text):
    """A value as it compares: numbers to nine digits, whatever the program's way of writing them."""
    try:
        return f"{float(text):.9g}"
    except ValueError:
        return text


def contents(program, out):
    """The rows that a program wrote, without names, in an order of their own."""
    rows = []
    if os.path.exists(f"{out}.csv"):
        with open(f"{out}.csv", newline="", encoding="utf-8") as file:
            rows = [[normal(value) for value in row] for row in csv.reader(file)]
        if program != "jq":
            rows = rows[1:]
    for name in (f"{out}.ndjson", f"{out}.json"):
        if os.path.exists(name):
            with open(name, encoding="utf-8") as file:
                rows = [[normal(str(value)) for value in json.loads(line).values()] for line in file]
    rows.sort()
    return rows


def differences(rows, expected):
    """What is to be said of a peer whose rows are not the expected ones, or None."""
    if len(rows) != len(expected):
        return f"{len(rows)} rows, not {len(expected)}"
    for mine, other in zip(rows, expected):
        if mine != other and not all(a == b or is_near(a, b) for a, b in zip(mine, other)):
            return f"{mine}, not {other}"
    return None


def is_near(a, b):
    """Whether two values are the same number but for the last digits of a mean."""
    try:
        return abs(float(a) - float(b)) <= 1e-4 * max(1, abs(float(b)))
    except ValueError:
        return False


def main():
    work, *outputs = sys.argv[1:]
    expected = None
    for output in outputs:
        program, path = output.split("=", 1)
        rows = contents(program, path)
        expected = expected or rows
        print(f"{work} {program}: {differences(rows, expected) or 'the same rows'}", file=sys.stderr)


if __name__ == "__main__":
    main()
