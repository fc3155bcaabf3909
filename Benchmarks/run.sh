#!/bin/sh
# Generates the data if it is not there, builds the program, and measures it beside its peers.
set -eu

usage() {
  cat <<'END'
usage: Benchmarks/run.sh [--rows N] [--repeat N] [--dir DIR] [--binary PATH] [--check] [--only NAME]…

  --rows N       readings to generate (2000000)
  --repeat N     runs of each program on each work (5)
  --dir DIR      where data and results go (aggregate-benchmarks in $TMPDIR or /tmp)
  --binary PATH  the program to measure; without it, a release build is made
  --check        compare the rows that the programs write, too
  --only NAME    one work (W1 … W5) or one peer (duckdb, polars, mlr, jq, csvkit); may be repeated

DUCKDB names DuckDB's command line, POLARS_PYTHON a Python that has Polars.
END
}

here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
rows=2000000
repeat=5
dir=${TMPDIR:-/tmp}/aggregate-benchmarks
binary=
only=
while [ $# -gt 0 ]; do
  case $1 in
    --rows) rows=$2; shift 2 ;;
    --repeat) repeat=$2; shift 2 ;;
    --dir) dir=$2; shift 2 ;;
    --binary) binary=$2; shift 2 ;;
    --check) only="$only --check"; shift ;;
    --only) only="$only --only $2"; shift 2 ;;
    -h | --help) usage; exit 0 ;;
    *) usage >&2; exit 2 ;;
  esac
done

if [ -z "$binary" ]; then
  static=
  [ "$(uname)" = Linux ] && static=--static-swift-stdlib
  # shellcheck disable=SC2086
  (cd "$here/.." && swift build -c release $static --product aggregate >&2)
  binary=$(cd "$here/.." && swift build -c release --show-bin-path)/aggregate
fi

data=$dir/$rows
if [ ! -f "$data/complete" ]; then
  echo "generating $rows readings in $data" >&2
  python3 "$here/generate.py" --dir "$data" --rows "$rows"
  touch "$data/complete"
fi
# shellcheck disable=SC2086
python3 "$here/measure.py" --binary "$binary" --dir "$data" --repeat "$repeat" $only
