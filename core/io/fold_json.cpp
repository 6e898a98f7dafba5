#include "core/io/fold_json.h"

#include "core/io/json_writer.h"

#include <algorithm>

namespace stowage::io {

namespace {

void numbers(JsonWriter& out, std::string_view key, const std::vector<std::int64_t>& values)
{
    out.array(key, JsonWriter::compact, [&] {
        for (const std::int64_t value : values) out.value(value);
    });
}

void optionalField(JsonWriter& out, std::string_view key, const std::optional<std::int64_t>& value)
{
    out.key(key);
    if (value)
        out.value(*value);
    else
        out.null();
}

class FoldWriter {
public:
    explicit FoldWriter(const FoldReport& report) : report_(report) {}

    std::string write()
    {
        out_.object([&] {
            out_.field("format", "stowage.fold/1");
            out_.field("name", report_.folded->program.name);
            out_.field("mode", toText(report_.options.mode));
            out_.field("threshold", report_.options.threshold);
            out_.field("postpone", report_.options.postpone);
            out_.array("functions", [&] {
                for (std::size_t f = 0; f < report_.folded->functions.size(); ++f) function(f);
            });
            if (!report_.diagnostics.empty())
                out_.array("diagnostics", [&] {
                    for (const Diagnostic& each : report_.diagnostics) out_.value(stowage::toText(each));
                });
        });
        return std::move(out_).text();
    }

private:
    void function(std::size_t index)
    {
        const SplitFunction& split = report_.folded->functions[index];
        const Function& original = report_.folded->before.functions[at(split.entry)];
        const FunctionFold& fold = split.fold;
        out_.object([&] {
            out_.field("name", original.name);
            out_.array("ops", [&] {
                for (std::size_t i = 0; i < original.ops.size(); ++i) op(original.ops[i], fold.ops[i]);
            });
            opNames("compiletime_fold", original, fold, FoldPlace::compileTimeFold);
            opNames("runtime_fold", original, fold, FoldPlace::runTimeFold);
            if (report_.options.mode == FoldMode::evaluate) opNames("evaluated", original, fold, FoldPlace::evaluated);
            out_.array("postponed", [&] {
                for (const Postponed& moved : fold.postponed)
                    out_.object(JsonWriter::compact, [&] {
                        out_.field("op", original.ops[at(moved.expanding)].name);
                        out_.array("after", [&] {
                            for (const OpId id : moved.chain) out_.value(original.ops[at(id)].name);
                        });
                    });
            });
            out_.array("folded", [&] {
                for (const FoldedTensor& kept : fold.folded) tensor(kept);
            });
            out_.object("arguments", JsonWriter::compact, [&] {
                positions("entry", original, fold.entryArguments);
                positions("compiletime_fold", original, fold.compileTimeArguments);
                positions("runtime_fold", original, fold.runTimeArguments);
            });
            costs(split);
            if (index < report_.arenas.size()) arenas(report_.arenas[index]);
            if (index < report_.runs.size()) runs(report_.runs[index]);
        });
    }

    void op(const Op& op, const OpFold& fold)
    {
        out_.object(JsonWriter::compact, [&] {
            out_.field("name", op.name);
            out_.field("kind", op.kind);
            out_.field("const", toText(fold.level));
            out_.field("folded", fold.folded());
            out_.field("reason", toText(fold.reason));
            if (fold.level != ConstLevel::notConstant) out_.field("explanation", explain(fold, report_.options.threshold));
            if (fold.rootBytes > 0) {
                out_.field("root_bytes", fold.rootBytes);
                out_.field("result_bytes", fold.resultBytes);
            }
        });
    }

    void opNames(std::string_view key, const Function& function, const FunctionFold& fold, FoldPlace place)
    {
        out_.array(key, JsonWriter::compact, [&] {
            for (const OpId id : opsIn(function, fold, place)) out_.value(function.ops[at(id)].name);
        });
    }

    /// Writes the positions, from 0, of a function's arguments among the original ones.
    void positions(std::string_view key, const Function& function, const std::vector<TensorId>& arguments)
    {
        out_.array(key, [&] {
            for (std::size_t i = 0; i < function.body().inputs.size(); ++i)
                if (std::find(arguments.begin(), arguments.end(), function.body().inputs[i]) != arguments.end()) out_.value(i);
        });
    }

    void tensor(const FoldedTensor& kept)
    {
        out_.object(JsonWriter::compact, [&] {
            out_.field("id", kept.id);
            out_.field("tensor", kept.name);
            numbers(out_, "shape", kept.shape);
            numbers(out_, "strides", kept.strides);
            if (kept.madeIn == FoldPlace::evaluated) {
                out_.key("offset");
                out_.null();
            } else {
                out_.field("offset", kept.offset);
            }
            out_.field("size", kept.size);
            out_.field("made_by", kept.madeIn == FoldPlace::runTimeFold ? "runtime_fold"
                                  : kept.madeIn == FoldPlace::evaluated ? "compiler"
                                                                        : "compiletime_fold");
            out_.array("read_by", [&] {
                if (kept.entryReads) out_.value("entry");
                if (kept.runTimeFoldReads) out_.value("runtime_fold");
            });
        });
    }

    void costs(const SplitFunction& split)
    {
        const FoldCosts& costs = split.costs;
        out_.object("saved", JsonWriter::compact, [&] {
            out_.field("ops", costs.savedOps());
            out_.field("bytes", costs.savedBytes());
        });
        out_.field("persistent_bytes", split.fold.persistentBytes);
        out_.field("held_twice_bytes", split.fold.heldTwiceBytes);
        optionalField(out_, "break_even_runs", costs.breakEvenRuns);
        out_.object("peak", JsonWriter::compact, [&] {
            out_.field("before", costs.peakBefore);
            out_.field("after", costs.peakAfter);
            out_.field("compiletime_fold", costs.compileTimeFoldPeak);
            out_.field("runtime_fold", costs.runTimeFoldPeak);
        });
        out_.object("moved", JsonWriter::compact, [&] {
            out_.field("before", costs.movedBefore);
            out_.field("after", costs.movedAfter);
            out_.field("runtime_fold", costs.movedByFold);
        });
    }

    void arenas(const FoldArenas& arenas)
    {
        out_.object("arena", JsonWriter::compact, [&] {
            optionalField(out_, "before", arenas.before);
            optionalField(out_, "after", arenas.after);
            optionalField(out_, "compiletime_fold", arenas.compileTimeFold);
            optionalField(out_, "runtime_fold", arenas.runTimeFold);
        });
    }

    void runs(const FoldRuns& runs)
    {
        out_.object("cache", [&] {
            out_.field("scope", runs.sharing == CacheSharing::process ? "process" : "function");
            optionalField(out_, "capacity", runs.capacity);
            out_.array("runs", [&] {
                for (const Execution& each : runs.executions)
                    out_.object(JsonWriter::compact, [&] {
                        numbers(out_, "folded", each.foldedNow);
                        out_.field("hits", each.hits);
                        out_.field("evictions", each.evictions);
                        numbers(out_, "not_kept", each.notKept);
                    });
            });
        });
    }

    const FoldReport& report_;
    JsonWriter out_;
};

} // namespace

std::string writeFoldJson(const FoldReport& report)
{
    return FoldWriter(report).write();
}

} // namespace stowage::io
