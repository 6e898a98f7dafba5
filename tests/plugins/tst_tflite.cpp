// Real models give exactly the activations, live ranges and figures that independent scripts found in them.
#include "tests/plugins/tflite_support.h"

#include <QHash>
#include <QTest>

#include <algorithm>
#include <map>

using namespace stowage;
using namespace stowage::test;

namespace {

/// First and last operator that touch a tensor, on the reference's axis: -1 is the entry, operator i runs at i.
struct Activation {
    std::int64_t tensor = 0;
    std::int64_t first = 0;
    std::int64_t last = 0;
    std::int64_t bytes = 0;

    friend bool operator==(const Activation&, const Activation&) = default;
    friend auto operator<=>(const Activation&, const Activation&) = default;
};

std::string toText(const std::vector<Activation>& list)
{
    std::string out;
    for (const auto& a : list)
        out += '[' + std::to_string(a.tensor) + ' ' + std::to_string(a.first) + ' ' + std::to_string(a.last) + ' ' +
               std::to_string(a.bytes) + ']';
    return out;
}

/// Live ranges of a function without nested regions, by the convention of the reference; an independent reading of the program,
/// not the project's own lowering. `times` gives the time of each op.
std::vector<Activation> activations(const Function& function, const std::vector<std::int64_t>& times, std::int64_t entry)
{
    std::map<TensorId, Activation> found;
    const auto touch = [&](TensorId id, std::int64_t time) {
        const Tensor& tensor = function.tensors[static_cast<std::size_t>(id)];
        if (tensor.kind == TensorKind::constant || tensor.kind == TensorKind::variable || tensor.bytes.value_or(0) == 0) return;
        const auto [it, isNew] = found.try_emplace(id, Activation{id, time, time, *tensor.bytes});
        it->second.first = std::min(it->second.first, time);
        it->second.last = std::max(it->second.last, time);
    };
    for (const TensorId input : function.body().inputs) touch(input, entry);
    for (const OpId op : function.body().ops) {
        const Op& o = function.ops[static_cast<std::size_t>(op)];
        for (const auto* list : {&o.inputs, &o.outputs, &o.temps}) {
            for (const TensorId tensor : *list) touch(tensor, times[static_cast<std::size_t>(op)]);
        }
    }
    for (const TensorId output : function.body().outputs) touch(output, times.empty() ? entry : times.back());
    std::vector<Activation> list;
    for (const auto& [id, activation] : found) list.push_back(activation);
    return list;
}

std::vector<Activation> fromJson(const QJsonArray& array)
{
    std::vector<Activation> list;
    for (const auto& row : array)
        list.push_back({row[0].toInteger(), row[1].toInteger(), row[2].toInteger(), row[3].toInteger()});
    std::sort(list.begin(), list.end());
    return list;
}

} // namespace

class TestTflite : public QObject {
    Q_OBJECT

private:
    static void addModels()
    {
        QTest::addColumn<QJsonObject>("reference");
        QTest::addColumn<QString>("path");
        for (const QJsonObject& model : referenceModels()) {
            const QString file = model.value(QLatin1String("file")).toString();
            QTest::newRow(file.toUtf8().constData()) << model << sharedFile("models/tflite/") + file;
        }
    }

private Q_SLOTS:
    void initTestCase()
    {
        STOWAGE_NEEDS_SHARED();
        QCOMPARE(referenceModels().size(), 35);
    }

    void activationsOfTheMainGraphEqualTheReference_data() { addModels(); }
    void activationsOfTheMainGraphEqualTheReference()
    {
        QFETCH(QJsonObject, reference);
        QFETCH(QString, path);
        const auto imported = importBytes(bytesOf(path), {{"subgraphs", "main"}});
        QVERIFY2(bool(imported), imported ? "" : text(imported.error()).c_str());
        const Function& main = std::get<Program>(imported->content).main();
        const QJsonObject graph = reference.value(QLatin1String("subgraphs"))[0].toObject();

        const QJsonArray ops = graph.value(QLatin1String("ops")).toArray();
        QCOMPARE(static_cast<qsizetype>(main.ops.size()), ops.size());
        for (std::size_t i = 0; i < main.ops.size(); ++i)
            QCOMPARE(QString::fromStdString(main.ops[i].kind),
                     ops[static_cast<qsizetype>(i)].toString().remove(QLatin1String("CUSTOM:")));
        std::vector<std::int64_t> times(main.ops.size());
        for (std::size_t i = 0; i < times.size(); ++i) times[i] = static_cast<std::int64_t>(i);
        const auto found = activations(main, times, -1);
        const auto expected = fromJson(graph.value(QLatin1String("activations")).toArray());
        QVERIFY2(found == expected, (toText(found) + " != " + toText(expected)).c_str());
    }

    void flatActivationsEqualTheReference_data() { addModels(); }
    void flatActivationsEqualTheReference()
    {
        QFETCH(QJsonObject, reference);
        QFETCH(QString, path);
        const QJsonObject flat = reference.value(QLatin1String("tflm_flat")).toObject();
        const auto imported = importBytes(bytesOf(path), {{"subgraphs", "flat"}});
        QVERIFY2(bool(imported), imported ? "" : text(imported.error()).c_str());
        const Function& main = std::get<Program>(imported->content).main();
        // On the reference's time line a sub-graph is left at the time of the last thing in it.
        std::vector<std::int64_t> times(main.ops.size());
        std::int64_t now = 0;
        for (const OpId op : main.body().ops) {
            if (main.ops[static_cast<std::size_t>(op)].kind != "leave") ++now;
            times[static_cast<std::size_t>(op)] = now;
        }
        const auto found = activations(main, times, 0);
        QCOMPARE(static_cast<qint64>(found.size()), flat.value(QLatin1String("n_records")).toInteger());
        if (flat.contains(QLatin1String("records"))) {
            const auto expected = fromJson(flat.value(QLatin1String("records")).toArray());
            QVERIFY2(found == expected, (toText(found) + " != " + toText(expected)).c_str());
        }
    }
};

QTEST_GUILESS_MAIN(TestTflite)
#include "tst_tflite.moc"
