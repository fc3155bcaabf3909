#!/usr/bin/env bash
# Puts DuckDB, as PyPI has it, into .build/duckdb, where the tests of `engine: duckdb` find it.
# Without Python or a network they are skipped: that is said, and is no failure.
set -uo pipefail
cd "$(dirname "$0")/.."

folder=.build/duckdb
version=2.0.1
if [ -n "${DUCKDB_LIBRARY:-}" ]; then exit 0; fi
if compgen -G "$folder/lib/python*/site-packages/_duckdb*.so" >/dev/null; then exit 0; fi

make_environment() { python3 -m venv "$folder" 2>/dev/null; }
# The module needs the library of Python, which Debian has apart from the program.
has_library() {
  "$folder/bin/python" - <<'PYTHON'
import ctypes, os, sysconfig
name = sysconfig.get_config_var("INSTSONAME")
path = os.path.join(sysconfig.get_config_var("LIBDIR"), name)
ctypes.CDLL(path if os.path.exists(path) else name)
PYTHON
}

echo "Installing DuckDB $version into $folder for the tests"
if ! { make_environment && has_library 2>/dev/null; }; then
  ./Scripts/dependencies.sh python3-venv libpython3-dev
fi
if { make_environment && has_library; } &&
  "$folder/bin/pip" install --quiet --disable-pip-version-check "duckdb==$version"; then
  exit 0
fi
echo "DuckDB could not be installed: the tests of engine: duckdb are skipped" >&2
rm -rf "$folder"
