// A file is given back with its plan by the plugin that read it, in the worker; whatever goes wrong there is one clear error.
#include "core/planners/registry.h"
#include "plugins/host/worker_client.h"
#include "tests/support/paths.h"

#include <QFile>
#include <QTest>

using namespace stowage;
using namespace std::chrono_literals;

namespace {

constexpr std::string_view text = "tensors\n# kept\na 100\nb 20\n\nc 50\n";

QByteArray said(const Error& error)
{
    return QByteArray::fromStdString(std::string(codeText(error)) + ": " + error.message + " (" + error.remedy + ")");
}

class Rewriting {
public:
    Rewriting() : host_({QStringLiteral(STOWAGE_TEST_PLUGINS "/rewriting"), QStringLiteral(STOWAGE_TEST_PLUGINS "/good")}) {}

    WorkerClient client(WorkerLimits limits = {Bytes{512} << 20, 20s, Bytes{64} << 20}) const
    {
        return WorkerClient(host_, limits, WorkerClient::installedWorker());
    }
    /// Imported and planned by `naive`, which lays out in order: the offsets are the sums of the sizes.
    RewriteInput planned() const
    {
        const auto read = client().import({QStringLiteral("x.test"), text, {}, {}, {}});
        if (!read) qFatal("%s", said(read.error()).constData());
        RewriteInput input{QStringLiteral("x.test"),
                           text,
                           read->importer,
                           "plan-memory",
                           {},
                           {},
                           {},
                           std::get<Program>(read->imported.content),
                           {}};
        auto lowering = lower(input.program, {});
        if (!lowering) qFatal("%s", said(lowering.error()).constData());
        const auto plan = PlannerRegistry::builtIn().find("naive")->plan(lowering->problem, {}, {});
        if (!plan) qFatal("%s", said(plan.error()).constData());
        input.planned.push_back({0, *std::move(lowering), *plan});
        return input;
    }
    const PluginHost& host() const { return host_; }

private:
    PluginHost host_;
};

} // namespace

class TestRewrite : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        qunsetenv("STOWAGE_PLUGIN_PATH");
        QVERIFY(QFile::exists(WorkerClient::installedWorker()));
    }

    void thePlanReachesTheRewriter()
    {
        const Rewriting rewriting;
        const auto result = rewriting.client().rewrite(rewriting.planned());
        QVERIFY2(bool(result), result ? "" : said(result.error()).constData());
        QCOMPARE(QByteArray::fromStdString(result->text),
                 QByteArray("tensors\n# kept\na 100 at 0\nb 20 at 100\n\nc 50 at 120\n"));
    }

    void theMetadataTellsPassesWithoutLoading()
    {
        const Rewriting rewriting;
        const RewriterInfo* info = rewriting.host().rewriter("test-rewriting");
        QVERIFY(info != nullptr);
        QCOMPARE(info->passes.size(), std::size_t{1});
        QCOMPARE(info->passes[0].planner, std::string("naive"));
        QCOMPARE(info->passes[0].options.at(0).choices.size(), std::size_t{5});
        QVERIFY(rewriting.host().rewriter("test-good") == nullptr);
    }

    void aRewriterOfNobodyIsRefused()
    {
        const PluginHost host({QStringLiteral(STOWAGE_TEST_PLUGINS "/rewriter_of_nobody")});
        QCOMPARE(host.rows().front().state, PluginState::refused);
        QVERIFY2(host.rows().front().reason.contains(QStringLiteral("rewriters")), qPrintable(host.rows().front().reason));
    }

    void whatGoesWrongIsOneError_data()
    {
        QTest::addColumn<QByteArray>("manner");
        QTest::addColumn<QByteArray>("code");
        QTest::newRow("crash") << QByteArray("crash") << QByteArray("worker-crashed");
        QTest::newRow("throw") << QByteArray("throw") << QByteArray("rewriter-exception");
        QTest::newRow("error") << QByteArray("error") << QByteArray("test-error");
        QTest::newRow("hang") << QByteArray("hang") << QByteArray("worker-timeout");
        QTest::newRow("no choice") << QByteArray("badly") << QByteArray("bad-option");
    }

    void whatGoesWrongIsOneError()
    {
        QFETCH(QByteArray, manner);
        QFETCH(QByteArray, code);
        const Rewriting rewriting;
        RewriteInput input = rewriting.planned();
        input.passOptions = {{"manner", manner.toStdString()}};
        const WorkerLimits limits{Bytes{512} << 20, manner == "hang" ? std::chrono::milliseconds(1500) : 20s, Bytes{64} << 20};
        const auto result = rewriting.client(limits).rewrite(std::move(input));
        QVERIFY(!result);
        QCOMPARE(QByteArray::fromStdString(std::string(codeText(result.error()))), code);
        if (code == "test-error") QCOMPARE(result.error().where, (Position{"x.test", 2, 1, -1}));
        if (code == "bad-option") QVERIFY(result.error().remedy.find("well, crash") != std::string::npos);
    }

    void aFileThatHasChangedIsRefused()
    {
        const Rewriting rewriting;
        RewriteInput input = rewriting.planned();
        input.text = "tensors\n# kept\na 104\nb 20\n\nc 50\n";
        const auto result = rewriting.client().rewrite(std::move(input));
        QVERIFY(!result);
        QCOMPARE(result.error().code, Code::fileChanged);
    }

    void whatNobodyGivesBackIsSaid()
    {
        const Rewriting rewriting;
        RewriteInput input = rewriting.planned();
        input.importer = "test-good";
        const auto result = rewriting.client().rewrite(std::move(input));
        QVERIFY(!result);
        QCOMPARE(result.error().code, Code::noRewriter);
        QVERIFY(result.error().remedy.find("test-rewriting") != std::string::npos);

        input = rewriting.planned();
        input.pass = "fold";
        const auto unknown = rewriting.client().rewrite(std::move(input));
        QVERIFY(!unknown);
        QCOMPARE(unknown.error().code, Code::unknownPass);
    }

    void unknownOptionIsNamed()
    {
        const Rewriting rewriting;
        RewriteInput input = rewriting.planned();
        input.passOptions = {{"maner", "well"}};
        const auto result = rewriting.client().rewrite(std::move(input));
        QVERIFY(!result);
        QCOMPARE(result.error().code, Code::unknownOption);
        QVERIFY(result.error().remedy.find("manner") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(TestRewrite)
#include "tst_rewrite.moc"
