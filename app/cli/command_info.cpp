// info INPUT: shows what was read, and the buffers at the peak, without planning.
#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "app/cli/planned.h"
#include "app/session/number_words.h"
#include "core/io/json_writer.h"
#include "core/ir/checked.h"
#include "core/plan/load.h"
#include "core/plan/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

namespace stowage::cli {

namespace {

constexpr std::array<const char*, 5> tensorKinds{"intermediate", "input", "output", "constant", "variable"};

struct Sum {
    std::int64_t count = 0;
    Bytes bytes = 0;
};

/// The facts about one function.
struct Facts {
    std::string function;
    std::shared_ptr<const Lowering> lowering;
    std::int64_t ops = 0;
    std::vector<std::pair<std::string, std::int64_t>> opKinds; ///< most frequent first
    std::array<Sum, 5> tensors{};                              ///< by kind
    Bytes endToEnd = 0;                                        ///< all buffers with all slots, without reuse; at most `maxBytes`
    CliqueCertificate peak;                                    ///< of all workspace buffers together
    std::map<std::string_view, Sum> leftOut;                   ///< by reason
};

/// The most loaded step of all workspace pools together, without alignment: the bound for one unbounded pool that contains them
/// all.
CliqueCertificate pressure(const Problem& problem)
{
    Problem together;
    together.axis = problem.axis;
    together.loops = problem.loops; // carried values count
    together.pools.emplace_back();
    together.pools.front().name = "all";
    together.buffers = problem.buffers;
    for (Buffer& buffer : together.buffers) {
        const auto candidates = problem.candidates(buffer);
        const bool workspace = std::any_of(candidates.begin(), candidates.end(), [&](PoolId pool) {
            return problem.pools[static_cast<std::size_t>(pool)].kind == PoolKind::workspace;
        });
        buffer.pools.clear();
        buffer.pin.reset();
        buffer.alignment = 1;
        if (!workspace) buffer.size = 0;
    }
    return lowerBound(together, 0);
}

Facts factsOf(const Model& model, const std::string& function, std::shared_ptr<const Lowering> lowering)
{
    Facts facts;
    facts.function = function;
    facts.lowering = std::move(lowering);
    if (model.program) {
        const auto& functions = model.program->functions;
        const auto found =
            std::find_if(functions.begin(), functions.end(), [&](const Function& f) { return f.name == function; });
        std::map<std::string, std::int64_t> kinds;
        for (const Op& op : found->ops) ++kinds[op.kind.empty() ? "(no kind)" : op.kind];
        facts.ops = static_cast<std::int64_t>(found->ops.size());
        facts.opKinds.assign(kinds.begin(), kinds.end());
        std::stable_sort(facts.opKinds.begin(), facts.opKinds.end(),
                         [](const auto& a, const auto& b) { return a.second > b.second; });
        for (const Tensor& tensor : found->tensors) {
            Sum& sum = facts.tensors[static_cast<std::size_t>(tensor.kind)];
            ++sum.count;
            if (tensor.aliasOf == none) sum.bytes += tensor.bytes.value_or(0);
        }
    }
    for (const Buffer& buffer : facts.lowering->problem.buffers) {
        const Bytes slots = checkedMultiply(buffer.size, buffer.slots).value_or(maxBytes);
        facts.endToEnd = std::min(checkedAdd(facts.endToEnd, slots).value_or(maxBytes), maxBytes);
    }
    for (const LeftOut& left : facts.lowering->leftOut) {
        Sum& sum = facts.leftOut[toText(left.reason)];
        ++sum.count;
        sum.bytes += left.bytes;
    }
    facts.peak = pressure(facts.lowering->problem);
    const auto& buffers = facts.lowering->problem.buffers;
    std::stable_sort(facts.peak.buffers.begin(), facts.peak.buffers.end(), [&](BufferId a, BufferId b) {
        return buffers[static_cast<std::size_t>(a)].size > buffers[static_cast<std::size_t>(b)].size;
    });
    return facts;
}

/// The op that runs at a step; empty if there is none.
std::string opAt(const Model& model, const Lowering& lowering, Step step)
{
    if (!model.program || step < 0 || static_cast<std::size_t>(step) >= lowering.steps.size()) return {};
    const StepInfo& info = lowering.steps[static_cast<std::size_t>(step)];
    if (info.op == none) return "the entry";
    return model.program->functions[static_cast<std::size_t>(info.function)].ops[static_cast<std::size_t>(info.op)].name;
}

class InfoCommand final : public Command {
public:
    [[nodiscard]] std::string name() const override { return "info"; }
    [[nodiscard]] std::string summary() const override { return "show what was read, and the buffers at the peak"; }
    [[nodiscard]] std::vector<std::string> examples() const override
    {
        return {"info model.tflite", "info model.tflite --lower inplace=allowed --format json"};
    }

    void declare(Arguments& app) override
    {
        input_.declare(app);
        planning_.declare(app, PlanningOptions::noPlanner);
        output_.declare(app, {"text", "json"});
        app.option("--rows", rows_, "number of buffers at the peak to show; 0: all").typeName("N").showDefault();
    }

    int run(const Environment& environment) override
    {
        const auto model = input_.read(environment);
        if (!model) return badInput;
        std::vector<Facts> all;
        for (const std::string& function : Session::functions(*model)) {
            auto request = planning_.request(environment, *model, function);
            if (!request) return environment.fail(request.error());
            request->planner.clear();
            const auto lowering = environment.session.lowerNow(*model, *request);
            if (!lowering) return environment.fail(lowering.error());
            all.push_back(factsOf(*model, function, *lowering));
        }
        return output_.write(environment, output_.format() == Format::json ? json(*model, all) : text(environment, *model, all));
    }

private:
    [[nodiscard]] std::string text(const Environment& environment, const Model& model, const std::vector<Facts>& all) const
    {
        std::string importer = model.importer.toStdString();
        for (const ImporterInfo& info : environment.session.importers())
            if (info.name == importer) importer = info.title;
        std::string out = toned(model.name.toStdString(), Tone::strong, output_) + "\n";
        out += fmt::format("  read as      {}\n", importer);
        for (const FilePlan& plan : model.filePlans) {
            out += fmt::format("  brings       a plan, {}", plan.name);
            if (!plan.offsets.empty())
                out += fmt::format(", for {}", counted(static_cast<std::int64_t>(plan.offsets.size()), "tensor"));
            for (const auto& [pool, size] : plan.sizes) out += fmt::format(", {} B of {}", grouped(size), pool);
            out += '\n';
        }
        for (const Facts& facts : all) out += (all.size() > 1 ? "\n" : "") + section(model, facts, all.size() > 1);
        return out;
    }

    [[nodiscard]] std::string section(const Model& model, const Facts& facts, bool named) const
    {
        const Lowering& lowering = *facts.lowering;
        std::string out;
        if (named) out += fmt::format("{}\n", facts.function);
        if (model.program) {
            std::string kinds;
            for (std::size_t i = 0; i < facts.opKinds.size() && i < 6; ++i)
                kinds += fmt::format("{}{} {}", i > 0 ? ", " : ": ", grouped(facts.opKinds[i].second), facts.opKinds[i].first);
            if (facts.opKinds.size() > 6) kinds += ", …";
            out += fmt::format("  ops          {}{}\n", grouped(facts.ops), kinds);
            std::string tensors;
            for (std::size_t kind = 0; kind < tensorKinds.size(); ++kind)
                if (facts.tensors[kind].count > 0)
                    tensors += fmt::format("{}{} {} ({})", tensors.empty() ? "" : ", ", grouped(facts.tensors[kind].count),
                                           tensorKinds[kind], roughly(facts.tensors[kind].bytes));
            out += fmt::format("  tensors      {}\n", tensors);
        }
        out += fmt::format("  to plan      {}\n", problemLine(lowering));
        std::string pools;
        for (const Pool& pool : lowering.problem.pools)
            pools += fmt::format("{}{} {}", pools.empty() ? "" : ", ", pool.name,
                                 pool.capacity ? grouped(*pool.capacity) + " B"
                                               : std::string(pool.core != CoreMemory::outside ? "of unknown size" : "unbounded"));
        out += fmt::format("  pools        {}\n", pools);
        out += fmt::format("  end to end   {} B without reuse\n", grouped(facts.endToEnd));

        const CliqueCertificate& peak = facts.peak;
        const std::string at =
            peak.step >= 0 ? fmt::format(" at step {}", peak.step) : std::string(" in a set of buffers that all conflict");
        const std::string op = opAt(model, lowering, peak.step);
        out += fmt::format("  peak         {} ({}) live{}{}\n", toned(grouped(peak.bytes) + " B", Tone::strong, output_),
                           roughly(peak.bytes), at, op.empty() ? "" : ", " + op);
        for (const auto& [reason, sum] : facts.leftOut)
            out += fmt::format("  left out     {}, {} B: {}\n", counted(sum.count, "tensor"), grouped(sum.bytes), reason);
        Table table = peakTable(model, facts);
        const std::size_t count = table.rows.size();
        if (rows_ > 0 && count > rows_) table.rows.resize(rows_);
        if (count > 0) out += "\n  The peak is made of\n" + toText(table);
        if (count > table.rows.size())
            out += fmt::format("  … and {}; --rows 0 shows all\n",
                               counted(static_cast<std::int64_t>(count - table.rows.size()), "more buffer"));
        if (!lowering.transfers.empty()) out += "\n  Copies at run time\n" + toText(transferTable(model, lowering));
        return out;
    }

    [[nodiscard]] static Table peakTable(const Model& model, const Facts& facts)
    {
        Table table{{{"share", "share", CellKind::ratio},
                     {"size", "size (B)", CellKind::number},
                     {"begin", "from step", CellKind::number},
                     {"end", "to step", CellKind::number},
                     {"buffer", "buffer", CellKind::text},
                     {"producer", "made by", CellKind::text}},
                    {}};
        Run run; // maps buffers to ops
        run.program = model.program;
        run.lowering = facts.lowering;
        for (const BufferId id : facts.peak.buffers) {
            const Buffer& buffer = facts.lowering->problem.buffers[static_cast<std::size_t>(id)];
            const Interval hull = buffer.hull();
            const Bytes held = heldAt(facts.lowering->problem, id, facts.peak.step);
            table.rows.push_back({static_cast<double>(held) / static_cast<double>(facts.peak.bytes), held,
                                  hull.empty() ? Cell{} : Cell{hull.begin}, hull.empty() ? Cell{} : Cell{hull.end}, buffer.name,
                                  producerName(run, id)});
        }
        return table;
    }

    /// The copies at ops with regions and at calls.
    [[nodiscard]] static Table transferTable(const Model& model, const Lowering& lowering)
    {
        Table table{{{"op", "at", CellKind::text},
                     {"from", "from", CellKind::text},
                     {"to", "to", CellKind::text},
                     {"size", "size (B)", CellKind::number},
                     {"reason", "because", CellKind::text}},
                    {}};
        for (const DataTransfer& transfer : lowering.transfers) {
            const Function& function = model.program->functions[static_cast<std::size_t>(transfer.function)];
            const Op& op = function.ops[static_cast<std::size_t>(transfer.op)];
            const auto& to = function.tensors[static_cast<std::size_t>(transfer.to)];
            // The output of a callee is a tensor of its own.
            const Function& inside =
                op.control == Control::call ? model.program->functions[static_cast<std::size_t>(op.callee)] : function;
            table.rows.push_back({op.name, inside.tensors[static_cast<std::size_t>(transfer.from)].name, to.name, transfer.bytes,
                                  std::string(toText(transfer.reason))});
        }
        return table;
    }

    [[nodiscard]] static std::string json(const Model& model, const std::vector<Facts>& all)
    {
        io::JsonWriter out;
        out.object([&] {
            out.field("format", "stowage.info/1");
            out.field("file", model.path.toStdString());
            out.field("importer", model.importer.toStdString());
            out.array("functions", [&] {
                for (const Facts& facts : all) out.object([&] { writeFunction(out, model, facts); });
            });
            out.array("plans", [&] {
                for (const FilePlan& plan : model.filePlans)
                    out.object(io::JsonWriter::compact, [&] {
                        out.field("name", plan.name);
                        if (!model.problems.empty())
                            out.field("function", model.problems[static_cast<std::size_t>(plan.problem)].first);
                        out.field("tensors", plan.offsets.size());
                        if (!plan.sizes.empty())
                            out.object("sizes", [&] {
                                for (const auto& [pool, size] : plan.sizes) out.field(pool, size);
                            });
                        if (!plan.figures.empty())
                            out.object("figures", [&] {
                                for (const auto& [figure, value] : plan.figures) out.field(figure, value);
                            });
                    });
            });
            out.array("diagnostics", [&] {
                for (const Diagnostic& diagnostic : model.diagnostics)
                    out.object(io::JsonWriter::compact, [&] {
                        out.field("severity", toText(diagnostic.severity));
                        out.field("code", codeText(diagnostic));
                        out.field("message", diagnostic.message);
                        out.field("text", toText(diagnostic));
                    });
            });
        });
        return std::move(out).text();
    }

    static void writeFunction(io::JsonWriter& out, const Model& model, const Facts& facts)
    {
        const Problem& problem = facts.lowering->problem;
        if (model.program) {
            out.field("name", facts.function);
            out.field("ops", facts.ops);
            out.object("op_kinds", io::JsonWriter::compact, [&] {
                for (const auto& [kind, count] : facts.opKinds) out.field(kind, count);
            });
            out.object("tensors", io::JsonWriter::compact, [&] {
                for (std::size_t kind = 0; kind < tensorKinds.size(); ++kind)
                    out.object(tensorKinds[kind], [&] {
                        out.field("count", facts.tensors[kind].count);
                        out.field("bytes", facts.tensors[kind].bytes);
                    });
            });
        }
        out.field("lowering", facts.lowering->fingerprint.text());
        out.field("buffers", problem.buffers.size());
        out.field("steps", problem.horizon());
        out.field("bytes", facts.endToEnd);
        out.object("peak", [&] {
            out.field("bytes", facts.peak.bytes);
            out.field("step", facts.peak.step);
            const std::string op = opAt(model, *facts.lowering, facts.peak.step);
            if (!op.empty()) out.field("op", op);
            out.array("buffers", [&] { writeRows(out, peakTable(model, facts)); });
        });
        out.array("copied", [&] { writeRows(out, transferTable(model, *facts.lowering)); });
        out.array("left_out", [&] {
            for (const auto& one : facts.leftOut)
                out.object(io::JsonWriter::compact, [&] {
                    out.field("reason", one.first);
                    out.field("tensors", one.second.count);
                    out.field("bytes", one.second.bytes);
                });
        });
    }

    InputOptions input_;
    PlanningOptions planning_;
    OutputOptions output_;
    std::size_t rows_ = 20;
};

} // namespace

std::unique_ptr<Command> infoCommand()
{
    return std::make_unique<InfoCommand>();
}

} // namespace stowage::cli
