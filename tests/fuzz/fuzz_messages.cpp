// Whatever the bytes of a message between host and worker, or between the ranks of a pipeline, it is read into a value that is
// written and read back the same, or refused; memory is bounded by the bytes. The first byte chooses the message.
#include "app/stage/packing.h"
#include "core/planners/registry.h"
#include "plugins/host/export_messages.h"
#include "plugins/host/import_messages.h"
#include "plugins/host/layout_messages.h"
#include "plugins/host/plan_messages.h"
#include "plugins/host/rewrite_messages.h"
#include "tests/core/random_program.h"

#include <algorithm>
#include <cstdlib>
#include <span>

using namespace stowage;

namespace {

template <typename Message>
void read(std::string_view bytes)
{
    const auto value = fromArchive<Message>(bytes);
    if (!value) return;
    const std::string written = toArchive(*value);
    const auto again = fromArchive<Message>(written);
    if (!again || toArchive(*again) != written) std::abort();
}

/// Bytes between ranks: what is read fits into them.
void readRank(std::span<const std::byte> bytes)
{
    if (const auto message = stage::unpack(bytes))
        if (const auto packed = stage::pack(*message); !stage::unpack(packed) || packed.size() != bytes.size()) std::abort();
    if (const auto report = stage::unpackReport(bytes))
        if (const auto packed = stage::pack(*report); !stage::unpackReport(packed) || packed.size() != bytes.size()) std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    if (size == 0) return 0;
    const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
    switch (data[0] % 13) {
    case 0: read<Imported>(bytes); break;
    case 1: read<PlanOrder>(bytes); break;
    case 2: read<Incumbent>(bytes); break;
    case 3: read<Plan>(bytes); break;
    case 4: read<ImportOrder>(bytes); break;
    case 5: read<ImportedInput>(bytes); break;
    case 6: read<Diagnostic>(bytes); break;
    case 7: read<GraphSpec>(bytes); break;
    case 8: read<GraphLayout>(bytes); break;
    case 9: read<RewriteOrder>(bytes); break;
    case 10: read<ExportOrder>(bytes); break;
    case 11: read<Exported>(bytes); break;
    default: readRank(std::as_bytes(std::span(bytes))); break;
    }
    return 0;
}

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t maxSize);

namespace {

/// A message of a kind, about a random program.
std::string genuine(std::size_t kind, unsigned seed)
{
    test::RandomProgramOptions small;
    small.ops = 4;
    const Program program = test::randomProgram(seed, small);
    auto lowering = lower(program, {});
    if (!lowering) return {};
    static const PlannerRegistry planners = PlannerRegistry::builtIn();
    const auto plan = planners.find("greedy-by-size")->plan(lowering->problem, {}, {});
    if (!plan) return {};
    const Imported imported{program, {}, {}};
    switch (kind) {
    case 0: return toArchive(imported);
    case 1: return toArchive(PlanOrder{"p.so", "p", lowering->problem, {{"a", "b"}}, 1, 2, 2, 5});
    case 2: return toArchive(Incumbent{*plan, 7, 8});
    case 3: return toArchive(*plan);
    case 4: return toArchive(ImportOrder{{"a.so", "b.so"}, 1, "x", "m.x", true, {{"seq", 4}}, {{"io", "included"}}});
    case 5: return toArchive(ImportedInput{"x", imported});
    case 6: return toArchive(failure(Code::unknownFormat, "no importer", {"m.x", 1, 2, 3}, "choose one"));
    case 7: return toArchive(GraphSpec{{{1, 2}, {3, 4}}, {{0, 1}}});
    case 8: return toArchive(GraphLayout{{{1, 2}, {3, 4}}, {{{{1, 2}, {3, 4}}}}, 5, 6});
    case 9: {
        RewriteOrder order{"a.so", "x", "m.x", "plan-memory", {{"k", "v"}}, {}, {}, program, {}};
        order.planned.push_back({0, *lowering, *plan});
        return toArchive(order);
    }
    case 10:
        return toArchive(
            ExportOrder{"a.so", "x", {{"m", "m.x", "x", {{"f", true, program, *lowering, *plan, "t"}}}}, {{"k", "v"}}});
    case 11: return toArchive(Exported{{{"f", "bytes"}}, {}});
    default: {
        pipeline::Message message;
        message.frame = 3;
        message.payloads.resize(2);
        message.payloads[0].contents = {{0, 8, 1, 0}};
        const auto bytes = stage::pack(message);
        return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
    }
    }
}

} // namespace

/// Noise is refused at its first length: what is too short to be a message turns into a genuine one, and is changed from there.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t maxSize, unsigned seed)
{
    constexpr std::size_t kinds = 13;
    if (size < 8) {
        const std::size_t kind = seed % kinds;
        const std::string bytes = genuine(kind, seed);
        if (bytes.size() < maxSize) {
            data[0] = static_cast<std::uint8_t>(kind);
            std::copy(bytes.begin(), bytes.end(), data + 1);
            return bytes.size() + 1;
        }
    }
    return LLVMFuzzerMutate(data, size, maxSize);
}
