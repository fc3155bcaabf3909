"""Reads documents with chdb's url(): BASE/detail/{1..N}.json; prints CSV."""

import sys

import chdb

base, count, width = sys.argv[1:]
columns = "id Int64, name String, height Int64, weight Int64"
query = (
    f"SELECT id, name, height, weight FROM url('{base}/detail/{{1..{count}}}.json', 'JSONEachRow', '{columns}') "
    f"SETTINGS max_threads = {width}, glob_expansion_max_elements = 10000, input_format_skip_unknown_fields = 1"
)
sys.stdout.write(str(chdb.query(query, "CSVWithNames")))
