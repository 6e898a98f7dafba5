// A line "name bytes" is a tensor, alive from its line to the next one's; given back, its offset stands behind it.
#include "tests/plugins/library/test_importer.h"

#include <QObject>

#include <charconv>
#include <chrono>
#include <csignal>
#include <stdexcept>
#include <thread>

namespace stowage::test {

constexpr std::string_view magic = "tensors\n";

/// Calls line(text without its end, number from 1) for each line behind the first.
template <typename Line>
void eachLine(std::string_view text, Line&& line)
{
    text.remove_prefix(magic.size());
    for (std::int32_t number = 2; !text.empty(); ++number) {
        const auto end = text.find('\n');
        line(text.substr(0, end), number);
        if (end == std::string_view::npos) return;
        text.remove_prefix(end + 1);
    }
}

Expected<Imported> readLines(const ImportRequest& request)
{
    Program program;
    program.name = "lines";
    Function& main = program.functions.emplace_back();
    main.name = "main";
    main.regions.emplace_back();
    eachLine(request.bytes, [&](std::string_view line, std::int32_t number) {
        const auto space = line.find(' ');
        if (line.starts_with('#') || space == std::string_view::npos) return;
        Bytes bytes = 0;
        std::from_chars(line.data() + space + 1, line.data() + line.size(), bytes);
        const auto id = static_cast<TensorId>(main.tensors.size());
        Tensor& tensor = main.tensors.emplace_back();
        tensor.name = line.substr(0, space);
        tensor.bytes = bytes;
        tensor.where = {request.path, number, 1, -1};
        Op& op = main.ops.emplace_back();
        op.name = "make " + tensor.name;
        op.kind = "make";
        op.outputs = {id};
        if (id > 0) op.inputs = {id - 1};
        main.regions[0].ops.push_back(static_cast<OpId>(main.ops.size()) - 1);
    });
    return Imported{std::move(program), {}, {}};
}

class LineRewriter : public Rewriter {
public:
    std::string importer() const override { return "test-rewriting"; }

    Expected<Rewritten> rewrite(const RewriteRequest& request) const override
    {
        for (const auto& [key, manner] : request.passOptions) {
            if (manner == "crash") std::raise(SIGSEGV);
            if (manner == "throw") throw std::runtime_error("thrown on purpose");
            if (manner == "error")
                return foreignFailure({"test-error"}, "the option says so", {request.path, 2, 1, -1}, "Choose another one.");
            if (manner == "hang") std::this_thread::sleep_for(std::chrono::hours(1));
        }
        Rewritten result{std::string(magic), {}};
        eachLine(request.text, [&](std::string_view line, std::int32_t number) {
            result.text += line;
            for (const PlannedFunction& planned : request.planned)
                for (std::size_t b = 0; b < planned.lowering.origins.size(); ++b) {
                    const BufferOrigin& origin = planned.lowering.origins[b];
                    const auto& function = request.program.functions[static_cast<std::size_t>(origin.function)];
                    if (function.tensors[static_cast<std::size_t>(origin.tensor)].where.line == number)
                        result.text += " at " + std::to_string(planned.plan.placements[b].offset);
                }
            result.text += '\n';
        });
        return result;
    }
};

class TestPlugin : public QObject, public Plugin {
    Q_OBJECT
    Q_PLUGIN_METADATA(IID STOWAGE_PLUGIN_IID FILE "rewriting.json")
    Q_INTERFACES(stowage::Plugin)

public:
    std::vector<std::shared_ptr<const Importer>> importers() const override
    {
        return {std::make_shared<TestImporter>("test-rewriting", std::string(magic), readLines)};
    }
    std::vector<std::shared_ptr<const Rewriter>> rewriters() const override { return {std::make_shared<LineRewriter>()}; }
};

} // namespace stowage::test

#include "rewriting.moc"
