// A session as text: what is written is read again, paths follow the file, and what is no session says where.
#include "app/session/session_file.h"

#include "app/session/file_hash.h"
#include "core/io/input_file.h"
#include "core/io/output_file.h"
#include "tests/support/paths.h"

#include <QCoreApplication>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <string>
#include <string_view>
#include <sys/stat.h>
#include <utility>
#include <vector>

using namespace stowage;

namespace {

const char* const samplePlan = "{\"format\": \"stowage.plan/1\", \"placements\": [{\"buffer\": \"a\", \"offset\": 0}]}";

SessionDocument sample()
{
    SessionDocument session;
    SessionModel& model = session.models.emplace_back();
    model.path = "/data/models/net.tflite";
    model.sha256 = "ab12";
    model.importer = "tflite";
    model.function = "main";
    model.bindings = {{"batch", 4}};
    model.importOptions = {{"io", "excluded"}};
    model.target = "esp32-s3*";
    model.targetAssumed = true;
    model.targetChosen = true;
    model.targetFile = "/data/boards/esp.json";
    model.runtime = "tflm";
    Pool pool;
    pool.name = "sram";
    pool.capacity = 262'144;
    model.pools = {pool};
    model.alignment = 16;
    model.lowering = {{"loops", "precise"}};
    model.pins = {{"conv/out", "sram", 4096}};
    Change change;
    change.kind = Change::Kind::live;
    change.names.buffer = "a";
    change.live = {{3, 7}, {9, 12}};
    model.changes = {change};
    change = {};
    change.kind = Change::Kind::tile;
    change.names.loop = "L1";
    change.denominator = 2;
    model.changes.push_back(change);
    model.notes = {{"sram", 3, 64, "line\nbreak"}, {"", 5, 0, "step"}};
    model.zooms = {{"liveness", {{2, 8}}}, {"memory-map", {{0.5, 20}, {0, 4096}}}};
    model.order = {{"main", 0, {"second", "first"}}, {"body", 2, {"b", "a"}}};
    model.opsLeftOut = true;
    model.pipeline.emplace();
    model.pipeline->devices.name = "two";
    model.pipeline->devices.devices = {pipeline::plainDevice(0), pipeline::plainDevice(1)};
    model.pipeline->devices.devices[1].memory = 4096;
    model.pipeline->objective = pipeline::Objective::latency;
    model.pipeline->placement = StagePlacement{{8}, {1, 0}};
    model.runtimeLog = "/data/logs/board.log";
    model.shown = "auto";
    model.shownRun = 0;
    model.runs = {{"auto", {{"goal", "size"}}, 7, 1000, 0.5, 12.25, samplePlan}};
    model.runsLeftOut = 3;
    session.suite = "/data/suites/nightly.suite.json";
    session.view = "liveness";
    session.planners = {"auto", "naive"};
    session.kernelTickSettled = true;
    session.options = {{"exact", {{"goal", "fit"}}}};
    session.timeLimitSeconds = 0.5;
    session.seed = 9;
    session.docks = "AAAA";
    session.panels = {{"memory-map", 3}, {"tables", 0}};
    session.unit = 2;
    session.hexAddresses = false;
    return session;
}

/// One op makes x and another one uses it; a third one makes y.
Program makers()
{
    Program program;
    program.name = "makers";
    Function& entry = program.functions.emplace_back();
    entry.name = "main";
    entry.regions.emplace_back();
    for (const char* name : {"x", "y"}) {
        Tensor& tensor = entry.tensors.emplace_back();
        tensor.name = name;
        tensor.bytes = 4;
    }
    const auto add = [&](const char* name, std::vector<TensorId> inputs, std::vector<TensorId> outputs) {
        Op& op = entry.ops.emplace_back();
        op.name = op.kind = name;
        op.inputs = std::move(inputs);
        op.outputs = std::move(outputs);
        entry.regions.front().ops.push_back(static_cast<OpId>(entry.ops.size() - 1));
    };
    add("make x", {}, {0});
    add("use x", {0}, {});
    add("make y", {}, {1});
    return program;
}

/// Four hundred models: some hundred kilobytes.
SessionDocument large()
{
    SessionDocument session = sample();
    const SessionModel first = session.models.front();
    for (int i = 1; i < 400; ++i) {
        session.models.push_back(first);
        session.models.back().path = "/data/models/net" + std::to_string(i) + ".tflite";
    }
    return session;
}

constexpr std::string_view writesFor = "--write-until-killed";

} // namespace

class SessionFileTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatIsWrittenIsReadAgain()
    {
        const SessionDocument session = sample();
        const std::string text = writeSession(session, "/data/desk.stow");
        QVERIFY(text.find("\"models/net.tflite\"") != std::string::npos);
        QVERIFY(text.find("\"target_file\": \"boards/esp.json\"") != std::string::npos);
        const auto read = readSession(text, "/data/desk.stow");
        if (!read) QFAIL(read.error().message.c_str());
        QVERIFY(*read == session);
        QCOMPARE(writeSession(*read, "/data/desk.stow"), text);
    }

    void pathsFollowTheFile()
    {
        const auto moved = readSession(writeSession(sample(), "/data/desk.stow"), "/elsewhere/desk.stow");
        QVERIFY(moved);
        QCOMPARE(moved->models.front().path, std::string("/elsewhere/models/net.tflite"));
        QCOMPARE(moved->models.front().targetFile, std::string("/elsewhere/boards/esp.json"));
    }

    void whatIsNoSessionSaysWhere_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("cut off") << QByteArray("{\"format\": \"stowage.session/1\", \"files\": [");
        QTest::newRow("a problem") << QByteArray("{\"format\": \"stowage.problem/1\", \"files\": []}");
        QTest::newRow("no files") << QByteArray("{\"format\": \"stowage.session/1\"}");
        QTest::newRow("an unknown field") << QByteArray("{\"format\": \"stowage.session/1\", \"files\": [], \"run\": \"rm\"}");
        QTest::newRow("an empty path") << QByteArray("{\"format\": \"stowage.session/1\", \"files\": [{\"path\": \"\"}]}");
        QTest::newRow("a wrong kind") << QByteArray(
            "{\"format\": \"stowage.session/1\", \"files\": [{\"path\": \"a\", \"pins\": 3}]}");
        QTest::newRow("a runtime that is none")
            << QByteArray("{\"format\": \"stowage.session/1\", \"files\": [{\"path\": \"a\", \"runtime\": \"mine\"}]}");
        QTest::newRow("an offset below 0") << QByteArray(
            "{\"format\": \"stowage.session/1\", \"files\": [{\"path\": \"a\", \"pins\": "
            "[{\"buffer\": \"a\", \"pool\": \"p\", \"offset\": -1}]}]}");
        QTest::newRow("a unit that is none")
            << QByteArray("{\"format\": \"stowage.session/1\", \"files\": [], \"window\": {\"unit\": 9}}");
        const auto ofPipeline = [](const QByteArray& fields) -> QByteArray {
            return "{\"format\": \"stowage.session/1\", \"files\": [{\"path\": \"a\", \"pipeline\": {" + fields + "}}]}";
        };
        const QByteArray devices = "\"devices\": {\"format\": \"stowage.devices/1\", \"devices\": [{\"name\": \"d\"}]}";
        QTest::newRow("no devices") << ofPipeline("\"objective\": \"latency\"");
        QTest::newRow("devices without a name")
            << ofPipeline("\"devices\": {\"format\": \"stowage.devices/1\", \"devices\": [{}]}");
        QTest::newRow("fewer devices than stages") << ofPipeline(devices + ", \"cuts\": [3], \"stages\": [0]");
        QTest::newRow("a device too many") << ofPipeline(devices + ", \"cuts\": [], \"stages\": [1]");
        QTest::newRow("cuts in no order") << ofPipeline(devices + ", \"cuts\": [3, 2], \"stages\": [0, 0, 0]");
        QTest::newRow("an unknown field of a pipeline") << ofPipeline(devices + ", \"frames\": 8");
    }
    void whatIsNoSessionSaysWhere()
    {
        QFETCH(QByteArray, text);
        const auto read = readSession(text.toStdString(), "x.stow");
        QVERIFY(!read);
        QCOMPARE(read.error().where.file, std::string("x.stow"));
    }

    /// Files that earlier versions wrote lack later fields. Fields that begin with "x-" are those of other programs.
    void earlierSessionsAreRead()
    {
        const auto read = readSession("{\"format\": \"stowage.session/1\", \"x-mine\": {\"a\": 1}, \"window\": {\"unit\": 1}, "
                                      "\"files\": [{\"path\": \"a\", \"x-theirs\": [], \"shown\": \"auto\"}]}",
                                      "/data/desk.stow");
        QVERIFY(read);
        const SessionModel& model = read->models.front();
        QVERIFY(model.order.empty() && !model.opsLeftOut && !model.pipeline && !model.shownRun && model.runsLeftOut == 0);
        QVERIFY(!model.targetAssumed && !model.targetChosen && model.targetFile.empty() && model.runtime.empty());
        QVERIFY(read->panels.empty() && !read->kernelTickSettled);
        QCOMPARE(model.shown, std::string("auto"));
    }

    /// They have one list, which is of the view that was open, whichever of the two is read first.
    void theZoomOfAnEarlierSessionIsOfItsView()
    {
        const std::string files = "\"files\": [{\"path\": \"a\", \"zoom\": [0.5, 20, 0, 4096]}]";
        const std::string view = "\"view\": \"usage\"", head = "{\"format\": \"stowage.session/1\", ";
        const SessionZooms expected{{"usage", {{0.5, 20}, {0, 4096}}}};
        for (const std::string& text : {head + files + ", " + view + '}', head + view + ", " + files + '}'}) {
            const auto read = readSession(text, "/data/desk.stow");
            if (!read) QFAIL(read.error().message.c_str());
            QVERIFY(read->models.front().zooms == expected);
        }
        const auto without = readSession(head + files + '}', "/data/desk.stow");
        QVERIFY(without && without->models.front().zooms.empty());
    }

    /// The first stages of a configuration may have no operators: their cuts are at 0.
    void stagesWithoutOperatorsAreReadAgain()
    {
        SessionDocument session = sample();
        session.models.front().pipeline->placement = StagePlacement{{0, 0, 8}, {0, 1, 0, 1}};
        const auto read = readSession(writeSession(session, "/data/desk.stow"), "/data/desk.stow");
        QVERIFY2(read, read ? "" : read.error().message.c_str());
        QVERIFY(*read == session);
    }

    /// An order is given to a program that lists the same ops, unless an op would read what is not written yet.
    void anOrderIsGivenToTheSameOps()
    {
        const Program listed = makers();
        Program moved = listed;
        moved.functions.front().regions.front().ops = {2, 0, 1};
        const auto order = changedOrder(listed, moved);
        QVERIFY(order && *order == (std::vector<ListedOps>{{"main", 0, {"make y", "make x", "use x"}}}));
        const auto given = withOrder(listed, *order);
        QVERIFY(given && *given == moved);
        QVERIFY(changedOrder(listed, listed)->empty());

        Program longer = listed;
        Function& entry = longer.functions.front();
        entry.ops.push_back(entry.ops[1]);
        entry.ops.back().name = "use x again";
        entry.regions.front().ops.push_back(3);
        QVERIFY(!changedOrder(listed, longer));
        QVERIFY(!withOrder(longer, *order));
        using Regions = std::vector<ListedOps>;
        for (const Regions& wrong :
             {Regions{{"main", 0, {"use x", "make x", "make y"}}}, Regions{{"main", 0, {"make x", "make x", "use x"}}},
              Regions{{"main", 0, {"make x", "use x"}}}, Regions{{"main", 1, {}}}, Regions{{"other", 0, {}}}})
            QVERIFY(!withOrder(listed, wrong));
    }

    /// A process that saves all the time is killed at thirty moments: what is there is one session or the other, whole.
    void aKillAtAnyMomentLeavesAWholeSession()
    {
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("last.stow"));
        const SessionDocument one = sample(), other = large();
        for (int round = 0; round < 30; ++round) {
            QProcess writer;
            writer.start(QCoreApplication::applicationFilePath(), {QString::fromLatin1(writesFor.data()), file});
            QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(file), 30'000); // an instrumented process takes long to begin
            QTest::qSleep(7 * round % 90);
            writer.kill();
            QVERIFY(writer.waitForFinished());
            QCOMPARE(writer.exitStatus(), QProcess::CrashExit);
            const auto text = io::readFile(file.toStdString());
            QVERIFY(text);
            const auto session = readSession(*text, "/data/desk.stow");
            QVERIFY2(session, session ? "" : session.error().message.c_str());
            QVERIFY(session->models.size() == one.models.size() || session->models.size() == other.models.size());
            QVERIFY(QFile::remove(file));
        }
    }

    /// Every cut of a good file is refused, none is read as another session.
    void everyCutIsRefused()
    {
        const std::string text = writeSession(sample(), "/data/desk.stow");
        for (std::size_t length = 0; length + 2 < text.size(); ++length)
            QVERIFY2(!readSession(text.substr(0, length), "x.stow"), std::to_string(length).c_str());
    }

    /// The example of the guide, which stands indented after "As `desk.stow`:".
    void theSessionOfTheGuideIsRead()
    {
        const auto page = io::readFile(STOWAGE_SOURCE_DIR "/resources/guide/file-formats.md");
        QVERIFY(bool(page));
        std::string text;
        bool inside = false;
        for (const QString& line : QString::fromStdString(*page).section(QStringLiteral("`desk.stow`:"), 1).split(u'\n')) {
            if (inside && !line.startsWith(QStringLiteral("    "))) break;
            inside |= line.startsWith(QStringLiteral("    "));
            if (inside) text += line.mid(4).toStdString() + '\n';
        }
        const auto session = readSession(text, "/desk/desk.stow");
        QVERIFY2(bool(session), session ? "" : session.error().message.c_str());
        QCOMPARE(session->models.size(), std::size_t(1));
        const SessionModel& model = session->models.front();
        QCOMPARE(model.path, std::string("/desk/relay.json"));
        QCOMPARE(model.target, std::string("board"));
        QCOMPARE(model.pools.size(), std::size_t(2));
        QCOMPARE(model.pins.size(), std::size_t(1));
        QCOMPARE(model.notes.front().text, std::string("the peak"));
        QCOMPARE(session->planners, (std::vector<std::string>{"auto", "greedy-by-size"}));
        QCOMPARE(session->timeLimitSeconds, 2.0);
    }

    /// A FIFO would be waited for, and a device has no end: neither has a hash.
    void onlyRegularFilesHaveAHash()
    {
        const QTemporaryDir folder;
        const QString fifo = folder.filePath("fifo"), file = folder.filePath("file");
        QCOMPARE(::mkfifo(fifo.toUtf8().constData(), 0600), 0);
        QVERIFY(!io::writeFile(file.toStdString(), "abc"));
        QCOMPARE(fileHash(file), std::string("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")); // FIPS 180-2
        for (const QString& other : {fifo, QStringLiteral("/dev/zero"), folder.path(), folder.filePath("absent")})
            QCOMPARE(fileHash(other), std::string());
        std::stop_source stop;
        stop.request_stop();
        QCOMPARE(fileHash(file, stop.get_token()), std::string());
    }
};

int main(int count, char** words)
{
    QCoreApplication application(count, words);
    if (count == 3 && std::string_view(words[1]) == writesFor) {
        // Until this process is ended: two sessions in turn, the second one large.
        const std::string one = writeSession(sample(), words[2]), other = writeSession(large(), words[2]);
        for (;;)
            for (const std::string* text : {&one, &other})
                if (io::writeFile(words[2], *text)) return 1;
    }
    SessionFileTest test;
    return QTest::qExec(&test, count, words);
}
#include "tst_session_file.moc"
