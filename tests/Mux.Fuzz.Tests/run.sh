#!/usr/bin/env bash
# A long run: INPUTS [FOLDER]. Gives the targets INPUTS inputs, an equal share each, as many targets at a time as there are processors, and leaves a corpus of what came in FOLDER.
set -euo pipefail
inputs=${1:?usage: run.sh INPUTS [FOLDER]}
cd "$(dirname "$0")/../.."
dotnet build tests/Mux.Fuzz.Tests -c Release
targets=$(basename -s .txt tests/Mux.Fuzz.Tests/Corpus/*.txt)
if [ $# -gt 1 ]; then mkdir -p "$2"; export MUX_FUZZ_CORPUS=$(realpath "$2"); fi
count=$(wc -w <<<"$targets")
export MUX_FUZZ_INPUTS=$(((inputs + count - 1) / count))
xargs -P "$(nproc)" -I {} env MUX_FUZZ_TARGET={} artifacts/bin/Mux.Fuzz.Tests/release/Mux.Fuzz.Tests -method '*New_inputs_hold_it_too' -showLiveOutput <<<"$targets"
