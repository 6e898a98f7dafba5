// Text on axes and buffers: ticks, labels that are never cut inside a part, op codes.
#include "app/canvas/axis/label_fit.h"
#include "app/canvas/axis/names_apart.h"
#include "app/canvas/axis/op_codes.h"
#include "app/canvas/axis/ticks.h"
#include "app/canvas/kit/number_text.h"

#include <QRegularExpression>
#include <QTest>

#include <cmath>
#include <set>

using namespace stowage;

namespace {

/// Ten pixels a character for names, eight for numbers; "…" is one character of three bytes.
double measure(std::string_view text, bool number)
{
    std::size_t characters = 0;
    for (const char c : text) characters += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    return double(characters) * (number ? 8 : 10);
}

} // namespace

class TestLabels : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Rows that all end in "/Relu6" tell nothing: the end that is common goes first, as late as there is need for room.
    void aCommonEndGoesBeforeWhatDiffers()
    {
        const std::vector<std::string_view> names{"conv1/bn/Relu6", "conv2/bn/Relu6", "conv10/bn/Relu6", "conv11/bn/Relu6",
                                                  "logits"};
        QCOMPARE(commonSuffix(names), std::string("/bn/Relu6"));
        QCOMPARE(withoutSuffix("conv10/bn/Relu6", "/bn/Relu6"), std::string_view("conv10"));
        QCOMPARE(withoutSuffix("/bn/Relu6", "/bn/Relu6"), std::string_view("/bn/Relu6"));
        const MeasureText letters = [](std::string_view text, bool) { return double(text.size()); };
        QCOMPARE(shortenedName("conv10/bn/Relu6", 20, letters, true, "/bn/Relu6"), std::string("conv10/bn/Relu6"));
        QCOMPARE(shortenedName("conv10/bn/Relu6", 12, letters, true, "/bn/Relu6"), std::string("conv10"));
        QVERIFY(commonSuffix(std::vector<std::string_view>{"a/x", "b/y", "c/z", "d/x"}).empty());
        QVERIFY(commonSuffix(std::vector<std::string_view>{"a/x", "b/x"}).empty());
    }

    void whatNearlyAllNamesHaveInCommonIsLeftOut()
    {
        using Names = std::vector<std::string_view>;
        QCOMPARE(commonPrefix(Names{"net/net/a/x", "net/net/b/x", "net/net/c/x", "net/net/d/x"}), std::string("net/net/"));
        QCOMPARE(commonPrefix(Names{"net/a", "net/b", "net/c", "input"}), std::string()); // one in four goes without
        Names many(19, "net/a");
        many.push_back("input");
        QCOMPARE(commonPrefix(many), std::string("net/"));                            // one in twenty
        QCOMPARE(commonPrefix(Names{"a/b", "a/b", "a/b", "a/b"}), std::string("a/")); // the last part always stays
        QCOMPARE(commonPrefix(Names{"a/", "a/", "a/", "a/"}), std::string());
        QCOMPARE(commonPrefix(Names{"a/b", "a/c", "a/d"}), std::string()); // too few to speak of
        QCOMPARE(commonPrefix(Names{}), std::string());
        QCOMPARE(withoutPrefix("net/a", "net/"), std::string_view("a"));
        QCOMPARE(withoutPrefix("input", "net/"), std::string_view("input"));
        QCOMPARE(withoutPrefix("net/", "net/"), std::string_view("net/"));
    }

    void stepTicksAreRoundAndFarEnoughApart()
    {
        QCOMPARE(stepTicks(80), (TickSpacing{1, 1}));
        QCOMPARE(stepTicks(20), (TickSpacing{5, 1}));
        QCOMPARE(stepTicks(12), (TickSpacing{5, 1}));
        QCOMPARE(stepTicks(4), (TickSpacing{20, 2}));
        QCOMPARE(stepTicks(0.001), (TickSpacing{100000, 10000}));
        for (double scale = 1e-7; scale < 1000; scale *= 1.37) {
            const TickSpacing ticks = stepTicks(scale);
            QVERIFY(double(ticks.major) * scale >= 60);
            QVERIFY(ticks.major == 1 || double(ticks.major) * scale < 60 * 2.5); // the next finer one would be too close
            QCOMPARE(ticks.major % ticks.minor, std::int64_t(0));
            std::int64_t digits = ticks.major;
            while (digits % 10 == 0) digits /= 10;
            QVERIFY(digits == 1 || digits == 2 || digits == 5);
        }
    }

    void addressTicksArePowersOfTwo()
    {
        QCOMPARE(addressTicks(0.1).major, std::int64_t(512));
        for (double scale = 1e-15; scale < 100; scale *= 1.7) {
            const std::int64_t major = addressTicks(scale).major;
            QCOMPARE(major & (major - 1), std::int64_t(0));
            QVERIFY(double(major) * scale >= 36);
        }
    }

    void ticksCoverTheVisibleRange()
    {
        PixelAxis axis(0, 1000, 1, 500);
        axis.show({{13, 0.5}, 50});
        QCOMPARE(ticksIn(axis, 10), (std::vector<std::int64_t>{20, 30, 40, 50, 60}));
        axis.show({{20, 0}, 40});
        QCOMPARE(ticksIn(axis, 20), (std::vector<std::int64_t>{20, 40, 60})); // both ends are in it
        QCOMPARE(ticksIn(axis, 1, 5).size(), std::size_t(5));
    }

    void aScaleEndsAtARoundValueCloseAboveTheData()
    {
        for (Bytes value = 1; value < 100000; value += 37) {
            const Bytes top = niceTop(value);
            QVERIFY(top >= value);
            QVERIFY(value < 8 || double(top) <= double(value) * 1.26);
        }
        QCOMPARE(niceTop(4096), Bytes(4096));
        QCOMPARE(niceTop(4097), Bytes(5120));
    }

    /// "0" means nothing: a few bytes have the decimals that show them.
    void fewBytesAreNotZeroKibibytes()
    {
        const NumberFormat kibibytes{.unit = NumberFormat::Unit::kibibytes, .hexAddresses = false};
        QCOMPARE(bytesText(0, kibibytes), QStringLiteral("0 KiB"));
        QCOMPARE(bytesText(4, kibibytes), QStringLiteral("0.004 KiB")); // 1 / 256 = 0.00390625
        QCOMPARE(bytesText(-1, kibibytes), QStringLiteral("-0.001 KiB"));
        QCOMPARE(bytesText(1285, kibibytes), QStringLiteral("1.25 KiB"));
        for (Bytes bytes = 1; bytes < 2000; ++bytes) {
            const double read = bytesNumber(bytes, kibibytes).toDouble();
            QVERIFY2(read > 0 && std::abs(read * 1024 - double(bytes)) < 5.13, qPrintable(QString::number(bytes)));
        }
    }

    /// Addresses are bytes in every unit of sizes, and say so where sizes are in another one.
    void addressesAtAnAxisNameTheirUnitBesideOtherUnits()
    {
        using Unit = NumberFormat::Unit;
        QCOMPARE(axisAddressText(16384, {.unit = Unit::bytes, .hexAddresses = true}), QStringLiteral("0x4000"));
        QCOMPARE(axisAddressText(16384, {.unit = Unit::words, .hexAddresses = true}), QStringLiteral("0x4000 B"));
        QCOMPARE(axisAddressText(16384, {.unit = Unit::kibibytes, .hexAddresses = false}), QStringLiteral("16,384 B"));
        QCOMPARE(parseBytes(axisAddressText(16384, {.unit = Unit::words, .hexAddresses = false})), std::optional<Bytes>(16384));
    }

    void ticksHaveDifferentTexts()
    {
        for (const auto unit : {NumberFormat::Unit::bytes, NumberFormat::Unit::kibibytes, NumberFormat::Unit::words})
            for (const Bytes spacing : {1, 2, 4, 8, 16, 1024}) {
                std::set<QString> texts;
                for (Bytes i = 0; i < 200; ++i)
                    texts.insert(bytesTick(100'000 + i * spacing, spacing, {.unit = unit, .hexAddresses = false}));
                QCOMPARE(texts.size(), std::size_t(200));
            }
        QCOMPARE(bytesTick(65536, 1024, {.unit = NumberFormat::Unit::kibibytes, .hexAddresses = false}), QStringLiteral("64"));
    }

    void labelsUseTheLongestFormThatFits()
    {
        const std::string name = "stream_3/concat/ReadVariableOp";
        const auto fit = [&](double width, double height) { return fitLabel(name, "720 B", "720", width, height, measure); };
        using Place = LabelFit::Place;
        QCOMPARE(fit(400, 60).name, name);
        QCOMPARE(fit(400, 60).size, std::string("720 B"));
        QVERIFY(fit(400, 60).sizeOnLine2);
        QCOMPARE(fit(400, 20).name, name);
        QVERIFY(!fit(400, 20).sizeOnLine2);
        QCOMPARE(fit(400, 20).size, std::string("720 B")); // 300 + 12 + 40 <= 390: at the end of the line
        QCOMPARE(fit(350, 20).size, std::string());        // no room beside the name
        QCOMPARE(fit(300, 60).name, std::string("stream_3/\u2026/ReadVariableOp"));
        QCOMPARE(fit(120, 60).name, std::string("stream_3/\u2026"));
        QCOMPARE(fit(60, 60).name, std::string());
        QCOMPARE(fit(60, 60).size, std::string("720"));
        QCOMPARE(fit(60, 60).place, Place::centre);
        QCOMPARE(fit(20, 60).place, Place::rotated);
        QCOMPARE(fit(20, 60).size, std::string("720"));
        QCOMPARE(fit(20, 120).name, std::string("stream_3/\u2026"));
        QCOMPARE(fit(20, 40).place, Place::nowhere);  // narrow and not tall enough
        QCOMPARE(fit(400, 12).place, Place::nowhere); // below 13 pixels
        QCOMPARE(fit(12, 400).place, Place::nowhere);
    }

    void namesAreNeverCutInsideAPart()
    {
        for (double width = 0; width < 400; width += 3) {
            for (const std::string name :
                 {"block_1/conv/out", "plain", "a.b.c.d", "onnx::Conv_123", "/leading/slash", "trailing/"}) {
                const std::string text = shortenedName(name, width, measure);
                if (text.empty() || text == name) continue;
                QVERIFY(measure(text, false) <= width);
                const auto dots = text.find("\u2026");
                QVERIFY(dots != std::string::npos);
                QVERIFY(name.starts_with(text.substr(0, dots)));
                QVERIFY(name.ends_with(text.substr(dots + 3)));
                // Whole parts in front of it and behind.
                const auto parts = [](char c) { return c == '/' || c == '.' || c == ':'; };
                QVERIFY(dots == 0 || parts(text[dots - 1]));
                QVERIFY(dots + 3 == text.size() || parts(text[dots + 3]));
                QVERIFY(dots > 0 || dots + 3 < text.size());
            }
        }
        QCOMPARE(shortenedName("indivisible", 50, measure), std::string());
    }

    /// Of neighbours that begin alike, or end alike, each keeps the part that differs.
    void neighboursKeepThePartThatDiffers()
    {
        const MeasureText letters = [](std::string_view text, bool) { return double(text.size()); }; // an ellipsis: 3
        const auto shortOf = [&](std::vector<std::string_view> names, double width) {
            ShortForms forms;
            for (const std::string_view name : names) forms.add(name);
            return shortenedName(names.front(), width, letters, false, {}, &forms);
        };
        QCOMPARE(shortOf({"block1/dw/out", "block1/pw/out"}, 12), std::string("\u2026/dw/out"));
        QCOMPARE(shortOf({"block1/dw/out", "block2/dw/out"}, 12), std::string("block1/\u2026"));
        QCOMPARE(shortOf({"stage1/block1/sum", "stage1/block2/sum"}, 16), std::string("\u2026/block1/sum"));
        // Where all have the only form that fits, the size says more.
        QCOMPARE(shortOf({"layer0/out", "layer1/out", "layer2/out", "layer3/out"}, 8), std::string());
    }

    /// Two layers whose labels fit in forms with one end only would read alike: a form may have both ends, and has one ellipsis.
    void aShortFormHasOneEllipsis()
    {
        const std::vector<std::string_view> names{"layer0/attn/value/out", "layer1/attn/value/out", "layer0/attn/key/out"};
        ShortForms forms;
        for (const std::string_view name : names) forms.add(name);
        for (double width = 0; width < 250; width += 5) {
            const std::string shown = forms.bestOf(names[0], width, measure);
            const auto first = shown.find("\u2026");
            QVERIFY(shown.empty() || (first != std::string::npos && first == shown.rfind("\u2026")));
        }
        QCOMPARE(forms.bestOf(names[0], 180, measure), std::string("layer0/\u2026/value/out"));
        QCOMPARE(forms.bestOf(names[1], 180, measure), std::string("layer1/\u2026/value/out"));
    }

    /// In lists each name has a row, so that it is cut inside a part rather than left out; the letters that differ stay.
    void namesOfAListStayApart()
    {
        const auto shown = [](const std::vector<std::string_view>& names, double letters) {
            const NamesApart apart(names);
            std::vector<std::string> forms;
            for (const std::string_view name : names) forms.push_back(apart.fit(name, 10 * letters, measure));
            return forms;
        };
        using Forms = std::vector<std::string>;
        QCOMPARE(shown({"block1/dw/out", "block1/pw/out"}, 10), (Forms{"\u2026/dw/out", "\u2026/pw/out"}));
        QCOMPARE(shown({"a/first", "a/second"}, 20), (Forms{"a/first", "a/second"}));
        const QRegularExpression cutNumber(QStringLiteral("\u2026[0-9]"));
        const std::vector<std::string_view> layers{"layer0/attn/value/out", "layer1/attn/value/out", "layer0/attn/key/out",
                                                   "layer1/attn/key/out", "layer12/attn/key/out"};
        const std::vector<std::string_view> instances{"net/stage/instance_0/bn/Relu6", "net/stage/instance_1/bn/Relu6",
                                                      "net/stage/instance_12/bn/Relu6"};
        const std::vector<std::string_view> letters{"\u00e4\u00f6\u00fc\u00e4\u00f6\u00fc1",
                                                    "\u00e4\u00f6\u00fc\u00e4\u00f6\u00fc2"};
        for (const auto& names : {layers, instances, letters})
            for (const double room : {6.0, 9.0, 12.0, 14.0, 18.0}) {
                const Forms forms = shown(names, room);
                for (const std::string& form : forms) {
                    QVERIFY(measure(form, false) <= 10 * room);
                    QCOMPARE(form.find("\u2026"), form.rfind("\u2026"));
                    QCOMPARE(QString::fromUtf8(form.c_str()).toStdString(), form); // no character is cut
                    QVERIFY2(!QString::fromStdString(form).contains(cutNumber), form.c_str());
                }
                if (room >= 12) QCOMPARE(std::set<std::string>(forms.begin(), forms.end()).size(), names.size());
            }
        QCOMPARE(shown(instances, 14)[2], std::string("\u2026/instance_12"));
        QCOMPARE(shown({"hivm.hir.vreduce", "hivm.hir.vmul"}, 12)[0], std::string("hivm\u2026vreduce")); // no full stop beside it
    }

    /// Names of megabytes are never measured as a whole, and of two that differ in their middle only each is still cut to fit.
    void namesOfMegabytesAreShortenedInTime_data()
    {
        QTest::addColumn<QByteArray>("part");
        for (const char* part : {"n", "7", "/", "a/", "\u00e4"}) QTest::newRow(part) << QByteArray(part);
    }
    void namesOfMegabytesAreShortenedInTime()
    {
        QFETCH(QByteArray, part);
        const QByteArray half = part.repeated(5'000'000 / part.size());
        const std::string first = (half + "x1" + half).toStdString(), second = (half + "x2" + half).toStdString();
        std::size_t longest = 0;
        const auto counted = [&](std::string_view text, bool number) {
            longest = std::max(longest, text.size());
            return measure(text, number);
        };
        const NamesApart apart(std::vector<std::string_view>{first, second});
        ShortForms forms;
        for (const std::string& name : {first, second}) forms.add(name);
        for (const std::string& name : {first, second}) {
            for (const std::string& shown : {apart.fit(name, 300, counted), shortenedName(name, 300, counted),
                                             shortenedName(name, 300, counted, false, {}, &forms)})
                QVERIFY2(measure(shown, false) <= 300, shown.substr(0, 100).c_str());
        }
        QVERIFY2(longest <= maxLabelBytes + 8, qPrintable(QString::number(longest))); // an ellipsis comes to it
    }

    void aSentenceKeepsItsWordsAndShortensTheNamesInIt()
    {
        const std::vector<std::string> quoted{"MobilenetV1/conv_1/depthwise/Relu6", "MobilenetV1/conv_2/depthwise/Relu6"};
        const NamesApart apart(std::vector<std::string_view>{quoted[0], quoted[1]});
        const std::string sentence = "let '" + quoted[0] + "' be written in place of '" + quoted[1] + "'";
        QCOMPARE(apart.fitSentence(sentence, quoted, 10000, measure), sentence);
        for (const double letters : {50.0, 60.0, 80.0}) {
            const std::string shown = apart.fitSentence(sentence, quoted, 10 * letters, measure);
            QVERIFY(measure(shown, false) <= 10 * letters);
            QVERIFY(shown.starts_with("let '"));
            QVERIFY(shown.find("' be written in place of '") != std::string::npos);
            QVERIFY(shown.find('1', 5) < shown.find("' be")); // what differs, in each name
            QVERIFY(shown.rfind('2') > shown.find("' be"));
        }
    }

    void thePartThatTellsApartIsKept()
    {
        const std::vector<std::string_view> streams{"stream_1/cell/ReadVariable", "stream_2/cell/ReadVariable",
                                                    "stream_3/cell/ReadVariable"};
        const std::vector<std::string_view> operators{"operator/weights", "operator/biases", "operator/padded"};
        QVERIFY(!endsTellApart(streams));
        QVERIFY(endsTellApart(operators));
        QVERIFY(!endsTellApart({}));
        const double room = measure("operator/", false) + measure("\u2026", false);
        QCOMPARE(shortenedName(operators[0], room, measure, false), std::string("operator/\u2026"));
        QCOMPARE(shortenedName(operators[0], room, measure, true), std::string("\u2026/weights"));
    }

    void kindsBecomeWords()
    {
        QCOMPARE(kindInWords("DEPTHWISE_CONV_2D"), std::string("Depthwise conv 2d"));
        QCOMPARE(kindInWords("linalg.matmul"), std::string("Matmul"));
        QCOMPARE(kindInWords("MaxPool"), std::string("Max pool"));
        QCOMPARE(kindInWords("conv2d"), std::string("Conv2d"));
        QCOMPARE(kindInWords(""), std::string(""));
    }

    void codesAreShortAndAllDifferent()
    {
        const std::vector<std::string> kinds{
            "CONV_2D",       "DEPTHWISE_CONV_2D", "CONCATENATION", "RESHAPE", "SLICE", "STRIDED_SLICE", "FULLY_CONNECTED",
            "READ_VARIABLE", "ASSIGN_VARIABLE",   "REDUCE_MAX",    "x",       "",      "\u00e9t\u00e9", "x"};
        const std::vector<std::string> codes = opCodes(kinds);
        QCOMPARE(codes[0], std::string("CV"));
        QCOMPARE(codes[1], std::string("DW"));
        QCOMPARE(codes[2], std::string("CAT"));
        QCOMPARE(codes[4], std::string("SL"));
        QVERIFY(codes[5] != "SL"); // taken by its neighbour
        std::set<std::string> seen;
        for (const std::string& code : codes) {
            QVERIFY2(!code.empty() && code.size() <= 3, code.c_str());
            QVERIFY2(seen.insert(code).second, code.c_str());
            for (const char c : code) QVERIFY(c > 32 && c < 127);
        }
        QCOMPARE(opCodes(kinds), codes);
        std::vector<std::string> many;
        for (int i = 0; i < 500; ++i) many.push_back("same");
        const std::vector<std::string> numbered = opCodes(many);
        QCOMPARE(std::set(numbered.begin(), numbered.end()).size(), std::size_t(500));
    }
};

QTEST_APPLESS_MAIN(TestLabels)
#include "tst_labels.moc"
