// Kernels of Ascend's compiler are read whole, and live as the compiler says.
#include "core/plan/check.h"
#include "plugins/hivm/memory_info.h"
#include "tests/core/mutation.h"
#include "tests/plugins/hivm_support.h"

#include <QFileInfo>
#include <QTest>

#include <map>

using namespace stowage;
using namespace stowage::test;

namespace {

#define IMPORT(variable, text, path)                                                                                             \
    auto variable = hivm::importKernel(text, path);                                                                              \
    QVERIFY2(variable, variable ? "" : toText(variable.error()).c_str())

#define LOWER(variable, ...)                                                                                                     \
    auto variable = lowered(__VA_ARGS__);                                                                                        \
    QVERIFY2(variable, variable ? "" : toText(variable.error()).c_str())

/// The plan of a file in terms of a lowering.
Plan planOf(const FilePlan& filePlan, const Lowering& lowering, FunctionId function)
{
    Plan plan;
    plan.placements.resize(lowering.problem.buffers.size());
    for (const FilePlan::Offset& offset : filePlan.offsets) {
        if (offset.function != function) continue;
        const TensorBinding& binding = lowering.instances.front().bindings[static_cast<std::size_t>(offset.tensor)];
        if (binding.buffer == none) continue;
        const Buffer& buffer = lowering.problem.buffers[static_cast<std::size_t>(binding.buffer)];
        Placement& placement = plan.placements[static_cast<std::size_t>(binding.buffer)];
        placement.pool = buffer.pools.front();
        placement.offset = offset.offset;
        if (offset.offsets.size() < 2) continue;
        placement.offsets = offset.offsets;
        placement.rotations = {{buffer.loop, static_cast<std::int32_t>(offset.offsets.size()), false}};
    }
    return plan;
}

} // namespace

class TestHivm : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsEveryKernel_data()
    {
        QTest::addColumn<QString>("path");
        for (const char* folder : {"kernels", "repo", "planned", "memory_info"})
            for (const QString& path : ascendFiles(QString::fromUtf8(folder), QStringLiteral("*.mlir")))
                QTest::newRow(qPrintable(QFileInfo(path).fileName())) << path;
        if (sharedFolder().isEmpty()) QTest::newRow("none") << QString();
    }
    void readsEveryKernel()
    {
        STOWAGE_NEEDS_SHARED();
        QFETCH(QString, path);
        const std::string text = textOf(path);
        QVERIFY(hivm::HivmImporter().claims(text, path.toStdString()) > 50);
        IMPORT(imported, text, path.toStdString());
        const Program& program = std::get<Program>(imported->content);
        for (const Function& function : program.functions) {
            if (path.contains(QLatin1String("gated_delta"))) { // four allocations have no address space, on purpose
                const auto refused = lowered(*imported, function.name);
                QVERIFY(!refused);
                QCOMPARE(refused.error().code, Code::noSpace);
                QVERIFY(refused.error().where.line > 0);
                continue;
            }
            LOWER(lowering, *imported, function.name);
            QVERIFY(lowering->problem.axis == Axis::hivm);
            Problem problem = lowering->problem;
            for (const Diagnostic& wrong : checkAndRepair(problem)) QFAIL(toText(wrong).c_str());
            QCOMPARE(problem, lowering->problem);
            for (const Buffer& buffer : problem.buffers) QCOMPARE(buffer.pools.size(), std::size_t{1});
        }
    }

    void damagedKernelsAreSurvived_data() { readsEveryKernel_data(); }
    void damagedKernelsAreSurvived()
    {
        STOWAGE_NEEDS_SHARED();
        QFETCH(QString, path);
        mutate(textOf(path), "%#@!^<>(){}[]=:,-\"\n /x0129abcS", 60, [](const std::string& mutated) {
            const auto imported = hivm::importKernel(mutated, "k.mlir");
            if (!imported) return !imported.error().message.empty() && !imported.error().where.file.empty();
            const auto lowering = lowered(*imported);
            return lowering || !lowering.error().message.empty();
        });
    }

    /// The first and last number of every buffer's life are those of the compiler.
    void livesAreTheCompilers_data()
    {
        QTest::addColumn<QString>("path");
        for (const QString& path : ascendFiles(QStringLiteral("memory_info"), QStringLiteral("*.json")))
            QTest::newRow(qPrintable(QFileInfo(path).fileName())) << path;
        if (sharedFolder().isEmpty()) QTest::newRow("none") << QString();
    }
    void livesAreTheCompilers()
    {
        STOWAGE_NEEDS_SHARED();
        QFETCH(QString, path);
        const auto info = hivm::readMemoryInfo(textOf(path), path.toStdString());
        QVERIFY2(info, info ? "" : toText(info.error()).c_str());
        const QString name = QFileInfo(path).fileName().section(QLatin1Char('.'), 0, 0) + QStringLiteral(".mlir");
        const bool sample = name.startsWith(QLatin1String("overflow"));
        const QString kernel = sharedFolder() + QStringLiteral("/models/ascend/") +
                               (sample ? QStringLiteral("memory_info/") : QStringLiteral("kernels/")) + name;
        IMPORT(imported, textOf(kernel), kernel.toStdString());
        LOWER(lowering, *imported);
        const Function& function = std::get<Program>(imported->content).main();
        std::map<int, std::size_t> byLine;
        std::size_t planned = 0;
        for (std::size_t t = 0; t < function.tensors.size(); ++t)
            if (function.tensors[t].planned && function.tensors[t].aliasOf == none)
                byLine[function.tensors[t].where.line] = t, ++planned;
        QVERIFY(!info->entries.empty());
        if (sample) { // its locations are those of another file: the buffers come in the order of the text
            QCOMPARE(info->entries.size(), std::size_t{2});
            QCOMPARE(lowering->problem.buffers.size(), std::size_t{2});
            for (std::size_t b = 0; b < 2; ++b) {
                QCOMPARE(lowering->problem.buffers[b].live,
                         (std::vector<Interval>{{info->entries[b].gen, info->entries[b].kill + 1}}));
                QCOMPARE(lowering->problem.buffers[b].size * 8, info->entries[b].bits);
            }
            return;
        }
        std::size_t seen = 0;
        for (const hivm::MemoryInfoEntry& entry : info->entries) {
            const auto found = byLine.find(entry.line);
            QVERIFY2(found != byLine.end(), entry.buffer.c_str());
            const Tensor& tensor = function.tensors[found->second];
            const BufferId id = lowering->instances.front().bindings[found->second].buffer;
            QVERIFY2(id != none, tensor.name.c_str());
            const Buffer& buffer = lowering->problem.buffers[static_cast<std::size_t>(id)];
            const std::string live = tensor.name + " in " + buffer.name;
            QVERIFY2(buffer.live.front() == (Interval{entry.gen, entry.kill + 1}), live.c_str());
            QCOMPARE(buffer.live.size(), std::size_t{1});
            QCOMPARE(*tensor.bytes * 8, entry.bits);
            QVERIFY(static_cast<std::size_t>(buffer.slots) <= entry.offsets.size()); // more where the compiler upgraded it
            ++seen;
        }
        QCOMPARE(seen, planned);
    }

    /// What the compiler planned is valid by our lives, in place and all.
    void compilersPlansAreValid_data()
    {
        QTest::addColumn<QString>("path");
        for (const QString& path : ascendFiles(QStringLiteral("planned"), QStringLiteral("*.mlir")))
            QTest::newRow(qPrintable(QFileInfo(path).fileName())) << path;
        if (sharedFolder().isEmpty()) QTest::newRow("none") << QString();
    }
    void compilersPlansAreValid()
    {
        STOWAGE_NEEDS_SHARED();
        QFETCH(QString, path);
        IMPORT(imported, textOf(path), path.toStdString());
        QCOMPARE(imported->plans.size(), std::size_t{1});
        const Program& program = std::get<Program>(imported->content);
        for (std::size_t f = 0; f < program.functions.size(); ++f) {
            LOWER(lowering, *imported, program.functions[f].name);
            if (lowering->problem.buffers.empty()) continue;
            const Plan plan = planOf(imported->plans.front(), *lowering, static_cast<FunctionId>(f));
            const Verdict verdict = check(lowering->problem, plan);
            for (const Violation& violation : verdict.violations) qWarning("%s", describe(lowering->problem, violation).c_str());
            QVERIFY(verdict.valid());
        }
    }
};

QTEST_GUILESS_MAIN(TestHivm)
#include "tst_hivm.moc"
