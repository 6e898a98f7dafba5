// Plans of kernels: written into the text and read back, run on a real arena, random kernels by several planners.
#include "core/exec/arena.h"
#include "core/plan/check.h"
#include "core/planners/registry.h"
#include "plugins/hivm/memory_info.h"
#include "plugins/hivm/plan_writer.h"
#include "plugins/hivm/scopes.h"
#include "tests/plugins/hivm_support.h"
#include "tests/support/random_kernel.h"

#include <QFileInfo>
#include <QTest>

#include <map>
#include <set>
#include <sstream>

using namespace stowage;
using namespace stowage::test;

namespace {

Expected<Plan> planned(const Lowering& lowering, const char* planner)
{
    return PlannerRegistry::builtIn().find(planner)->plan(lowering.problem, {}, {});
}

/// What the file says of each buffer of a function, by name.
std::map<std::string, std::vector<Bytes>> placesOf(const Imported& imported)
{
    std::map<std::string, std::vector<Bytes>> places;
    const Program& program = std::get<Program>(imported.content);
    for (const FilePlan& plan : imported.plans)
        for (const FilePlan::Offset& offset : plan.offsets)
            places[program.functions[static_cast<std::size_t>(offset.function)]
                       .tensors[static_cast<std::size_t>(offset.tensor)]
                       .name] = offset.offsets.empty() ? std::vector<Bytes>{offset.offset} : offset.offsets;
    return places;
}

std::multiset<std::string> linesOf(const std::string& text)
{
    std::multiset<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.insert(line);
    return lines;
}

QStringList plannable()
{
    QStringList files;
    for (const char* folder : {"kernels", "repo"})
        for (const QString& path : ascendFiles(QString::fromUtf8(folder), QStringLiteral("*.mlir")))
            if (!path.contains(QLatin1String("gated_delta"))) files += path;
    return files;
}

void allFiles()
{
    QTest::addColumn<QString>("path");
    for (const QString& path : plannable()) QTest::newRow(qPrintable(QFileInfo(path).fileName())) << path;
    if (sharedFolder().isEmpty()) QTest::newRow("none") << QString();
}

} // namespace

class TestHivmPlans : public QObject {
    Q_OBJECT

    /// Written, read again: the same places; and only what has to be different is.
    static void compareWritten(const std::string& text, const Imported& imported, const Lowering& lowering, const Plan& plan)
    {
        const Program& program = std::get<Program>(imported.content);
        const WrittenFunction function{program.entry, &lowering, &plan};
        const auto written = hivm::writePlan(text, "k.mlir", program, {&function, 1}, hivm::WorkspaceForm::offset);
        QVERIFY2(written, written ? "" : toText(written.error()).c_str());
        const auto again = hivm::importKernel(*written, "k.mlir");
        QVERIFY2(again, again ? "" : (toText(again.error()) + "\n" + *written).c_str());
        const auto places = placesOf(*again);
        const auto& tensors = program.main().tensors;
        std::size_t allocations = 0;
        for (std::size_t t = 0; t < tensors.size(); ++t) {
            if (!tensors[t].planned || tensors[t].aliasOf != none) continue;
            ++allocations;
            const Placement& placement = plan.placements[static_cast<std::size_t>(lowering.instances.front().bindings[t].buffer)];
            const auto found = places.find(tensors[t].name);
            QVERIFY2(found != places.end(), tensors[t].name.c_str());
            QCOMPARE(found->second,
                     placement.offsets.empty() ? std::vector<Bytes>{placement.offset} : std::vector<Bytes>(placement.offsets));
        }
        QCOMPARE(places.size(), allocations);
        const std::multiset<std::string> before = linesOf(text);
        const std::multiset<std::string> after = linesOf(*written);
        std::size_t gone = 0;
        for (const std::string& line : std::set<std::string>(before.begin(), before.end()))
            for (std::size_t i = after.count(line); i < before.count(line); ++i, ++gone)
                QVERIFY2(line.find("memref.alloc") != std::string::npos, line.c_str());
        QCOMPARE(gone, allocations);
        for (const std::string& line : std::set<std::string>(after.begin(), after.end()))
            if (after.count(line) > before.count(line))
                QVERIFY2(line.find("pointer_cast(") != std::string::npos || line.find("_i64") != std::string::npos, line.c_str());
        // And of the lines that changed only the op did: name and type are as they were.
        const auto namesAndTypes = [](const std::multiset<std::string>& of, const std::multiset<std::string>& without,
                                      std::string_view op) {
            std::multiset<std::string> kept;
            for (const std::string& line : std::set<std::string>(of.begin(), of.end()))
                for (std::size_t i = without.count(line); i < of.count(line); ++i)
                    if (const std::size_t at = line.find(op); at != std::string::npos) {
                        const std::size_t first = line.find_first_not_of(" \t");
                        kept.insert(line.substr(first, at - first) +
                                    line.substr(std::min(line.find("memref<", at), line.size())));
                    }
            return kept;
        };
        QVERIFY(namesAndTypes(before, after, "memref.alloc") == namesAndTypes(after, before, "hivm.hir.pointer_cast("));
        // Planned once more: what lies in place is one buffer again, with the slots that the plan gave it.
        const auto second = lowered(*again);
        QVERIFY2(second, second ? "" : toText(second.error()).c_str());
        for (std::size_t a = 0; a < plan.placements.size(); ++a) // a remembered pair that the plan used is one buffer now
            for (const BufferId b : lowering.problem.buffers[a].mayShare)
                if (plan.placements[a] == plan.placements[static_cast<std::size_t>(b)]) return;
        QCOMPARE(second->problem.buffers.size(), lowering.problem.buffers.size());
        for (std::size_t b = 0; b < plan.placements.size(); ++b) {
            const auto same = std::find_if(second->problem.buffers.begin(), second->problem.buffers.end(),
                                           [&](const Buffer& other) { return other.name == lowering.problem.buffers[b].name; });
            QVERIFY2(same != second->problem.buffers.end(), lowering.problem.buffers[b].name.c_str());
            QCOMPARE(same->size, lowering.problem.buffers[b].size);
            QCOMPARE(static_cast<std::size_t>(same->slots), std::max<std::size_t>(1, plan.placements[b].offsets.size()));
        }
    }

    using WrittenFunction = hivm::WrittenFunction;

    static void runsClean(const Imported& imported, const Lowering& lowering, const Plan& plan, const std::string& what)
    {
        const Verdict verdict = check(lowering.problem, plan);
        QVERIFY2(verdict.valid(),
                 (what + (verdict.violations.empty() ? "" : describe(lowering.problem, verdict.violations.front()))).c_str());
        Program program = std::get<Program>(imported.content);
        ExecuteOptions options;
        options.maxBytes = Bytes{1} << 28;
        const auto result = execute(program, lowering, plan, options);
        QVERIFY2(result, result ? "" : toText(result.error()).c_str());
        QVERIFY2(!result->corruption,
                 (what + (result->corruption ? describe(lowering.problem, *result->corruption) : "")).c_str());
    }

private Q_SLOTS:
    /// Every address is the compiler's, for all kernels that there is a memory_info of.
    void addressesAreTheCompilers_data()
    {
        QTest::addColumn<QString>("path");
        for (const QString& path : ascendFiles(QStringLiteral("memory_info"), QStringLiteral("*.json")))
            if (!path.contains(QLatin1String("overflow"))) QTest::newRow(qPrintable(QFileInfo(path).fileName())) << path;
        if (sharedFolder().isEmpty()) QTest::newRow("none") << QString();
    }
    void addressesAreTheCompilers()
    {
        STOWAGE_NEEDS_SHARED();
        QFETCH(QString, path);
        const auto info = hivm::readMemoryInfo(textOf(path), path.toStdString());
        QVERIFY2(info, info ? "" : toText(info.error()).c_str());
        const QString kernel = sharedFolder() + QStringLiteral("/models/ascend/kernels/") +
                               QFileInfo(path).fileName().section(QLatin1Char('.'), 0, 0) + QStringLiteral(".mlir");
        const auto imported = hivm::importKernel(textOf(kernel), kernel.toStdString());
        QVERIFY2(imported, imported ? "" : toText(imported.error()).c_str());
        const auto lowering = lowered(*imported);
        QVERIFY2(lowering, lowering ? "" : toText(lowering.error()).c_str());
        const auto plan = planned(*lowering, "hivm");
        QVERIFY2(plan, plan ? "" : toText(plan.error()).c_str());
        const auto compilers = hivm::planFor(*info, std::get<Program>(imported->content));
        QVERIFY(compilers);
        QCOMPARE(compilers->offsets.size(), info->entries.size());
        for (const FilePlan::Offset& offset : compilers->offsets) {
            const BufferId buffer = lowering->instances.front().bindings[static_cast<std::size_t>(offset.tensor)].buffer;
            const Placement& placement = plan->placements[static_cast<std::size_t>(buffer)];
            const std::vector<Bytes> ours =
                placement.offsets.empty() ? std::vector<Bytes>{placement.offset} : std::vector<Bytes>(placement.offsets);
            const std::vector<Bytes> theirs = offset.offsets.empty() ? std::vector<Bytes>{offset.offset} : offset.offsets;
            const std::string& name =
                std::get<Program>(imported->content).main().tensors[static_cast<std::size_t>(offset.tensor)].name;
            std::string said = name + ": ours";
            for (const Bytes each : ours) said += " " + std::to_string(each);
            said += ", the compiler's";
            for (const Bytes each : theirs) said += " " + std::to_string(each);
            QVERIFY2(ours == theirs, said.c_str());
        }
    }

    /// What a kernel that overflows would need is what the compiler says, in its words.
    void overflowsAreTheCompilers_data()
    {
        QTest::addColumn<QString>("kernel");
        QTest::addColumn<QString>("words");
        const auto row = [](const char* name, int bits) {
            QTest::newRow(name)
                << QString::fromUtf8(name)
                << QStringLiteral(
                       "ub overflow, requires %1 bits while 1572864 bits available! (possible reason: tiling basic block is too "
                       "large or block number is more "
                       "than what user expect due to multi-buffer feature is enabled and some ops need extra local buffer.)")
                       .arg(bits);
        };
        row("softmax_rows_20x1024", 1639168);
        row("layer_norm_4x4096", 1573120);
        row("flash_attention_vector_56", 1611008);
    }
    void overflowsAreTheCompilers()
    {
        STOWAGE_NEEDS_SHARED();
        QFETCH(QString, kernel);
        QFETCH(QString, words);
        const QString path = sharedFolder() + QStringLiteral("/models/ascend/kernels/") + kernel + QStringLiteral(".mlir");
        const auto imported = hivm::importKernel(textOf(path), path.toStdString());
        QVERIFY2(imported, imported ? "" : toText(imported.error()).c_str());
        const auto lowering = lowered(*imported);
        QVERIFY2(lowering, lowering ? "" : toText(lowering.error()).c_str());
        const auto plan = planned(*lowering, "hivm");
        QVERIFY2(plan, plan ? "" : toText(plan.error()).c_str());
        bool said = false;
        for (const Diagnostic& told : plan->diagnostics) {
            said = said || QString::fromStdString(told.message).startsWith(words);
            if (!said) qWarning("%s", told.message.c_str());
        }
        QVERIFY(said);
    }

    void writtenPlansReadBack_data() { allFiles(); }
    void writtenPlansReadBack()
    {
        STOWAGE_NEEDS_SHARED();
        QFETCH(QString, path);
        const std::string text = textOf(path);
        const auto imported = hivm::importKernel(text, path.toStdString());
        QVERIFY2(imported, imported ? "" : toText(imported.error()).c_str());
        const auto lowering = lowered(*imported);
        QVERIFY2(lowering, lowering ? "" : toText(lowering.error()).c_str());
        const auto plan = planned(*lowering, "hivm");
        QVERIFY2(plan, plan ? "" : toText(plan.error()).c_str());
        compareWritten(text, *imported, *lowering, *plan);
    }

    void kernelsRunClean_data() { allFiles(); }
    void kernelsRunClean()
    {
        STOWAGE_NEEDS_SHARED();
        QFETCH(QString, path);
        const auto imported = hivm::importKernel(textOf(path), path.toStdString());
        QVERIFY2(imported, imported ? "" : toText(imported.error()).c_str());
        for (const char* order : {"hivm", "linear"}) {
            const auto lowering = lowered(*imported, {}, {{"order", order}});
            QVERIFY2(lowering, lowering ? "" : toText(lowering.error()).c_str());
            const auto plan = planned(*lowering, std::string(order) == "hivm" ? "hivm" : "greedy-by-size");
            QVERIFY2(plan, plan ? "" : toText(plan.error()).c_str());
            runsClean(*imported, *lowering, *plan, std::string(order) + ": ");
        }
    }

    void workspacesAreWritten()
    {
        const std::string text =
            "module {\n  func.func @k(%g : memref<64xf32, #hivm.address_space<gm>>, %ws : memref<?xi8, #hivm.address_space<gm>>) "
            "attributes {hacc.entry} {\n"
            "    %a = memref_ext.alloc_workspace() from %ws : from memref<?xi8, #hivm.address_space<gm>> to memref<64xf32, "
            "#hivm.address_space<gm>>\n"
            "    %l = memref.alloc() {alignment = 64 : i64} : memref<64xf32, #hivm.address_space<ub>> loc(\"x\":1:2)\n"
            "    hivm.hir.load ins(%g : memref<64xf32, #hivm.address_space<gm>>) outs(%l : memref<64xf32, "
            "#hivm.address_space<ub>>)\n"
            "    hivm.hir.store ins(%l : memref<64xf32, #hivm.address_space<ub>>) outs(%a : memref<64xf32, "
            "#hivm.address_space<gm>>)\n    return\n  }\n}\n";
        const auto imported = hivm::importKernel(text, "k.mlir");
        QVERIFY2(imported, imported ? "" : toText(imported.error()).c_str());
        const auto lowering = lowered(*imported);
        QVERIFY2(lowering, lowering ? "" : toText(lowering.error()).c_str());
        const auto plan = planned(*lowering, "hivm");
        QVERIFY(plan);
        const WrittenFunction function{0, &*lowering, &*plan};
        const auto offset =
            hivm::writePlan(text, "k.mlir", std::get<Program>(imported->content), {&function, 1}, hivm::WorkspaceForm::offset);
        QVERIFY(offset);
        QVERIFY(offset->find("{WorkspaceSize = {ws = 256 : i64}, hacc.entry}") != std::string::npos);
        QVERIFY(offset->find("%a = memref_ext.alloc_workspace() from %ws offset = [%c0] : from memref<?xi8") !=
                std::string::npos);
        QVERIFY(offset->find("%l = hivm.hir.pointer_cast(%c0_i64) : memref<64xf32, #hivm.address_space<ub>> loc(\"x\":1:2)\n") !=
                std::string::npos);
        const auto again = hivm::importKernel(*offset, "k.mlir");
        QVERIFY2(again, again ? "" : toText(again.error()).c_str());
        QCOMPARE(placesOf(*again).size(), std::size_t{2});
        const auto document =
            hivm::writePlan(text, "k.mlir", std::get<Program>(imported->content), {&function, 1}, hivm::WorkspaceForm::document);
        QVERIFY(document && document->find("%a = hivm.hir.pointer_cast(%c0_i64) : memref<64xf32, #hivm.address_space<gm>>\n") !=
                                std::string::npos);
    }

    /// The table of the plugin and the targets of the resources are one.
    void scopesAreThoseOfTheTargets()
    {
        const auto pools = hivm::scopesOf("ascend910B1");
        QCOMPARE(pools.size(), std::size_t{7});
        QCOMPARE(pools[0].name, std::string("ub"));
        QCOMPARE(*pools[0].capacity * 8, Bytes{1572864});
        QCOMPARE(*pools[1].capacity * 8, Bytes{4194304});
        QCOMPARE(*pools[2].capacity * 8, Bytes{1048576});
        QCOMPARE(pools[2].alignment, Bytes{512});
        QCOMPARE(*hivm::scopesOf("Ascend310B1")[0].capacity * 8, Bytes{2097152});
        QCOMPARE(*hivm::scopesOf("Ascend950PR_950z")[0].capacity * 8, Bytes{2031616});
        QCOMPARE(*hivm::scopesOf("Ascend950PR_950z")[2].capacity * 8, Bytes{2097152});
        QCOMPARE(*hivm::scopesOf("Ascend910_9362")[0].capacity * 8, Bytes{1572864});
        QVERIFY(!hivm::scopesOf("other")[0].capacity);
    }

    void randomKernelsRunClean()
    {
        std::size_t merged = 0;
        std::size_t rotating = 0;
        for (std::uint32_t seed = 1; seed <= 60; ++seed) {
            const std::string text = randomKernel(seed, 20 + static_cast<int>(seed) % 40);
            QCOMPARE(randomKernel(seed, 20 + static_cast<int>(seed) % 40), text);
            const auto imported = hivm::importKernel(text, "k.mlir");
            QVERIFY2(imported, imported ? "" : (toText(imported.error()) + "\n" + text).c_str());
            for (const char* inPlace : {"allowed", "off"}) {
                const auto lowering = lowered(*imported, {}, {{"inplace", inPlace}});
                QVERIFY2(lowering, lowering ? "" : (toText(lowering.error()) + "\n" + text).c_str());
                Problem problem = lowering->problem;
                for (const Diagnostic& wrong : checkAndRepair(problem)) QFAIL((toText(wrong) + "\n" + text).c_str());
                for (const BufferOrigin& origin : lowering->origins) merged += origin.members.size() > 1 ? 1 : 0;
                for (const Buffer& buffer : problem.buffers) rotating += buffer.slots > 1 ? 1 : 0;
                for (const char* planner : {"naive", "greedy-by-size", "hivm"}) {
                    const auto plan = planned(*lowering, planner);
                    QVERIFY2(plan, plan ? "" : toText(plan.error()).c_str());
                    const auto twice = planned(*lowering, planner);
                    QVERIFY(twice && twice->placements == plan->placements);
                    const std::string what = "seed " + std::to_string(seed) + " " + planner + " inplace=" + inPlace + ": ";
                    runsClean(*imported, *lowering, *plan, what);
                    if (QTest::currentTestFailed()) {
                        qWarning("%s", text.c_str());
                        return;
                    }
                    if (std::string(planner) == "hivm") compareWritten(text, *imported, *lowering, *plan);
                    if (QTest::currentTestFailed()) {
                        qWarning("%s", text.c_str());
                        return;
                    }
                }
            }
        }
        QVERIFY(merged > 100 && rotating > 20); // or the kernels would show nothing
    }
};

QTEST_GUILESS_MAIN(TestHivmPlans)
#include "tst_hivm_plans.moc"
