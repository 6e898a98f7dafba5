// What a sweep keeps: results of the same build; failures of the machine are repeated, others are not; nothing of an unknown
// build is reused; partial plans are marked; thousands of runs.
#include "app/session/build_id.h"
#include "app/session/regress/sweep.h"
#include "core/plan/planner.h"
#include "tests/session/sweep_zoo.h"
#include "tests/support/instrumented.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <cstdint>
#include <cstring>
#include <link.h>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

using namespace stowage;
using namespace stowage::test;

namespace {

/// Places end to end, unless it has an error to end with.
class FailingPlanner final : public Planner {
public:
    FailingPlanner() { info_.name = "failing"; }
    [[nodiscard]] const PlannerInfo& info() const override { return info_; }
    [[nodiscard]] Expected<Plan> plan(const Problem& problem, const OptionValues&, const PlanContext&) const override
    {
        ++calls;
        if (code) return failure(*code, "it failed", {}, "try again");
        Plan stacked;
        if (cut) stacked.diagnostics.push_back(warning(Code::timedOut, "its time was over"));
        stacked.stoppedBy = stoppedBy;
        Bytes top = 0;
        for (const Buffer& buffer : problem.buffers) {
            Placement& placement = stacked.placements.emplace_back();
            placement.pool = 0;
            placement.offset = top;
            top += buffer.size;
        }
        return stacked;
    }

    mutable int calls = 0;
    std::optional<Code> code;
    bool cut = false;
    StoppedBy stoppedBy = StoppedBy::complete;

private:
    PlannerInfo info_;
};

} // namespace

class SweepResultsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// A linker gives two programs one build id only if they are the same.
    void aProgramIsKnownByItsBuildIdAndOtherFilesByTheirBytes()
    {
        const Zoo zoo;
        const auto version = [&](const QByteArray& bytes) {
            zoo.write("file", bytes);
            return fileVersion(QString::fromStdString(zoo.path("file"))).value_or("none");
        };
        const QByteArray digestOfAbc("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"); // FIPS 180-2
        QCOMPARE(version("abc"), digestOfAbc.toStdString());
        // An ELF file with a segment of two notes: of another kind, and the build id.
        const auto program = [](const QByteArray& id, const QByteArray& code, std::uint32_t kind = NT_GNU_BUILD_ID) {
            ElfW(Ehdr) header{};
            std::memcpy(header.e_ident, ELFMAG, SELFMAG);
            header.e_ident[EI_CLASS] = sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32;
            header.e_phoff = sizeof header;
            header.e_phnum = 1;
            const auto noteOf = [](std::uint32_t type, const QByteArray& content) {
                ElfW(Nhdr) note{};
                note.n_namesz = 4;
                note.n_descsz = static_cast<std::uint32_t>(content.size());
                note.n_type = type;
                const QByteArray padding((4 - content.size() % 4) % 4, '\0');
                return QByteArray(reinterpret_cast<const char*>(&note), sizeof note) + QByteArray("GNU\0", 4) + content + padding;
            };
            const QByteArray notes = noteOf(NT_GNU_ABI_TAG, "odd") + noteOf(kind, id);
            ElfW(Phdr) segment{};
            segment.p_type = PT_NOTE;
            segment.p_offset = sizeof header + sizeof segment;
            segment.p_filesz = static_cast<decltype(segment.p_filesz)>(notes.size());
            return QByteArray(reinterpret_cast<const char*>(&header), sizeof header) +
                   QByteArray(reinterpret_cast<const char*>(&segment), sizeof segment) + notes + code;
        };
        const std::string first = version(program("12345678", "code"));
        QVERIFY2(first.starts_with("3132333435363738 "), first.c_str());
        QCOMPARE(version(program("12345678", "CODE")), first); // the code is not read
        QVERIFY(version(program("12345679", "code")) != first);
        QVERIFY(version(program("12345678", "codes")) != first);
        // Without a build id, or with notes that are cut off, the bytes count.
        const std::string other = version(program("12345678", "code", NT_GNU_HWCAP));
        QCOMPARE(other.size(), std::size_t{64});
        QVERIFY(version(program("12345678", "CODE", NT_GNU_HWCAP)) != other);
        QCOMPARE(version(program("12345678", {}).chopped(1)).size(), std::size_t{64});
        QVERIFY(!fileVersion(QString::fromStdString(zoo.path("zoo"))));
        QVERIFY(!fileVersion(QString::fromStdString(zoo.path("lost"))));
        QVERIFY(fileVersion(coreFile()) && fileVersion(programFile()) && fileVersion(coreFile()) != fileVersion(programFile()));
    }

    void aFailureOfTheMachineIsARowAndIsRepeated_data()
    {
        QTest::addColumn<int>("code");
        QTest::addColumn<bool>("repeated");
        for (const Code code :
             {Code::workerMissing, Code::workerTimeout, Code::workerOutOfMemory, Code::workerCrashed, Code::outOfMemory,
              Code::cannotRead, Code::pluginLoad, Code::timedOut, Code::crashed, Code::exitedEarly})
            QTest::newRow(std::string(toText(code)).c_str()) << static_cast<int>(code) << true;
        for (const Code code : {Code::notSupported, Code::plannerFailed, Code::badOption})
            QTest::newRow(std::string(toText(code)).c_str()) << static_cast<int>(code) << false;
    }
    /// What does not follow from the input and the build says nothing about the next time. Both models are the same bytes.
    void aFailureOfTheMachineIsARowAndIsRepeated()
    {
        QFETCH(int, code);
        QFETCH(bool, repeated);
        const Zoo zoo;
        Session session;
        const auto planner = std::make_shared<FailingPlanner>();
        QVERIFY(!session.addPlanner(planner));
        const auto sweep =
            zoo.sweep(session, specificationOf("\"zoo/a.csv\", \"zoo/deep/er/c.csv\"", "\"planners\": [\"failing\"]"));
        QVERIFY(sweep);
        planner->code = static_cast<Code>(code);
        const auto first = runSweep(session, *sweep, sweep->runs, zoo.path("out"));
        QVERIFY(first);
        QCOMPARE(planner->calls, 1);
        QCOMPARE(first->done, std::size_t{2});
        QCOMPARE(first->failed, std::size_t{2});
        QCOMPARE(first->toRepeat, std::size_t{repeated ? 2U : 0U});
        QCOMPARE(first->machine.has_value(), repeated);
        const auto rows = mergeSweep(zoo.path("out"));
        QVERIFY(rows);
        for (const SweepRow& row : *rows) {
            QCOMPARE(row.statusText(), std::string_view("failed"));
            QCOMPARE(row.error, std::string("it failed (try again)"));
        }
        planner->code.reset();
        const auto second = runSweep(session, *sweep, sweep->runs, zoo.path("out"));
        QVERIFY(second);
        QCOMPARE(planner->calls, repeated ? 2 : 1);
        QCOMPARE(second->done, std::size_t{2});
        QCOMPARE(second->failed, std::size_t{repeated ? 0U : 2U});
        QCOMPARE(mergeSweep(zoo.path("out"))->front().size, repeated ? Bytes{40} : Bytes{0}); // 10 + 20 + 10
    }

    void aPlanThatWasCutIsARowThatSaysSo_data()
    {
        QTest::addColumn<bool>("warned");
        QTest::addColumn<int>("stoppedBy");
        QTest::addColumn<bool>("cut");
        QTest::newRow("its time") << true << int(StoppedBy::complete) << true;
        QTest::newRow("time limit") << false << int(StoppedBy::deadline) << true;
        QTest::newRow("work limit") << false << int(StoppedBy::workLimit) << false;
    }
    /// How far a planner came in a time depends on the machine. Both models are the same bytes.
    void aPlanThatWasCutIsARowThatSaysSo()
    {
        QFETCH(bool, warned);
        QFETCH(int, stoppedBy);
        QFETCH(bool, cut);
        const Zoo zoo;
        Session session;
        const auto planner = std::make_shared<FailingPlanner>();
        planner->cut = warned;
        planner->stoppedBy = static_cast<StoppedBy>(stoppedBy);
        QVERIFY(!session.addPlanner(planner));
        const auto sweep =
            zoo.sweep(session, specificationOf("\"zoo/a.csv\", \"zoo/deep/er/c.csv\"", "\"planners\": [\"failing\", \"naive\"]"));
        QVERIFY(sweep);
        for (int time = 0; time < 2; ++time) {
            const auto outcome = runSweep(session, *sweep, sweep->runs, zoo.path("out"));
            QVERIFY(outcome);
            QCOMPARE(planner->calls, 1);
            QCOMPARE(outcome->done, std::size_t{4});
            QCOMPARE(outcome->failed + outcome->toRepeat, std::size_t{0});
            QCOMPARE(outcome->cut, std::size_t{cut ? 2U : 0U});
        }
        const auto rows = mergeSweep(zoo.path("out"));
        QVERIFY(rows);
        QCOMPARE(rows->size(), std::size_t{4});
        for (const SweepRow& row : *rows) {
            QVERIFY(row.planned() && row.error.empty() && !row.repeat);
            QCOMPARE(row.size, Bytes{40}); // 10 + 20 + 10
            QCOMPARE(row.cut, cut && row.planner == "failing");
        }
    }

    /// The keys of a build that cannot be hashed are those of others, too.
    void nothingIsReusedIfTheBuildIsNotKnown()
    {
        const Zoo zoo;
        Session session;
        const auto planner = std::make_shared<FailingPlanner>();
        QVERIFY(!session.addPlanner(planner));
        auto sweep = zoo.sweep(session, specificationOf("\"zoo/a.csv\", \"zoo/deep/er/c.csv\"", "\"planners\": [\"failing\"]"));
        QVERIFY(sweep && sweep->reusable);
        sweep->reusable = false;
        for (const int calls : {1, 2}) { // once a sweep, though two models are the same bytes
            const auto outcome = runSweep(session, *sweep, sweep->runs, zoo.path("out"));
            QVERIFY(outcome);
            QCOMPARE(outcome->done, std::size_t{2});
            QCOMPARE(planner->calls, calls);
        }
        sweep->reusable = true;
        QVERIFY(runSweep(session, *sweep, sweep->runs, zoo.path("out")));
        QCOMPARE(planner->calls, 2);
    }

    /// The others are planned. The memory of a process is a regular file that not even root reads at its beginning.
    void aModelThatCannotBeReadIsARowAndIsRepeated()
    {
        const Zoo zoo;
        const Session session;
        const QString unread = QString::fromStdString(zoo.path("zoo/b.csv"));
        QVERIFY(QFile::link(QStringLiteral("/proc/self/mem"), unread));
        const auto swept = [&](SweepProgress& outcome) {
            std::size_t planned = 0;
            SweepOptions options;
            options.progress = [&](const SweepProgress&) { ++planned; };
            const auto sweep = zoo.sweep(session, specificationOf("\"zoo/a.csv\", \"zoo/b.csv\"", "\"planners\": [\"naive\"]"));
            if (!sweep) qFatal("%s", toText(sweep.error()).c_str());
            const auto made = runSweep(session, *sweep, sweep->runs, zoo.path("out"), options);
            if (!made) qFatal("%s", toText(made.error()).c_str());
            outcome = *made;
            return planned;
        };
        const auto merged = [&] {
            std::map<std::string, std::string> found;
            if (const auto rows = mergeSweep(zoo.path("out")))
                for (const SweepRow& row : *rows) found[row.model] = std::string(row.statusText());
            return found;
        };
        SweepProgress outcome;
        for (const std::size_t planned : {2U, 1U}) { // a.csv has its result the second time
            QCOMPARE(swept(outcome), planned);
            QCOMPARE(outcome.done, std::size_t{2});
            QCOMPARE(outcome.failed, std::size_t{1});
            QCOMPARE(outcome.toRepeat, std::size_t{1});
            QVERIFY(outcome.machine && outcome.machine->where.file.ends_with("zoo/b.csv"));
            QCOMPARE(merged(), (std::map<std::string, std::string>{{"zoo/a.csv", "feasible"}, {"zoo/b.csv", "failed"}}));
        }
        QVERIFY(QFile::remove(unread));
        zoo.write("zoo/b.csv", "id,lower,upper,size\na,0,2,10\nb,1,3,20\nc,2,4,12\n");
        QCOMPARE(swept(outcome), std::size_t{1});
        QCOMPARE(outcome.failed + outcome.toRepeat, std::size_t{0});
        QCOMPARE(merged(), (std::map<std::string, std::string>{{"zoo/a.csv", "feasible"}, {"zoo/b.csv", "feasible"}}));
    }

    /// The count for which sweeps are made; less where every access is watched. In memory if there is a folder of it, as each
    /// result is flushed to its disk.
    void tenThousandRunsArePlannedOnceAndMerged()
    {
        constexpr std::size_t count = randomCases(std::size_t{10'000});
        const Zoo zoo;
        const Session session;
        std::string seeds = "0";
        for (std::size_t i = 1; i < count; ++i) seeds += ',' + std::to_string(i);
        const auto sweep =
            zoo.sweep(session, specificationOf("\"zoo/a.csv\"", "\"planners\": [\"naive\"], \"seed\": [" + seeds + "]"));
        QVERIFY(sweep);
        QCOMPARE(sweep->runs.size(), count);
        const QTemporaryDir memory(QStringLiteral("/dev/shm/stowage-XXXXXX"));
        const std::string out = memory.isValid() ? memory.path().toStdString() + "/out" : zoo.path("out");
        for (const std::size_t expected : {count, std::size_t{0}}) {
            std::size_t planned = 0;
            SweepOptions options;
            options.progress = [&](const SweepProgress&) { ++planned; };
            const auto outcome = runSweep(session, *sweep, sweep->runs, out, options);
            QVERIFY(outcome);
            QCOMPARE(planned, expected);
            QCOMPARE(outcome->done, count);
            QCOMPARE(outcome->total, count);
            QCOMPARE(outcome->failed, std::size_t{0});
        }
        const auto rows = mergeSweep(out);
        QVERIFY(rows);
        QCOMPARE(rows->size(), count);
        QCOMPARE(unlistedResults(out, *rows), std::size_t{0});
        std::set<std::uint64_t> merged;
        for (const SweepRow& row : *rows) {
            QCOMPARE(row.status, std::optional(Status::feasible));
            QCOMPARE(row.size, Bytes{40}); // 10 + 20 + 10
            merged.insert(row.seed);
        }
        QCOMPARE(merged.size(), count);
        QCOMPARE(*merged.rbegin(), std::uint64_t{count - 1});
    }

    /// A result without the mark, of an earlier version, is not partial.
    void tensorsOfUnknownSizeMakeARowPartial()
    {
        const Zoo zoo;
        const Session session;
        zoo.write("zoo/open.json", R"({"format": "stowage.program/1", "name": "open", "functions": [{"name": "main",
            "inputs": ["x"], "outputs": ["z"],
            "tensors": [{"name": "x", "kind": "input", "bytes": 64}, {"name": "h", "dtype": "f32", "shape": [-1, 4]},
                        {"name": "y", "bytes": 32}, {"name": "z", "kind": "output", "bytes": 64}],
            "ops": [{"name": "f", "kind": "f", "inputs": ["x"], "outputs": ["h", "y"]},
                    {"name": "g", "kind": "g", "inputs": ["h", "y"], "outputs": ["z"]}]}]})");
        const auto sweep = zoo.sweep(session, specificationOf("\"zoo/open.json\", \"zoo/a.csv\"", "\"planners\": [\"naive\"]"));
        QVERIFY(sweep && runSweep(session, *sweep, sweep->runs, zoo.path("out")));
        const auto partial = [&] {
            std::map<std::string, bool> found;
            if (const auto rows = mergeSweep(zoo.path("out")))
                for (const SweepRow& row : *rows)
                    if (row.planned()) found[row.model] = row.partial;
            return found;
        };
        QCOMPARE(partial(), (std::map<std::string, bool>{{"zoo/a.csv", false}, {"zoo/open.json", true}}));
        for (const SweepRun& run : sweep->runs) {
            const QString name = QString::fromStdString("out/runs/" + run.key + ".json");
            QFile file(QString::fromStdString(zoo.root()) + name);
            QVERIFY(file.open(QIODevice::ReadOnly));
            const QByteArray text = file.readAll();
            QCOMPARE(text.contains("\"partial\": true, "), run.row.model == "zoo/open.json");
            zoo.write(name, QByteArray(text).replace("\"partial\": true, ", ""));
        }
        QCOMPARE(partial(), (std::map<std::string, bool>{{"zoo/a.csv", false}, {"zoo/open.json", false}}));
    }
};

QTEST_GUILESS_MAIN(SweepResultsTest)
#include "tst_sweep_results.moc"
