// The order of ops of every reference model, against the exact optima that an independent script found.
#include "app/session/session.h"
#include "core/passes/reorder.h"
#include "tests/support/shared.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

using namespace stowage;

class TestReorderModels : public QObject {
    Q_OBJECT

    Session session_;

    static QJsonDocument json(const char* name)
    {
        QFile file(test::sharedFile(name));
        return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()) : QJsonDocument();
    }

private Q_SLOTS:
    void initTestCase()
    {
        STOWAGE_NEEDS_SHARED();
        qunsetenv("STOWAGE_PLUGIN_PATH");
    }

    void everyKnownOptimumIsReached_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<qint64>("optimum"); // 0: the script gave up
        QTest::addColumn<qint64>("listed");
        if (test::sharedFolder().isEmpty()) return;
        const QJsonArray models = json("models/reference.json")["models"].toArray();
        for (const QJsonValue& model : models) {
            // The reference counts the tensors of this one by themselves, and they lie in the arena of an accelerator.
            if (model["id"].toString().endsWith(QLatin1String("person_detect_vela.tflite"))) continue;
            const QJsonArray graphs = (model["subgraphs"].isArray() ? model["subgraphs"] : model["graphs"]).toArray();
            const QJsonObject main = graphs.isEmpty() ? model.toObject() : graphs[0].toObject();
            const QJsonObject optimum = main["order_optimum"].toObject();
            QTest::newRow(qPrintable(model["id"].toString()))
                << test::sharedFile("models/") + model["id"].toString()
                << (optimum["exact"].toBool() ? qint64(optimum["min_peak"].toDouble()) : 0)
                << qint64(main["arena"]["1"]["peak"].toDouble());
        }
    }

    void everyKnownOptimumIsReached()
    {
        QFETCH(QString, path);
        QFETCH(qint64, optimum);
        QFETCH(qint64, listed);
        OpenOptions options;
        options.importOptions = {{"subgraphs", "main"}};
        const QJsonObject dims = json("models/bindings.json")[path.section('/', -1)]["dims"].toObject();
        for (auto dim = dims.begin(); dim != dims.end(); ++dim)
            options.bindings.emplace_back(dim.key().toStdString(), dim.value().toInt());
        const auto model = session_.read(path, options);
        QVERIFY2(bool(model), model ? "" : toText(model.error()).c_str());
        QVERIFY(model->program);
        const auto found = reorder(*model->program, {});
        QVERIFY2(bool(found), found ? "" : toText(found.error()).c_str());
        qInfo("%lld -> %lld, bound %lld%s, %zu sets", static_cast<long long>(found->before), static_cast<long long>(found->after),
              static_cast<long long>(found->bound), found->proved ? ", proved" : "",
              found->regions.empty() ? 0 : found->regions.back().states);
        QCOMPARE(qint64(found->before), listed);
        QVERIFY(found->after <= found->before);
        if (optimum == 0) return;
        QCOMPARE(qint64(found->after), optimum);
        QVERIFY(found->proved);
    }
};

QTEST_GUILESS_MAIN(TestReorderModels)
#include "tst_reorder_models.moc"
