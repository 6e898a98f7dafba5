// The same plan for every run that no deadline stopped: across thread counts, locales and builds, for every planner. What the
// plans were is kept in plans.fingerprints; STOWAGE_UPDATE_FINGERPRINTS=1 writes it anew, after a change that is meant to change
// plans.
#include "core/io/text.h"
#include "core/lower/lower.h"
#include "core/plan/offsets.h"
#include "core/planners/registry.h"
#include "tests/support/comma_locale.h"
#include "tests/support/paths.h"

#include <QCryptographicHash>
#include <QFile>
#include <QMap>
#include <QScopeGuard>
#include <QTest>

#include <clocale>
#include <locale>

using namespace stowage;

namespace {

const QString fingerprintsFile = QStringLiteral(STOWAGE_SOURCE_DIR "/tests/core/plans.fingerprints");

const PlannerRegistry& planners()
{
    static const PlannerRegistry all = PlannerRegistry::builtIn();
    return all;
}

Program sample(const QString& name)
{
    QFile file(QStringLiteral(STOWAGE_SOURCE_DIR "/resources/samples/%1.json").arg(name));
    if (!file.open(QIODevice::ReadOnly)) return {};
    auto read = io::readProgramJson(file.readAll().toStdString(), name.toStdString());
    return read ? std::move(read->value) : Program();
}

/// Pools and offsets of each slot. Nothing that a clock decides.
QByteArray fingerprintOf(const Expected<Plan>& plan)
{
    if (!plan) return "refused: " + QByteArray::fromStdString(std::string(codeText(plan.error())));
    QCryptographicHash hash(QCryptographicHash::Sha256);
    for (const Placement& placement : plan->placements) {
        hash.addData(QByteArray::number(placement.pool));
        for (const Bytes offset : offsetsOf(placement)) hash.addData("," + QByteArray::number(qint64(offset)));
        hash.addData("\n");
    }
    return hash.result().toHex().left(16);
}

Expected<Plan> planned(const Planner& planner, const Program& program, unsigned threads)
{
    LowerOptions options;
    for (const auto& [key, value] : planner.info().lowering)
        if (auto error = options.set(key, value)) return *std::move(error);
    auto lowering = lower(program, options);
    if (!lowering) return std::move(lowering).error();
    if (auto error = checkCapabilities(planner.info(), lowering->problem)) return *std::move(error);
    PlanContext context;
    context.threads = threads;
    context.workLimit = planner.info().anytime ? 20'000 : 0; // what ends by itself has no need of one
    context.seed = 7;
    return planner.plan(lowering->problem, {}, context);
}

} // namespace

class DeterminismTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QFile file(fingerprintsFile);
        if (file.open(QIODevice::ReadOnly))
            for (const QByteArray& line : file.readAll().split('\n'))
                if (const auto words = line.split(' '); words.size() >= 3)
                    kept_[words[0] + ' ' + words[1]] = words.mid(2).join(' ');
    }

    void everyPlannerGivesOnePlan_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("planner");
        for (const char* name : {"mobilenet_v1_025", "resnet18", "lstm_loop", "refine_loop", "double_buffered_matmul",
                                 "microcontroller_two_memories", "unet_training"})
            for (const auto& planner : planners().all())
                QTest::addRow("%s %s", name, planner->info().name.c_str())
                    << QString(name) << QString::fromStdString(planner->info().name);
    }
    void everyPlannerGivesOnePlan()
    {
        QFETCH(QString, name);
        QFETCH(QString, planner);
        const Program program = sample(name);
        QVERIFY(!program.functions.empty());
        const auto own = planners().find(planner.toStdString());
        const QByteArray one = fingerprintOf(planned(*own, program, 1));
        for (const unsigned threads : {2U, 5U}) QCOMPARE(fingerprintOf(planned(*own, program, threads)), one);
        const QByteArray key = (name + ' ' + planner).toUtf8();
        made_[key] = one;
        if (!qEnvironmentVariableIsSet("STOWAGE_UPDATE_FINGERPRINTS")) QCOMPARE(one, kept_.value(key));
    }

    /// A locale with a comma for the decimal point and points between the thousands, for C++ and for C.
    void localesChangeNothing()
    {
        struct Comma : std::numpunct<char> {
            char do_decimal_point() const override { return ','; }
            char do_thousands_sep() const override { return '.'; }
            std::string do_grouping() const override { return "\3"; }
        };
        const Program program = sample("resnet18");
        QMap<std::string, QByteArray> before;
        for (const auto& planner : planners().all()) before[planner->info().name] = fingerprintOf(planned(*planner, program, 2));
        const std::string text = io::writeProgramJson(program);
        const test::CommaLocale comma;
        const std::locale old = std::locale::global(std::locale(std::locale::classic(), new Comma));
        const bool german = std::setlocale(LC_ALL, test::commaLocaleName) != nullptr;
        const auto restore = qScopeGuard([&] {
            std::locale::global(old);
            std::setlocale(LC_ALL, "C.UTF-8");
        });
        for (const auto& planner : planners().all())
            QCOMPARE(fingerprintOf(planned(*planner, program, 2)), before[planner->info().name]);
        QCOMPARE(io::writeProgramJson(program), text);
        QVERIFY(bool(io::readProgramJson(text, "german")));
        if (!german) QSKIP((std::string("only C++'s locale was changed: ") + comma.missing()).c_str());
    }

    void cleanupTestCase()
    {
        if (!qEnvironmentVariableIsSet("STOWAGE_UPDATE_FINGERPRINTS")) return;
        QFile file(fingerprintsFile);
        QVERIFY(file.open(QIODevice::WriteOnly));
        for (auto it = made_.cbegin(); it != made_.cend(); ++it) file.write(it.key() + ' ' + it.value() + '\n');
    }

private:
    QMap<QByteArray, QByteArray> kept_, made_;
};

QTEST_GUILESS_MAIN(DeterminismTest)
#include "tst_determinism.moc"
