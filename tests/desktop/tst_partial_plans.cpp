// The real window: a foreign planner hands over parts of its plan while it works, and the map follows it.
#include "app/desktop/shell/status_strip.h"
#include "app/desktop/widgets/chip.h"
#include "app/desktop/widgets/map_widget.h"
#include "tests/desktop/map_desk.h"

#include <QDir>
#include <QFile>

#include <algorithm>

using namespace stowage;
using test::MapDesk;

namespace {

constexpr int patience = 60'000;

/// A manifest planner that puts buffers end to end and tells the first n of them once the file `until` beside it has n or more;
/// at -1 it ends without an answer.
const char* const program = R"py(import json, os, sys, time
here = os.path.dirname(os.path.abspath(__file__))

def receive():
    length = 0
    while (line := sys.stdin.buffer.readline().strip()):
        name, value = line.split(b":", 1)
        if name.lower() == b"content-length":
            length = int(value)
    return json.loads(sys.stdin.buffer.read(length)) if length else sys.exit(0)

def send(message):
    text = json.dumps({"jsonrpc": "2.0", **message}).encode()
    sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n%s" % (len(text), text))
    sys.stdout.buffer.flush()

def until():
    try:
        return int(open(os.path.join(here, "until")).read())
    except (OSError, ValueError):
        return 0

send({"id": receive()["id"],
      "result": {"protocol": 1, "name": "stepwise", "version": "1", "capabilities": ["gaps", "pools", "partial"]}})
request = receive()
problem = request["params"]["problem"]
placements, top = [], 0
for n, buffer in enumerate(problem["buffers"], 1):
    while until() < n:
        if until() < 0:
            sys.exit(3)
        time.sleep(0.02)
    placements.append({"buffer": buffer["name"], "pool": problem["pools"][0]["name"], "offset": top})
    top += -(-buffer["size"] // 64) * 64
    send({"method": "partialPlan", "params": {"placements": placements}})
send({"id": request["id"], "result": {"placements": placements}})
receive()
)py";

} // namespace

class PartialPlansTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    test::OwnSettings settings_;

    void write(const QString& name, const QByteArray& text) const
    {
        // In one piece for who reads it meanwhile.
        QFile file(folder_.filePath(name + QStringLiteral(".new")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
        file.close();
        QDir folder(folder_.path());
        folder.remove(name);
        QVERIFY(folder.rename(name + QStringLiteral(".new"), name));
    }
    void tellUntil(int buffers) const { write(QStringLiteral("until"), QByteArray::number(buffers)); }
    static std::ptrdiff_t placed(MapDesk& desk)
    {
        return std::ranges::count_if(desk.workspace().run()->plan.placements, [](const Placement& p) { return p.placed(); });
    }
    /// With several runs, of which the user has picked one.
    static int picked(MapDesk& desk)
    {
        if (!desk.open("mobilenet_v1_025")) return 0;
        // None: the start of a program counts, which takes seconds on a busy machine.
        desk.workspace().planners().setTimeLimitSeconds(0);
        desk.workspace().showRun(desk.workspace().shown().runOf("greedy-by-size")->id);
        return desk.workspace().shownRun();
    }
    /// Plans with it alone by the command of the window, and waits for the first `buffers`.
    bool shows(MapDesk& desk, int buffers) const
    {
        tellUntil(buffers);
        desk.workspace().planners().setFocus("stepwise");
        desk.trigger("plan.shown");
        return QTest::qWaitFor([&] { return desk.workspace().shown().showsIncumbent() && placed(desk) == buffers; }, patience);
    }

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(folder_.isValid());
        write(QStringLiteral("stepwise.py"), program);
        write(QStringLiteral("stepwise.json"), R"({"id": "stepwise", "protocol": 1, "argv": ["python3", "{dir}/stepwise.py"],
            "transport": "stdio-jsonrpc", "capabilities": ["gaps", "pools", "partial"], "timeout_s": 120})");
        qputenv("STOWAGE_PLUGIN_PATH", folder_.path().toUtf8());
    }
    void cleanup() { QSettings().clear(); }

    void theMapShowsWhatThePlannerThatWasAskedForHasPlaced()
    {
        MapDesk desk;
        QVERIFY(picked(desk));
        MapWidget* map = desk.mapOf("memory-map");
        QVERIFY(map);
        QVERIFY(shows(desk, 4));
        QTRY_COMPARE(map->run(), desk.workspace().run());
        auto* strip = desk.find<StatusStrip>();
        QTRY_VERIFY2(strip->parts().join(u' ').contains(QStringLiteral("4 of ")), qPrintable(strip->parts().join(u' ')));
        QVERIFY2(strip->parts().front().startsWith(QStringLiteral("Planning…")), qPrintable(strip->parts().front()));
        QTRY_VERIFY(desk.find<Chip>() && desk.find<Chip>()->accessibleName() == QStringLiteral("Planning…"));
        QVERIFY2(!strip->parts().join(u' ').contains(QStringLiteral("equals the bound")), qPrintable(strip->parts().join(u' ')));
        tellUntil(9);
        QTRY_COMPARE_WITH_TIMEOUT(placed(desk), 9, patience);
        if (const QByteArray picture = qgetenv("STOWAGE_PARTIAL_PICTURE"); !picture.isEmpty()) {
            QTest::qWait(500);
            QVERIFY(desk.window->grab().save(QString::fromUtf8(picture)));
        }
        tellUntil(1'000'000);
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle(), patience);
        const RunEntry* result = desk.workspace().shown().runOf("stepwise");
        QVERIFY(result);
        QCOMPARE(desk.workspace().shownRun(), result->id); // what was asked for stays
    }

    void onlyOneTickedPlannerIsFollowed()
    {
        MapDesk desk;
        const int before = picked(desk);
        QVERIFY(before);
        desk.trigger("plan.tick-none");
        desk.workspace().planners().setTicked("stepwise", true);
        tellUntil(2);
        desk.trigger("plan.run");
        QTRY_VERIFY_WITH_TIMEOUT(desk.workspace().shown().showsIncumbent() && placed(desk) == 2, patience);
        tellUntil(-1);
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle(), patience);
        QCOMPARE(desk.workspace().shownRun(), before);
    }

    void theRunBeforeComesBackWhenThePlannerFails()
    {
        MapDesk desk;
        const int before = picked(desk);
        QVERIFY(before);
        QVERIFY(shows(desk, 3));
        tellUntil(-1);
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle(), patience);
        QCOMPARE(desk.workspace().shownRun(), before);
        QVERIFY(!desk.workspace().shown().runOf("stepwise"));
    }

    void theRunBeforeComesBackWhenThePlannerIsStopped()
    {
        MapDesk desk;
        const int before = picked(desk);
        QVERIFY(before);
        QVERIFY(shows(desk, 3));
        desk.trigger("plan.cancel");
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle(), patience);
        QCOMPARE(desk.workspace().shownRun(), before);
    }

    void whoPicksAnotherRunMeanwhileKeepsIt()
    {
        MapDesk desk;
        QVERIFY(picked(desk));
        QVERIFY(shows(desk, 3));
        const RunEntry* other = desk.workspace().shown().runOf("naive");
        QVERIFY(other);
        const int id = other->id;
        desk.workspace().showRun(id);
        tellUntil(5);
        QTest::qWait(300); // for parts that must not show
        QCOMPARE(desk.workspace().shownRun(), id);
        tellUntil(1'000'000);
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().shown().runOf("stepwise"), patience);
        QCOMPARE(desk.workspace().shownRun(), id);
    }

    void plannersThatWorkBesideItDoNotTakeTheMap()
    {
        MapDesk desk;
        QVERIFY(picked(desk));
        QVERIFY(shows(desk, 3));
        desk.workspace().planners().setSeed(desk.workspace().planners().seed() + 1); // they plan anew
        desk.workspace().plannings().planOnly("auto", false);
        QTRY_VERIFY_WITH_TIMEOUT(desk.workspace().plannings().jobs().size() == 1, patience);
        QVERIFY(desk.workspace().shown().showsIncumbent());
        QCOMPARE(desk.workspace().run()->plan.planner, std::string("stepwise"));
        tellUntil(1'000'000);
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle(), patience);
        QCOMPARE(desk.workspace().run()->plan.planner, std::string("stepwise"));
    }
};

QTEST_MAIN(PartialPlansTest)
#include "tst_partial_plans.moc"
