// Models given back with their plan as OfflineMemoryAllocation: read again it is the same plan, and no old byte has changed. The
// metadata is found here by walking the flatbuffer by hand, apart from the reader.
#include "core/ir/checked.h"
#include "core/lower/lower.h"
#include "core/plan/check.h"
#include "core/plan/report.h"
#include "core/planners/registry.h"
#include "plugins/tflite/plan_writer.h"
#include "plugins/tflite/tflite_rewriter.h"
#include "tests/plugins/made_model.h"
#include "tests/plugins/reference.h"
#include "tests/plugins/tflite_support.h"
#include "tests/support/seed_shift.h"

#include <QTest>

#include <algorithm>
#include <cstring>
#include <map>
#include <random>
#include <sys/mman.h>

using namespace stowage;
using namespace stowage::test;

namespace {

/// A flatbuffer by its rules: little-endian numbers, offsets from where they stand, tables with a vtable before or after them.
class Walk {
public:
    explicit Walk(std::string_view bytes) : bytes_(bytes) {}

    template <typename T>
    [[nodiscard]] T number(std::size_t at) const
    {
        T value{};
        if (at + sizeof(T) > bytes_.size()) qFatal("a position outside the file");
        std::memcpy(&value, bytes_.data() + at, sizeof(T));
        return value;
    }
    [[nodiscard]] std::size_t follow(std::size_t at) const { return at + number<std::uint32_t>(at); }
    [[nodiscard]] std::size_t root() const { return follow(0); }
    /// Where the field of that id stands; 0 when the table has none.
    [[nodiscard]] std::size_t field(std::size_t table, std::size_t id) const
    {
        const std::size_t vtable = table - static_cast<std::size_t>(number<std::int32_t>(table));
        if (4 + 2 * id >= number<std::uint16_t>(vtable)) return 0;
        const std::size_t offset = number<std::uint16_t>(vtable + 4 + 2 * id);
        return offset == 0 ? 0 : table + offset;
    }
    /// The tables of a vector in a field.
    [[nodiscard]] std::vector<std::size_t> tables(std::size_t table, std::size_t id) const
    {
        std::vector<std::size_t> found;
        const std::size_t at = field(table, id);
        if (at == 0) return found;
        const std::size_t vector = follow(at);
        for (std::uint32_t i = 0; i < number<std::uint32_t>(vector); ++i) found.push_back(follow(vector + 4 + 4 * i));
        return found;
    }
    /// Bytes of a string or vector of bytes in a field, and where they begin.
    [[nodiscard]] std::pair<std::string_view, std::size_t> data(std::size_t table, std::size_t id) const
    {
        const std::size_t at = field(table, id);
        if (at == 0) return {};
        const std::size_t vector = follow(at);
        return {bytes_.substr(vector + 4, number<std::uint32_t>(vector)), vector + 4};
    }

private:
    std::string_view bytes_;
};

/// Ids of the schema: Model.buffers, Model.metadata; Buffer.data; Metadata.name, Metadata.buffer.
constexpr std::size_t modelBuffers = 4, modelMetadata = 6, bufferData = 0, metadataName = 0, metadataBuffer = 1;

/// The words of every OfflineMemoryAllocation entry; where the last of them begins, where asked for.
std::vector<std::vector<std::int32_t>> plansIn(std::string_view file, std::size_t* begin = nullptr)
{
    const Walk walk(file);
    std::vector<std::vector<std::int32_t>> plans;
    const auto buffers = walk.tables(walk.root(), modelBuffers);
    for (const std::size_t entry : walk.tables(walk.root(), modelMetadata)) {
        if (walk.data(entry, metadataName).first != "OfflineMemoryAllocation") continue;
        const auto [bytes, at] = walk.data(buffers.at(walk.number<std::uint32_t>(walk.field(entry, metadataBuffer))), bufferData);
        if (begin) *begin = at;
        auto& words = plans.emplace_back(bytes.size() / 4);
        std::memcpy(words.data(), bytes.data(), words.size() * 4);
    }
    return plans;
}

struct Planned {
    Program program;
    std::vector<PlannedFunction> functions;

    const Lowering& lowering() const { return functions.front().lowering; }
    const Plan& plan() const { return functions.front().plan; }
    /// The offset of each tensor of the program's first function that has one.
    std::map<TensorId, Bytes> offsets() const
    {
        std::map<TensorId, Bytes> found;
        const auto& bindings = lowering().instances.front().bindings;
        for (std::size_t t = 0; t < bindings.size(); ++t)
            if (bindings[t].buffer != none && program.functions.front().tensors[t].bytes.value_or(0) > 0)
                found[static_cast<TensorId>(t)] =
                    plan().placements[static_cast<std::size_t>(bindings[t].buffer)].offset + bindings[t].delta;
        return found;
    }
};

const Options flat{{"subgraphs", "flat"}};

Expected<Planned> planOf(const std::string& bytes, const char* planner = "greedy-by-size", const Options& options = flat,
                         Bytes alignment = 16, const std::vector<Pool>& pools = {})
{
    auto imported = importBytes(bytes, options);
    if (!imported) return std::move(imported).error();
    Planned planned{std::get<Program>(std::move(imported->content)), {}};
    LowerOptions how;
    how.alignment = alignment;
    how.pools = pools;
    auto lowering = lower(planned.program, how);
    if (!lowering) return std::move(lowering).error();
    auto plan = PlannerRegistry::builtIn().find(planner)->plan(lowering->problem, {}, {});
    if (!plan) return std::move(plan).error();
    if (!check(lowering->problem, *plan).valid()) return failure(Code::noPlan, "not valid");
    planned.functions.push_back({planned.program.entry, *std::move(lowering), *std::move(plan)});
    return planned;
}

Expected<Rewritten> rewritten(const std::string& bytes, const Planned& planned, const Options& options = flat)
{
    return tflite::TfliteRewriter().rewrite(
        {"model.tflite", bytes, "plan-memory", {}, {}, options, planned.program, planned.functions});
}

/// The program without its positions in the file, which move.
Program withoutPositions(Program program)
{
    for (Function& function : program.functions) {
        for (Tensor& tensor : function.tensors) tensor.where = {};
        for (Op& op : function.ops) op.where = {};
    }
    return program;
}

std::vector<std::int32_t> allLeftToTheRuntime(std::string_view bytes)
{
    const Walk walk(bytes);
    std::size_t count = 0;
    for (const std::size_t graph : walk.tables(walk.root(), 2)) count += walk.tables(graph, 0).size();
    return std::vector<std::int32_t>(count, -1);
}

} // namespace

class TestTfliteRewrite : public QObject {
    Q_OBJECT

private:
    /// Everything that holds for a model of any kind.
    void comesBack(const std::string& bytes)
    {
        const auto planned = planOf(bytes);
        QVERIFY2(bool(planned), planned ? "" : toText(planned.error()).c_str());
        const auto made = rewritten(bytes, *planned);
        QVERIFY2(bool(made), made ? "" : toText(made.error()).c_str());

        // One entry, for the tensors of all sub-graphs, every number a multiple of 16 or -1.
        const auto plans = plansIn(made->text);
        QCOMPARE(plans.size(), std::size_t{1});
        const auto all = allLeftToTheRuntime(bytes);
        QCOMPARE(plans[0].size(), 3 + all.size());
        QCOMPARE(plans[0][2], static_cast<std::int32_t>(all.size()));
        const auto wanted = planned->offsets();
        QVERIFY(!wanted.empty());
        for (std::size_t t = 0; t < all.size(); ++t) {
            const auto offset = wanted.find(static_cast<TensorId>(t));
            const auto kind = planned->program.functions.front().tensors[t].kind;
            const bool ours = offset != wanted.end() && kind != TensorKind::variable && kind != TensorKind::constant;
            QCOMPARE(static_cast<Bytes>(plans[0][3 + t]), ours ? offset->second : -1);
            QVERIFY(plans[0][3 + t] % 16 == 0 || plans[0][3 + t] == -1);
        }

        // The old bytes: whole, at a multiple of 64; or, where a plan was there, all but its numbers.
        if (made->text.size() != bytes.size()) {
            const std::size_t moved = made->text.size() - bytes.size();
            QCOMPARE(moved % 64, std::size_t{0});
            std::size_t begin = 1;
            plansIn(made->text, &begin);
            QCOMPARE(begin % 16, std::size_t{0}); // the schema aligns a buffer's elements to 16
            QVERIFY(made->text.ends_with(bytes));
        } else {
            QCOMPARE(plansIn(bytes).size(), std::size_t{1});
            std::size_t different = 0;
            for (std::size_t i = 0; i < bytes.size(); ++i) different += made->text[i] != bytes[i] ? 1 : 0;
            QVERIFY(different <= 4 * all.size());
        }

        // Read again: the same program, the same plan.
        const auto again = importBytes(made->text, flat);
        QVERIFY2(bool(again), again ? "" : toText(again.error()).c_str());
        QVERIFY(withoutPositions(std::get<Program>(again->content)) == withoutPositions(planned->program));
        QCOMPARE(again->plans.size(), std::size_t{1});
        std::map<TensorId, Bytes> read;
        for (const auto& offset : again->plans[0].offsets) read[offset.tensor] = offset.offset;
        for (const auto& [tensor, offset] : wanted) QCOMPARE(read.contains(tensor) ? read[tensor] : -1, offset);

        // Every buffer's data is what it was, and aligned as it was.
        const Walk before(bytes), after(made->text);
        const auto oldBuffers = before.tables(before.root(), modelBuffers), newBuffers = after.tables(after.root(), modelBuffers);
        if (made->text.size() != bytes.size()) {
            QCOMPARE(newBuffers.size(), oldBuffers.size() + 1);
            for (std::size_t b = 0; b < oldBuffers.size(); ++b) {
                const auto [oldData, oldAt] = before.data(oldBuffers[b], bufferData);
                const auto [newData, newAt] = after.data(newBuffers[b], bufferData);
                QVERIFY(oldData == newData && (newAt - oldAt) % 64 == 0);
            }
        }

        // Written again it is the same file; with another plan only the numbers change, in place.
        const auto second = planOf(made->text);
        QVERIFY(bool(second));
        const auto twice = rewritten(made->text, *second);
        QVERIFY(bool(twice) && twice->text == made->text);
        const auto other = planOf(made->text, "naive");
        QVERIFY(bool(other));
        const auto changed = rewritten(made->text, *other);
        QVERIFY(bool(changed));
        QCOMPARE(changed->text.size(), made->text.size());
        QCOMPARE(plansIn(changed->text).size(), std::size_t{1});
    }

private Q_SLOTS:
    void realModelsComeBackWithTheirPlan_data()
    {
        QTest::addColumn<QString>("path");
        for (const ReferenceModel& model : referenceModels(QStringLiteral("tflite")))
            QTest::newRow(qPrintable(QFileInfo(model.path).fileName())) << model.path;
    }
    void realModelsComeBackWithTheirPlan()
    {
        STOWAGE_NEEDS_SHARED();
        QFETCH(QString, path);
        comesBack(bytesOf(path));
    }

    void madeModelsComeBackWithTheirPlan()
    {
        for (const MadeModel& model : exampleModels()) {
            comesBack(bytesOf(model));
            if (QTest::currentTestFailed()) return;
        }
    }

    void severalSubGraphsShareOneHead()
    {
        // Two chains called one after the other, as branches of an IF, may lie on the same bytes; the caller's tensors may not.
        MadeModel model;
        MadeGraph main{"main", {{"c", {1}, 6}, {"x"}, {"y"}}, {0, 1}, {2}, {{118, {0, 1}, {2}, {1, 2}, {}}}};
        model.graphs = {main, reluChain("then", 2), reluChain("else", 2)};
        const std::string bytes = bytesOf(model);
        const auto planned = planOf(bytes);
        QVERIFY(bool(planned));
        const auto made = rewritten(bytes, *planned);
        QVERIFY(bool(made));
        // Old runtimes read the entries of sub-graph 0 for all: that is said.
        const auto warned = [](const Rewritten& one) {
            return std::any_of(one.diagnostics.begin(), one.diagnostics.end(),
                               [](const Diagnostic& told) { return told.severity == Severity::warning; });
        };
        QVERIFY(warned(*made));
        const std::string single = bytesOf(MadeModel{{reluChain("main", 3)}, {}, {}, false});
        QVERIFY(!warned(*rewritten(single, *planOf(single))));
        const auto plan = plansIn(made->text).front();
        QCOMPARE(plan[0], 1);
        QCOMPARE(plan[1], 3);
        QCOMPARE(plan[2], 3 + 3 + 3);
        const auto offset = [&](std::size_t tensor) { return plan[3 + tensor]; };
        for (std::size_t t = 0; t < 9; ++t) QVERIFY(offset(t) >= 0);
        // All tensors have 16 bytes once rounded. c, x and y are live while either branch runs.
        for (std::size_t mine = 0; mine < 3; ++mine)
            for (std::size_t theirs = 3; theirs < 9; ++theirs) QVERIFY(offset(mine) != offset(theirs));
        QVERIFY(*std::max_element(plan.begin() + 3, plan.end()) < 9 * 16 - 16);

        // For the same file read with its branches as such, there is no one place for each tensor.
        const auto nested = planOf(bytes, "greedy-by-size", {});
        QVERIFY(bool(nested));
        const auto refused = rewritten(bytes, *nested, {});
        QVERIFY(!refused);
        QVERIFY2(refused.error().remedy.find("subgraphs=flat") != std::string::npos, toText(refused.error()).c_str());
        // Of the main graph alone, the others are the runtime's.
        const Options main1{{"subgraphs", "main"}};
        const auto alone = planOf(bytes, "greedy-by-size", main1);
        QVERIFY(bool(alone));
        const auto half = rewritten(bytes, *alone, main1);
        QVERIFY(bool(half));
        const auto left = plansIn(half->text).front();
        for (std::size_t t = 0; t < 9; ++t) QCOMPARE(left[3 + t] >= 0, t < 3);
    }

    void aPlanForOtherTensorsIsReplaced()
    {
        MadeModel model{{reluChain("main", 3)}, {}, {0, 1, 2, 0, 16}, false}; // for 2 tensors, and there are 4
        const std::string bytes = bytesOf(model);
        const auto planned = planOf(bytes);
        QVERIFY(bool(planned));
        const auto made = rewritten(bytes, *planned);
        QVERIFY(bool(made) && made->text.size() > bytes.size() && made->text.ends_with(bytes));
        const auto plans = plansIn(made->text);
        QCOMPARE(plans.size(), std::size_t{1});
        QCOMPARE(plans[0][2], 4);
    }

    void aPlanWithPaddingIsOverwrittenInPlace()
    {
        // XMOS's compiler fills the metadata up to a multiple of 16 words.
        MadeModel model{{reluChain("main", 3)}, {}, {0, 0, 4, 0, 16, 0, -1, 0, 0, 0, 0, 0, 0, 0, 0, 0}, false};
        const std::string bytes = bytesOf(model);
        const auto made = rewritten(bytes, *planOf(bytes, "naive"));
        QVERIFY(bool(made));
        QCOMPARE(made->text.size(), bytes.size());
        QVERIFY((plansIn(made->text).front() == std::vector<std::int32_t>{0, 0, 4, 0, 16, 32, 48, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
    }

    void numbersThatATensorUsesTooStay()
    {
        // A hostile or over-eager tool lets a constant share the plan's buffer: overwriting it would change the constant.
        MadeModel model{{reluChain("main", 3)}, {}, {1, 1, 5, 0, 16, 0, 16, -1}, false};
        model.graphs[0].tensors.push_back({"k", {8}, 0, 1});
        const std::string bytes = bytesOf(model);
        const auto planned = planOf(bytes);
        QVERIFY(bool(planned));
        const auto made = rewritten(bytes, *planned);
        QVERIFY(bool(made) && made->text.size() > bytes.size() && made->text.ends_with(bytes));
        QCOMPARE(plansIn(made->text).size(), std::size_t{1});
    }

    void scratchOfKernelsIsSaidToBeMissing()
    {
        const std::string bytes = bytesOf(exampleModels().front());
        const auto made = rewritten(bytes, *planOf(bytes));
        QVERIFY(bool(made));
        QVERIFY(std::any_of(made->diagnostics.begin(), made->diagnostics.end(), [](const Diagnostic& one) {
            return one.severity == Severity::note && one.message.find("Scratch") != std::string::npos;
        }));
    }

    void plansThatTheRuntimeWouldNotTakeAreRefused()
    {
        MadeModel odd{{reluChain("main", 3)}, {}, {}, false};
        for (MadeTensor& tensor : odd.graphs[0].tensors) tensor.shape = {5};
        const std::string bytes = bytesOf(odd);
        const auto unaligned = planOf(bytes, "naive", flat, 1);
        QVERIFY(bool(unaligned));
        const auto refused = rewritten(bytes, *unaligned);
        QVERIFY(!refused);
        QVERIFY2(refused.error().remedy.find("--alignment 16") != std::string::npos, toText(refused.error()).c_str());

        Pool small, large;
        small.name = "dtcm";
        small.capacity = 32;
        large.name = "sram";
        const auto two = planOf(bytes, "greedy-by-size", flat, 16, {small, large});
        QVERIFY2(bool(two), two ? "" : toText(two.error()).c_str());
        const auto apart = rewritten(bytes, *two);
        QVERIFY(!apart);
        QVERIFY2(apart.error().message.find("one arena") != std::string::npos, toText(apart.error()).c_str());
    }

    void dataOutsideTheFlatbufferAreNotMoved()
    {
        MadeModel model{{reluChain("main", 2)}, {}, {}, false};
        model.graphs[0].tensors.push_back({"w", {4}, 0, 1});
        model.buffers = {{{}, 4096, 16}};
        std::string bytes = bytesOf(model);
        bytes.resize(4096 + 16);
        const auto planned = planOf(bytes);
        QVERIFY2(bool(planned), planned ? "" : toText(planned.error()).c_str());
        const auto refused = rewritten(bytes, *planned);
        QVERIFY(!refused);
        QVERIFY2(refused.error().message.find("buffer 1") != std::string::npos, toText(refused.error()).c_str());
        QVERIFY(refused.error().where.byte > 0);
    }

    void aZipArchiveAfterTheModelIsWarnedAbout()
    {
        const std::string bytes = bytesOf(exampleModels().front());
        std::string endRecord("PK\5\6", 4);
        endRecord.resize(22);
        const std::string comment = "labels";
        endRecord[20] = static_cast<char>(comment.size());
        for (const auto& [file, warned] :
             {std::pair(bytesOf(MadeModel{{reluChain("m", 2)}, {}, {}, false}), false),
              std::pair(bytesOf(MadeModel{{reluChain("m", 2)}, {}, {}, false}) + endRecord + comment, true),
              std::pair(bytesOf(MadeModel{{reluChain("m", 2)}, {}, {}, false}) + endRecord, false)}) {
            const auto made = tflite::writeOfflinePlan(file, "m.tflite", allLeftToTheRuntime(file));
            QVERIFY(bool(made));
            QCOMPARE(!made->diagnostics.empty(), warned);
            QVERIFY(made->text.ends_with(file));
        }
    }

    void aFileAtTheLimitOfTwoGigabytesIsRefused()
    {
        // 2^31 - 2 bytes are the most that a flatbuffer has. The pages after the model are never touched, so cost nothing.
        constexpr std::size_t largest = (std::size_t{1} << 31) - 2;
        const std::string bytes = bytesOf(MadeModel{{reluChain("main", 3)}, {}, {}, false});
        void* memory = ::mmap(nullptr, largest, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        QVERIFY(memory != MAP_FAILED);
        std::memcpy(memory, bytes.data(), bytes.size());
        const std::string_view huge(static_cast<const char*>(memory), largest);
        const auto refused = tflite::writeOfflinePlan(huge, "huge.tflite", allLeftToTheRuntime(bytes));
        ::munmap(memory, largest);
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, Code::fileTooLarge);
        QVERIFY(!refused.error().remedy.empty());
    }

    void theArenaOfAnAcceleratorCountsOnce()
    {
        // Vela prints 72.72 KiB for the model: scratch and fast scratch are one arena of 74,464 bytes, input and output lie in
        // it.
        STOWAGE_NEEDS_SHARED();
        const std::string bytes = bytesOf(sharedFile("models/tflite/person_detect_vela.tflite"));
        for (const char* graphs : {"nested", "main", "flat"}) {
            const Options options{{"subgraphs", graphs}};
            const auto planned = planOf(bytes, "naive", options, 1);
            QVERIFY2(bool(planned), planned ? "" : toText(planned.error()).c_str());
            QCOMPARE(lowerBound(planned->lowering().problem, 0).bytes, Bytes{74464});
            QCOMPARE(planned->plan().poolSize(planned->lowering().problem, 0), Bytes{74464});
            // The plan in the file is that plan: everything at the begin of the arena.
            const auto imported = importBytes(bytes, options);
            QVERIFY(bool(imported));
            const auto ours = planned->offsets();
            QCOMPARE(imported->plans.at(0).offsets.size(), ours.size());
            for (const auto& offset : imported->plans[0].offsets) QCOMPARE(ours.at(offset.tensor), offset.offset);
            for (const Diagnostic& told : imported->diagnostics) QCOMPARE(told.severity, Severity::note);
        }
        const auto without = planOf(bytes, "naive", {{"io", "excluded"}}, 1);
        QVERIFY(bool(without));
        QCOMPARE(without->plan().poolSize(without->lowering().problem, 0), Bytes{74464}); // the arena is needed in any case
    }

    void whatLiesOutsideAnAcceleratorsArenaKeepsItsPlace()
    {
        // x (32 B) is made by a kernel of the processor outside the arena [64, 192); the fast scratch is apart, too, at [0, 48).
        constexpr std::int32_t custom = 32;
        MadeModel model;
        MadeGraph graph{"main",
                        {{"x0", {8}}, {"x", {8}}, {"w", {4}, 0, 1}, {"scratch", {32}}, {"fast", {12}}, {"mid", {4}}, {"y", {4}}},
                        {0},
                        {6},
                        {}};
        graph.operators = {
            {19, {0}, {1}, {}, {}}, {custom, {2, 2, 3, 4, 1}, {5}, {}, "ethos-u"}, {custom, {2, 2, 3, 4, 5}, {6}, {}, "ethos-u"}};
        model.graphs = {graph};
        model.buffers = {{std::vector<std::uint8_t>(16, 1)}};
        model.plan = {0, 1, 7, 192, 224, -1, 64, 0, 64, 80};
        const auto planned = planOf(bytesOf(model), "greedy-by-size", flat, 1);
        QVERIFY2(bool(planned), planned ? "" : toText(planned.error()).c_str());
        const Function& function = planned->program.functions.front();
        const auto viewed = [&](std::size_t tensor) { return function.tensors[tensor].aliasOf; };
        QCOMPARE(viewed(5), TensorId{3});
        QCOMPARE(function.tensors[5].aliasOffset, Bytes{0});
        QCOMPARE(viewed(6), TensorId{3});
        QCOMPARE(function.tensors[6].aliasOffset, Bytes{16});
        for (const std::size_t apart : {0U, 1U, 3U, 4U}) QCOMPARE(viewed(apart), none);
        QVERIFY((function.ops[1].temps == std::vector<TensorId>{4})); // the fast scratch is scratch still
        // arena, fast scratch and x are live at the second op: 128 + 48 + 32.
        QCOMPARE(lowerBound(planned->lowering().problem, 0).bytes, Bytes{208});

        // Without a plan nobody knows what lies where: each counts by itself.
        model.plan.clear();
        const auto unknown = planOf(bytesOf(model), "greedy-by-size", flat, 1);
        QVERIFY(bool(unknown));
        for (std::size_t t = 0; t < 7; ++t) QCOMPARE(unknown->program.functions.front().tensors[t].aliasOf, none);
    }

    void damagedFilesAreRefusedOrWrittenWhole()
    {
        const unsigned seed = 20261123;
        std::mt19937 random(seed + stowage::test::seedShift());
        qInfo("seed %u", seed);
        std::size_t taken = 0;
        const auto tryOne = [&](const std::string& changed, std::size_t tensors) {
            const std::vector<std::int32_t> offsets(tensors, 16);
            const auto made = tflite::writeOfflinePlan(changed, "bad.tflite", offsets);
            if (!made) return;
            ++taken;
            QVERIFY(made->text.size() == changed.size() || made->text.ends_with(changed));
        };
        for (const MadeModel& model : exampleModels()) {
            const std::string whole = bytesOf(model);
            const std::size_t tensors = allLeftToTheRuntime(whole).size();
            for (std::size_t size = 0; size < whole.size(); ++size) tryOne(whole.substr(0, size), tensors);
            std::string changed = whole;
            for (std::size_t bit = 0; bit < 8 * changed.size(); ++bit) {
                changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << bit % 8));
                tryOne(changed, tensors);
                changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << bit % 8));
            }
            for (int round = 0; round < 2000; ++round) {
                std::string noisy = whole;
                for (int change = 0; change < 4; ++change) noisy[random() % noisy.size()] = static_cast<char>(random());
                tryOne(noisy, tensors);
            }
        }
        QVERIFY(taken > 0);
    }
};

QTEST_GUILESS_MAIN(TestTfliteRewrite)
#include "tst_tflite_rewrite.moc"
