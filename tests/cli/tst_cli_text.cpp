// How the command line writes numbers and tables.
#include "app/cli/table.h"
#include "app/session/number_words.h"

#include <QTest>

#include <limits>

using namespace stowage;
using namespace stowage::cli;

namespace {

Table example()
{
    return {{{"name", "name", CellKind::text},
             {"size", "size (B)", CellKind::number},
             {"gap", "gap", CellKind::ratio},
             {"empty", "empty", CellKind::text},
             {"at", "at", CellKind::address}},
            {{std::string("größe"), std::int64_t{1234567}, 0.5, {}, std::int64_t{4096}},
             {std::string("a,\"b|c\""), std::int64_t{7}, {}, {}, {}}}};
}

} // namespace

class CliTextTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void longNamesKeepWhatDiffersOnATerminal()
    {
        // A layer's name as exporters write it: 300 characters, of which the number of the layer differs.
        Table table{
            {{"buffer", "buffer", CellKind::text}, {"size", "size (B)", CellKind::number}, {"made", "made by", CellKind::text}},
            {}};
        const std::string front(180, 'f'), back(110, 'b');
        for (int i = 0; i < 12; ++i)
            table.rows.push_back({front + "/layer_" + std::to_string(i) + "/" + back, std::int64_t{i}, std::string("conv")});
        const std::string text = toText(table, 80);
        QSet<QString> names;
        for (const QString& line : QString::fromStdString(text).split('\n', Qt::SkipEmptyParts).mid(1)) {
            QVERIFY2(line.size() <= 80, qPrintable(line));
            QVERIFY2(line.contains("layer_"), qPrintable(line));
            names.insert(line.trimmed().section("  ", 0, 0));
        }
        QCOMPARE(names.size(), 12);
        // Without a terminal they have at most 200 characters; in what programs read they are whole.
        QVERIFY(toText(table).find("layer_3/") != std::string::npos);
        QVERIFY(toCsv(table).find(front + "/layer_3/" + back) != std::string::npos);
        // Names that fit stay as they are.
        Table narrowTable{{{"buffer", "buffer", CellKind::text}}, {{std::string("conv2d/bias")}}};
        QCOMPARE(toText(narrowTable, 80), toText(narrowTable));
    }

    /// In both programs: the window's columns have room for four figures.
    void durationsHaveTheUnitThatSuits()
    {
        QCOMPARE(duration(0), std::string("0.0 ms"));
        QCOMPARE(duration(0.0004), std::string("1 µs")); // not nothing
        QCOMPARE(duration(0.0352), std::string("35 µs"));
        QCOMPARE(duration(0.0994), std::string("99 µs"));
        QCOMPARE(duration(0.0996), std::string("0.1 ms"));
        QCOMPARE(duration(0.2613), std::string("0.3 ms"));
        QCOMPARE(duration(12.54), std::string("12.5 ms"));
        QCOMPARE(duration(99.96), std::string("100 ms"));
        QCOMPARE(duration(999.2), std::string("999 ms"));
        QCOMPARE(duration(999.6), std::string("1.0 s"));
        QCOMPARE(duration(1236), std::string("1.2 s"));
        QCOMPARE(duration(59'940), std::string("59.9 s"));
        QCOMPARE(duration(59'960), std::string("1 min 0 s"));
        QCOMPARE(duration(312'000), std::string("5 min 12 s"));
    }

    void numbersAreGroupedByThree()
    {
        QCOMPARE(grouped(0), std::string("0"));
        QCOMPARE(grouped(999), std::string("999"));
        QCOMPARE(grouped(1000), std::string("1,000"));
        QCOMPARE(grouped(1234567), std::string("1,234,567"));
        QCOMPARE(grouped(-1234), std::string("-1,234"));
        QCOMPARE(grouped(-123), std::string("-123"));
        QCOMPARE(grouped(std::numeric_limits<std::int64_t>::min()), std::string("-9,223,372,036,854,775,808"));
        QCOMPARE(counted(1, "buffer"), std::string("1 buffer"));
        QCOMPARE(counted(2000, "buffer"), std::string("2,000 buffers"));
    }

    void percentagesDoNotHideWhatIsSmall()
    {
        QCOMPARE(percent(0), std::string("0.0 %"));
        QCOMPARE(percent(0.1667), std::string("16.7 %"));
        QCOMPARE(percent(0.0001), std::string("<0.1 %"));
        QCOMPARE(percent(2.5), std::string("250.0 %"));
    }

    void sizesAreReadInAllTheirForms_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<qint64>("bytes"); // -1: refused
        const auto row = [](const char* text, qint64 bytes) { QTest::newRow(text) << QByteArray(text) << bytes; };
        row("0", 0);
        row("65536", 65536);
        row("65536B", 65536);
        row("0x10000", 65536);
        row("64K", 65536);
        row("64k", 65536);
        row("64KiB", 65536);
        row("64KB", 65536);
        row("1.5MiB", 1572864);
        row("2G", qint64{2} << 30);
        row("4611686018427387904", qint64{1} << 62);
        row("4611686018427387905", -1);
        row("4294967296GiB", qint64{1} << 62);
        row("4294967297GiB", -1);
        row("", -1);
        row("-1", -1);
        row("1.5", -1);
        row("64Q", -1);
        row("64KiBs", -1);
        row("1e6", -1);
        row("0xfg", -1);
        row("K", -1);
        row("1..5M", -1);
    }
    void sizesAreReadInAllTheirForms()
    {
        QFETCH(QByteArray, text);
        QFETCH(qint64, bytes);
        QCOMPARE(parseBytes(text.toStdString()).value_or(-1), Bytes{bytes});
    }

    void roughSizesHaveThreeDigits()
    {
        QCOMPARE(roughly(12), std::string("12 B"));
        QCOMPARE(roughly(294912), std::string("288 KiB"));
        QCOMPARE(roughly(1536), std::string("1.50 KiB"));
        QCOMPARE(roughly(7631901), std::string("7.28 MiB"));
    }

    void textColumnsAreAlignedAndEmptyOnesLeftOut()
    {
        QCOMPARE(toText(example()), std::string("  name      size (B)     gap      at\n"
                                                "  größe    1,234,567  50.0 %  0x1000\n"
                                                "  a,\"b|c\"          7\n"));
    }

    void proseIsBrokenIntoTheRoomThatThereIs()
    {
        const Table table{{{"name", "name", CellKind::text}, {"what", "what", CellKind::prose}},
                          {{std::string("first"), std::string("some words about it that go on and on")},
                           {std::string("second"), std::string("few")}}};
        // Six columns for the names, two between and two in front: 26 of 36 are left for prose.
        QCOMPARE(toText(table, 36), std::string("  name    what\n"
                                                "  first   some words about it that\n"
                                                "          go on and on\n"
                                                "  second  few\n"));
        QCOMPARE(toText(table, 200), toText(table));
        QVERIFY(toText(table, 5).find("some words about it that\n") != std::string::npos); // no narrower than 24
    }

    void markdownIsEscaped()
    {
        QCOMPARE(toMarkdown(example()), std::string("| name | size (B) | gap | at |\n"
                                                    "| --- | ---: | ---: | ---: |\n"
                                                    "| größe | 1,234,567 | 50.0 % | 0x1000 |\n"
                                                    "| a,\"b\\|c\" | 7 |  |  |\n"));
    }

    /// By the rules of CommonMark: a backslash before punctuation is not shown. One mark of a pair, and what is inside a word,
    /// marks nothing.
    void markdownShowsNamesAsTheyAre_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QByteArray>("cell");
        const auto row = [](const char* name, const char* cell) { QTest::newRow(name) << QByteArray(name) << QByteArray(cell); };
        row("vector<f32>", "vector\\<f32>");
        row("tensor<4xf32>", "tensor<4xf32>"); // no name of an element begins with a digit
        row("a < b", "a < b");
        row("</table>", "\\</table>");
        row("<!-- x", "\\<!-- x");
        row("a&lt;b", "a\\&lt;b");
        row("a & b", "a & b");
        row("conv2d_1_relu", "conv2d_1_relu");
        row("__init__", "\\_\\_init\\_\\_");
        row("_x", "_x");
        row("*", "*");
        row("a*b*c", "a\\*b\\*c");
        row("`x`", "\\`x\\`");
        row("~~x~~", "\\~\\~x\\~\\~");
        row("[0, 5)", "[0, 5)");
        row("[text](http:x)", "[text\\](http:x)");
        row("a|b", "a\\|b");
        row("a\\|b", "a\\\\\\|b");
        row("caf\xe9\x1b", "caf\\xe9\\x1b"); // no text and no character for a terminal
    }
    void markdownShowsNamesAsTheyAre()
    {
        QFETCH(QByteArray, name);
        QFETCH(QByteArray, cell);
        const Table table{{{"name", "name", CellKind::text}}, {{name.toStdString()}}};
        QCOMPARE(QByteArray::fromStdString(toMarkdown(table)), "| name |\n| --- |\n| " + cell + " |\n");
    }

    void csvHasBareValuesAndAllColumns()
    {
        QCOMPARE(toCsv(example()), std::string("name,size,gap,empty,at\n"
                                               "größe,1234567,0.5,,4096\n"
                                               "\"a,\"\"b|c\"\"\",7,,,\n"));
    }

    void aTableWithoutRowsIsItsHead()
    {
        Table table = example();
        table.rows.clear();
        QCOMPARE(toCsv(table), std::string("name,size,gap,empty,at\n"));
        QVERIFY(toText(table).find_first_not_of(" \n") == std::string::npos);
    }
};

QTEST_GUILESS_MAIN(CliTextTest)
#include "tst_cli_text.moc"
