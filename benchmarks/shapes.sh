#!/usr/bin/env bash
# The five load shapes: mux bench beside the yardstick (the bare call of benchmarks/Yardstick), one after the other so that both have the same minutes, and the medians
# as a table. Usage: shapes.sh [ROUNDS] [SECONDS]; 5 rounds of 4 s take about 8 minutes. On Linux both ends of both programs use reno: the usual default, bbr or cubic,
# paces loopback or does not, as the machine likes.
set -euo pipefail
cd "$(dirname "$0")/.."
rounds=${1:-5} seconds=${2:-4} warmup=3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
congestion=(); [ "$(uname)" = Linux ] && congestion=(--congestion reno)

for project in src/Mux.Tool benchmarks/Yardstick; do dotnet build -c Release -v q "$project" >"$work/build.txt" || { cat "$work/build.txt" >&2; exit 1; }; done
mux=artifacts/bin/Mux.Tool/release/Mux.Tool.dll yardstick=artifacts/bin/Yardstick/release/Yardstick.dll

# A figure of a JSON text by its name; the "ci" object of mux bench and the line of the yardstick have the same names.
figure() { tr -d '\n' <"$1" | sed 's/.*"ci"//' | grep -o "\"$2\": *[0-9.]*" | head -n 1 | grep -o '[0-9.]*$'; }
median() { sort -g | awk '{v[NR] = $1} END {print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2}'; }
of() { for round in $(seq "$rounds"); do figure "$work/$1.$round.json" "$2"; done | median; }

echo "$(nproc) CPUs, $(uname -sr), .NET $(dotnet --version), medians of $rounds rounds of $seconds s, ${congestion[*]:-system congestion control}"
echo
echo "| shape | mux calls/s | yardstick calls/s | ratio | mux p50 / p99, us | CPU us/call, client + server | yardstick's | ratio | B/call, client / server | calls per send | errors |"
echo "|---|---|---|---|---|---|---|---|---|---|---|"
for shape in 10x200 1x2000 10x20 10x1 1x1; do
  c=${shape%x*} f=${shape#*x}
  for round in $(seq "$rounds"); do
    dotnet "$mux" bench --connections "$c" --in-flight "$f" --duration "${seconds}s" --warmup "${warmup}s" "${congestion[@]}" --quiet --json "$work/mux.$round.json" >/dev/null
    dotnet "$yardstick" --connections "$c" --in-flight "$f" --seconds "$seconds" --warmup "$warmup" >"$work/yard.$round.json"
  done
  awk -v shape="$shape" -v rate="$(of mux rate)" -v yard="$(of yard rate)" -v p50="$(of mux p50_us)" -v p99="$(of mux p99_us)" \
    -v cc="$(of mux client_cpu_us_per_call)" -v sc="$(of mux server_cpu_us_per_call)" -v yc="$(of yard client_cpu_us_per_call)" -v ys="$(of yard server_cpu_us_per_call)" \
    -v cb="$(of mux client_bytes_per_call)" -v sb="$(of mux server_bytes_per_call)" -v batch="$(of mux calls_per_send)" -v errors="$(of mux errors)" 'BEGIN {
      printf "| %s | %.0f | %.0f | %.2f | %.1f / %.0f | %.2f + %.2f | %.2f | %.2f | %.1f / %.1f | %.1f | %d |\n",
        shape, rate, yard, rate / yard, p50, p99, cc, sc, yc + ys, (yc + ys) / (cc + sc), cb, sb, batch, errors }'
done
