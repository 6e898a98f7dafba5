// The command line of a report: the options that give the same pools, or what no option can say.
#include "app/session/again_command.h"
#include "tests/support/paths.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <memory>

using namespace stowage;

class TestAgainCommand : public QObject {
    Q_OBJECT

    Session session_;
    QTemporaryDir folder_;
    Model model_;

    /// The command for the plan of `request`, whose target has the pools that differ.
    AgainCommand commandOf(const Model& model, const PlanRequest& request) const
    {
        PlanRequest planned = request;
        planned.planner = "greedy-by-size";
        const auto run = session_.planNow(model, planned);
        return run ? againCommand(session_, model, request, **run, "net.json", {}) : AgainCommand{};
    }
    AgainCommand commandFor(const Target& target) const
    {
        PlanRequest request;
        request.target = target;
        return commandOf(model_, request);
    }
    /// A target file with two pools, whose alignments no other option says.
    QString targetFile(const QString& name) const
    {
        QFile file(folder_.filePath(name));
        if (!file.open(QIODevice::WriteOnly)) return {};
        file.write(R"({"format": "stowage.target/1", "name": "two", "pools": [
                       {"name": "fast", "capacity": 40960, "alignment": 256}, {"name": "slow", "alignment": 256}]})");
        return file.fileName();
    }
    static bool says(const std::string& text, const char* words) { return text.find(words) != std::string::npos; }

private Q_SLOTS:
    void initTestCase()
    {
        qunsetenv("STOWAGE_PLUGIN_PATH");
        auto read = session_.read(QStringLiteral(STOWAGE_SOURCE_DIR "/resources/samples/mobilenet_v1_025.json"));
        QVERIFY2(bool(read), read ? "" : toText(read.error()).c_str());
        model_ = *std::move(read);
    }

    void theModelsOwnPoolsNeedNoOption()
    {
        QCOMPARE(commandFor({}).line, std::string("stowage-cli export net.json --as report --planner auto -o report.html"));
        Target own; // as the window has them once a capacity was typed and taken back
        own.name = "own pools*";
        own.pools.emplace_back().name = "arena";
        QCOMPARE(commandFor(own).line, commandFor({}).line);
        own.pools.front().capacity = 120'000;
        QVERIFY2(says(commandFor(own).line, " --pool arena=120000 "), commandFor(own).line.c_str());
    }

    void aTargetIsNamedWithTheCapacitiesThatWereEdited()
    {
        auto target = session_.target(QStringLiteral("cortex-m7"));
        QVERIFY(bool(target));
        QVERIFY2(says(commandFor(*target).line, " --target cortex-m7 --planner"), commandFor(*target).line.c_str());
        target->name += u'*'; // edited in the window
        target->pools.front().capacity = 200'000;
        const std::string line = commandFor(*target).line;
        QVERIFY2(says(line, (" --target cortex-m7 --pool " + target->pools.front().name + "=200000 ").c_str()), line.c_str());
        target->pools.front().capacity.reset(); // no option takes a capacity away
        QVERIFY(commandFor(*target).line.empty());
        QVERIFY(says(commandFor(*target).whyNot, "--target FILE"));
    }

    void aTargetFileIsNamedWithoutItsFolder()
    {
        const auto target = session_.target(targetFile("two.json"));
        QVERIFY(bool(target));
        QVERIFY2(says(commandFor(*target).line, " --target two.json --planner"), commandFor(*target).line.c_str());
        // A name alone would be that of the installed target.
        const auto shadowed = session_.target(targetFile("cortex-m7"));
        QVERIFY(bool(shadowed));
        QCOMPARE(shadowed->file, folder_.filePath("cortex-m7"));
        QVERIFY2(says(commandFor(*shadowed).line, " --target ./cortex-m7 "), commandFor(*shadowed).line.c_str());
        // The same pools, of which nobody knows the file any more.
        Target lost = *target;
        lost.file.clear();
        QVERIFY(commandFor(lost).line.empty());
        QVERIFY(says(commandFor(lost).whyNot, "--target FILE"));
    }

    void poolsOfTvmAreSaidByItsFlags()
    {
        Target target;
        target.pools.resize(2);
        target.pools[0].name = "a";
        target.pools[0].targets = {"c", "accel"};
        target.pools[0].capacity = 150'000;
        target.pools[1].name = "w";
        target.pools[1].kind = PoolKind::constant;
        const std::string line = commandFor(target).line;
        QVERIFY2(says(line, " --with-workspace-buffer 'name=a;target=c,accel;size=150000' --with-parameter-buffer name=w "),
                 line.c_str());
        std::ranges::reverse(target.pools); // the flags name workspaces first
        QVERIFY(commandFor(target).line.empty());
    }

    void howTheFileIsReadIsSaid()
    {
        Model model = model_;
        model.options.importer = "program";
        QVERIFY(says(commandOf(model, {}).line, " --importer program "));
        model.path = "-";
        QVERIFY(commandOf(model, {}).line.starts_with("stowage-cli export - --as report "));
        model.path.clear(); // pasted text
        QVERIFY(commandOf(model, {}).line.empty());
        QCOMPARE(commandOf(model, {}).whyNot, std::string("not from the command line: the input is in no file"));
    }

    void whatNoOptionSaysIsTold()
    {
        PlanRequest request;
        request.pins.push_back({"image", "arena", 0});
        request.changes.resize(2);
        request.planner = "doorbell.log";
        const AgainCommand command = commandOf(model_, request);
        QVERIFY(command.line.empty());
        QCOMPARE(command.whyNot, std::string("not from the command line: 1 pinned buffer; 2 changes; no planner made the plan"));
    }

    void editedOpsAreNotThoseOfTheFile()
    {
        auto program = std::make_shared<Program>(*model_.program);
        program->functions.front().ops.front().name += " (edited)";
        const Model edited = withProgram(model_, std::move(program));
        QVERIFY(commandOf(edited, {}).line.empty());
        QVERIFY(says(commandOf(edited, {}).whyNot, "its ops were edited"));
        // A run of before, and one after the edit was undone.
        PlanRequest request;
        request.planner = "greedy-by-size";
        const auto before = session_.planNow(model_, request);
        QVERIFY(bool(before));
        QVERIFY(!againCommand(session_, edited, request, **before, "net.json", {}).line.empty());
        QVERIFY(!commandOf(withProgram(edited, model_.program), {}).line.empty());
    }
};

QTEST_GUILESS_MAIN(TestAgainCommand)
#include "tst_again_command.moc"
