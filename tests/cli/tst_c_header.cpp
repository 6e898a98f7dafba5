// export --as c-header: it compiles as C11 and C++ without a warning, its macros say what the plan says, its arrays lie where
// they should.
#include "tests/cli/cli_process.h"

#include <QRegularExpression>
#include <QTest>

using namespace stowage::test;

class TestCHeader : public QObject {
    Q_OBJECT

private:
    Cli cli_;

    /// What a tool prints; fails the test where it does not end with 0.
    static QByteArray run(const QString& program, const QStringList& arguments, QByteArray* out = nullptr)
    {
        QProcess process;
        process.start(program, arguments);
        if (!process.waitForFinished(60'000)) return program.toUtf8() + " does not end";
        if (out) *out = process.readAllStandardOutput();
        return process.exitCode() == 0
                   ? QByteArray()
                   : program.toUtf8() + ": " + process.readAllStandardError() + process.readAllStandardOutput();
    }

    static QString macroOf(QString name) { return name.toUpper().replace(QRegularExpression("[^A-Z0-9_]"), "_"); }

private Q_SLOTS:
    void initTestCase()
    {
        QProcess process;
        process.start("cc", {"--version"});
        if (!process.waitForFinished() || process.exitCode() != 0) QSKIP("there is no C compiler");
    }

    void everyBufferAndPoolIsSaid()
    {
        const QString file = Cli::sample("microcontroller_two_memories.json");
        const auto plan = cli_({"plan", file, "--format", "json"});
        QVERIFY2(plan.status == 0, plan.err);
        const auto made = cli_({"export", file, "--as", "c-header", "-o", cli_.path("spotter.h")});
        QVERIFY2(made.status == 0, made.err);

        // A program that includes it twice and compares every number with the plan's own document.
        QString checks;
        int number = 0;
        const auto expect = [&](const QString& macro, qint64 value) {
            checks += QStringLiteral("    if (%1 != %2) return %3;\n").arg(macro).arg(value).arg(++number % 200 + 1);
        };
        const QString prefix = "MICROCONTROLLER_TWO_MEMORIES_";
        for (const QJsonValue& placement : plan.object()["placements"].toArray()) {
            const QString macro = prefix + macroOf(placement["buffer"].toString());
            expect(macro + "_OFFSET", placement["offset"].toInt());
            expect(macro + "_SIZE", placement["size"].toInt());
        }
        QStringList arrays;
        for (const QJsonValue& pool : plan.object()["pools"].toArray()) {
            const QString name = pool["name"].toString();
            expect(prefix + macroOf(name) + "_SIZE", pool["size"].toInt());
            expect(prefix + macroOf(name) + "_CAPACITY", pool["capacity"].toInt());
            const bool constant = name == "flash"; // the sample's only pool of constants
            if (!constant && pool["size"].toInt() > 0) arrays += name;
        }
        QVERIFY(number > 20);
        QCOMPARE(arrays, (QStringList{"dtcm", "sram", "retained"}));
        const QString array = "microcontroller_two_memories_";
        for (const QString& name : arrays)
            checks += QStringLiteral("    if ((uintptr_t)%1%2 % %3%4_ALIGNMENT != 0 || sizeof %1%2 != %3%4_SIZE) return 250;\n")
                          .arg(array, name, prefix, name.toUpper());
        const QByteArray user =
            ("#include \"spotter.h\"\n#include \"spotter.h\"\nint main(void)\n{\n" + checks + "    return 0;\n}\n").toUtf8();
        const QByteArray definer = "#define MICROCONTROLLER_TWO_MEMORIES_DEFINE_POOLS\n#include \"spotter.h\"\n";
        cli_.file("user.c", user);
        cli_.file("pools.c", definer);
        cli_.file("pools.cpp", definer);

        const QStringList strict{"-Wall", "-Wextra", "-Werror", "-pedantic"};
        const QByteArray c =
            run("cc", QStringList{"-std=c11", "-o", cli_.path("app"), cli_.path("user.c"), cli_.path("pools.c")} + strict);
        QVERIFY2(c.isEmpty(), c);
        QVERIFY2(run(cli_.path("app"), {}).isEmpty(), "a number differs");
        // C++ defines, C uses: the names are C's.
        for (const char* standard : {"-std=c++14", "-std=c++20"}) {
            const QByteArray object =
                run("c++", QStringList{standard, "-c", "-o", cli_.path("pools.o"), cli_.path("pools.cpp")} + strict);
            QVERIFY2(object.isEmpty(), object);
            const QByteArray mixed =
                run("cc", QStringList{"-std=c11", "-o", cli_.path("mixed"), cli_.path("user.c"), cli_.path("pools.o")} + strict);
            QVERIFY2(mixed.isEmpty(), mixed);
            QVERIFY2(run(cli_.path("mixed"), {}).isEmpty(), "a number differs");
        }

        // Each array is in the section of its memory, which takes no room in the file, unless a macro says otherwise.
        QByteArray symbols;
        const QByteArray plain =
            run("cc", QStringList{"-std=c11", "-c", "-o", cli_.path("plain.o"), cli_.path("pools.c")} + strict);
        QVERIFY2(plain.isEmpty(), plain);
        QVERIFY(run("objdump", {"-t", cli_.path("plain.o")}, &symbols).isEmpty());
        for (const QString& name : arrays) {
            const QRegularExpression row("\\.bss\\." + name + "\\s+\\w+\\s+" + array + name + "\n");
            QVERIFY2(row.match(QString::fromUtf8(symbols)).hasMatch(), symbols);
        }
        QByteArray sections;
        QVERIFY(run("objdump", {"-h", cli_.path("plain.o")}, &sections).isEmpty());
        const int at = sections.indexOf(".bss.dtcm");
        QVERIFY(at > 0 && !sections.mid(at, sections.indexOf('\n', sections.indexOf('\n', at) + 1) - at).contains("CONTENTS"));
        const QByteArray moved = run(
            "cc", QStringList{"-std=c11", "-c", "-DMICROCONTROLLER_TWO_MEMORIES_DTCM_SECTION=__attribute__((section(\".itcm\")))",
                              "-DMICROCONTROLLER_TWO_MEMORIES_SRAM_SECTION=", "-o", cli_.path("moved.o"), cli_.path("pools.c")} +
                      strict);
        QVERIFY2(moved.isEmpty(), moved);
        QVERIFY(run("objdump", {"-t", cli_.path("moved.o")}, &symbols).isEmpty());
        QVERIFY2(QRegularExpression("\\.itcm\\s+\\w+\\s+" + array + "dtcm\n").match(QString::fromUtf8(symbols)).hasMatch(),
                 symbols);
        QVERIFY2(QRegularExpression("\\.bss\\s+\\w+\\s+" + array + "sram\n").match(QString::fromUtf8(symbols)).hasMatch(),
                 symbols);
        QCOMPARE(cli_.contents("spotter.h").count("#include"), 2);
    }

    void hostileNamesStayNames()
    {
        const QByteArray end = QByteArray("*") + "/"; // of a comment
        const QByteArray problem = "{'format': 'stowage.problem/1', 'name': 'p', 'pools': [{'name': 'SIZE " + end +
                                   " int x;'}], 'buffers': [{'name': 'a b', 'size': 4, 'live': [[0, 2]]}, "
                                   "{'name': 'a_b', 'size': 4, 'live': [[0, 2]]}, {'name': '" +
                                   end + " #error \\\\', 'size': 4, 'live': [[0, 2]]}, {'name': 'SIZE " + end +
                                   " int x;', 'size': 4, 'live': [[0, 2]]}, {'name': '9', 'size': 4, 'live': [[0, 2]]}]}";
        const QString file = cli_.file("odd-name.json", QByteArray(problem).replace('\'', '"'));
        const auto made = cli_({"export", file, "--as", "c-header", "-o", cli_.path("out")});
        QVERIFY2(made.status == 0, made.err);
        cli_.file("odd.c", "#define ODD_NAME_DEFINE_POOLS\n#include \"out/odd_name.h\"\nint main(void) { return 0; }\n");
        const QByteArray said =
            run("cc", {"-std=c11", "-Wall", "-Wextra", "-Werror", "-pedantic", "-o", cli_.path("odd"), cli_.path("odd.c")});
        QVERIFY2(said.isEmpty(), said + cli_.contents("out/odd_name.h"));
        QVERIFY(cli_.contents("out/odd_name.h").contains("#define ODD_NAME_BUFFER_SIZE")); // called like its pool
        QVERIFY2(made.err.contains("a_b") || made.err.contains("a b"), made.err);          // the clash is told
    }

    void aModelMayBeginWithADigit()
    {
        const auto made = cli_({"export", cli_.file("2net.csv", threeBuffers), "--as", "c-header", "-o", cli_.path("digit")});
        QVERIFY2(made.status == 0, made.err);
        cli_.file("digit.c", "#define X2NET_DEFINE_POOLS\n#include \"digit/x2net.h\"\n"
                             "int main(void) { return sizeof x2net_arena == X2NET_ARENA_SIZE && X2NET_B_SIZE == 20 ? 0 : 1; }\n");
        const QByteArray said = run(
            "cc", {"-std=c11", "-Wall", "-Wextra", "-Werror", "-pedantic", "-o", cli_.path("digit_app"), cli_.path("digit.c")});
        QVERIFY2(said.isEmpty(), said + cli_.contents("digit/x2net.h"));
        QVERIFY2(run(cli_.path("digit_app"), {}).isEmpty(), "a number differs");
    }

    /// 'refined' alternates between two addresses, of which a macro could say one. Slots are addresses of their own.
    void whatRotatesIsRefused()
    {
        const QString header = cli_.path("rotating.h");
        const auto refused =
            cli_({"export", Cli::sample("refine_loop.json"), "--as", "c-header", "--planner", "nnc-merge", "-o", header});
        QCOMPARE(refused.status, 2);
        QVERIFY2(refused.err.contains("'refined'") && refused.err.contains("loops=conservative"), refused.err);
        QVERIFY(!QFile::exists(header));
        const auto slots = cli_({"export", Cli::sample("double_buffered_matmul.json"), "--as", "c-header", "-o", header});
        QVERIFY2(slots.status == 0 && cli_.contents("rotating.h").contains("A_TILE_OFFSET_1 "), slots.err);
    }

    /// Both would define DET_HEAD_CONV_OFFSET, or have the guard NET_PLAN_H: an application could not include both.
    void headersOfOneExportDoNotClash()
    {
        const auto table = [&](const char* name, const char* buffer) {
            return cli_.file(name, QByteArray("id,lower,upper,size\n") + buffer + ",0,2,4\n");
        };
        const auto exported = [&](const QString& first, const QString& second) {
            return cli_({"export", first, second, "--as", "c-header", "-o", cli_.path("together")});
        };
        const auto macro = exported(table("det.csv", "head/conv"), table("det_head.csv", "conv"));
        QCOMPARE(macro.status, 2);
        QVERIFY2(macro.err.contains("'det.h'") && macro.err.contains("'det_head.h'"), macro.err);
        QVERIFY2(macro.err.contains("DET_HEAD_CONV_OFFSET"), macro.err);
        const auto guard = exported(table("Net.csv", "a"), table("net.csv", "b"));
        QCOMPARE(guard.status, 2);
        QVERIFY2(guard.err.contains("NET_PLAN_H"), guard.err);
        const auto apart = exported(table("first.csv", "a"), table("second.csv", "a"));
        QVERIFY2(apart.status == 0, apart.err);
    }

    /// C11, 6.2.8: "Every valid alignment value shall be a nonnegative integral power of two."
    void arraysAreAlignedToPowersOfTwo()
    {
        const QByteArray problem = R"({"format": "stowage.problem/1", "name": "odd", "pools": [{"name": "bank", "alignment": %1}],
            "buffers": [{"name": "a", "size": 4, "alignment": 2, "live": [[0, 1]]}]})";
        const auto result = [&](const char* alignment) {
            return cli_({"export", cli_.file("odd.json", QByteArray(problem).replace("%1", alignment)), "--as", "c-header", "-o",
                         cli_.path("odd.h")});
        };
        const auto odd = result("48");
        QCOMPARE(odd.status, 2);
        QVERIFY2(odd.err.contains("'bank'") && odd.err.contains("48") && odd.err.contains("powers of two"), odd.err);
        QVERIFY(!QFile::exists(cli_.path("odd.h")));
        QCOMPARE(result("64").status, 0);
    }
};

QTEST_GUILESS_MAIN(TestCHeader)
#include "tst_c_header.moc"
