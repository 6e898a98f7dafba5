// The JSON layer: strict, positioned reading and deterministic writing.
#include "core/io/json_reader.h"
#include "core/io/json_writer.h"
#include "tests/support/seed_shift.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QObject>
#include <QTest>

#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

using namespace stowage;
using io::JsonReader;
using io::JsonWriter;

namespace {

/// What the malformed-input table is read with: every kind of value, required and optional fields, nesting.
struct Sample {
    std::string name;
    std::int64_t count = 0;
    double weight = 0;
    bool flag = false;
    std::optional<std::int64_t> limit;
    std::vector<std::int32_t> list;
    std::vector<std::string> names;
    std::size_t colour = 0;
};

constexpr std::string_view colours[] = {"red", "green"};

Sample readSample(JsonReader& in)
{
    Sample sample;
    in.object({"name"}, [&](std::string_view key) {
        if (key == "name")
            in.read(sample.name);
        else if (key == "count")
            in.read(sample.count, 0, 1000);
        else if (key == "weight")
            in.read(sample.weight);
        else if (key == "flag")
            in.read(sample.flag);
        else if (key == "limit")
            in.read(sample.limit, 0, 10);
        else if (key == "list")
            in.array([&] { in.read(sample.list.emplace_back()); });
        else if (key == "inner")
            in.array([&] {
                in.object({"id"}, [&](std::string_view k) {
                    if (k == "id") sample.names.emplace_back(in.string());
                });
            });
        else if (key == "colour")
            sample.colour = in.choice(colours);
    });
    in.finish();
    return sample;
}

} // namespace

class TestJson : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsEveryKindOfValue()
    {
        JsonReader in(
            "\xEF\xBB\xBF{\"name\": \"a\\u00e9\\n\\\"\", \"count\": 1000, \"weight\": -1.5e3, \"flag\": true, \"limit\": null,\n"
            "\"x-own\": {\"anything\": [1, {}, [], null, \"s\", 2.5, false]},\n"
            "\"list\": [1, -2147483648, 2147483647], \"inner\": [{\"id\": \"p\"}, {\"id\": \"q\", \"x-n\": 1}], \"colour\": "
            "\"green\"} \n",
            "f.json");
        const Sample sample = readSample(in);
        QVERIFY2(in.ok(), in.ok() ? "" : in.error().message.c_str());
        QCOMPARE(sample.name, std::string("a\xC3\xA9\n\""));
        QCOMPARE(sample.count, 1000);
        QCOMPARE(sample.weight, -1500.0);
        QVERIFY(sample.flag);
        QVERIFY(!sample.limit);
        QCOMPARE(sample.list, (std::vector<std::int32_t>{1, std::numeric_limits<std::int32_t>::min(), 2147483647}));
        QCOMPARE(sample.names, (std::vector<std::string>{"p", "q"}));
        QCOMPARE(sample.colour, std::size_t{1});
    }

    void refusesWithCodePathAndPosition_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("path"); // what the message begins with
        QTest::addColumn<int>("line");
        QTest::addColumn<int>("column");
        const auto row = [](const char* name, QByteArray text, const char* code, const char* path, int line, int column) {
            QTest::newRow(name) << text << code << path << line << column;
        };
        row("unknown field", "{\"name\": \"a\",\n  \"cuont\": 1}", "unknown-field", "cuont: ", 2, 3);
        row("unknown nested field", "{\"name\": \"a\", \"inner\": [{\"id\": \"\"},\n{\"id\": \"\", \"idd\": 2}]}",
            "unknown-field", "inner[1].idd: ", 2, 12);
        row("unknown field after x-", "{\"name\": \"a\", \"x-a\": 1,\n\"y-a\": 1}", "unknown-field", "y-a: ", 2, 1);
        row("missing field", "\n {\"count\": 1}", "missing-field", "the field 'name'", 2, 2);
        row("missing nested field", "{\"name\": \"a\", \"inner\": [\n{}]}", "missing-field", "inner[0]: the field 'id'", 2, 1);
        row("duplicate field", "{\"name\": \"a\",\n\"name\": \"b\"}", "duplicate-field", "name: ", 2, 1);
        row("duplicate by escape", "{\"name\": \"a\",\n\"n\\u0061me\": \"b\"}", "duplicate-field", "name: ", 2, 1);
        row("array for object", "[1]", "wrong-type", "expected an object, found an array", 1, 1);
        row("string for integer", "{\"name\": \"a\", \"count\": \"7\"}", "wrong-type",
            "count: expected an integer, found a string", 1, 24);
        row("fraction for integer", "{\"name\": \"a\", \"count\": 1.5}", "wrong-type", "count: expected an integer, found 1.5", 1,
            24);
        row("exponent for integer", "{\"name\": \"a\", \"count\": 1e2}", "wrong-type", "count: expected an integer, found 1e2", 1,
            24);
        row("null for integer", "{\"name\": \"a\", \"count\": null}", "wrong-type", "count: ", 1, 24);
        row("number for string", "{\"name\": 3}", "wrong-type", "name: expected a string, found a number", 1, 10);
        row("string for boolean", "{\"name\": \"a\", \"flag\": \"true\"}", "wrong-type", "flag: ", 1, 23);
        row("object for array", "{\"name\": \"a\", \"list\": {}}", "wrong-type", "list: expected an array, found an object", 1,
            23);
        row("below range", "{\"name\": \"a\", \"count\": -1}", "out-of-range", "count: -1 is outside 0 to 1000", 1, 24);
        row("above range", "{\"name\": \"a\", \"count\": 1001}", "out-of-range", "count: 1001", 1, 24);
        row("above 64 bits", "{\"name\": \"a\", \"count\": 99999999999999999999}", "out-of-range", "count: 99999999999999999999",
            1, 24);
        row("below 64 bits", "{\"name\": \"a\", \"count\": -9223372036854775809}", "out-of-range", "count: ", 1, 24);
        row("above 32 bits", "{\"name\": \"a\", \"list\": [1, 2147483648]}", "out-of-range", "list[1]: 2147483648", 1, 27);
        row("optional out of range", "{\"name\": \"a\", \"limit\": 11}", "out-of-range", "limit: 11", 1, 24);
        row("no such choice", "{\"name\": \"a\", \"colour\": \"blue\"}", "unknown-value", "colour: 'blue' is none of red, green",
            1, 25);
        row("empty", "", "syntax", "the text is empty", 1, 1);
        row("blank", " \n\t", "syntax", "the text is empty", 1, 1);
        row("scalar", "42", "syntax", "expected an object or an array", 1, 1);
        row("not JSON", "id,lower,upper,size\n", "syntax", "", 1, 1);
        row("open object", "{\"name\": \"a\"", "syntax", "the text ends too early", 1, 13);
        row("open array", "{\"name\": \"a\", \"list\": [1, 2", "syntax", "the text ends too early", 1, 28);
        row("mismatched brackets", "{\"name\": \"a\", \"list\": [1, 2}", "syntax", "", 1, 28);
        row("missing comma", "{\"name\": \"a\" \"count\": 1}", "syntax", "", 1, 14);
        row("missing colon", "{\"name\" \"a\"}", "syntax", "", 1, 9);
        row("trailing comma", "{\"name\": \"a\",}", "syntax", "", 1, 14);
        row("trailing comma in array", "{\"name\": \"a\", \"list\": [1,]}", "wrong-type|syntax", "", 1, 26);
        row("missing value", "{\"name\": }", "syntax", "", 1, 10);
        row("bare word", "{\"name\": nil}", "wrong-type|syntax", "", 1, 10);
        row("bad true", "{\"name\": \"a\", \"flag\": tru}", "syntax", "flag: expected true or false, found tru", 1, 23);
        row("bad number", "{\"name\": \"a\", \"count\": 12abc}", "wrong-type", "count: ", 1, 24);
        row("leading zero", "{\"name\": \"a\", \"count\": 012}", "wrong-type", "count: ", 1, 24);
        row("bad value under x-", "{\"name\": \"a\",\n\"x-y\": [tru]}", "syntax", "x-y[0]: ", 2, 9);
        row("open string", "{\"name\": \"a\",\n\"count", "syntax", "this string has no closing quote", 2, 1);
        row("line feed in string", "{\"name\":\n\"a\nb\"}", "syntax", "a control character", 2, 3);
        row("bad escape", "{\"name\":\n\"\\q\"}", "syntax", "this string has an escape", 2, 1);
        row("lone surrogate", "{\"name\": \"\\ud800\"}", "syntax", "this string has an escape", 1, 10);
        row("not UTF-8", "{\n\"name\": \"\xFF\"}", "syntax", "this line is not UTF-8", 2, 1);
        row("something behind", "{\"name\": \"a\"}\n{}", "syntax", "something follows", 2, 1);
        row("too deep", "{\"name\": \"a\", \"x-y\": " + QByteArray(600, '[') + QByteArray(600, ']') + "}", "too-deep", "x-y[0]",
            1, 22 + 511);
    }

    void refusesWithCodePathAndPosition()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, code);
        QFETCH(QString, path);
        QFETCH(int, line);
        QFETCH(int, column);
        JsonReader in({text.constData(), static_cast<std::size_t>(text.size())}, "f.json");
        readSample(in);
        QVERIFY(!in.ok());
        const QString told = QString::fromStdString(toText(in.error()));
        QVERIFY2(code.split('|').contains(QString::fromStdString(std::string(toText(in.error().code)))), qPrintable(told));
        QVERIFY2(QString::fromStdString(in.error().message).startsWith(path), qPrintable(told));
        QCOMPARE(in.error().where.file, std::string("f.json"));
        QVERIFY2(in.error().where.line == line && in.error().where.column == column, qPrintable(told));
    }

    void firstErrorSticks()
    {
        JsonReader in("{\"name\": 1, \"count\": \"x\"}", "");
        readSample(in);
        QVERIFY(!in.ok());
        in.fail(Code::badValue, "later");
        QCOMPARE(in.string(), std::string_view());
        QCOMPARE(in.integer(), 0);
        QVERIFY(!in.finish());
        QCOMPARE(in.error().message, std::string("name: expected a string, found a number"));
    }

    void findsDuplicatesInLargeObjectsInLinearTime()
    {
        std::string text = "{\"x-map\": {";
        for (int i = 0; i < 200'000; ++i) text += (i ? ", \"k" : "\"k") + std::to_string(i) + "\": 0";
        const std::string end = ", \"name\": \"\"}";
        JsonReader good(text + "}" + end, "");
        readSample(good);
        QVERIFY(good.ok());
        JsonReader bad(text + ",\n\"k777\": 0}" + end, "");
        readSample(bad);
        QVERIFY(!bad.ok());
        QCOMPARE(bad.error().code, Code::duplicateField);
        QCOMPARE(bad.error().where.line, 2);
    }

    void survivesTruncationAtEveryByte()
    {
        const std::string text =
            "{\"name\": \"a\\u00e9\", \"count\": 10, \"weight\": -1.5e3, \"flag\": true, \"limit\": null, \"list\": [1, -2],\n"
            "\"x-own\": {\"a\": [1, {}, []]}, \"inner\": [{\"id\": \"p\"}]}";
        for (std::size_t length = 0; length < text.size(); ++length) {
            JsonReader in(text.substr(0, length), "");
            readSample(in);
            QVERIFY2(!in.ok(), std::to_string(length).c_str());
        }
    }

    void acceptsOnlyWhatAnotherParserAccepts()
    {
        const unsigned seed = 20261120;
        std::mt19937 random(seed + stowage::test::seedShift());
        const std::string text =
            "{\"name\": \"a\\u00e9\", \"count\": 10, \"weight\": -1.5e3, \"flag\": true, \"limit\": null, \"list\": [1, -2], "
            "\"x-own\": {\"a\": [1, {}, []]}, \"inner\": [{\"id\": \"p\"}]}";
        const std::string_view alphabet = "{}[]\",:\\ 0123456789-+.eEtfnrualsx\n\x80\x01";
        int accepted = 0;
        for (int round = 0; round < 20'000; ++round) {
            std::string mutated = text;
            const int changes = 1 + static_cast<int>(random() % 3);
            for (int i = 0; i < changes; ++i) {
                const std::size_t at = random() % mutated.size();
                const char c = alphabet[random() % alphabet.size()];
                switch (random() % 3) {
                case 0: mutated[at] = c; break;
                case 1: mutated.insert(at, 1, c); break;
                default: mutated.erase(at, 1 + random() % 3);
                }
            }
            JsonReader in(mutated, "");
            readSample(in);
            if (!in.ok()) continue;
            ++accepted;
            const QByteArray bytes(mutated.data(), static_cast<qsizetype>(mutated.size()));
            QVERIFY2(QJsonDocument::fromJson(bytes).isObject(),
                     qPrintable(QStringLiteral("seed %1: %2").arg(seed).arg(QString::fromUtf8(bytes))));
        }
        QVERIFY(accepted > 100);
    }

    void writtenTextReadsBackEqual()
    {
        const std::string strange =
            std::string("q\"b\\s/\b\f\n\r\t\x01\x1f\x7f \xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80", 27) + '\0';
        JsonWriter out;
        out.object([&] {
            out.field("strange", strange);
            out.field("low", std::numeric_limits<std::int64_t>::min());
            out.field("high", std::numeric_limits<std::uint64_t>::max());
            out.field("tenth", 0.1);
            out.field("whole", 1.0);
            out.field("yes", true);
            out.array("empty", [] {});
            out.array("rows", [&] {
                for (int i = 0; i < 2; ++i)
                    out.object(JsonWriter::compact, [&] {
                        out.field("i", i);
                        out.array("live", [&] {
                            out.array([&] {
                                out.value(0);
                                out.value(5);
                            });
                        });
                    });
            });
            out.key("nothing");
            out.null();
        });
        const std::string text = std::move(out).text();
        const std::size_t from = text.find("\n \"low\"");
        QVERIFY(from != std::string::npos);
        QCOMPARE(
            text.substr(from),
            std::string("\n \"low\": -9223372036854775808,\n \"high\": 18446744073709551615,\n \"tenth\": 0.1,\n \"whole\": 1,\n"
                        " \"yes\": true,\n \"empty\": [],\n \"rows\": [\n  {\"i\": 0, \"live\": [[0, 5]]},\n"
                        "  {\"i\": 1, \"live\": [[0, 5]]}\n ],\n \"nothing\": null\n}\n"));
        const QJsonObject back = QJsonDocument::fromJson(QByteArray::fromStdString(text)).object();
        QCOMPARE(back["strange"].toString().toStdString(), strange);
        std::string again;
        JsonReader in(text, "");
        in.object([&](std::string_view key) { key == "strange" ? in.read(again) : in.skip(); });
        QVERIFY(in.finish());
        QCOMPARE(again, strange);
    }

    void bytesThatAreNotUtf8AreReplaced()
    {
        const std::pair<std::string, std::string> cases[] = {
            {"a\xFFz", "a\xEF\xBF\xBDz"},
            {"\xC3", "\xEF\xBF\xBD"},
            {"\xC0\x80", "\xEF\xBF\xBD\xEF\xBF\xBD"},                                 // overlong
            {"\xED\xA0\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"},                 // surrogate
            {"\xF4\x90\x80\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"}, // above U+10FFFF
        };
        for (const auto& [raw, expected] : cases) {
            JsonWriter out;
            out.array(JsonWriter::compact, [&] { out.value(raw); });
            QCOMPARE(std::move(out).text(), "[\"" + expected + "\"]\n");
        }
    }

    void doublesReadBackBitForBit()
    {
        const unsigned seed = 7;
        std::mt19937_64 random(seed + stowage::test::seedShift());
        for (int i = 0; i < 20'000; ++i) {
            double number = 0;
            const std::uint64_t bits = random();
            std::memcpy(&number, &bits, sizeof number);
            JsonWriter out;
            out.array(JsonWriter::compact, [&] { out.value(number); });
            const std::string text = std::move(out).text();
            if (number - number != 0) {
                QCOMPARE(text, std::string("[null]\n"));
                continue;
            }
            double back = 0;
            JsonReader in(text, "");
            in.array([&] { back = in.number(); });
            QVERIFY2(in.finish() && back == number, text.c_str());
        }
    }
};

QTEST_GUILESS_MAIN(TestJson)
#include "tst_json.moc"
