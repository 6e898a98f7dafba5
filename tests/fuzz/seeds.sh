# Sourced by tests/run.sh and tests/fuzz/long.sh, from the top folder of the project.

# What the readers of text are fuzzed from: the samples, what the command line makes of them, and tests/fuzz/seeds. Binary formats and
# proofs begin with what their targets make themselves.
fuzz_seeds() {
    local seeds=build-fuzz/seeds sample name
    rm -rf "$seeds"
    mkdir -p "$seeds"/{program,problem,csv,plan,hivm,memory-info,tir,executorch,pickle,xla,memory_profile,iree,dsa,manifest}
    cp -r tests/fuzz/seeds/. "$seeds"
    cp resources/samples/*.tir "$seeds/tir"
    cp resources/samples/tflite/*.log "$seeds/tflm-log"
    cp resources/samples/*.mlir resources/samples/ascend/*.mlir "$seeds/hivm"
    cp resources/samples/ascend/*.memory_info.json "$seeds/memory-info"
    cp resources/samples/pytorch/*.pickle tests/fuzz/seeds/pickle/* "$seeds/pickle" 2>/dev/null
    cp resources/samples/runtimes/*.pte "$seeds/executorch"
    cat resources/samples/runtimes/residual-{buffer-assignment,live-range}.txt >"$seeds/xla/residual.txt"
    cp resources/samples/runtimes/*_profile.json "$seeds/memory_profile"
    cp resources/samples/runtimes/*_pack.mlir "$seeds/iree"
    cp resources/samples/runtimes/*.dsa.json "$seeds/dsa"
    cp resources/samples/planners.d/*.json "$seeds/manifest"
    for sample in resources/samples/*.json; do
        name=$(basename "$sample" .json)
        grep -q stowage.program/ "$sample" || continue
        cp "$sample" "$seeds/program/$name.json"
        build/bin/stowage-cli convert "$sample" --to problem -o "$seeds/problem/$name.json" 2>/dev/null
        build/bin/stowage-cli convert "$sample" --to csv -o "$seeds/csv/$name.csv" 2>/dev/null
        build/bin/stowage-cli plan "$sample" --planner greedy-by-size --format json -o "$seeds/plan/$name.json" 2>/dev/null
    done
}
