#!/usr/bin/env bash
# Runs the built tests in two parts: those that need the machine for themselves one after the other, the rest in
# parallel. What is behind the name goes to `swift test`.
set -euo pipefail
cd "$(dirname "$0")/.."

# Suites that measure time or memory, give up after a while, change the environment or start a server. A rule
# of ArchitectureTests finds those that are missing here.
alone='BodyDecoderTests|BoundedQueueTests|CachedProcessesTests|CircuitBreakerTests|ConcurrentRunTests'
alone+='|DuckDBPartsTests|DuckDBStageTests|EndpointProviderTests|FileProvidersTests|HTTPTransportTests'
alone+='|HostRecordsTests|JSONDecodingTests|JSONResumeTests|KilledRunTests|MergedSourcesTests|OrderedPartsTests'
alone+='|PartQueueTests|PipelineRunnerTests|PostgreSQLOutputTests|ProviderConformanceTests'
alone+='|RegularExpressionTests|RunStateTests|SharedLimitTests|StartOrderTests|TLSTests|WaitTests'
alone+='|WeatherFailoverTests|XMLTests|YAMLParserTests'

swift=${SWIFT:-swift}
# Without a limit all tests start at once, and wait for each other; Swift 6.2 knows none.
option=--experimental-maximum-parallelization-width
parallel=(--no-parallel)
if [[ $("$swift" test --help-hidden) == *$option* ]]; then
  parallel=("$option" "$((2 * $(getconf _NPROCESSORS_ONLN)))")
fi

status=0
"$swift" test --skip-build "${parallel[@]}" --skip "\.($alone)/" "$@" || status=1
"$swift" test --skip-build --no-parallel --filter "\.($alone)/" "$@" || status=1
exit $status
