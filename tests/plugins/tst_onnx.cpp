// The ONNX importer against figures that other programs found in the same files.
#include "plugins/onnx/onnx_importer.h"
#include "tests/plugins/reference.h"
#include "tests/support/shared.h"

#include <QFile>
#include <QObject>
#include <QTest>

#include <algorithm>
#include <map>
#include <set>

namespace stowage::test {

namespace {

using Options = std::vector<std::pair<std::string, std::string>>;

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

const Diagnostic* find(const Diagnostics& diagnostics, std::string_view code)
{
    const auto found = std::find_if(diagnostics.begin(), diagnostics.end(), [&](const Diagnostic& d) { return d.code == code; });
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
        const auto& main = std::get<Program>(imported->content).main();
        const auto& graph = reference.graphs.front();
        QCOMPARE(main.ops.size(), static_cast<std::size_t>(graph.ops));
        QCOMPARE(main.regions.size(), std::size_t{1});

        // By name, from the reference.
        std::map<std::string, std::pair<Interval, Bytes>> expected;
        for (const Activation& each : graph.activations)
            expected[graph.values[each.tensor].toStdString()] = {each.live(), each.bytes};
        // By name, from the program: leaf op i at step i + 1.
        std::map<std::string, std::pair<Interval, Bytes>> actual;
        std::map<TensorId, Interval> live;
        const auto touch = [&](TensorId tensor, Step step) {
            auto [entry, added] = live.try_emplace(tensor, Interval{step, step + 1});
            if (!added) entry->second.end = std::max(entry->second.end, step + 1);
        };
        for (const TensorId input : main.body().inputs) touch(input, 0);
        for (std::size_t i = 0; i < main.ops.size(); ++i) {
            for (const TensorId input : main.ops[i].inputs) touch(input, static_cast<Step>(i) + 1);
            for (const TensorId output : main.ops[i].outputs) touch(output, static_cast<Step>(i) + 1);
        }
        for (const TensorId output : main.body().outputs) touch(output, static_cast<Step>(main.ops.size()));
        for (const auto& [id, interval] : live) {
            const Tensor& tensor = main.tensors[static_cast<std::size_t>(id)];
            if (tensor.kind != TensorKind::constant && tensor.planned && tensor.bytes.value_or(0) > 0)
                actual[tensor.name] = {interval, *tensor.bytes};
        }
        for (const auto& [name, value] : expected) {
            QVERIFY2(actual.count(name) > 0, name.c_str());
            QVERIFY2(actual[name] == value, name.c_str());
        }
        QCOMPARE(actual.size(), expected.size());
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

} // namespace stowage::test

QTEST_GUILESS_MAIN(stowage::test::TestOnnx)
#include "tst_onnx.moc"
