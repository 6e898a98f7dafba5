// Logs of TensorFlow Lite Micro and Vela: what stands in them, wherever in the log, and clear errors for what is cut off.
#include "core/plan/check.h"
#include "core/plan/report.h"
#include "plugins/tflm/log_importers.h"
#include "tests/support/seed_shift.h"
#include "tests/support/shared.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <random>

using namespace stowage;
using namespace stowage::test;

namespace {

std::string fileText(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

Expected<Imported> runtimeLog(std::string_view text)
{
    return tflm::TflmLogImporter().import({"device.log", text, {}, {}});
}
Expected<Imported> velaLog(std::string_view text)
{
    return tflm::VelaLogImporter().import({"vela.txt", text, {}, {}});
}

std::string figuresOf(const FilePlan& plan)
{
    std::string text;
    for (const auto& [name, value] : plan.figures) text += name + "=" + std::to_string(value) + " ";
    return text;
}

/// Vela's rows as its table prints them: the second line of each pair has the same times and address.
const std::string velaText =
    "Warning: something else\n"
    "Tensor Allocation for mem_area Sram, of mem_type_set (Scratch), using allocator HillClimb, in NPU subgraph:\n"
    "Start Time -   End Time: Start Addr -   End Addr: Tensor Size: Memory Usage:  Purpose: Name\n"
    "         0 -          4:        0x0 -      0x400:        1024:         1536: FeatureMap  : conv:0\n"
    "         0 -          4:        0x0 -      0x200:         512:         1536: FeatureMap  : conv:0_view\n"
    "         2 -          2:      0x400 -      0x600:         512:         1536: Scratch     : \n"
    "         5 -          6:        0x0 -      0x800:        2048:         2048: FeatureMap  : scope/a:b\r\n"
    "Allocation Peak Memory Usage: 2048 (0x800) Bytes ( 100.00% utilisation)\n"
    "Tensor Allocation for mem_area OffChipFlash, of mem_type_set (Permanent_NPU), in NPU subgraph:\n"
    "         0 -          9:        0x0 -       0x10:          16:           16: Weights     : w\n";

} // namespace

class TestTflmLogs : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theSharedLogIsWhatWasFoundApart()
    {
        STOWAGE_NEEDS_SHARED();
        const std::string text = fileText(sharedFile("models/foreign/logs/tflm_plan.log"));
        const QJsonObject expected =
            QJsonDocument::fromJson(QByteArray::fromStdString(fileText(sharedFile("models/foreign/expected.json"))))
                .object()["logs/tflm_plan.log"]
                .toObject();
        QVERIFY(tflm::TflmLogImporter().claims(text, "tflm_plan.log") >= 90);
        QCOMPARE(tflm::VelaLogImporter().claims(text, "tflm_plan.log"), 0);
        const auto read = runtimeLog(text);
        QVERIFY(bool(read));
        const Problem& problem = std::get<std::vector<NamedProblem>>(read->content).at(0).problem;
        const FilePlan& plan = read->plans.at(0);
        const QJsonArray buffers = expected["buffers"].toArray();
        QCOMPARE(static_cast<qsizetype>(problem.buffers.size()), buffers.size());
        Plan placed;
        for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
            const QJsonArray row = buffers[static_cast<qsizetype>(i)].toArray(); // id, size, offset, [begin, end)
            QCOMPARE(problem.buffers[i].size, Bytes{row[1].toInt()});
            QCOMPARE(plan.offsets[i].offset, Bytes{row[2].toInt()});
            QCOMPARE(problem.buffers[i].live.front().begin, Bytes{row[3].toArray()[0].toInt()});
            QCOMPARE(problem.buffers[i].live.front().end, Bytes{row[3].toArray()[1].toInt()});
            placed.placements.push_back({});
            placed.placements.back().pool = 0;
            placed.placements.back().offset = plan.offsets[i].offset;
        }
        QCOMPARE(check(problem, placed).valid(), expected["valid"].toBool());
        QCOMPARE(lowerBound(problem, 0).bytes, Bytes{expected["max_live"].toInt()});
        QCOMPARE(plan.sizes.at(0).second, Bytes{expected["theirs"].toInt()});
        QCOMPARE(figuresOf(plan), std::string("head=3072 tail=1928 total=5000 "));
    }

    void theLastOfSeveralPlansIsRead()
    {
        const auto read = runtimeLog("0 (id=0): size=64, offset=0, first_used=0 last_used=1\r\n"
                                     "1 (id=1): size=32, offset=64, first_used=1 last_used=1\r\n"
                                     "reset\r\n"
                                     "0 (id=0): size=128, offset=16, first_used=0 last_used=3\r\n");
        QVERIFY(bool(read));
        const Problem& problem = std::get<std::vector<NamedProblem>>(read->content).at(0).problem;
        QCOMPARE(problem.buffers.size(), std::size_t{1});
        QCOMPARE(problem.buffers[0].size, Bytes{128});
        QCOMPARE(read->plans[0].sizes[0].second, Bytes{144}); // the head reaches to 16 + 128
        QVERIFY(read->diagnostics.size() == 1 && read->diagnostics[0].message.find("2 plans") != std::string::npos);
    }

    void totalsAloneHaveNoOffsets()
    {
        const auto read = runtimeLog("[RecordingMicroAllocator] Arena allocation total 100 bytes\n"
                                     "[RecordingMicroAllocator] Arena allocation head 60 bytes\n"
                                     "[RecordingMicroAllocator] Arena allocation tail 40 bytes\n");
        QVERIFY(bool(read));
        QVERIFY(read->plans[0].offsets.empty());
        QCOMPARE(figuresOf(read->plans[0]), std::string("head=60 tail=40 total=100 "));
        QCOMPARE(read->diagnostics.size(), std::size_t{1});
    }

    void badLinesOfTheRuntimeAreNamed_data()
    {
        QTest::addColumn<QByteArray>("log");
        QTest::addColumn<QByteArray>("code");
        QTest::addColumn<int>("line");
        QTest::newRow("nothing") << QByteArray("hello\n") << QByteArray("nothing-to-plan") << 0;
        QTest::newRow("cut off") << QByteArray("x\n0 (id=0): size=64, offset=0, first_u") << QByteArray("malformed") << 2;
        QTest::newRow("one missing") << QByteArray("0 (id=0): size=64, offset=0, first_used=0 last_used=1\n"
                                                   "2 (id=2): size=64, offset=0, first_used=0 last_used=1\n")
                                     << QByteArray("missing-buffer") << 2;
        QTest::newRow("negative") << QByteArray("0 (id=0): size=-1, offset=0, first_used=0 last_used=1\n")
                                  << QByteArray("bad-size") << 1;
        QTest::newRow("huge") << QByteArray("0 (id=0): size=9223372036854775807, offset=0, first_used=0 last_used=1\n")
                              << QByteArray("bad-size") << 1;
        QTest::newRow("beyond 64 bits") << QByteArray("0 (id=0): size=92233720368547758070, offset=0, first_used=0 last_used=1\n")
                                        << QByteArray("malformed") << 1;
        QTest::newRow("backwards") << QByteArray("0 (id=0): size=1, offset=0, first_used=2 last_used=1\n")
                                   << QByteArray("bad-live-range") << 1;
        QTest::newRow("endless") << QByteArray("0 (id=0): size=1, offset=0, first_used=0 last_used=99999999999\n")
                                 << QByteArray("bad-live-range") << 1;
    }
    void badLinesOfTheRuntimeAreNamed()
    {
        QFETCH(QByteArray, log);
        QFETCH(QByteArray, code);
        QFETCH(int, line);
        const auto read = runtimeLog(std::string_view(log.constData(), static_cast<std::size_t>(log.size())));
        QVERIFY(!read);
        QCOMPARE(QByteArray::fromStdString(std::string(codeText(read.error()))), code);
        QCOMPARE(read.error().where.line, line);
        QVERIFY(!read.error().remedy.empty());
    }

    void velasTablesAreReadWithTheirPeaks()
    {
        QVERIFY(tflm::VelaLogImporter().claims(velaText, "vela.txt") >= 90);
        QCOMPARE(tflm::TflmLogImporter().claims(velaText, "vela.txt"), 0);
        const auto read = velaLog(velaText);
        QVERIFY2(bool(read), read ? "" : toText(read.error()).c_str());
        const auto& problems = std::get<std::vector<NamedProblem>>(read->content);
        QCOMPARE(problems.size(), std::size_t{2});
        QCOMPARE(problems[0].name, std::string("Sram (Scratch), NPU"));
        const auto& buffers = problems[0].problem.buffers;
        QCOMPARE(buffers.size(), std::size_t{3}); // the two with the same times and address are one
        QCOMPARE(buffers[0].name, std::string("conv:0"));
        QCOMPARE(buffers[0].size, Bytes{1024});
        QVERIFY((buffers[0].live == std::vector<Interval>{{0, 5}})); // inclusive there
        QCOMPARE(buffers[1].name, std::string("Scratch"));           // no name: its purpose
        QCOMPARE(buffers[2].name, std::string("scope/a:b"));
        QCOMPARE(read->plans[0].offsets[1].offset, Bytes{0x400});
        QCOMPARE(read->plans[0].sizes[0].second, Bytes{2048});
        QCOMPARE(read->plans[1].problem, 1);
        QCOMPARE(problems[1].problem.pools[0].name, std::string("OffChipFlash"));
        QCOMPARE(read->plans[1].sizes[0].second, Bytes{16}); // no peak printed: what the rows reach
    }

    void badRowsOfVelaAreNamed()
    {
        const std::string title = velaText.substr(0, velaText.find("         0"));
        for (const auto& [row, code] : {std::pair("  0 - 4: 0x0 - 0x400: 10", Code::malformed),
                                        std::pair("  4 - 0: 0x0 - 0x400: 1024: 1024: a : b", Code::badLiveRange),
                                        std::pair("  0 - 4: 0x0 - 0x400: 1023: 1024: a : b", Code::badSize)}) {
            const auto read = velaLog(title + row + "\n");
            QVERIFY(!read);
            QCOMPARE(read.error().code, code);
            QCOMPARE(read.error().where.line, 4);
        }
        QCOMPARE(velaLog(title).error().code, Code::nothingToPlan);
    }

    void velasSummaryHasTotalsInKibibytes()
    {
        const std::string csv = "experiment,network,accelerator_configuration,sram_memory_used,dram_memory_used\n"
                                "default,net,ethos-u55-128,72.71875,0.0\n";
        QVERIFY(tflm::VelaLogImporter().claims(csv, "net_summary.csv") >= 90);
        const auto read = velaLog(csv);
        QVERIFY2(bool(read), read ? "" : toText(read.error()).c_str());
        const auto& problems = std::get<std::vector<NamedProblem>>(read->content);
        QCOMPARE(problems.size(), std::size_t{1});
        QCOMPARE(problems[0].name, std::string("sram"));
        QCOMPARE(read->plans[0].figures[0].second, std::int64_t{74464}); // 72.71875 times 1024
        QVERIFY(!velaLog("experiment,accelerator_configuration,sram_memory_used\na,b,nan\n"));
        QVERIFY(!velaLog("experiment,accelerator_configuration,sram_memory_used\na,b\n"));
    }

    void noiseIsRead()
    {
        const unsigned seed = 20261123;
        std::mt19937 random(seed + stowage::test::seedShift());
        qInfo("seed %u", seed);
        const std::string runtime = "0 (id=0): size=64, offset=0, first_used=0 last_used=1\n"
                                    "1 (id=1): size=32, offset=64, first_used=1 last_used=1\n"
                                    "[RecordingMicroAllocator] Arena allocation head 96 bytes\n";
        for (int round = 0; round < 4000; ++round) {
            std::string log = round % 2 == 0 ? runtime : velaText;
            for (int change = 0; change < 4; ++change) log[random() % log.size()] = static_cast<char>(random());
            log.resize(random() % (log.size() + 1));
            const auto read = round % 2 == 0 ? runtimeLog(log) : velaLog(log);
            if (!read) QVERIFY(!read.error().message.empty());
        }
    }
};

QTEST_GUILESS_MAIN(TestTflmLogs)
#include "tst_tflm_logs.moc"
