// Whole kernels through reader, lowering and planner: every address is the compiler's where it is known, and every plan runs.
#include "core/exec/arena.h"
#include "core/explain/kernel_change.h"
#include "core/explain/pipe_run.h"
#include "core/io/pool_json.h"
#include "core/plan/check.h"
#include "core/planners/hivm/pipe_aware.h"
#include "core/planners/registry.h"
#include "plugins/hivm/memory_info.h"
#include "tests/plugins/hivm_support.h"
#include "tests/support/paths.h"
#include "tests/support/random_kernel.h"

#include <QFileInfo>
#include <QTest>

#include <algorithm>
#include <map>

using namespace stowage;
using namespace stowage::test;

namespace {

/// Ascend 910B.
std::vector<Pool> a2()
{
    std::vector<Pool> pools;
    for (const auto& [name, capacity, alignment] :
         {std::tuple("ub", 196608, 32), std::tuple("cbuf", 524288, 32), std::tuple("cc", 131072, 512),
          std::tuple("ca", 65536, 512), std::tuple("cb", 65536, 512)}) {
        Pool& pool = pools.emplace_back();
        pool.name = name;
        pool.core = io::coreMemoryNamed(name);
        pool.capacity = capacity;
        pool.alignment = alignment;
    }
    return pools;
}

/// One function of a file, planned.
struct Kernel {
    std::shared_ptr<const Program> program;
    Run run;
};

std::optional<Kernel> kernelOf(const Program& whole, FunctionId entry, const char* planner, const OptionValues& options = {},
                               std::uint64_t work = 0)
{
    Program program = whole;
    program.entry = entry;
    LowerOptions lower;
    for (const auto& [key, value] : program.lowering)
        if (lower.set(key, value)) return std::nullopt;
    lower.pools = a2();
    auto lowering = stowage::lower(program, lower);
    if (!lowering) return std::nullopt;
    Kernel kernel;
    kernel.program = std::make_shared<Program>(std::move(program));
    kernel.run.program = kernel.program;
    kernel.run.lowering = std::make_shared<Lowering>(*std::move(lowering));
    const auto steps = std::make_shared<StepRecorder>();
    PlanContext context;
    context.recorder = steps.get();
    context.workLimit = work;
    auto plan = PlannerRegistry::builtIn().find(planner)->plan(kernel.run.problem(), options, context);
    if (!plan) return std::nullopt;
    kernel.run.plan = *std::move(plan);
    kernel.run.report = evaluate(kernel.run.problem(), kernel.run.plan);
    kernel.run.steps = steps;
    return kernel;
}

QString kernelPath(const QString& name)
{
    return sharedFolder() + QStringLiteral("/models/ascend/kernels/") + name + QStringLiteral(".mlir");
}

std::optional<Program> programOf(const QString& path)
{
    const auto imported = hivm::importKernel(textOf(path), path.toStdString());
    if (!imported) return std::nullopt;
    return std::get<Program>(imported->content);
}

std::string messageOf(const Plan& plan, std::string_view code)
{
    for (const Diagnostic& told : plan.diagnostics)
        if (codeText(told) == code) return told.message;
    return {};
}

void eachKernel()
{
    QTest::addColumn<QString>("path");
    for (const char* folder : {"kernels", "repo"})
        for (const QString& path : ascendFiles(QString::fromUtf8(folder), QStringLiteral("*.mlir")))
            if (!path.contains(QLatin1String("gated_delta")))
                QTest::newRow(qPrintable(QFileInfo(path).fileName())) << path; // that one has no address spaces
    if (sharedFolder().isEmpty()) QTest::newRow("none") << QString();
}

} // namespace

class TestHivmKernels : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyAddressIsTheCompilers_data()
    {
        QTest::addColumn<QString>("path");
        for (const QString& path : ascendFiles(QStringLiteral("memory_info"), QStringLiteral("*.json")))
            if (!path.contains(QLatin1String("overflow_status"))) QTest::newRow(qPrintable(QFileInfo(path).fileName())) << path;
        if (sharedFolder().isEmpty()) QTest::newRow("none") << QString();
    }
    void everyAddressIsTheCompilers()
    {
        STOWAGE_NEEDS_SHARED();
        QFETCH(QString, path);
        const auto info = hivm::readMemoryInfo(textOf(path), path.toStdString());
        QVERIFY(info);
        const auto program = programOf(kernelPath(QFileInfo(path).fileName().section(QLatin1Char('.'), 0, 0)));
        QVERIFY(program);
        const auto kernel = kernelOf(*program, program->entry, "hivm");
        QVERIFY(kernel);
        const Function& function = program->main();
        std::map<int, std::size_t> byLine;
        for (std::size_t t = 0; t < function.tensors.size(); ++t)
            if (function.tensors[t].planned && function.tensors[t].aliasOf == none) byLine[function.tensors[t].where.line] = t;
        for (const hivm::MemoryInfoEntry& entry : info->entries) {
            const auto found = byLine.find(entry.line);
            QVERIFY2(found != byLine.end(), entry.buffer.c_str());
            const BufferId buffer = kernel->run.lowering->instances.front().bindings[found->second].buffer;
            const Placement& placement = kernel->run.plan.placements[static_cast<std::size_t>(buffer)];
            const std::vector<Bytes> offsets =
                placement.rotating() ? std::vector<Bytes>(placement.offsets) : std::vector<Bytes>{placement.offset};
            QString wrong = QString::fromStdString(function.tensors[found->second].name) + " is at";
            for (const Bytes offset : offsets) wrong += QString(" %1").arg(offset);
            wrong += ", the compiler has it at";
            for (const Bytes offset : entry.offsets) wrong += QString(" %1").arg(offset);
            QVERIFY2(offsets == entry.offsets, qPrintable(wrong));
        }
    }

    /// What the README of the kernels says the compiler requires.
    void overflowsNeedWhatTheCompilerSays_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("bits");
        QTest::addRow("softmax") << "softmax_rows_20x1024" << 1639168;
        QTest::addRow("layer norm") << "layer_norm_4x4096" << 1573120;
        QTest::addRow("flash attention") << "flash_attention_vector_56" << 1611008;
    }
    void overflowsNeedWhatTheCompilerSays()
    {
        STOWAGE_NEEDS_SHARED();
        QFETCH(QString, name);
        QFETCH(int, bits);
        const auto program = programOf(kernelPath(name));
        QVERIFY(program);
        const auto kernel = kernelOf(*program, program->entry, "hivm");
        QVERIFY(kernel);
        const QString said = QString::fromStdString(messageOf(kernel->run.plan, "overflow"));
        QVERIFY2(said.startsWith(QString("ub overflow, requires %1 bits while 1572864 bits available!").arg(bits)),
                 qPrintable(said));
    }

    /// Every function of every kernel: valid by the checker, and run on an arena with slots rotating.
    void everyPlanRuns_data() { eachKernel(); }
    void everyPlanRuns()
    {
        STOWAGE_NEEDS_SHARED();
        QFETCH(QString, path);
        const auto program = programOf(path);
        QVERIFY(program);
        for (std::size_t f = 0; f < program->functions.size(); ++f)
            for (const char* planner : {"hivm", "greedy-by-size"}) {
                const auto kernel = kernelOf(*program, static_cast<FunctionId>(f), planner);
                QVERIFY2(kernel, planner);
                const Run& run = kernel->run;
                for (const Violation& violation : run.report.verdict.violations)
                    QVERIFY2(violation.kind == ViolationKind::overCapacity, describe(run.problem(), violation).c_str());
                const auto of = execute(run.problem(), run.plan, {});
                QVERIFY2(of, of ? "" : toText(of.error()).c_str());
                QVERIFY2(!of->corruption, of->corruption ? describe(run.problem(), *of->corruption).c_str() : "");
                const auto analysis = analysePipes(run);
                if (!analysis) continue;
                QVERIFY(analysis->model.fromProgram);
                QVERIFY(analysis->report.time >= analysis->report.timeWithoutReuse);
            }
    }

    /// Random kernels, small memories: the same plan twice, valid, and run with slots rotating; the pipes' estimate is of their
    /// own ops.
    void randomKernelsArePlannedAndEstimated()
    {
        int overflowed = 0, lowered = 0, stalled = 0;
        for (std::uint32_t seed = 0; seed < 120; ++seed) {
            const auto imported = hivm::importKernel(randomKernel(seed, 30), "random.mlir");
            QVERIFY2(imported, qPrintable(QString("seed %1").arg(seed)));
            Program program = std::get<Program>(imported->content);
            const auto first = kernelOf(program, program.entry, "hivm");
            QVERIFY2(first, qPrintable(QString("seed %1").arg(seed)));
            // A memory of three quarters of what everything takes end to end asks for reuse.
            Problem problem = first->run.problem();
            for (PoolId p = 0; p < static_cast<PoolId>(problem.pools.size()); ++p) {
                Bytes all = 0;
                for (const Buffer& buffer : problem.buffers) all += buffer.pools.front() == p ? buffer.size * buffer.slots : 0;
                auto& pool = problem.pools[static_cast<std::size_t>(p)];
                if (pool.capacity && all > 0) pool.capacity = all * 3 / 4 / pool.alignment * pool.alignment;
            }
            StepRecorder recorder;
            PlanContext context;
            context.recorder = &recorder;
            const auto planner = PlannerRegistry::builtIn().find("hivm");
            const auto plan = planner->plan(problem, {}, context);
            QVERIFY(plan && plan->placements == planner->plan(problem, {}, {})->placements);
            QVERIFY2(check(problem, *plan).valid(), qPrintable(QString("seed %1").arg(seed)));
            overflowed += check(problem, *plan).overCapacity;
            for (const RecordedStep& step : recorder.steps()) {
                const auto level = recorder.levelOf(step.reason);
                lowered += step.kind == StepKind::place && level && *level < hivm::Level::samePipe;
            }
            Lowering lowering = *first->run.lowering;
            lowering.problem = problem;
            const auto result = execute(program, lowering, *plan, {});
            QVERIFY2(result && !result->corruption, qPrintable(QString("seed %1").arg(seed)));
            const PipeModel model = pipeModelOf(&program, lowering);
            QVERIFY(model.fromProgram);
            const PipeReport report = pipeReport(problem, *plan, model);
            QVERIFY(report.time >= report.timeWithoutReuse);
            stalled += report.stall() > 0;
        }
        QVERIFY2(lowered > 20 && stalled > 5, qPrintable(QString("%1 %2 %3").arg(lowered).arg(stalled).arg(overflowed)));
    }

    /// Half and twice the tile, tried and then made: the ops move as many bytes in either case, and a load as many as its tile
    /// has.
    void aTriedTileCostsWhatAMadeOneCosts()
    {
        const QString path = QStringLiteral(STOWAGE_SOURCE_DIR "/resources/samples/flash_attention_vector.mlir");
        const auto program = programOf(path);
        QVERIFY(program);
        const auto kernel = kernelOf(*program, program->entry, "hivm");
        QVERIFY(kernel);
        const Problem& problem = kernel->run.problem();
        const auto planner = PlannerRegistry::builtIn().find("hivm");
        const PipeModel model = pipeModel(*kernel->program, *kernel->run.lowering);
        const auto load = [](const PipeModel& of) {
            return std::find_if(of.ops.begin(), of.ops.end(), [](const PipeOp& op) { return op.name.starts_with("load"); });
        };
        QVERIFY(load(model) != model.ops.end());
        const BufferId tile = load(model)->writes.front();
        QCOMPARE(load(model)->cost, problem.buffers[static_cast<std::size_t>(tile)].size);
        for (const auto& [numerator, denominator] : {std::pair(1, 2), std::pair(2, 1), std::pair(3, 1)}) {
            const Change change =
                Change::scaledTile(problem.buffers[static_cast<std::size_t>(tile)].loop, numerator, denominator);
            const auto tried = tryChange(problem, model, change, *planner, {}, {});
            QVERIFY(tried);
            Lowering made = *kernel->run.lowering;
            made.problem = tried->problem;
            const PipeModel after = pipeModel(*kernel->program, made);
            QCOMPARE(load(after)->cost, load(model)->cost * numerator / denominator);
            QCOMPARE(pipeReport(tried->problem, tried->plan, after).time, tried->pipes.time);
        }
    }

    /// The document's example, sized for 192 KB so that each level is once the first that has a place for C: on B, on A of the
    /// other loop, on both slots of A, on one of them and a part of the other.
    void eachFunctionOfTheLevelsSampleReachesItsLevel_data()
    {
        QTest::addColumn<QString>("function");
        QTest::addColumn<int>("level");
        QTest::addColumn<QList<Bytes>>("offsetsOfC");
        constexpr Bytes KB = 1024;
        QTest::newRow("3") << QStringLiteral("level3") << 3 << QList<Bytes>{128 * KB};
        QTest::newRow("2") << QStringLiteral("level2") << 2 << QList<Bytes>{0};
        QTest::newRow("1") << QStringLiteral("level1") << 1 << QList<Bytes>{0, 40 * KB};
        QTest::newRow("0") << QStringLiteral("level0") << 0 << QList<Bytes>{0};
    }
    void eachFunctionOfTheLevelsSampleReachesItsLevel()
    {
        QFETCH(QString, function);
        QFETCH(int, level);
        QFETCH(QList<Bytes>, offsetsOfC);
        const auto program = programOf(QStringLiteral(STOWAGE_SOURCE_DIR "/resources/samples/ascend/reuse_levels.mlir"));
        QVERIFY(program);
        const auto found = std::find_if(program->functions.begin(), program->functions.end(),
                                        [&](const Function& f) { return f.name == function.toStdString(); });
        QVERIFY(found != program->functions.end());
        const auto kernel = kernelOf(*program, static_cast<FunctionId>(found - program->functions.begin()), "hivm");
        QVERIFY(kernel && kernel->run.report.verdict.valid() && !kernel->run.report.verdict.overCapacity);
        const auto& buffers = kernel->run.problem().buffers;
        const auto c = std::find_if(buffers.begin(), buffers.end(), [](const Buffer& buffer) { return buffer.name == "%C"; });
        QVERIFY(c != buffers.end());
        const auto levels = reuseLevels(kernel->run);
        QVERIFY(levels);
        for (std::size_t b = 0; b < buffers.size(); ++b)
            QCOMPARE(levels->levels[b], std::optional(static_cast<hivm::Level>(buffers[b].name == "%C" ? level : 3)));
        const Placement& place = kernel->run.plan.placements[static_cast<std::size_t>(c - buffers.begin())];
        const std::vector<Bytes> offsets =
            place.rotating() ? std::vector<Bytes>(place.offsets) : std::vector<Bytes>{place.offset};
        QVERIFY((offsets == std::vector<Bytes>(offsetsOfC.begin(), offsetsOfC.end())));
        // One slot of a double buffer taken makes the loads wait for the vector pipe; both slots taken in turn do not.
        const auto analysis = analysePipes(kernel->run);
        QVERIFY(analysis);
        QCOMPARE(analysis->report.count(ReuseKind::breaksDoubleBuffer) > 0, level == 0);
        QCOMPARE(analysis->report.count(ReuseKind::crossPipe) > 0, level < 3);
        QCOMPARE(analysis->report.time > analysis->report.timeWithoutReuse, level == 0 || level == 2);
    }

    /// Other planners take the same problem; forbidding reuse across pipes leaves none, and pricing it leaves no more than
    /// ignoring it.
    void otherPlannersCountPipesToo_data() { eachKernel(); }
    void otherPlannersCountPipesToo()
    {
        STOWAGE_NEEDS_SHARED();
        QFETCH(QString, path);
        const auto program = programOf(path);
        QVERIFY(program);
        const auto priceOf = [](const Run& run) {
            Bytes price = 0;
            for (const PipePair& pair : sharingPairs(run.problem(), run.plan, pipePairs(run.problem()))) price += pair.price;
            return price;
        };
        for (const char* planner : {"greedy-by-size", "best-fit-decreasing"}) {
            const auto ignored = kernelOf(*program, program->entry, planner);
            const auto priced = kernelOf(*program, program->entry, planner, {{"pipe-aware", "price"}});
            const auto forbidden = kernelOf(*program, program->entry, planner, {{"pipe-aware", "forbid"}});
            QVERIFY(ignored && priced && forbidden);
            for (const auto* kernel : {&*ignored, &*priced, &*forbidden}) QVERIFY(kernel->run.report.verdict.valid());
            QCOMPARE(priceOf(forbidden->run), 0);
            const bool fits = !ignored->run.report.verdict.overCapacity;
            if (fits) QVERIFY(!priced->run.report.verdict.overCapacity && priceOf(priced->run) <= priceOf(ignored->run));
        }
    }
};

QTEST_GUILESS_MAIN(TestHivmKernels)
#include "tst_hivm_kernels.moc"
