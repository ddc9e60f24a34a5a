#!/usr/bin/env bash
# Installs what Ringscope needs, builds it, records a real all-reduce of four ranks, and shows it.
set -euo pipefail
cd "$(dirname "$0")/.."
source app/set_up.sh

install_packages "${build_packages[@]}"
build_project ringscope

mkdir -p out
./build/ringscope record --ranks 4 -o out/ring-4.ring
./build/ringscope show out/ring-4.ring
./build/ringscope picture out/ring-4.ring --round all -o out/ring-4.png
echo "Recorded out/ring-4.ring, and a picture of every round: $(ls out/ring-4-round-*.png | tr '\n' ' ')"

if [ -n "${DISPLAY:-}" ]; then
  exec ./build/ringscope window out/ring-4.ring
fi
echo "There is no display here, so the window stays closed. Open the pictures in out/, or read the rounds with:"
echo "  ./build/ringscope show out/ring-4.ring"
