# Sourced by tests/run.sh and tests/fuzz/long.sh, from the top folder of the project.

# fuzz_seeds FOLDER: what the readers of text are fuzzed from: the samples, what the command line in FOLDER/bin makes of them, and
# tests/fuzz/seeds. Binary formats and proofs begin with what their targets make themselves.
fuzz_seeds() {
    local seeds=build-fuzz/seeds cli=$1/bin/stowage-cli sample name made
    rm -rf "$seeds"
    mkdir -p "$seeds"/{program,problem,csv,plan,hivm,memory-info,tir,executorch,pickle,xla,memory_profile,iree,dsa,manifest,plugin-metadata,hivm-rewrite,tir-rewrite}
    cp -r tests/fuzz/seeds/. "$seeds"
    cp resources/samples/*.tir "$seeds/tir"
    cp resources/samples/tflite/*.log "$seeds/tflm-log"
    cp resources/samples/*.mlir resources/samples/ascend/*.mlir "$seeds/hivm"
    cp resources/samples/ascend/*.memory_info.json "$seeds/memory-info"
    cp resources/samples/pytorch/*.pickle "$seeds/pickle"
    gzip -9 <resources/samples/pytorch/two_streams.pickle >"$seeds/pickle/packed"
    { printf '<html><script>add([{"name": "a", "base64": "' && base64 -w 0 resources/samples/pytorch/two_streams.pickle &&
        printf '"}])</script></html>'; } >"$seeds/pickle/page"
    cp resources/samples/runtimes/*.pte "$seeds/executorch"
    cat resources/samples/runtimes/residual-{buffer-assignment,live-range}.txt >"$seeds/xla/residual.txt"
    cp resources/samples/runtimes/*_profile.json "$seeds/memory_profile"
    cp resources/samples/runtimes/*_pack.mlir "$seeds/iree"
    cp resources/samples/runtimes/*.dsa.json "$seeds/dsa"
    cp resources/samples/planners.d/*.json "$seeds/manifest"
    cp resources/samples/{fold_*,mlp_*}.mlir "$seeds/mlir"
    cp -r "$seeds/hivm/." "$seeds/hivm-rewrite"
    cp -r "$seeds/tir/." "$seeds/tir-rewrite"
    for sample in plugins/*/plugin.json plugins/example/*.json; do
        name=$(basename "$(dirname "$sample")")
        cp "$sample" "$seeds/plugin-metadata/$name.json"
    done
    # Targets with several readers choose one by the first byte.
    made=$(mktemp -d)
    "$cli" pipeline split resources/samples/mobilenet_v1_025.json --auto --devices camera-4 -o "$made/split.json" >/dev/null
    "$cli" pipeline simulate "$made/split.json" --frames 3 --format json -o "$made/run.json" --trace "$made/trace.json"
    { printf 2 && cat "$made/split.json"; } >"$seeds/pipeline-config/split"
    { printf 2 && cat resources/samples/pipeline_document.json; } >"$seeds/pipeline-config/document"
    { printf 3 && cat resources/targets/devices/camera-4.json; } >"$seeds/pipeline-config/devices"
    { printf 0 && cat "$made/run.json"; } >"$seeds/pipeline-config/run"
    { printf 1 && cat "$made/trace.json"; } >"$seeds/pipeline-config/trace"
    { printf 4 && cat "$made/split.json"; } >"$seeds/session/pipeline-split"
    rm -r "$made"
    for sample in resources/samples/*.json; do
        name=$(basename "$sample" .json)
        grep -q stowage.program/ "$sample" || continue
        cp "$sample" "$seeds/program/$name.json"
        "$cli" convert "$sample" --to problem -o "$seeds/problem/$name.json" 2>/dev/null
        "$cli" convert "$sample" --to csv -o "$seeds/csv/$name.csv" 2>/dev/null
        "$cli" plan "$sample" --planner greedy-by-size --format json -o "$seeds/plan/$name.json" 2>/dev/null
    done
}
