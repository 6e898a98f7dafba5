// Sweeps: every run once, whoever does it, and what is there is not repeated.
#include "app/session/regress/glob.h"
#include "app/session/regress/sweep.h"
#include "plugins/host/plugin_host.h"
#include "tests/session/sweep_zoo.h"
#include "tests/support/paths.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <map>
#include <set>
#include <sys/stat.h>
#include <unistd.h>

using namespace stowage;
using namespace stowage::test;

namespace {

const std::string specification =
    specificationOf("\"zoo/**/*.csv\"", "\"targets\": [\"generic-1arena\", \"cortex-m7\"], \"planners\": [\"greedy-by-size\", "
                                        "\"naive\", \"hill-climb:attempts=5\"], \"seed\": [0, 1], \"work_limit\": [100], "
                                        "\"lower\": [{}]");

/// The key of the one run of a sweep over one model.
std::string keyOfModel(const Zoo& zoo, const Session& session, const std::string& model)
{
    const auto sweep = zoo.sweep(session, specificationOf('"' + model + '"', "\"planners\": [\"naive\"]"));
    if (!sweep) qFatal("%s", toText(sweep.error()).c_str());
    return sweep->runs.front().key;
}

std::vector<std::string> lines(const std::vector<SweepRow>& rows)
{
    std::vector<std::string> all;
    for (const SweepRow& row : rows)
        all.push_back(row.model + '|' + row.target + '|' + row.planner + '|' + std::to_string(row.seed) + '|' +
                      std::string(row.statusText()) + '|' + std::to_string(row.size) + '|' + row.error);
    std::sort(all.begin(), all.end());
    return all;
}

} // namespace

class SweepTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void patternsMatchWithinNamesAndOverFolders()
    {
        const Zoo zoo;
        const auto found = [&](const char* pattern) { return filesMatching(zoo.root(), pattern); };
        using Names = std::vector<std::string>;
        QCOMPARE(found("zoo/*.csv"), (Names{"zoo/a.csv", "zoo/bad.csv"}));
        QCOMPARE(found("zoo/**/*.csv"), (Names{"zoo/a.csv", "zoo/bad.csv", "zoo/deep/b.csv", "zoo/deep/er/c.csv"}));
        QCOMPARE(found("zoo/?.csv"), (Names{"zoo/a.csv"}));
        QCOMPARE(found("zoo/*/[bc].csv"), (Names{"zoo/deep/b.csv"}));
        QCOMPARE(found("**/c.csv"), (Names{"zoo/deep/er/c.csv"}));
        QCOMPARE(found("zoo/a.csv"), (Names{"zoo/a.csv"}));
        QCOMPARE(found("zoo/b.csv"), Names{});
        QCOMPARE(found("zoo/a+csv"), Names{});
        QCOMPARE(filesMatching({}, zoo.path("zoo/[!b]*.csv")), (Names{zoo.path("zoo/a.csv")}));
        // A specification in the current folder, named without one.
        const QString before = QDir::currentPath();
        QVERIFY(QDir::setCurrent(QString::fromStdString(zoo.root())));
        const auto here = filesMatching({}, "zoo/**/*.csv"), deep = filesMatching({}, "**/c.csv");
        const auto below = filesMatching("zoo/", "deep/*.csv");
        QVERIFY(QDir::setCurrent(before));
        QCOMPARE(here, (Names{"zoo/a.csv", "zoo/bad.csv", "zoo/deep/b.csv", "zoo/deep/er/c.csv"}));
        QCOMPARE(deep, (Names{"zoo/deep/er/c.csv"}));
        QCOMPARE(below, (Names{"deep/b.csv"}));
    }

    /// Qt does not list such files: they are told about, not left out in silence.
    void filesWhoseNamesAreNotUtf8AreToldAbout()
    {
        const Zoo zoo;
        const Session session;
        QVERIFY(zoo.sweep(session, specificationOf("\"zoo/**/*.csv\""))->warnings.empty());
        const std::string latin = zoo.path("zoo/deep/caf\xe9.csv"); // Latin-1
        QCOMPARE(::rename(zoo.path("zoo/deep/b.csv").c_str(), latin.c_str()), 0);
        const auto sweep = zoo.sweep(session, specificationOf("\"zoo/**/*.csv\""));
        const auto shallow = zoo.sweep(session, specificationOf("\"zoo/*.csv\""));
        ::unlink(latin.c_str()); // QTemporaryDir cannot name it
        QVERIFY(sweep && shallow);
        QCOMPARE(sweep->runs.size(), std::size_t{3});
        QCOMPARE(sweep->warnings.size(), std::size_t{1});
        QVERIFY2(sweep->warnings.front().message.starts_with("1 file where zoo/**/*.csv looks"),
                 sweep->warnings.front().message.c_str());
        QVERIFY(shallow->warnings.empty());
    }

    void shardsTogetherAreTheWholeSweepAndTheExpensiveRunsAreSpread()
    {
        const Zoo zoo;
        const Session session;
        const auto sweep = zoo.sweep(session, specification);
        QVERIFY(sweep);
        QCOMPARE(sweep->runs.size(), std::size_t{4 * 2 * 3 * 2});
        QVERIFY(std::is_sorted(sweep->runs.begin(), sweep->runs.end(),
                               [](const SweepRun& a, const SweepRun& b) { return a.cost > b.cost; }));
        for (const int count : {1, 2, 3, 5, 48, 60}) {
            std::multiset<std::string> keys;
            double least = 1e300;
            double most = 0;
            for (int index = 1; index <= count; ++index) {
                double cost = 0;
                for (const SweepRun& run : shardOf(*sweep, index, count)) {
                    keys.insert(run.key + run.row.model);
                    cost += run.cost;
                }
                least = std::min(least, cost);
                most = std::max(most, cost);
            }
            std::multiset<std::string> all;
            for (const SweepRun& run : sweep->runs) all.insert(run.key + run.row.model);
            QCOMPARE(keys, all);
            if (count <= 5) QVERIFY(most - least <= 2 * sweep->runs.front().cost);
        }
    }

    void keysFollowTheBytesAndTheOptionsNotTheNames()
    {
        const Zoo zoo;
        const Session session;
        const auto keys = [&](const char* model) {
            std::set<std::string> found;
            const auto sweep = zoo.sweep(session, specification);
            for (const SweepRun& run : sweep->runs)
                if (run.row.model == model) found.insert(run.key);
            return found;
        };
        QCOMPARE(keys("zoo/a.csv").size(), std::size_t{12});
        QCOMPARE(keys("zoo/a.csv"), keys("zoo/deep/er/c.csv"));
        QVERIFY(keys("zoo/a.csv") != keys("zoo/deep/b.csv"));
        const auto before = keys("zoo/a.csv");
        zoo.write("zoo/a.csv", "id,lower,upper,size\na,0,2,11\n");
        for (const std::string& key : keys("zoo/a.csv")) QVERIFY(!before.contains(key));
    }

    /// Importers know some formats by the ending alone.
    void keysFollowTheEndingOfAName()
    {
        const Zoo zoo;
        const Session session;
        const char* const bytes = "id,lower,upper,size\na,0,2,10\nb,1,3,20\nc,2,4,10\n"; // as a.csv
        const std::string csv = keyOfModel(zoo, session, "zoo/a.csv");
        std::set<std::string> keys{csv};
        for (const char* name : {"zoo/a", "zoo/a.txt", "zoo/a-memory-usage-report.txt", "zoo/a.pkl.gz", "zoo/a.gz"}) {
            zoo.write(QString::fromUtf8(name), bytes);
            QVERIFY2(keys.insert(keyOfModel(zoo, session, name)).second, name);
        }
        zoo.write("zoo/a.b.csv", bytes);
        QCOMPARE(keyOfModel(zoo, session, "zoo/a.b.csv"), csv);
    }

    /// A dump of XLA has two files, whichever of them is named: a missing one may come, and dumps may differ in the other one.
    void keysFollowTheOtherFileOfADump()
    {
        const Zoo zoo;
        const Session session;
        const char* const first = "zoo/deep/m-buffer-assignment.txt";
        const char* const second = "zoo/deep/er/m-buffer-assignment.txt";
        for (const char* name : {first, second}) zoo.write(QString::fromUtf8(name), "BufferAssignment:\n");
        const std::string alone = keyOfModel(zoo, session, first);
        QCOMPARE(keyOfModel(zoo, session, second), alone);
        zoo.write("zoo/deep/m-live-range.txt", "some ranges");
        const std::string complete = keyOfModel(zoo, session, first);
        QVERIFY(complete != alone);
        QCOMPARE(keyOfModel(zoo, session, second), alone);
        zoo.write("zoo/deep/er/m-live-range.txt", "other ranges");
        QVERIFY(keyOfModel(zoo, session, second) != alone && keyOfModel(zoo, session, second) != complete);
        zoo.write("zoo/deep/er/m-live-range.txt", "some ranges");
        QCOMPARE(keyOfModel(zoo, session, second), complete);
        const std::string ranges = keyOfModel(zoo, session, "zoo/deep/m-live-range.txt");
        zoo.write(QString::fromUtf8(first), "BufferAssignment: another\n");
        QVERIFY(keyOfModel(zoo, session, "zoo/deep/m-live-range.txt") != ranges);
    }

    /// The kernel of a memory_info.json, and the programs of a pipeline. What lies in the folder as well does not count.
    void keysFollowTheFilesThatAModelNames()
    {
        const Zoo zoo;
        const Session session;
        QVERIFY(QFile::copy(QStringLiteral(STOWAGE_SOURCE_DIR "/resources/samples/ascend/"
                                                              "flash_attention_vector_48.memory_info.json"),
                            QString::fromStdString(zoo.path("zoo/info.json"))));
        zoo.write("zoo/pipeline.json", R"({"param_connection": [], "input_connection": [], "module_connection": [
            {"mod_idx": 0, "output": [{"output_idx": 0, "dependencies": [{"global_output_index": 0}]}],
             "x-stowage": {"program": "stages/../stages/s.json"}},
            {"mod_idx": 1, "output": [{"output_idx": 0, "dependencies": [{"global_output_index": 1}]}],
             "x-stowage": {"program": "../outside.json"}}]})");
        QVERIFY(QDir().mkpath(QString::fromStdString(zoo.path("zoo/stages"))));
        const auto changes = [&](const char* model, const char* file) {
            const std::string before = keyOfModel(zoo, session, model);
            zoo.write(QString::fromUtf8(file), "one");
            const std::string one = keyOfModel(zoo, session, model);
            zoo.write(QString::fromUtf8(file), "another");
            const std::string another = keyOfModel(zoo, session, model);
            return std::set<std::string>{before, one, another}.size();
        };
        QCOMPARE(changes("zoo/info.json", "zoo/flash_attention_vector_48.mlir"), std::size_t{3});
        QCOMPARE(changes("zoo/info.json", "zoo/flash_attention_vector_56.mlir"), std::size_t{1});
        QCOMPARE(changes("zoo/pipeline.json", "zoo/stages/s.json"), std::size_t{3});
        QCOMPARE(changes("zoo/pipeline.json", "outside.json"), std::size_t{1}); // which the importer refuses to read
        QCOMPARE(changes("zoo/a.csv", "zoo/b.csv"), std::size_t{1});
    }

    /// Rates, who reaches a pool and its part in an Ascend core decide about plans as sizes do; a description does not.
    void keysFollowAllThatATargetSaysOfItsPools()
    {
        const Zoo zoo;
        const Session session;
        const auto key = [&](const char* pool) {
            zoo.write("t.json", QByteArray("{\"format\": \"stowage.target/1\", \"name\": \"t\", \"pools\": [{\"name\": \"ub\"") +
                                    pool + "}]}");
            const auto sweep =
                zoo.sweep(session, specificationOf("\"zoo/a.csv\"", "\"targets\": [\"t.json\"], \"planners\": [\"multi-pool\"]"));
            return sweep ? sweep->runs.front().key : sweep.error().message;
        };
        const std::string plain = key("");
        QCOMPARE(key(", \"description\": \"fast\""), plain);
        std::set<std::string> keys{plain};
        for (const char* pool : {", \"capacity\": 64", ", \"alignment\": 16", ", \"kind\": \"constant\"",
                                 ", \"core\": \"outside\"", ", \"targets\": [\"npu\"]", ", \"clock_hz\": 1000",
                                 ", \"read_bytes_per_cycle\": 4", ", \"write_bytes_per_cycle\": 4",
                                 ", \"read_latency_cycles\": 9", ", \"write_latency_cycles\": 9", ", \"burst_bytes\": 32"})
            QVERIFY2(keys.insert(key(pool)).second, pool);
    }

    void shardsGiveTheSameTableAsOneRunAndAKilledSweepGoesOn()
    {
        const Zoo zoo;
        const Session session;
        const auto sweep = zoo.sweep(session, specification);
        QVERIFY(sweep);
        const auto whole = runSweep(session, *sweep, sweep->runs, zoo.path("whole"));
        QVERIFY(whole);
        QCOMPARE(whole->done, sweep->runs.size());
        QCOMPARE(whole->failed, std::size_t{12}); // bad.csv
        for (int index = 3; index >= 1; --index) {
            // Stopped after two runs each, then again.
            std::stop_source stop;
            SweepOptions options;
            options.cancel = stop.get_token();
            options.progress = [&](const SweepProgress& now) {
                if (now.done >= 2) stop.request_stop();
            };
            const auto part = shardOf(*sweep, index, 3);
            QVERIFY(runSweep(session, *sweep, part, zoo.path("parts"), options));
            const auto rows = mergeSweep(zoo.path("parts"));
            QVERIFY(rows);
            QVERIFY(std::any_of(rows->begin(), rows->end(), [](const SweepRow& row) { return row.missing(); }));
            QVERIFY(runSweep(session, *sweep, part, zoo.path("parts")));
        }
        const auto one = mergeSweep(zoo.path("whole"));
        const auto parts = mergeSweep(zoo.path("parts"));
        QVERIFY(one && parts);
        QCOMPARE(lines(*parts), lines(*one));
        QCOMPARE(one->size(), sweep->runs.size());

        std::size_t planned = 0;
        SweepOptions counting;
        counting.progress = [&](const SweepProgress&) { ++planned; };
        QVERIFY(runSweep(session, *sweep, sweep->runs, zoo.path("whole"), counting));
        QCOMPARE(planned, std::size_t{0});
    }

    /// Of runs that cost the same, the time left is that of each so far times those to come; at the end none is left.
    void progressTellsHowMuchTimeIsLeft()
    {
        const Zoo zoo;
        const Session session;
        const auto sweep =
            zoo.sweep(session, specificationOf("\"zoo/a.csv\"", "\"planners\": [\"naive\"], \"seed\": [0, 1, 2, 3]"));
        QVERIFY(sweep);
        std::vector<SweepProgress> told;
        std::vector<double> passed;
        SweepOptions options;
        QElapsedTimer clock;
        options.progress = [&](const SweepProgress& now) {
            told.push_back(now);
            passed.push_back(static_cast<double>(clock.nsecsElapsed()) / 1e9);
        };
        clock.start();
        QVERIFY(runSweep(session, *sweep, sweep->runs, zoo.path("timed"), options));
        QCOMPARE(told.size(), std::size_t{4});
        for (std::size_t i = 0; i < told.size(); ++i) {
            QCOMPARE(told[i].done, i + 1);
            QCOMPARE(told[i].total, told.size());
            const double most = passed[i] / static_cast<double>(i + 1) * static_cast<double>(told.size() - i - 1);
            QVERIFY2(told[i].secondsLeft >= 0 && told[i].secondsLeft <= most + 1e-9,
                     qPrintable(QString::number(told[i].secondsLeft)));
            QCOMPARE(told[i].secondsLeft > 0, i + 1 < told.size());
        }
        // Half of them are there: the rest is what is left.
        QVERIFY(QFile::remove(QString::fromStdString(zoo.path("timed/runs/") + sweep->runs[0].key + ".json")));
        told.clear();
        QVERIFY(runSweep(session, *sweep, sweep->runs, zoo.path("timed"), options));
        QCOMPARE(told.size(), std::size_t{1});
        QCOMPARE(told.front().done, std::size_t{4});
    }

    void nothingWaitsForAFifoInTheFolderOfResults()
    {
        const Zoo zoo;
        const Session session;
        const auto sweep = zoo.sweep(session, specificationOf("\"zoo/a.csv\"", "\"planners\": [\"naive\"]"));
        QVERIFY(sweep);
        QVERIFY(QDir().mkpath(QString::fromStdString(zoo.path("out/runs"))));
        const std::string list = zoo.path("out/sweep.json"), result = zoo.path("out/runs/") + sweep->runs.front().key + ".json";
        QCOMPARE(mkfifo(list.c_str(), 0600), 0);
        QVERIFY(!mergeSweep(zoo.path("out")));
        QVERIFY(!runSweep(session, *sweep, sweep->runs, zoo.path("out")));
        QVERIFY(QFile::remove(QString::fromStdString(list)));
        QCOMPARE(mkfifo(result.c_str(), 0600), 0);
        QVERIFY(!runSweep(session, *sweep, sweep->runs, zoo.path("out")));
        QCOMPARE(mergeSweep(zoo.path("out"))->front().statusText(), std::string_view("missing"));
    }

    /// Also its failures: whoever submits a shard again sees that some of its runs failed.
    void aRepeatedSweepEndsAsTheFirstTime()
    {
        const Zoo zoo;
        const Session session;
        const auto sweep = zoo.sweep(session, specification);
        QVERIFY(sweep);
        for (int i = 0; i < 2; ++i) {
            const auto outcome = runSweep(session, *sweep, sweep->runs, zoo.path("out"));
            QVERIFY(outcome);
            QCOMPARE(outcome->done, sweep->runs.size());
            QCOMPARE(outcome->failed, std::size_t{12}); // bad.csv
        }
    }

    /// A run is planned again when the plug-in that brings its planner has changed, be it the manifest or a file that it names.
    void keysFollowThePlanners()
    {
        const Zoo zoo;
        QVERIFY(QDir().mkpath(QString::fromStdString(zoo.path("plugins"))));
        const auto keys = [&](const QByteArray& manifest, const QByteArray& script) {
            zoo.write("plugins/it.json", manifest);
            zoo.write("plugins/it.sh", script);
            const Session session(PluginSettings{{QString::fromStdString(zoo.path("plugins"))}, false});
            const auto sweep = zoo.sweep(session, specificationOf("\"zoo/a.csv\"", "\"planners\": [\"it\", \"naive\"]"));
            std::map<std::string, std::string> found;
            if (sweep)
                for (const SweepRun& run : sweep->runs) found[run.row.planner] = run.key;
            return found;
        };
        const QByteArray manifest =
            R"({"id": "it", "name": "It", "protocol": 1, "transport": "csv-oneshot", "argv": ["sh", "{dir}/it.sh"]})";
        const auto first = keys(manifest, "exit 1\n");
        QCOMPARE(first.size(), std::size_t{2});
        QCOMPARE(keys(manifest, "exit 1\n"), first);
        const auto script = keys(manifest, "exit 2\n");
        QVERIFY(script.at("it") != first.at("it"));
        QCOMPARE(script.at("naive"), first.at("naive"));
        QVERIFY(keys(manifest + "\n", "exit 1\n").at("it") != first.at("it"));

        const Session session(PluginSettings{{QString::fromStdString(zoo.path("plugins"))}, false});
        const auto planners = [&](const char* list) {
            std::set<std::string> found;
            const auto sweep = zoo.sweep(session, specificationOf("\"zoo/a.csv\"", list));
            for (const SweepRun& run : sweep->runs) found.insert(run.row.planner);
            return found;
        };
        const auto ours = planners("\"planners\": [\"all\"]");
        QCOMPARE(ours.size(), session.ownPlanners());
        QVERIFY(!ours.contains("it") && planners("\"planners\": [\"plugins\"]").contains("it"));
    }

    void aListNamesNoFilesOutsideOfItsFolder()
    {
        const Zoo zoo;
        QVERIFY(QDir().mkpath(QString::fromStdString(zoo.path("out/runs"))));
        const QByteArray key(64, 'a');
        const auto list = [&](const QByteArray& named) {
            zoo.write("out/sweep.json", R"({"format": "stowage.sweep-list/1", "runs": [{"key": ")" + named +
                                            R"(", "model": "a.csv", "planner": "auto"}]})");
            return mergeSweep(zoo.path("out"));
        };
        QCOMPARE(list(key)->front().statusText(), std::string_view("missing"));
        for (const QByteArray& named : {QByteArray("../../spec"), QByteArray(63, 'a'), QByteArray(64, '/'), QByteArray(64, 'A')})
            QVERIFY2(!list(named), named);
    }

    void aResultThatIsDamagedIsMissingAndPlannedAgain()
    {
        const Zoo zoo;
        const Session session;
        const auto sweep = zoo.sweep(session, specificationOf("\"zoo/a.csv\"", "\"planners\": [\"naive\"]"));
        QVERIFY(sweep);
        QVERIFY(runSweep(session, *sweep, sweep->runs, zoo.path("out")));
        QCOMPARE(mergeSweep(zoo.path("out"))->front().size, Bytes{40});
        zoo.write(QString::fromStdString("out/runs/" + sweep->runs.front().key + ".json"), "{\"format\": \"stowage.sw");
        QCOMPARE(mergeSweep(zoo.path("out"))->front().statusText(), std::string_view("missing"));
        QVERIFY(runSweep(session, *sweep, sweep->runs, zoo.path("out")));
        QCOMPARE(mergeSweep(zoo.path("out"))->front().size, Bytes{40});
        QVERIFY(!mergeSweep(zoo.path("nowhere")));
    }

    /// Else a specification that is called as the list of runs would be written over by its own sweep.
    void aFileOfTheListsNameThatIsNoListStays()
    {
        const Zoo zoo;
        const Session session;
        const auto text = specificationOf("\"zoo/a.csv\"", "\"planners\": [\"naive\"]");
        zoo.write("sweep.json", QByteArray::fromStdString(text));
        const auto sweep = zoo.sweep(session, text);
        QVERIFY(sweep);
        const auto outcome = runSweep(session, *sweep, sweep->runs, zoo.root());
        QVERIFY(!outcome);
        QVERIFY2(outcome.error().where.file.ends_with("/sweep.json") && !outcome.error().remedy.empty(),
                 toText(outcome.error()).c_str());
        QFile kept(QString::fromStdString(zoo.path("sweep.json")));
        QVERIFY(kept.open(QIODevice::ReadOnly));
        QCOMPARE(kept.readAll().toStdString(), text);
        for (int i = 0; i < 2; ++i) QVERIFY(runSweep(session, *sweep, sweep->runs, zoo.path("out"))); // a list is replaced
    }

    /// A copy under the name of another run says nothing about that run.
    void aResultUnderTheNameOfAnotherRunIsMissing()
    {
        const Zoo zoo;
        const Session session;
        const auto sweep = zoo.sweep(session, specificationOf("\"zoo/a.csv\"", "\"planners\": [\"naive\", \"exact\"]"));
        QVERIFY(sweep);
        QVERIFY(runSweep(session, *sweep, sweep->runs, zoo.path("out")));
        const auto file = [&](std::size_t run) {
            return QString::fromStdString(zoo.path("out/runs/") + sweep->runs[run].key + ".json");
        };
        QVERIFY(QFile::remove(file(0)) && QFile::copy(file(1), file(0)));
        const auto rows = mergeSweep(zoo.path("out"));
        QVERIFY(rows);
        for (const SweepRow& row : *rows) QCOMPARE(row.missing(), row.key == sweep->runs[0].key);
    }

    void resultsOfAnotherSpecificationAreCounted()
    {
        const Zoo zoo;
        const Session session;
        for (const char* planners : {"\"naive\"", "\"exact\", \"greedy-by-size\""}) {
            const auto sweep =
                zoo.sweep(session, specificationOf("\"zoo/a.csv\"", std::string("\"planners\": [") + planners + "]"));
            QVERIFY(sweep && runSweep(session, *sweep, sweep->runs, zoo.path("out")));
        }
        zoo.write("out/runs/notes.json", "{}"); // no result
        const auto rows = mergeSweep(zoo.path("out"));
        QVERIFY(rows);
        QCOMPARE(rows->size(), std::size_t{2});
        QCOMPARE(unlistedResults(zoo.path("out"), *rows), std::size_t{1}); // of naive
    }

    /// The names in a specification are UTF-8; the folder that it lies in need not be.
    void aFolderWhoseNameIsNotUtf8IsSweptToo()
    {
        const Zoo zoo;
        const Session session;
        const std::string latin = zoo.path("caf\xe9"); // Latin-1
        QCOMPARE(::rename(zoo.path("zoo").c_str(), latin.c_str()), 0);
        const auto sweep =
            readSweep(session, specificationOf("\"a.csv\", \"**/c.csv\"", "\"planners\": [\"naive\"]"), latin + "/spec.json");
        QVERIFY2(sweep, sweep ? "" : toText(sweep.error()).c_str());
        QCOMPARE(sweep->runs.size(), std::size_t{2});
        QVERIFY(runSweep(session, *sweep, sweep->runs, latin + "/out"));
        const auto rows = mergeSweep(latin + "/out");
        QCOMPARE(::rename(latin.c_str(), zoo.path("zoo").c_str()), 0); // QTemporaryDir cannot name it
        QVERIFY(rows);
        for (const SweepRow& row : *rows) QCOMPARE(row.status, std::optional(Status::feasible));
    }

    void readingASpecificationCanBeCancelled()
    {
        const Zoo zoo;
        const Session session;
        std::stop_source stop;
        stop.request_stop();
        const auto sweep = readSweep(session, specification, zoo.root() + "spec.json", stop.get_token());
        QVERIFY(!sweep);
        QCOMPARE(sweep.error().code, Code::cancelled);
    }

    void mistakesInTheSpecificationHaveAPosition_data()
    {
        QTest::addColumn<QString>("rest");
        QTest::newRow("planner") << R"("models": ["zoo/a.csv"], "planners": ["naive",
 "nobody"])";
        QTest::newRow("option of a planner") << R"("models": ["zoo/a.csv"], "planners": [
 "hill-climb:attemps=3"])";
        QTest::newRow("target") << R"("models": ["zoo/a.csv"], "targets": [
 "no-such-board"])";
        QTest::newRow("lowering") << R"("models": ["zoo/a.csv"], "lower": [
 {"ordr": "dag"}])";
        QTest::newRow("value of a lowering") << R"("models": ["zoo/a.csv"], "lower": [
 {"order": "any"}])";
        QTest::newRow("pattern") << R"("models": [
 "zoo/[z-a].csv"])";
    }
    void mistakesInTheSpecificationHaveAPosition()
    {
        QFETCH(QString, rest);
        const Zoo zoo;
        const Session session;
        const auto sweep = zoo.sweep(session, "{\"format\": \"stowage.sweep/1\", " + rest.toStdString() + "}");
        QVERIFY(!sweep);
        const Error& error = sweep.error();
        QVERIFY2(error.where.file.ends_with("spec.json") && error.where.line == 2 && error.where.column > 1,
                 toText(error).c_str());
        QVERIFY2(!error.remedy.empty(), toText(error).c_str());
    }

    /// Few bytes make many runs, each with all sizes of free dimensions: 10,000 times 20,000 names.
    void fewBytesDoNotMakeRunsWithoutAnEnd()
    {
        const Zoo zoo;
        const Session session;
        std::string seeds = "0", sizes = "\"d\": 1";
        for (int i = 1; i < 10'000; ++i) seeds += "," + std::to_string(i);
        for (int i = 0; i < 20'000; ++i) sizes += ", \"dimension" + std::to_string(i) + "\": 1";
        const auto refused =
            zoo.sweep(session, specificationOf("\"zoo/a.csv\"", "\"seed\": [" + seeds + "], \"bind\": {" + sizes + "}"));
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, Code::tooManyRuns);
    }

    void mistakesInTheSpecificationAreErrors()
    {
        const Zoo zoo;
        const Session session;
        QVERIFY(!zoo.sweep(session, specificationOf("\"nothing/*.csv\"")));
        QVERIFY(!zoo.sweep(session, specificationOf("\"zoo/a.csv\"", "\"planners\": [\"nobody\"]")));
        QVERIFY(!zoo.sweep(session, specificationOf("\"zoo/a.csv\"", "\"targets\": [\"no-such-board\"]")));
        QVERIFY(!zoo.sweep(session, specificationOf("\"zoo/a.csv\"", "\"sed\": [1]")));
        std::string seeds = "0";
        for (int i = 1; i < 1'000'001; ++i) seeds += "," + std::to_string(i);
        const auto refused =
            zoo.sweep(session, specificationOf("\"zoo/a.csv\"", "\"planners\": [\"naive\"], \"seed\": [" + seeds + "]"));
        QVERIFY(!refused);
        QVERIFY(refused.error().message.find("more than") != std::string::npos);
        // A list of many planners is looked through once, not each of them against each.
        std::string planners = "\"naive\"";
        for (int i = 0; i < 200'000; ++i) planners += ",\"p" + std::to_string(i) + '"';
        QVERIFY(!zoo.sweep(session, specificationOf("\"zoo/a.csv\"", "\"planners\": [" + planners + "]")));
        const auto warned = zoo.sweep(session, specificationOf("\"zoo/a.csv\", \"zoo/*.onnx\""));
        QVERIFY(warned);
        QCOMPARE(warned->warnings.size(), std::size_t{1});
    }
};

QTEST_GUILESS_MAIN(SweepTest)
#include "tst_sweep.moc"
