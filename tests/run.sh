#!/usr/bin/env bash
# Installs what the tests need, builds everything, and runs every test. Options go to CMake.
set -euo pipefail
cd "$(dirname "$0")/.."
source app/set_up.sh

install_packages "${build_packages[@]}" "${test_packages[@]}"
build_project all "$@"
ctest --test-dir build --output-on-failure
