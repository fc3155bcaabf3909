#!/usr/bin/env bash
# Builds the fuzz targets with coverage and AddressSanitizer and runs them, each for a while.
#
#     Scripts/fuzz.sh [SECONDS] [TARGET...]
#
# New inputs go to .build/fuzz/corpus/TARGET; what crashes to .build/fuzz/TARGET-*, to be run again with
#     FUZZ_TARGET=TARGET .build/fuzz/fuzz FILE
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${1:-60}
shift || true
targets=("$@")
if [[ ${#targets[@]} -eq 0 ]]; then
  targets=(json-records json-document jsonpath csv config expression url input feed har
    ndjson values)
fi

scratch=.build/fuzz
swift=${SWIFT:-swift}
coverage=(-Xswiftc -sanitize-coverage=edge,indirect-calls,trace-cmp,inline-8bit-counters,pc-table)
coverage+=(-Xcc -fsanitize-coverage=edge,indirect-calls,trace-cmp,inline-8bit-counters,pc-table)
"$swift" build -c release --scratch-path "$scratch" --sanitize address "${coverage[@]}" \
  --product aggregate

# The package has no library products: its modules are linked from the objects that the program was
# linked from. What else lies in the folders may be left over from files that are gone.
products=$scratch/release
grep -v '/aggregate\.build/' "$products/aggregate.product/Objects.LinkFileList" \
  >"$scratch/objects.txt"
modules=()
for map in Sources/*/module.modulemap Sources/*/include/module.modulemap \
  "$products"/*.build/module.modulemap; do
  [[ -f $map ]] && modules+=(-Xcc "-fmodule-map-file=$map")
done
"$swift"c -O -parse-as-library -sanitize=fuzzer,address -swift-version 6 \
  -I "$products/Modules" "${modules[@]}" Fuzz/FuzzTargets.swift "@$scratch/objects.txt" \
  -lyaml -lsqlite3 -lz -lsimdjson -lre2 -lstdc++ -o "$scratch/fuzz"

failed=0
for target in "${targets[@]}"; do
  echo "== $target, $seconds s"
  mkdir -p "$scratch/corpus/$target"
  # Memory that is reachable at the end is no leak worth a report here.
  if ! FUZZ_TARGET=$target ASAN_OPTIONS=detect_leaks=0 "$scratch/fuzz" \
    -max_total_time="$seconds" -timeout=25 -rss_limit_mb=2048 -max_len=4096 -print_final_stats=1 \
    -artifact_prefix="$scratch/$target-" "$scratch/corpus/$target" "Fuzz/corpus/$target" \
    2>"$scratch/$target.log"; then
    failed=1
    echo "$target failed; see $scratch/$target.log"
  fi
  grep -E 'stat::number_of_executed_units|ERROR|SUMMARY|Fatal|Test unit written' \
    "$scratch/$target.log" || true
done
exit $failed
