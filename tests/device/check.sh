#!/usr/bin/env bash
# The CUDA engine on a machine with a GPU: tests/device/check.sh OUT [PROGRAM]
#
# PROGRAM is device_check, built beforehand:
#   cmake --preset device && cmake --build --preset device --target device_check
# which needs nothing there but CUDA's driver. Without it, it is built here, for which Ringscope's packages
# must be installed. Into OUT come the
# figures (figures.json), a small record (sample.ring) and what the tools said.
set -euo pipefail
[[ $# -ge 1 ]] || { echo "usage: $0 OUT [PROGRAM]" >&2; exit 2; }
mkdir -p "$1"
out=$(cd "$1" && pwd)
program=${2:-}
source_folder=$(cd "$(dirname "$0")/../.." && pwd)

if [[ -z $program ]]; then
  (cd "$source_folder" && cmake --preset device && cmake --build --preset device --target device_check)
  program=$source_folder/build-device/tests/device/device_check
fi
nvidia-smi --query-gpu=index,name,driver_version,memory.total --format=csv | tee "$out/gpus.txt" || true

failed=0
step() {  # NAME SECONDS COMMAND...: what it says is kept, and what fails is told at the end
  local name=$1 seconds=$2
  shift 2
  echo "== $name"
  if timeout "$seconds" "$@" > "$out/$name.txt" 2>&1; then
    tail -n 3 "$out/$name.txt"
  else
    echo "$name failed (exit status $?)"
    tail -n 20 "$out/$name.txt"
    failed=1
  fi
}

step matrix 90 "$program" matrix
sanitizer=$(command -v compute-sanitizer || ls /usr/local/cuda/bin/compute-sanitizer 2>/dev/null || true)
if [[ -n $sanitizer ]]; then
  step memcheck 45 "$sanitizer" --tool memcheck --leak-check full --error-exitcode 9 "$program" small
  step initcheck 45 "$sanitizer" --tool initcheck --error-exitcode 9 "$program" small
else
  echo "compute-sanitizer is not installed: no memcheck, no initcheck"
fi
step trace 30 "$program" trace "$out/sample.ring"
step measure 150 "$program" measure "$out/figures.json"

echo
cat "$out/measure.txt"
exit $failed
