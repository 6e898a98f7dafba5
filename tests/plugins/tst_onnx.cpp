// The ONNX importer against figures that other programs found in the same files.
#include "plugins/onnx/onnx_importer.h"
#include "tests/plugins/importing.h"
#include "tests/plugins/reference.h"
#include "tests/support/shared.h"

#include <QFile>
#include <QObject>
#include <QTest>

#include <algorithm>
#include <map>
#include <set>

using namespace stowage;
using namespace stowage::test;

namespace {

QByteArray contentsOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

Expected<Imported> importBytes(std::string_view bytes, const Options& options = {},
                               const std::vector<std::pair<std::string, std::int64_t>>& bindings = {})
{
    return OnnxImporter().import({"model.onnx", bytes, bindings, options});
}

Expected<Imported> importModel(const ReferenceModel& model, const Options& options)
{
    const QByteArray bytes = contentsOf(model.path);
    return importBytes({bytes.constData(), static_cast<std::size_t>(bytes.size())}, options, model.bindings);
}

TensorId tensorNamed(const Function& function, const QString& name)
{
    for (std::size_t i = 0; i < function.tensors.size(); ++i)
        if (function.tensors[i].name == name.toStdString()) return static_cast<TensorId>(i);
    return none;
}

const Diagnostic* find(const Diagnostics& diagnostics, std::string_view code)
{
    const auto found =
        std::find_if(diagnostics.begin(), diagnostics.end(), [&](const Diagnostic& d) { return codeText(d) == code; });
    return found == diagnostics.end() ? nullptr : &*found;
}

} // namespace

class TestOnnx : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { models_ = referenceModels("onnx"); }

    void everyReferenceModelIsFound()
    {
        STOWAGE_NEEDS_SHARED();
        QCOMPARE(models_.size(), std::size_t{21});
    }

    void lifetimesAndSizesEqualTheReference_data() { addModelRows(models_); }
    void lifetimesAndSizesEqualTheReference()
    {
        STOWAGE_NEEDS_SHARED();
        QFETCH(int, model);
        const auto& reference = models_[static_cast<std::size_t>(model)];
        const auto imported = importModel(reference, {{"subgraphs", "main"}});
        QVERIFY2(imported, imported ? "" : toText(imported.error()).c_str());
        const auto& program = std::get<Program>(imported->content);
        const auto& graph = reference.graphs.front();
        QCOMPARE(program.main().ops.size(), static_cast<std::size_t>(graph.ops));
        QCOMPARE(program.main().regions.size(), std::size_t{1});
        const auto lowering = lowerLikeReference(program, 1);
        QVERIFY2(lowering, lowering ? "" : toText(lowering.error()).c_str());
        const QString difference =
            activationsDiffer(graph, *lowering, [&](int index) { return tensorNamed(program.main(), graph.values[index]); });
        QVERIFY2(difference.isEmpty(), qPrintable(difference));
    }

    void arenasEqualTheReference_data() { addModelRows(models_); }
    void arenasEqualTheReference()
    {
        STOWAGE_NEEDS_SHARED();
        QFETCH(int, model);
        const auto& reference = models_[static_cast<std::size_t>(model)];
        const auto imported = importModel(reference, {{"subgraphs", "main"}});
        QVERIFY2(imported, imported ? "" : toText(imported.error()).c_str());
        QCOMPARE(reference.graphs.front().arenas.size(), std::size_t{3});
        for (const auto& [alignment, arenas] : reference.graphs.front().arenas) {
            const auto lowering = lowerLikeReference(std::get<Program>(imported->content), alignment);
            QVERIFY2(lowering, lowering ? "" : toText(lowering.error()).c_str());
            const QString difference = arenasDiffer(arenas, lowering->problem);
            QVERIFY2(difference.isEmpty(), qPrintable(QStringLiteral("alignment %1: %2").arg(alignment).arg(difference)));
        }
    }

    void mergedViewsEqualTheReference_data() { addModelRows(models_); }
    void mergedViewsEqualTheReference()
    {
        STOWAGE_NEEDS_SHARED();
        QFETCH(int, model);
        const auto& reference = models_[static_cast<std::size_t>(model)];
        const auto& graph = reference.graphs.front();
        const auto imported = importModel(reference, {{"subgraphs", "main"}});
        QVERIFY2(imported, imported ? "" : toText(imported.error()).c_str());
        for (const auto& [alignment, arenas] : graph.viewsMerged) {
            const auto lowering = lowerLikeReference(std::get<Program>(imported->content), alignment, ViewMode::merged);
            QVERIFY2(lowering, lowering ? "" : toText(lowering.error()).c_str());
            const QString difference = arenasDiffer(arenas, lowering->problem);
            QVERIFY2(difference.isEmpty(), qPrintable(QStringLiteral("alignment %1: %2").arg(alignment).arg(difference)));
        }
    }

    void figuresWithoutInputsAndOutputsEqualTheReference_data() { addModelRows(models_); }
    void figuresWithoutInputsAndOutputsEqualTheReference()
    {
        STOWAGE_NEEDS_SHARED();
        QFETCH(int, model);
        const auto& reference = models_[static_cast<std::size_t>(model)];
        const auto imported = importModel(reference, {{"subgraphs", "main"}, {"io", "excluded"}});
        QVERIFY2(imported, imported ? "" : toText(imported.error()).c_str());
        const auto lowering = lowerLikeReference(std::get<Program>(imported->content), 1);
        QVERIFY2(lowering, lowering ? "" : toText(lowering.error()).c_str());
        const QString difference = arenasDiffer(reference.graphs.front().ioExcluded, lowering->problem);
        QVERIFY2(difference.isEmpty(), qPrintable(difference));
        if (reference.graphs.front().ioExcluded.naive == 0) QVERIFY(lowering->problem.buffers.empty());
    }

    void unknownSizesAndFoldedNodesEqualTheReference_data() { addModelRows(models_); }
    void unknownSizesAndFoldedNodesEqualTheReference()
    {
        STOWAGE_NEEDS_SHARED();
        QFETCH(int, model);
        const auto& reference = models_[static_cast<std::size_t>(model)];
        const auto imported = importModel(reference, {{"subgraphs", "main"}});
        QVERIFY2(imported, imported ? "" : toText(imported.error()).c_str());
        const auto& main = std::get<Program>(imported->content).main();
        const auto& graph = reference.graphs.front();

        QStringList unknown;
        for (const Tensor& tensor : main.tensors)
            if (!tensor.bytes && tensor.planned && tensor.kind != TensorKind::constant)
                unknown.append(QString::fromStdString(tensor.name));
        QCOMPARE(unknown, graph.unknownSizes);
        QCOMPARE(find(imported->diagnostics, "partial") != nullptr, !unknown.isEmpty());

        std::vector<int> folded;
        for (std::size_t i = 0; i < main.ops.size(); ++i) {
            const auto& outputs = main.ops[i].outputs;
            const auto isFolded = [&](TensorId id) {
                return main.tensors[static_cast<std::size_t>(id)].available == Availability::compileTime;
            };
            if (!outputs.empty() && std::all_of(outputs.begin(), outputs.end(), isFolded)) folded.push_back(static_cast<int>(i));
        }
        QCOMPARE(folded, graph.folded);
    }

private:
    std::vector<ReferenceModel> models_;
};

QTEST_GUILESS_MAIN(TestOnnx)
#include "tst_onnx.moc"
