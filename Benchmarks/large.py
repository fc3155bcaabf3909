#!/usr/bin/env python3
"""Runs works whose data is many times what they may hold in memory, checks their results, and prints their peaks.

The data is the readings of `run.sh`, repeated: some 10 GB for a conversion and 5 GB for what has to keep rows.
Needs 20 GB of disk under --dir and some minutes.
"""

import argparse
import os
import shutil
import sys
import zlib

import measure
import works

MEGABYTE = 1_000_000
DIGEST = 1 << 64


def repeated(data, size):
    """A file of `size` bytes or a little more, of whole copies of the readings, and the number of copies."""
    source = os.path.join(data, "readings.ndjson")
    copies = -(-size // os.path.getsize(source))
    path = os.path.join(data, f"readings-{copies}.ndjson")
    if not os.path.exists(path):
        with open(path + ".part", "wb") as target:
            for _ in range(copies):
                with open(source, "rb") as file:
                    shutil.copyfileobj(file, target, 1 << 22)
        os.rename(path + ".part", path)
    return path, copies


def is_sorted(path, column):
    """Whether the numbers of a CSV file's column do not fall."""
    with open(path, encoding="utf-8") as file:
        place = file.readline().rstrip("\n").split(",").index(column)
        last = float("-inf")
        for line in file:
            value = float(line.rstrip("\n").rsplit(",", 1)[-1] if place else line.split(",", 1)[0])
            if value < last:
                return False
            last = value
    return True


def rows_digest(path):
    """The sum of the hashes of a file's rows: the same for the same rows in whatever order."""
    total = 0
    with open(path, "rb") as file:
        next(file)
        for line in file:
            total += zlib.crc32(line) << 32 | zlib.adler32(line)
    return total % DIGEST


def works_of(binary, data, big, limit):
    """Name, command without its output, and the limit of memory, of each work over the file `big`."""
    group = "{group: {by: [dt, city.name], set: {n: count(), mean_temp: mean(main.temp)}}}"
    join = f"{{join: {{with: {data}/readings.csv, on: [dt, city], kind: inner}}}}"
    rows = ["--select", "temp=main.temp,city=city.name,country=city.country,dt"]
    bounded = ["--max-memory", f"{limit}MB"]
    return {
        "sort": [binary, "convert", big, "--sort", "main.temp", "--select", "temp=main.temp,city=city.name,clouds,wind,dt", *bounded],
        "group": [binary, "convert", big, "--stage", group, *bounded],
        "dedupe": [binary, "convert", big, *rows, "--stage", "{dedupe: {by: [city, dt]}}", *bounded],
        "join": [binary, "convert", big, *rows, "--stage", join, *bounded],
    }


def report(name, size, limit, measured, rows, expected):
    """Prints one line, and says whether it holds."""
    bound = limit + 64
    peak = measured.peak * (1 << 20) / MEGABYTE
    good = peak <= bound and rows == expected
    print(
        f"| {name} | {size / 1e9:.1f} | {limit or '–'} | {measured.wall:.1f} | {measured.cpu:.1f} | {peak:.0f} | {bound} "
        f"| {rows} | {'yes' if good else 'NO'} |")
    sys.stdout.flush()
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", required=True, help="the aggregate to measure")
    parser.add_argument("--dir", required=True, help="a folder with the data that run.sh generated")
    parser.add_argument("--limit", type=int, default=256, help="what --max-memory allows, in MB")
    parser.add_argument("--gigabytes", type=float, default=10, help="size of the conversion; the others take half of it")
    options = parser.parse_args()
    binary, data, limit = options.binary, options.dir, options.limit

    with open(os.path.join(data, "readings.csv"), "rb") as file:
        once = sum(block.count(b"\n") for block in iter(lambda: file.read(1 << 20), b"")) - 1
    out = os.path.join(data, "large")
    print("| work | GB | limit MB | wall s | CPU s | peak MB | bound MB | rows | holds |")
    print("|---|---|---|---|---|---|---|---|---|")
    big, copies = repeated(data, int(options.gigabytes * 1e9))
    convert = works.aggregate(binary, data, out).commands["W1"]
    measured, failure = measure.run([big if word.endswith("readings.ndjson") else word for word in convert], out)
    if failure:
        sys.exit(failure)
    good = report("NDJSON → CSV", os.path.getsize(big), 0, measured, measured.rows - 1, copies * once)
    os.remove(big)

    big, copies = repeated(data, int(options.gigabytes * 5e8))
    expected = {"sort": copies * once, "group": once, "dedupe": once, "join": copies * once}
    for name, command in works_of(binary, data, big, limit).items():
        measured, failure = measure.run([*command, "-o", f"{out}.csv"], out)
        if failure:
            sys.exit(f"{name}: {failure}")
        good = report(name, os.path.getsize(big), limit, measured, measured.rows - 1, expected[name]) and good
        if name == "sort" and not is_sorted(f"{out}.csv", "temp"):
            sys.exit("the sorted rows are not in order")
        digest = rows_digest(f"{out}.csv")
        _, failure = measure.run([data + "/readings.ndjson" if word == big else word for word in command[:-2]]
                                             + ["-o", f"{out}.once.csv"], f"{out}.once")
        if failure:
            sys.exit(f"{name}: {failure}")
        times = copies if name in ("sort", "join") else 1
        if name != "group" and rows_digest(f"{out}.once.csv") * times % DIGEST != digest:
            sys.exit(f"{name}: the rows are not those of the input, {times} times")
    os.remove(big)
    os.remove(f"{out}.csv")
    os.remove(f"{out}.once.csv")
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
