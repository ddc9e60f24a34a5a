#!/usr/bin/env bash
# The CUDA engine on a machine with a GPU: tests/device/check.sh OUT [PROGRAM [MOST_KIB]]
#
# PROGRAM is device_check, built beforehand where Ringscope's packages are:
#   cmake --preset device && cmake --build --preset device
# It needs nothing but CUDA's driver. Without it, it is built here. MOST_KIB is the size of the largest buffers
# that are measured, a GiB if not said. Into OUT come the figures (figures.json), a small record (sample.ring) and
# what each step said. All steps together end within five minutes, whatever hangs.
set -euo pipefail
[[ $# -ge 1 ]] || { echo "usage: $0 OUT [PROGRAM [MOST_KIB]]" >&2; exit 2; }
mkdir -p "$1"
out=$(cd "$1" && pwd)
program=${2:-}
most=${3:-1048576}
source_folder=$(cd "$(dirname "$0")/../.." && pwd)

if [[ -z $program ]]; then
  (cd "$source_folder" && cmake --preset device && cmake --build --preset device)
  program=$source_folder/build-device/tests/device/device_check
fi
if ! timeout -k 2 10 nvidia-smi --query-gpu=index,name,driver_version,memory.total --format=csv 2>&1 | tee "$out/gpus.txt"
then
  echo "nvidia-smi tells nothing about the GPUs here"
fi

failed=0
step() {  # NAME SECONDS COMMAND...: what it says is kept; returns its exit status
  local name=$1 seconds=$2 status=0
  shift 2
  echo "== $name"
  timeout -k 2 "$seconds" "$@" > "$out/$name.txt" 2>&1 || status=$?
  tail -n 3 "$out/$name.txt"
  return $status
}
must() {  # the same; what fails is told, and makes the whole fail
  local status=0
  step "$@" || status=$?
  [[ $status -eq 0 ]] || { echo "$1 failed (exit status $status)"; failed=1; }
}
sanitize() {  # TOOL OPTION...: where the tool works, which it need not in a container
  local status=0
  # The program says by itself which call fails; to the tool 'not ready' would be a failure, too.
  step "$1" 38 "$sanitizer" --tool "$@" --report-api-errors no --error-exitcode 9 "$program" small || status=$?
  if [[ $status -eq 0 ]]; then return; fi
  if [[ $status -eq 9 || $status -ge 124 ]] || grep -q '^matrix:' "$out/$1.txt"; then
    echo "$1 failed (exit status $status)"
    failed=1
  else
    echo "compute-sanitizer does not work here: no $1"
  fi
}

must matrix 60 "$program" matrix "$most"
sanitizer=$(command -v compute-sanitizer || ls /usr/local/cuda/bin/compute-sanitizer 2>/dev/null || true)
if [[ -n $sanitizer ]]; then
  sanitize memcheck --leak-check full
  sanitize initcheck
else
  echo "compute-sanitizer is not installed: no memcheck, no initcheck"
fi
must trace 20 "$program" trace "$out/sample.ring"
must measure 110 "$program" measure "$out/figures.json" "$most"

echo
cat "$out/measure.txt"
exit $failed
