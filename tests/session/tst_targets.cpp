// Targets: installed ones, those of users, and changes to memories.
#include "app/session/resources.h"
#include "app/session/targets.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace stowage;

namespace {

Model modelWith(std::vector<Pool> pools)
{
    Program program;
    program.pools = std::move(pools);
    Model model;
    model.program = std::make_shared<const Program>(std::move(program));
    return model;
}

Pool named(const char* name, PoolKind kind = PoolKind::workspace)
{
    Pool pool;
    pool.name = name;
    pool.kind = kind;
    return pool;
}

} // namespace

class TargetsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyInstalledTargetCanBeReadAndIsComplete()
    {
        const QStringList files = QDir(resourcePath("targets")).entryList({"*.json"});
        QVERIFY(files.size() >= 4);
        const auto targets = installedTargets();
        QCOMPARE(targets.size(), static_cast<std::size_t>(files.size()));
        for (const Target& target : targets) {
            QVERIFY(files.contains(target.name + ".json")); // found by file name, so the two must agree
            QVERIFY2(!target.description.isEmpty() && !target.source.isEmpty(), qPrintable(target.name));
            QVERIFY(std::any_of(target.pools.begin(), target.pools.end(),
                                [](const Pool& p) { return p.kind == PoolKind::workspace; }));
            for (const Pool& pool : target.pools) QVERIFY2(!pool.description.empty(), qPrintable(target.name));
            QCOMPARE(findTarget(target.name)->pools, target.pools);
        }
    }

    void sizesAreThoseOfTheDataSheets()
    {
        const auto capacity = [](const char* target, const char* pool) {
            const auto found = findTarget(target);
            for (const Pool& p : found->pools)
                if (p.name == pool) return p.capacity.value_or(-1);
            return Bytes{-1};
        };
        QCOMPARE(capacity("cortex-m7", "dtcm"), Bytes{128} << 10);
        QCOMPARE(capacity("cortex-m7", "axi_sram"), Bytes{512} << 10);
        QCOMPARE(capacity("cortex-m7", "sram123"), Bytes{128 + 128 + 32} << 10);
        QCOMPARE(capacity("cortex-m55-ethos-u55", "sram"), Bytes{2} << 20);
        QCOMPARE(capacity("cortex-m55-ethos-u55", "dtcm"), Bytes{4 * 128} << 10);
        QCOMPARE(capacity("esp32-s3", "sram"), Bytes{416} << 10);
        QCOMPARE(capacity("esp32-s3", "psram"), Bytes{8} << 20);
        QCOMPARE(capacity("generic-1arena", "arena"), Bytes{-1}); // unbounded
    }

    /// Ascend's compiler has a name for each variant of a chip; sizes in bits are those that it plans with.
    void targetsAreFoundByTheCompilersNames()
    {
        const auto bits = [](const char* target, const char* pool) {
            const auto found = findTarget(QString::fromUtf8(target));
            if (!found) return Bytes{-2};
            for (const Pool& p : found->pools)
                if (p.name == pool) return p.capacity.value_or(-1) * 8;
            return Bytes{-3};
        };
        for (const char* name : {"Ascend910B1", "ascend910b4", "ASCEND910B3", "Ascend910_9362", "ascend910_9382"}) {
            QCOMPARE(bits(name, "ub"), Bytes{1572864});
            QCOMPARE(bits(name, "cbuf"), Bytes{4194304});
            QCOMPARE(bits(name, "cc"), Bytes{1048576});
            QCOMPARE(bits(name, "ca"), Bytes{524288});
        }
        QCOMPARE(bits("Ascend310B1", "ub"), Bytes{2097152});
        QCOMPARE(bits("Ascend310B1", "cbuf"), Bytes{8388608});
        QCOMPARE(bits("Ascend950PR_950z", "ub"), Bytes{2031616});
        QCOMPARE(bits("Ascend950PR_950z", "cc"), Bytes{2097152});
        QCOMPARE(findTarget("Ascend910B1")->name, QString("ascend910b"));
        QCOMPARE(findTarget("Ascend910_9362")->name, QString("ascend910_93"));
        QVERIFY(!findTarget("Ascend"));
    }

    void aTargetOfTheUserIsReadFromItsFile()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath("board.json");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(
            R"({"format": "stowage.target/1", "name": "board", "pools": [{"name": "ram", "capacity": 4096, "alignment": 8}]})");
        file.close();
        const auto target = findTarget(path);
        QVERIFY(target);
        QCOMPARE(target->name, QString("board"));
        QCOMPARE(target->pools.size(), std::size_t{1});
        QCOMPARE(target->pools[0].capacity, std::optional<Bytes>(4096));
        QCOMPARE(target->pools[0].alignment, Bytes{8});
    }

    void mistakesInATargetHaveAPlace_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("line");
        QTest::newRow("unknown field")
            << QByteArray("{\"format\": \"stowage.target/1\", \"name\": \"a\",\n\"pools\": [{\"name\": \"p\"}],\n\"colour\": 1}")
            << 3;
        QTest::newRow("unknown field of a pool")
            << QByteArray("{\"format\": \"stowage.target/1\", \"name\": \"a\",\n\"pools\": [{\"name\": \"p\", \"size\": 3}]}")
            << 2;
        QTest::newRow("negative capacity")
            << QByteArray(
                   "{\"format\": \"stowage.target/1\", \"name\": \"a\",\n\n\"pools\": [{\"name\": \"p\", \"capacity\": -1}]}")
            << 3;
        QTest::newRow("another format") << QByteArray("{\"format\": \"stowage.problem/1\"}") << 1;
        QTest::newRow("no pools") << QByteArray("{\"format\": \"stowage.target/1\", \"name\": \"a\"}") << 1;
        QTest::newRow("an empty list of pools")
            << QByteArray("{\"format\": \"stowage.target/1\", \"name\": \"a\",\n\"pools\": []}") << 2;
        QTest::newRow("two pools of one name")
            << QByteArray(
                   "{\"format\": \"stowage.target/1\", \"name\": \"a\",\n\"pools\": [{\"name\": \"p\"},\n{\"name\": \"p\"}]}")
            << 3;
    }
    void mistakesInATargetHaveAPlace()
    {
        QFETCH(QByteArray, text);
        QFETCH(int, line);
        const auto target = readTarget({text.constData(), static_cast<std::size_t>(text.size())}, "board.json");
        QVERIFY(!target);
        QCOMPARE(target.error().where.file, std::string("board.json"));
        QVERIFY2(target.error().where.line == line, toText(target.error()).c_str());
    }

    void anUnknownTargetNamesTheKnownOnes()
    {
        const auto target = findTarget("cortex-m77");
        QVERIFY(!target);
        QVERIFY(target.error().remedy.find("cortex-m7") != std::string::npos);
    }

    void aCapacityIsGivenToTheOnlyWorkspace()
    {
        PoolEdits edits;
        edits.capacity = 100;
        const auto edited = editedTarget(modelWith({}), {}, edits);
        QVERIFY(edited);
        QCOMPARE(edited->pools.size(), std::size_t{1});
        QCOMPARE(edited->pools[0].capacity, std::optional<Bytes>(100));
        const auto one = editedTarget(modelWith({named("flash", PoolKind::constant), named("ram")}), {}, edits);
        QVERIFY(one);
        QVERIFY(!one->pools[0].capacity);
        QCOMPARE(one->pools[1].capacity, std::optional<Bytes>(100));
        QVERIFY(!editedTarget(modelWith({named("a"), named("b")}), {}, edits));
    }

    void poolsAreChangedByNameOrMade()
    {
        PoolEdits edits;
        edits.pools = {{"b", 7}};
        const auto changed = editedTarget(modelWith({named("a"), named("b")}), {}, edits);
        QVERIFY(changed);
        QVERIFY(!changed->pools[0].capacity);
        QCOMPARE(changed->pools[1].capacity, std::optional<Bytes>(7));
        edits.pools = {{"fast", 7}, {"slow", 70}};
        const auto mistaken = editedTarget(modelWith({named("a"), named("b")}), {}, edits);
        QVERIFY(!mistaken);
        QVERIFY(mistaken.error().remedy.find("a, b") != std::string::npos);
        const auto made = editedTarget(modelWith({}), {}, edits);
        QVERIFY(made);
        QCOMPARE(made->pools.size(), std::size_t{2});
        QCOMPARE(made->pools[1].name, std::string("slow"));
        const auto replaced = editedTarget(modelWith({named("arena")}), {}, edits); // the arena of a CSV is nobody's wish
        QVERIFY(replaced);
        QCOMPARE(replaced->pools.size(), std::size_t{2});
    }

    void withoutEditsATargetStaysAsItIs()
    {
        const auto same = editedTarget(modelWith({named("a")}), {}, {});
        QVERIFY(same);
        QVERIFY(same->pools.empty()); // the model's own pools are taken then
    }
};

QTEST_GUILESS_MAIN(TargetsTest)
#include "tst_targets.moc"
