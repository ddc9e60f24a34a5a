#!/usr/bin/env bash
# Builds and runs the programs that print figures. Needs a quiet machine; compares with Open MPI and Gloo where
# they are installed (Debian: libopenmpi-dev, libgloo-dev).
set -euo pipefail
cd "$(dirname "$0")/../.."

cmake -S . -B build -G Ninja
ninja -C build ringscope schedule_bench trace_bench peers_bench
build/tests/bench/schedule_bench
build/tests/bench/trace_bench
build/ringscope bench
build/ringscope bench --algorithms all --sizes 1KiB,64MiB
build/tests/bench/peers_bench
build/tests/bench/peers_bench 101 1024   # latency: of so small a buffer, of many runs
