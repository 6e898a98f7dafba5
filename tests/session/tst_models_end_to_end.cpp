// The whole way of a file: worker, session, lowering, planners, checker, plan file. Every reference model goes it, and everything
// that is damaged ends in one clear error on it.
#include "app/session/session.h"
#include "core/io/text.h"
#include "tests/cli/cli_process.h"
#include "tests/core/mutation.h"
#include "tests/support/seed_shift.h"
#include "tests/support/shared.h"

#include <QDir>
#include <QTest>

#include <algorithm>
#include <random>

using namespace stowage;
using namespace stowage::test;

namespace {

/// The five that are nothing but an order and a gap rule.
const char* const planners[] = {"naive", "greedy-by-size", "greedy-by-breadth", "tflm-greedy", "best-fit-decreasing"};

QString sampleFile(const char* name)
{
    return QStringLiteral(STOWAGE_SOURCE_DIR "/resources/samples/") + QLatin1String(name);
}

QByteArray contentsOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// Two plans place everything at the same bytes. What they say about themselves (claims, time) may differ.
bool samePlaces(const Plan& a, const Plan& b)
{
    return a.placements == b.placements;
}

/// An error as a user needs it: what, where, and what to do.
QByteArray incomplete(const Error& error)
{
    const QByteArray text = QByteArray::fromStdString(toText(error));
    if (error.severity != Severity::error || codeText(error).empty() || error.message.empty()) return "says nothing: " + text;
    if (error.where.file.empty() || (error.where.line <= 0 && error.where.byte < 0)) return "has no place: " + text;
    return {};
}

} // namespace

class TestModelsEndToEnd : public QObject {
    Q_OBJECT

private:
    Session session_;
    Cli cli_;

    /// Plans with `planner`, and takes the plan through its file and back.
    void planAndReadBack(const Model& model, const char* planner)
    {
        PlanRequest request;
        request.planner = planner;
        const auto run = session_.planNow(model, request);
        QVERIFY2(bool(run), run ? "" : toText(run.error()).c_str());
        const Problem& problem = (*run)->problem();
        const Verdict verdict = check(problem, (*run)->plan);
        QVERIFY2(verdict.valid(), verdict.valid() ? "" : describe(problem, verdict.violations.front()).c_str());
        QVERIFY2((*run)->report.status == Status::optimal || (*run)->report.status == Status::feasible,
                 std::string(toText((*run)->report.status)).c_str());
        QVERIFY((*run)->report.totalSize() >= (*run)->report.totalBound());

        const std::string text = io::writePlanJson(**run);
        const auto back = io::readPlan(text, "plan.json", problem);
        QVERIFY2(bool(back), back ? "" : toText(back.error()).c_str());
        QVERIFY2(back->diagnostics.empty(), back->diagnostics.empty() ? "" : toText(back->diagnostics.front()).c_str());
        QVERIFY(samePlaces(back->value, (*run)->plan));
        QCOMPARE(back->value.planner, std::string(planner));
    }

    /// Reads damaged text, and plans what could be read all the same.
    bool survives(const char* name, const std::string& text)
    {
        const auto model = session_.readText(QString::fromUtf8(name), QByteArray::fromStdString(text));
        if (!model) return !codeText(model.error()).empty() && !model.error().message.empty();
        PlanRequest request;
        request.planner = "greedy-by-size";
        const auto run = session_.planNow(*model, request);
        return run ? (*run)->report.verdict.valid() || !(*run)->plan.diagnostics.empty() : !run.error().message.empty();
    }

private Q_SLOTS:
    void initTestCase()
    {
        qunsetenv("STOWAGE_PLUGIN_PATH");
        const auto importers = session_.importers();
        for (const char* wanted : {"tflite", "onnx"})
            QVERIFY2(std::any_of(importers.begin(), importers.end(), [&](const ImporterInfo& i) { return i.name == wanted; }),
                     wanted);
    }

    void everyReferenceModelIsPlannedAndItsPlanReadBack_data()
    {
        QTest::addColumn<QString>("path");
        for (const char* format : {"tflite", "onnx"})
            for (const QFileInfo& file : QDir(sharedFile("models/") + QLatin1String(format)).entryInfoList(QDir::Files))
                QTest::newRow(qPrintable(file.fileName())) << file.filePath();
    }

    void everyReferenceModelIsPlannedAndItsPlanReadBack()
    {
        STOWAGE_NEEDS_SHARED();
        QFETCH(QString, path);
        std::size_t mainOps = 0;
        for (const char* subgraphs : {"main", "nested", "flat"}) {
            OpenOptions options;
            options.importOptions = {{"subgraphs", subgraphs}};
            const auto model = session_.read(path, options);
            QVERIFY2(bool(model), model ? "" : toText(model.error()).c_str());
            QVERIFY(model->program != nullptr);
            QCOMPARE(model->importer, path.endsWith(".onnx") ? QStringLiteral("onnx") : QStringLiteral("tflite"));
            const std::size_t ops = model->program->main().ops.size();
            QVERIFY(ops > 0);
            if (mainOps == 0) mainOps = ops;
            QVERIFY(ops >= mainOps); // nested graphs come in addition
            for (const char* planner : planners) {
                planAndReadBack(*model, planner);
                if (QTest::currentTestFailed()) {
                    qWarning("%s %s", subgraphs, planner);
                    return;
                }
            }
        }
    }

    void everyMalformedModelGivesAPlaceAndARemedy_data()
    {
        QTest::addColumn<QString>("path");
        for (const QFileInfo& file : QDir(sharedFile("models/bad")).entryInfoList(QDir::Files))
            QTest::newRow(qPrintable(file.fileName())) << file.filePath();
    }

    void everyMalformedModelGivesAPlaceAndARemedy()
    {
        STOWAGE_NEEDS_SHARED();
        QFETCH(QString, path);
        const auto model = session_.read(path);
        QVERIFY(!model);
        QVERIFY2(incomplete(model.error()).isEmpty(), incomplete(model.error()).constData());
        QVERIFY2(!model.error().remedy.empty(), toText(model.error()).c_str());
        if (!QFile::exists(Cli::program())) QSKIP("stowage-cli is not part of this build");
        const auto result = cli_({"plan", path});
        QCOMPARE(result.status, 2);
        QVERIFY2(result.out.isEmpty(), result.out);
        QCOMPARE(result.err.trimmed(), QByteArray::fromStdString(toText(model.error())).trimmed());
    }

    /// The importers' own tests read thousands of damaged files in process; here some go through the worker.
    void damagedModelsComeBackFromTheWorker()
    {
        STOWAGE_NEEDS_SHARED();
        constexpr unsigned seed = 20261121;
        std::mt19937 random(seed + stowage::test::seedShift());
        for (const char* name :
             {"tflite/syn_if.tflite", "tflite/mww_v2_alexa.tflite", "onnx/syn_if_static.onnx", "onnx/syn_randwire_9.onnx"}) {
            const QByteArray whole = contentsOf(sharedFile("models/") + QLatin1String(name));
            QVERIFY(!whole.isEmpty());
            for (int round = 0; round < 25; ++round) {
                QByteArray bytes = whole;
                if (round % 3 == 0) bytes.truncate(static_cast<qsizetype>(random() % static_cast<unsigned>(bytes.size())));
                for (int flips = round % 3; flips > 0 && !bytes.isEmpty(); --flips) {
                    const auto at = static_cast<qsizetype>(random() % static_cast<unsigned>(bytes.size()));
                    bytes[at] = static_cast<char>(bytes[at] ^ (1 << random() % 8));
                }
                if (!survives(name, bytes.toStdString()))
                    QFAIL(qPrintable(QString("%1: seed %2 round %3").arg(name).arg(seed).arg(round)));
            }
        }
    }

    void damagedTextIsReadOrRefused_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("text");
        const QByteArray program = contentsOf(sampleFile("lstm_loop.json"));
        QTest::newRow("program") << "program.json" << program;
        const auto model = session_.readText(QStringLiteral("sample.json"), program);
        QVERIFY(bool(model));
        const auto lowering = session_.lowerNow(*model, {});
        QVERIFY(bool(lowering));
        QTest::newRow("problem") << "problem.json" << QByteArray::fromStdString(io::writeProblemJson((*lowering)->problem));
        QTest::newRow("csv") << "problem.csv"
                             << QByteArray(
                                    "id,lower,upper,size,alignment,gaps,offset\na,0,9,64,16,2-3 5-7@0:8,-1\nb,1,3,32,1,,0\n"
                                    "c,2,8,48,4,3-4,-1\nd,0,2,16,1,,-1\n");
    }

    void damagedTextIsReadOrRefused()
    {
        QFETCH(QString, name);
        QFETCH(QByteArray, text);
        const std::string whole = text.toStdString();
        const QByteArray shown = name.toUtf8();
        QVERIFY(survives(shown, whole));
        for (std::size_t size = 1; size < whole.size(); ++size)
            if (!survives(shown, whole.substr(0, size))) QFAIL(qPrintable(QString("cut at %1").arg(size)));
        mutate(whole, "{}[]\",:-@0129abnt \n\\\x01\xFF", 3000, [&](const std::string& changed) {
            // Bytes that no reader of text claims would start a worker for nothing.
            return changed.empty() || (whole[0] == '{' && changed[0] != '{') || survives(shown, changed);
        });
    }
};

QTEST_GUILESS_MAIN(TestModelsEndToEnd)
#include "tst_models_end_to_end.moc"
