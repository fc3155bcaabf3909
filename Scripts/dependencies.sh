#!/usr/bin/env bash
# Installs the system libraries that the build needs, and only those that are missing.
# Words behind the name are further packages, such as those that only the tests need.
set -euo pipefail

# libcurl and libxml2 are loaded when they are first used; the rest is linked.
packages=(libyaml-dev libsqlite3-dev zlib1g-dev libsimdjson-dev libre2-dev
  libcurl4-openssl-dev libxml2 pkg-config ca-certificates tzdata "$@")

if ! command -v swift >/dev/null 2>&1; then
  echo "aggregate needs a Swift toolchain (6.2 or later) on the PATH: https://www.swift.org/install" >&2
  exit 1
fi

if ! command -v dpkg-query >/dev/null 2>&1; then
  cat <<'TEXT'
This is no Debian or Ubuntu: install these libraries yourself when the build does not find them.
  Fedora:   dnf install libyaml-devel sqlite-devel zlib-devel simdjson-devel re2-devel libcurl-devel libxml2
  Homebrew: brew install libyaml sqlite zlib simdjson re2 curl libxml2 pkg-config
TEXT
  exit 0
fi

missing=()
for package in "${packages[@]}"; do
  state=$(dpkg-query --show --showformat '${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$state" = installed ] || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

echo "Installing: ${missing[*]}"
root=()
if [ "$(id -u)" -ne 0 ]; then root=(sudo); fi
export DEBIAN_FRONTEND=noninteractive
"${root[@]}" apt-get update -qq
"${root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
