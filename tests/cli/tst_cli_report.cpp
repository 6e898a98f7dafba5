// export --as report: one self-contained page, the same bytes for the same input, whose tables can be taken out again.
#include "tests/cli/cli_process.h"

#include <QFileInfo>
#include <QProcessEnvironment>
#include <QRegularExpression>
#include <QTest>
#include <QXmlStreamReader>

#include <algorithm>
#include <utility>
#include <vector>

using namespace stowage::test;

namespace {

/// The bytes of the first `data:` link by the name that it is saved as, with or without the model that the name begins with.
QByteArray embedded(const QByteArray& page, const char* file)
{
    const QRegularExpression link(QStringLiteral("download=\"(?:[A-Za-z0-9._-]+-)?%1\" href=\"data:[a-z/]+;base64,([^\"]*)\"")
                                      .arg(QRegularExpression::escape(QLatin1String(file))));
    const auto match = link.match(QString::fromUtf8(page));
    return match.hasMatch() ? QByteArray::fromBase64(match.captured(1).toLatin1()) : QByteArray();
}

/// A program with a function for each name and size: one op, whose input and output of that size live together.
QByteArray programOf(const std::vector<std::pair<QByteArray, QByteArray>>& functions)
{
    QByteArray listed;
    for (const auto& [name, bytes] : functions) {
        const QByteArray tensors = "{\"name\": \"x\", \"kind\": \"input\", \"bytes\": " + bytes +
                                   "}, {\"name\": \"y\", \"kind\": \"output\", \"bytes\": " + bytes + "}";
        listed += (listed.isEmpty() ? "" : ", ") + QByteArray("{\"name\": \"") + name +
                  "\", \"inputs\": [\"x\"], \"outputs\": [\"y\"], \"tensors\": [" + tensors +
                  "], \"ops\": [{\"name\": \"f\", \"kind\": \"f\", \"inputs\": [\"x\"], \"outputs\": [\"y\"]}]}";
    }
    return "{\"format\": \"stowage.program/1\", \"name\": \"m\", \"entry\": \"" + functions.front().first +
           "\", \"functions\": [" + listed + "]}";
}

/// Names that are markup.
const char* const hostileNames = "{\"format\": \"stowage.problem/1\", \"name\": \"<b>m</b>\", \"buffers\": ["
                                 "{\"name\": \"</title><script>alert(1)</script>\", \"size\": 4, \"live\": [[0, 1]]},"
                                 "{\"name\": \"a\\\"b'c&d\", \"size\": 4, \"live\": [[0, 1]]}]}";

} // namespace

class CliReportTest : public QObject {
    Q_OBJECT

    Cli cli_;

    QByteArray report(const QString& input, const QStringList& more = {}, int status = 0)
    {
        const QString file = cli_.path("page.html");
        QFile::remove(file);
        const CliResult result = cli_(QStringList{"export", input, "--as", "report", "--no-date", "-o", file} + more);
        if (result.status != status) qWarning("status %d: %s", result.status, result.err.constData());
        return result.status == status ? cli_.contents("page.html") : QByteArray();
    }

    /// What the provenance of a page says in a row.
    static QString rowOf(const QByteArray& page, const char* name)
    {
        const QRegularExpression row(QStringLiteral("<dt>%1</dt><dd>(.*?)</dd>").arg(QLatin1String(name)));
        QString text = row.match(QString::fromUtf8(page)).captured(1);
        static const QRegularExpression markup(QStringLiteral("<[^>]*>"));
        text.remove(markup);
        for (const auto& [coded, plain] : {std::pair("&ensp;", " "), std::pair("&lt;", "<"), std::pair("&gt;", ">"),
                                           std::pair("&quot;", "\""), std::pair("&#39;", "'"), std::pair("&amp;", "&")})
            text.replace(QLatin1String(coded), QLatin1String(plain));
        return text.trimmed();
    }

    /// The page that the command on a page makes, given to a shell in the folder of the files.
    QByteArray madeAgain(const QByteArray& page)
    {
        QFile::remove(cli_.path("report.html"));
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("PATH", QFileInfo(Cli::program()).absolutePath() + ':' + environment.value("PATH"));
        QProcess shell;
        shell.setProcessEnvironment(environment);
        shell.setWorkingDirectory(QFileInfo(cli_.path("report.html")).path());
        shell.start("/bin/sh", {"-c", rowOf(page, "again")});
        if (!shell.waitForFinished(60'000)) shell.kill();
        if (shell.exitCode() != 0) qWarning("%s", shell.readAllStandardError().constData());
        return cli_.contents("report.html");
    }

private Q_SLOTS:
    void theSameInputGivesTheSameBytes()
    {
        const QString input = Cli::sample("mobilenet_v1_025.json");
        const QByteArray first = report(input);
        QVERIFY(first.size() > 10'000);
        const CliResult again =
            cli_({"export", input, "--as", "report", "--no-date", "--threads", "1", "-o", cli_.path("other.html")});
        QCOMPARE(again.status, 0);
        QCOMPARE(cli_.contents("other.html"), first);
        const CliResult dated = cli_({"export", input, "--as", "report", "-o", cli_.path("dated.html")});
        QCOMPARE(dated.status, 0);
        QVERIFY(cli_.contents("dated.html").contains(" UTC</div>"));
        QVERIFY(!first.contains(" UTC</div>"));
    }

    void thePageNeedsNothingElse()
    {
        const QByteArray page = report(Cli::sample("resnet18.json"));
        QVERIFY(page.startsWith("<!DOCTYPE html>"));
        for (const char* word :
             {"<script", "http:", "https:", "src=", "@import", "<link", "onclick", STOWAGE_SOURCE_DIR, "/home/"})
            QVERIFY2(!page.contains(word), word);
    }

    /// Three buffers of 10, 20 and 10 bytes, of which a and b, then b and c are live together: 30 bytes, all of them needed.
    void figuresAreThoseOfTheProblem()
    {
        const QByteArray page = report(cli_.file("three.csv", threeBuffers), {"--capacity", "32"});
        for (const char* words :
             {"30 of 32 B (93.8 %)", "<title>a\n10 B", "<title>b\n20 B", "<title>c\n10 B", "live [1, 3)", "capacity 32 B",
              "What the peak is made of", "step 1, 2 buffers live", "Planners compared", "Provenance"})
            QVERIFY2(page.contains(words), words);
        QVERIFY(!page.contains("Since the last run"));
        const QByteArray peak = embedded(page, "peak.csv");
        QCOMPARE(peak, QByteArray("buffer,bytes,share\nb,20,0.6667\na,10,0.3333\n"));
    }

    void everyPictureIsWellFormed()
    {
        const QByteArray page = report(Cli::sample("microcontroller_two_memories.json"));
        const QString text = QString::fromUtf8(page);
        int pictures = 0, titles = 0;
        for (qsizetype at = text.indexOf("<svg"); at >= 0; at = text.indexOf("<svg", at + 1)) {
            const qsizetype end = text.indexOf("</svg>", at);
            QVERIFY(end > at);
            QXmlStreamReader xml(text.mid(at, end + 6 - at));
            while (!xml.atEnd()) titles += xml.readNext() == QXmlStreamReader::StartElement && xml.name() == u"title";
            QVERIFY2(!xml.hasError(), qPrintable(xml.errorString() + '\n' + text.mid(at, 400)));
            ++pictures;
        }
        QVERIFY(pictures > 10);
        QVERIFY(titles >= 10); // a hover title for each buffer
    }

    void tablesAndThePlanCanBeTakenOut()
    {
        const QString input = Cli::sample("mobilenet_v1_025.json");
        const QByteArray page = report(input, {"--planners", "greedy-by-size,naive"});
        const QByteArray planners = embedded(page, "planners.csv");
        QCOMPARE(planners.count('\n'), 4); // head, auto, and the two
        QVERIFY(planners.contains("\nnaive,"));
        const QByteArray plan = embedded(page, "plan.json");
        QCOMPARE(cli_({"check", input, cli_.file("taken.plan.json", plan)}).status, 0);
        QCOMPARE(embedded(page, "buffers.csv").count('\n'), 32); // head and 31 buffers
    }

    void theCommandOnAPagePlansTheSameAgain_data()
    {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<QString>("said");
        const QString two = cli_.file("two.json", R"({"format": "stowage.target/1", "name": "two", "pools": [
            {"name": "fast", "capacity": 40960, "alignment": 256}, {"name": "slow", "alignment": 256}]})");
        QTest::newRow("target file") << QStringList{"--target", two} << "--target two.json";
        QTest::newRow("target file, other capacity")
            << QStringList{"--target", two, "--pool", "fast=50000"} << "--target two.json --pool fast=50000";
        QTest::newRow("installed target") << QStringList{"--target", "cortex-m7"} << "--target cortex-m7";
        QTest::newRow("installed target, other capacity")
            << QStringList{"--target", "cortex-m7", "--pool", "dtcm=40000"} << "--target cortex-m7 --pool dtcm=40000";
        QTest::newRow("capacity") << QStringList{"--capacity", "120000"} << "--pool arena=120000";
        QTest::newRow("pools") << QStringList{"--pool", "a=40000", "--pool", "b=900000"} << "--pool a=40000 --pool b=900000";
        QTest::newRow("TVM's flags")
            << QStringList{"--with-workspace-buffer", "name=a;target=c;size=40000", "--with-workspace-buffer", "name=b;target=c"}
            << "--with-workspace-buffer 'name=a;target=c;size=40000' --with-workspace-buffer 'name=b;target=c'";
        QTest::newRow("importer") << QStringList{"--importer", "program"} << "--importer program";
        QTest::newRow("function") << QStringList{"--function", "main"} << "--function main";
    }

    void theCommandOnAPagePlansTheSameAgain()
    {
        QFETCH(const QStringList, options);
        QFETCH(const QString, said);
        QFile sample(Cli::sample("mobilenet_v1_025.json"));
        QVERIFY(sample.open(QIODevice::ReadOnly));
        const QByteArray page =
            report(cli_.file("net.json", sample.readAll()), QStringList{"--changes", "0", "--planners", "auto"} + options);
        const QString command = rowOf(page, "again");
        QVERIFY2(command.contains(' ' + said + ' '), qPrintable(command));
        const QByteArray again = madeAgain(page);
        for (const char* row : {"fingerprint", "lowering", "target", "SHA-256"}) {
            QVERIFY2(row == QByteArray("target") || !rowOf(page, row).isEmpty(), row);
            QCOMPARE(rowOf(again, row), rowOf(page, row));
        }
        QCOMPARE(embedded(again, "buffers.csv"), embedded(page, "buffers.csv"));
    }

    /// A page shows long names shortened; a command with a gap would be none.
    void aLongCommandIsWhole()
    {
        QStringList options;
        for (int i = 0; i < 12; ++i) options << "--pool" << QString("a_pool_with_a_long_name_%1=900000").arg(i);
        QFile sample(Cli::sample("mobilenet_v1_025.json"));
        QVERIFY(sample.open(QIODevice::ReadOnly));
        const QByteArray page =
            report(cli_.file("net.json", sample.readAll()), QStringList{"--changes", "0", "--planners", "auto"} + options);
        const QString command = rowOf(page, "again");
        QVERIFY2(command.contains(options.join(' ')), qPrintable(command));
    }

    /// Of a rotating buffer the table has every address, as the plan on the same page has them.
    void theTableOfBuffersHasEverySlot()
    {
        const QByteArray page = report(Cli::sample("double_buffered_matmul.json"), {"--changes", "0"});
        const QList<QByteArray> rows = embedded(page, "buffers.csv").split('\n');
        QVERIFY2(rows.front().endsWith(",slots"), rows.front().constData());
        int rotating = 0;
        const QJsonObject plan = QJsonDocument::fromJson(embedded(page, "plan.json")).object();
        for (const QJsonValue& value : plan.value("placements").toArray()) {
            const QJsonObject placement = value.toObject();
            QByteArray addresses;
            for (const QJsonValue& offset : placement.value("offsets").toArray())
                addresses += (addresses.isEmpty() ? "" : " ") + QByteArray::number(offset.toInteger());
            rotating += !addresses.isEmpty();
            const QByteArray name = placement.value("buffer").toString().toUtf8() + ',';
            const auto row = std::ranges::find_if(rows, [&](const QByteArray& each) { return each.startsWith(name); });
            QVERIFY2(row != rows.end() && row->endsWith(QByteArray(',' + addresses)), name.constData());
        }
        QCOMPARE(rotating, 2); // the tiles of both matrices
    }

    void whatDoesNotFitIsSaidFirst()
    {
        const QByteArray page = report(cli_.file("three.csv", threeBuffers), {"--capacity", "29"}, 1);
        QVERIFY(page.contains("class=\"verdict no\""));
        QVERIFY(page.indexOf("Suggested changes") < page.indexOf("What the peak is made of"));
        QVERIFY(page.contains("1 B short"));
    }

    /// One byte at one step: there are no ops to order, and nothing to halve or to shorten.
    void onlyWhatWasTriedIsNamed()
    {
        const QByteArray page = report(cli_.file("one.csv", "id,lower,upper,size\na,0,1,1\n"));
        QVERIFY(page.contains("None of the changes that were tried gives a smaller plan: a second pool, and changes of single "
                              "buffers."));
    }

    /// By hand: x, g, a and b hold 1,210 bytes together. With op '0' after '4', x, c, d and g hold 1,020; half of g saves 500. A
    /// page with one change has none of those that save less.
    void theChangesThatSaveMostAreKept()
    {
        const QString program = cli_.file("g.json", R"({"format": "stowage.program/1", "name": "g", "functions": [{"name": "main",
            "inputs": ["x"], "outputs": ["y"], "tensors": [{"name": "x", "kind": "input", "bytes": 10},
             {"name": "g", "bytes": 1000}, {"name": "a", "bytes": 100}, {"name": "b", "bytes": 100}, {"name": "c", "bytes": 5},
             {"name": "d", "bytes": 5}, {"name": "y", "kind": "output", "bytes": 5}],
            "ops": [{"name": "0", "kind": "k", "inputs": ["x"], "outputs": ["g"]},
                    {"name": "1", "kind": "k", "inputs": ["x"], "outputs": ["a"]},
                    {"name": "2", "kind": "k", "inputs": ["x"], "outputs": ["b"]},
                    {"name": "3", "kind": "k", "inputs": ["a"], "outputs": ["c"]},
                    {"name": "4", "kind": "k", "inputs": ["b"], "outputs": ["d"]},
                    {"name": "5", "kind": "k", "inputs": ["c", "d", "g"], "outputs": ["y"]}]}]})");
        const QByteArray all = embedded(report(program), "changes.csv");
        QVERIFY2(all.count('\n') > 2, all.constData());
        const QList<QByteArray> rows = embedded(report(program, {"--changes", "1"}), "changes.csv").trimmed().split('\n');
        QCOMPARE(rows.size(), 2);
        const QList<QByteArray> cells = rows[1].split(','); // the text of the change may have commas
        QVERIFY2(cells.size() >= 4 && cells[cells.size() - 3].toLongLong() >= 500, rows[1].constData());
    }

    /// An earlier revision had b smaller by 6 bytes, and a tensor that is gone.
    void anEarlierPlanIsComparedWith()
    {
        const QString before = cli_.file("before.csv", "id,lower,upper,size\na,0,2,10\nb,1,3,14\nc,2,4,10\ngone,3,5,2\n");
        QCOMPARE(cli_({"plan", before, "--format", "json", "-o", cli_.path("before.plan.json")}).status, 0);
        const QByteArray page = report(cli_.file("three.csv", threeBuffers), {"--baseline", cli_.path("before.plan.json")});
        QVERIFY(page.contains("Since the last run"));
        QVERIFY(page.contains("The size rose by 6 B, from 24 to 30 B."));
        const QByteArray table = embedded(page, "since-last-run.csv");
        QVERIFY2(table.contains("b,b,14,20,"), table.constData());
        QVERIFY2(table.contains("gone,gone,2,,"), table.constData());
    }

    /// A plan file has no peak. The earlier model has one: of a and b, which are live together in both revisions, b has grown.
    void anEarlierModelExplainsThePeak()
    {
        const QString before = cli_.file("before.csv", "id,lower,upper,size\na,0,2,10\nb,1,3,14\nc,2,4,10\ngone,3,5,2\n");
        const QByteArray page = report(cli_.file("three.csv", threeBuffers), {"--baseline", before});
        QVERIFY(page.contains("The peak rises by 6 B, from 24 to 30 B: b +6 B."));
        QVERIFY(page.contains("baseline before.csv by "));
        const QByteArray table = embedded(page, "since-last-run.csv");
        QVERIFY2(table.contains("b,b,14,20,"), table.constData());
        QVERIFY2(table.contains("gone,gone,2,,"), table.constData());
    }

    /// A table with offsets is a model, also if it has the names and sizes of the later one: its b begins where a ends, so 8
    /// bytes are live at most. In the later one both are live at step 1.
    void anEarlierTableWithOffsetsIsAModel()
    {
        const QString before = cli_.file("offsets.csv", "id,lower,upper,size,offset\na,0,1,8,0\nb,1,2,8,8\n");
        const QByteArray page = report(cli_.file("both.csv", "id,lower,upper,size\na,0,2,8\nb,1,2,8\n"), {"--baseline", before});
        QVERIFY(page.contains("The peak rises by 8 B, from 8 to 16 B"));
    }

    /// A pipe can be read only once. By hand: a and b live together, 10 + 14 bytes in the earlier revision, 10 + 20 now.
    void theEarlierRevisionMayComeFromAPipe()
    {
        const QString three = cli_.file("three.csv", threeBuffers), file = cli_.path("piped.html");
        const QByteArray model = "id,lower,upper,size\na,0,2,10\nb,1,3,14\nc,2,4,10\n";
        const CliResult plan = cli_({"plan", cli_.file("piped.csv", model), "--format", "json"});
        QCOMPARE(plan.status, 0);
        for (const QByteArray& text : {model, plan.out}) {
            const CliResult page =
                cli_({"export", three, "--as", "report", "--no-date", "--baseline", "-", "--changes", "0", "-o", file}, text);
            QVERIFY2(page.status == 0, page.err.constData());
            QVERIFY(cli_.contents("piped.html").contains(" by 6 B, from 24 to 30 B"));
            const CliResult compared = cli_({"compare", three, "--against", "-"}, text);
            QVERIFY2(compared.out.contains("Size: 30 B, +6 B against 24 B of "), (compared.out + compared.err).constData());
        }
    }

    /// By hand: an op of `first` holds its two tensors, 2 x 4 bytes before and 2 x 8 now; `second` stays at 2 x 8; `third` is
    /// new. The model, its plan, and the model from a pipe say the same, except that a plan has no peak.
    void aNewFunctionHasNoBaseline()
    {
        const QByteArray two = programOf({{"first", "4"}, {"second", "8"}});
        const QString before = cli_.file("two.json", two), plan = cli_.path("two.plan.json"), file = cli_.path("three.html");
        const QString after = cli_.file("three.json", programOf({{"first", "8"}, {"second", "8"}, {"third", "8"}}));
        QCOMPARE(cli_({"plan", before, "--format", "json", "-o", plan}).status, 0);
        for (const QString& earlier : {before, plan, QStringLiteral("-")}) {
            QFile::remove(file);
            const CliResult result =
                cli_({"export", after, "--as", "report", "--no-date", "--changes", "0", "--baseline", earlier, "-o", file}, two);
            QVERIFY2(result.status == 0, result.err.constData());
            QCOMPARE(result.err.count(" is new: "), 1);
            QVERIFY2(result.err.contains("third is new: the earlier file has no function of this name"), result.err.constData());
            const QByteArray page = cli_.contents("three.html");
            QCOMPARE(page.count("<h2>Since the last run "), 2);
            QVERIFY(page.contains(" by 8 B, from 8 to 16 B"));
        }
    }

    /// The earlier file with one function of several is the same model; a file with none of them is another one.
    void aBaselineHasAFunctionOfTheInput()
    {
        const QString after = cli_.file("both.json", programOf({{"first", "8"}, {"second", "8"}})), file = cli_.path("of.html");
        const auto against = [&](const QByteArray& earlier) {
            QFile::remove(file);
            return cli_({"export", after, "--as", "report", "--no-date", "--changes", "0", "--baseline",
                         cli_.file("earlier.json", earlier), "-o", file});
        };
        const CliResult one = against(programOf({{"second", "4"}}));
        QVERIFY2(one.status == 0 && one.err.contains("first is new: "), one.err.constData());
        QCOMPARE(cli_.contents("of.html").count("<h2>Since the last run "), 1);
        const CliResult other = against(programOf({{"third", "4"}, {"fourth", "4"}}));
        QCOMPARE(other.status, 2);
        QVERIFY2(other.err.contains("name a file with this function; it has third, fourth"), other.err.constData());
        QVERIFY(!QFile::exists(file));
    }

    /// a and b change places; their offsets are given, so no planner decides.
    void whatOnlyMovedIsListedWithItsPlaces()
    {
        const QString before = cli_.file("m1.csv", "id,lower,upper,size,offset\na,0,2,8,0\nb,0,2,8,8\nc,0,2,8,16\n");
        const QString after = cli_.file("m2.csv", "id,lower,upper,size,offset\na,0,2,8,8\nb,0,2,8,0\nc,0,2,8,16\n");
        QCOMPARE(cli_({"plan", before, "--format", "json", "-o", cli_.path("m1.plan.json")}).status, 0);
        const QByteArray page = report(after, {"--baseline", cli_.path("m1.plan.json")});
        const QByteArray table = embedded(page, "since-last-run.csv");
        QVERIFY2(table.contains("\na,a,8,8,0,8,moved,"), table.constData());
        QVERIFY2(table.contains("\nb,b,8,8,8,0,moved,"), table.constData());
        QCOMPARE(table.count('\n'), 3); // c is where it was
        QVERIFY(page.contains("moved from 0x0 to 0x8") && page.contains("moved from 0x8 to 0x0"));
    }

    /// 30 buffers of which each takes the place of its neighbour: 20 rows on the page, all in the table.
    void manyMovedAreCounted()
    {
        QByteArray before("id,lower,upper,size,offset\n"), after = before;
        for (int i = 0; i < 30; ++i) {
            const QByteArray head = "t" + QByteArray::number(i) + ",0,2,8,";
            before += head + QByteArray::number(8 * i) + '\n';
            after += head + QByteArray::number(8 * (i ^ 1)) + '\n';
        }
        QCOMPARE(cli_({"plan", cli_.file("n1.csv", before), "--format", "json", "-o", cli_.path("n1.plan.json")}).status, 0);
        const QByteArray page = report(cli_.file("n2.csv", after), {"--baseline", cli_.path("n1.plan.json")});
        QCOMPARE(embedded(page, "since-last-run.csv").count('\n'), 31);
        QCOMPARE(page.count("moved from 0x"), 20);
        QVERIFY(page.contains("10 more are in the CSV."));
    }

    /// Files of several models and memories are told apart by their names, also where two models have one name.
    void filesAreNamedByModelAndMemory()
    {
        const QString one = cli_.file("three.csv", threeBuffers);
        const QString other = cli_.file("three.json", R"({"format": "stowage.problem/1", "name": "other", "buffers": [
            {"name": "d", "size": 4, "live": [[0, 1]]}]})");
        const CliResult result =
            cli_({"export", one, other, "--as", "report", "--no-date", "--changes", "0", "-o", cli_.path("both.html")});
        QVERIFY2(result.status == 0, result.err.constData());
        const QByteArray page = cli_.contents("both.html");
        for (const char* name : {"three-buffers.csv", "three-plan.json", "three-2-buffers.csv", "three-2-plan.json"})
            QVERIFY2(page.count(QByteArray("download=\"") + name + '"') == 1, name);
        QVERIFY(page.contains("download=\"three-arena-peak.csv\""));
        const QByteArray models = embedded(page, "models.csv");
        QVERIFY2(models.startsWith("model,function,verdict,size,lower_bound,planner\nthree.csv,,Optimal,30,30,"),
                 models.constData());
        QVERIFY2(models.contains("\nthree.json,,Optimal,4,4,"), models.constData());
        QCOMPARE(models.count('\n'), 3);
    }

    void namesOfAFileActOnNothing()
    {
        const QByteArray page = report(cli_.file("bad.json", hostileNames));
        QVERIFY(!page.isEmpty());
        QVERIFY(!page.contains("<script"));
        QVERIFY(page.contains("&lt;/title&gt;&lt;script&gt;"));
        QVERIFY(page.contains("a&quot;b&#39;c&amp;d"));
    }

    void aLargeModelGivesAPageThatOpens()
    {
        QByteArray csv("id,lower,upper,size\n");
        for (int i = 0; i < 60'000; ++i)
            csv += "buffer" + QByteArray::number(i) + ',' + QByteArray::number(i) + ',' + QByteArray::number(i + 3 + i % 40) +
                   ',' + QByteArray::number(64 + 16 * (i % 97)) + '\n';
        const QByteArray page = report(cli_.file("large.csv", csv),
                                       {"--planner", "greedy-by-size", "--planners", "greedy-by-size", "--changes", "0"});
        QVERIFY(!page.isEmpty());
        QVERIFY2(page.size() < 24'000'000, qPrintable(QString::number(page.size())));
        QVERIFY(page.count("<title>") <= 20'002);
        // The page says how many have one: each title of a rectangle but for that of the page.
        static const QRegularExpression said(
            QStringLiteral("hover one of the ([0-9,]+) largest of 60,000 rectangles for its name"));
        const auto match = said.match(QString::fromUtf8(page));
        QVERIFY(match.hasMatch());
        QCOMPARE(match.captured(1).remove(u',').toLongLong(), qlonglong(page.count("\nlive [")));
        QVERIFY(!page.contains("each buffer has a hover title"));
    }

    /// By hand: b grows from 14 to 20 bytes; a and b live together at step 1 hold 24, then 30 bytes.
    void twoRevisionsAreComparedTensorByTensor()
    {
        const QString before = cli_.file("v1.csv", "id,lower,upper,size\na,0,2,10\nb,1,3,14\nc,2,4,10\nold,3,5,2\n");
        const QString after = cli_.file("v2.csv", "id,lower,upper,size\na,0,2,10\nb,1,3,20\nc,2,4,10\n");
        const CliResult result = cli_({"compare", after, "--against", before, "--format", "json"});
        QCOMPARE(result.status, 0);
        const QJsonObject json = result.object();
        QCOMPARE(json.value("format").toString(), QString("stowage.difference/1"));
        QCOMPARE(json.value("matched").toArray().size(), 3);
        QCOMPARE(json.value("gone").toArray().at(0).toObject().value("tensor").toString(), QString("old"));
        const QJsonObject peak = json.value("peak").toObject();
        QCOMPARE(peak.value("before").toInt(), 24);
        QCOMPARE(peak.value("after").toInt(), 30);
        QCOMPARE(peak.value("because").toArray().size(), 1);
        QCOMPARE(peak.value("because").toArray().at(0).toObject().value("bytes").toInt(), 6);
        const CliResult text = cli_({"compare", after, "--against", before});
        QCOMPARE(text.status, 0);
        QVERIFY2(text.out.startsWith("The peak rises by 6 B, from 24 to 30 B: b +6 B.\n"), text.out.constData());
        QVERIFY2(text.out.contains("\nSize: 30 B, +6 B against 24 B of v1.csv by "), text.out.constData());
        QVERIFY2(text.out.contains("\n3 matched by name, 0 renamed, 0 new, 1 gone, 1 of another size, "), text.out.constData());
        QVERIFY2(!text.out.contains("planned by"), text.out.constData()); // both by the same planner
        // naive puts no two buffers at one address: 10 + 14 + 10 + 2 bytes.
        const QString naive = cli_.path("naive.plan.json");
        QCOMPARE(cli_({"plan", before, "--planner", "naive", "--format", "json", "-o", naive}).status, 0);
        const CliResult other = cli_({"compare", after, "--against", naive});
        QVERIFY2(other.out.contains("Size: 30 B, -6 B against 36 B of ") && other.out.contains(" by naive; planned by "),
                 other.out.constData());
        QCOMPARE(cli_({"plan", before, "--format", "json", "-o", cli_.path("v1.plan.json")}).status, 0);
        const QJsonObject plan = cli_({"compare", after, "--against", cli_.path("v1.plan.json"), "--format", "json"}).object();
        QVERIFY(plan.value("peak").toObject().value("before").isNull()); // not in a plan file
        QCOMPARE(plan.value("size").toObject().value("before").toInt(), 24);
        QCOMPARE(cli_({"compare", after, after, "--against", before}).status, 2);
        QCOMPARE(cli_({"compare", after, "--against", cli_.path("none.csv")}).status, 2);
    }

    /// a and b live together: 24 bytes before, 30 now, of 25 that there are.
    void aDifferenceSaysAVerdictThatIsNoSuccess()
    {
        const QString before = cli_.file("c1.csv", "id,lower,upper,size\na,0,2,10\nb,1,3,14\n");
        const QString after = cli_.file("c2.csv", "id,lower,upper,size\na,0,2,10\nb,1,3,20\n");
        const CliResult text = cli_({"compare", after, "--against", before, "--capacity", "25"});
        QCOMPARE(text.status, 1);
        QVERIFY2(text.out.startsWith("Infeasible: "), text.out.constData());
        const QJsonObject json = cli_({"compare", after, "--against", before, "--capacity", "25", "--format", "json"}).object();
        QCOMPARE(json["status"].toObject()["before"].toString(), QString("optimal"));
        QCOMPARE(json["status"].toObject()["after"].toString(), QString("infeasible"));
        QVERIFY(!json.contains("partial") && !json.contains("unknown_sizes"));
        const CliResult csv = cli_({"compare", after, "--against", before, "--capacity", "25", "--format", "csv"});
        QVERIFY2(csv.err.contains("Infeasible: "), csv.err.constData());
        const CliResult other = cli_({"compare", before, "--against", after, "--capacity", "25"});
        QCOMPARE(other.status, 0);
        QVERIFY2(other.out.startsWith("c2.csv: Infeasible: "), other.out.constData());
    }

    /// h has a free dimension; its size is unknown in the model and in the plan.
    void aDifferenceOfPartsSaysSo()
    {
        const QString model = cli_.file("part.json", R"({"format": "stowage.program/1", "name": "part", "functions": [
            {"name": "main", "inputs": ["x"], "outputs": ["z"], "tensors": [{"name": "x", "kind": "input", "bytes": 64},
             {"name": "h", "dtype": "f32", "shape": [-1, 4]}, {"name": "z", "kind": "output", "bytes": 64}],
             "ops": [{"name": "f", "kind": "f", "inputs": ["x"], "outputs": ["h"]},
                     {"name": "g", "kind": "g", "inputs": ["h"], "outputs": ["z"]}]}]})");
        const QString plan = cli_.path("part.plan.json");
        QCOMPARE(cli_({"plan", model, "--format", "json", "-o", plan}).status, 0);
        for (const auto& [after, before] : {std::pair(model, model), std::pair(model, plan), std::pair(plan, plan)}) {
            const CliResult text = cli_({"compare", after, "--against", before});
            QVERIFY2(text.out.startsWith("Partial: 1 tensor of unknown size is left out"), (text.out + text.err).constData());
            const QJsonObject json = cli_({"compare", after, "--against", before, "--format", "json"}).object();
            for (const char* side : {"before", "after"}) {
                QVERIFY2(json["partial"].toObject()[QLatin1String(side)].toBool(), side);
                QCOMPARE(json["unknown_sizes"].toObject()[QLatin1String(side)].toArray(), (QJsonArray{"h"}));
            }
        }
    }

    /// Of different files, without a model.
    void twoPlanFilesAreComparedTensorByTensor()
    {
        const QString one = cli_.file("p1.csv", "id,lower,upper,size\na,0,2,10\nb,1,3,14\nold,3,5,2\n");
        const QString two = cli_.file("p2.csv", "id,lower,upper,size\na,0,2,10\nb,1,3,20\nnew,3,5,4\nnewer,3,6,6\n");
        const QString before = cli_.path("p1.plan.json"), after = cli_.path("p2.plan.json");
        QCOMPARE(cli_({"plan", one, "--format", "json", "-o", before}).status, 0);
        QCOMPARE(cli_({"plan", two, "--format", "json", "-o", after}).status, 0);
        const CliResult result = cli_({"compare", after, "--against", before, "--format", "json"});
        QVERIFY2(result.status == 0, result.err.constData());
        const QJsonObject json = result.object();
        QCOMPARE(json.value("format").toString(), QString("stowage.difference/1"));
        QCOMPARE(json.value("matched").toArray().size(), 2);
        QCOMPARE(json.value("grown").toArray().at(0).toObject().value("tensor").toString(), QString("b"));
        QCOMPARE(json.value("gone").toArray().at(0).toObject().value("tensor").toString(), QString("old"));
        QCOMPARE(json.value("new").toArray().size(), 2);
        const QJsonObject size = json.value("size").toObject();
        QCOMPARE(size.value("before").toInt(), 24); // a and b live at once
        QCOMPARE(size.value("after").toInt(), 30);
        // A plan is no model: the other way round is named.
        const CliResult mixed = cli_({"compare", after, "--against", one});
        QCOMPARE(mixed.status, 2);
        QVERIFY2(mixed.err.contains("the model first"), mixed.err.constData());
    }

    /// Two buffers that change places, and nothing else.
    void whatMovedHasARowOfItsOwn()
    {
        const QString before = cli_.file("m1.csv", "id,lower,upper,size,offset\na,0,2,8,0\nb,0,2,8,8\nc,0,2,8,16\n");
        const QString after = cli_.file("m2.csv", "id,lower,upper,size,offset\na,0,2,8,8\nb,0,2,8,0\nc,0,2,8,16\n");
        const CliResult csv = cli_({"compare", after, "--against", before, "--format", "csv"});
        QCOMPARE(csv.status, 0);
        const QList<QByteArray> lines = csv.out.trimmed().split('\n');
        QCOMPARE(lines.size(), 3);
        QVERIFY2(lines[0].startsWith("what,before,after,"), csv.out.constData());
        QVERIFY2(lines[1].startsWith("moved,8,8,0,") && lines[1].endsWith(",a"), csv.out.constData());
        QVERIFY2(lines[2].startsWith("moved,8,8,0,") && lines[2].endsWith(",b"), csv.out.constData());
        const CliResult text = cli_({"compare", after, "--against", before});
        QCOMPARE(text.out.count("\n  moved"), 2);
    }

    void badWishesAreUsageErrors()
    {
        const QString three = cli_.file("three.csv", threeBuffers);
        const CliResult none =
            cli_({"export", three, "--as", "report", "--baseline", cli_.path("no.json"), "-o", cli_.path("x.html")});
        QCOMPARE(none.status, 2);
        QVERIFY(none.err.contains("no.json"));
        const CliResult other =
            cli_({"export", three, "--as", "report", "--baseline", cli_.file("o.json", "{\"a\": 1}"), "-o", cli_.path("x.html")});
        QCOMPARE(other.status, 2);
        QVERIFY(!QFile::exists(cli_.path("x.html")));
    }
};

QTEST_GUILESS_MAIN(CliReportTest)
#include "tst_cli_report.moc"
