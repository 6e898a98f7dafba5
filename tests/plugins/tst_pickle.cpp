// The reader of pickles: integers, and opcodes that are refused.
#include "plugins/pytorch/pickle.h"

#include <QTest>

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string>
#include <string_view>

using namespace stowage;
using namespace std::string_view_literals;

namespace {

/// Opcodes as a pickle of protocol 2.
std::string pickleOf(std::string_view opcodes)
{
    return std::string("\x80\x02") + std::string(opcodes) + '.';
}

struct Integer {
    std::string_view opcodes;
    std::int64_t value;
};

} // namespace

class PickleTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Python writes the fewest bytes of two's complement. From 2^63 on, where addresses can be, there is a ninth byte of 0.
    void integersOf64BitsAreRead()
    {
        for (const Integer& each : std::initializer_list<Integer>{
                 {"\x8a\x00"sv, 0},
                 {"\x8a\x01\xff"sv, -1},
                 {"\x8a\x02\xff\x00"sv, 255},
                 {"\x8a\x08\x00\x00\x00\x00\x00\x00\x00\x80"sv, std::numeric_limits<std::int64_t>::min()},
                 {"\x8a\x09\xff\xff\xff\xff\xff\xff\xff\x7f\x00"sv, std::numeric_limits<std::int64_t>::max()},
                 {"\x8a\x09\xff\xff\xff\xff\xff\xff\xff\xff\xff"sv, -1},
                 {"\x8a\x09\xff\xff\xff\xff\xff\xff\xff\xff\x00"sv, -1}, // the bits of 2^64 - 1
                 {"\x8a\x09\x00\x02\x00\x00\x00\x00\x00\xff\x00"sv, static_cast<std::int64_t>(0xff00000000000200U)},
                 {"\x8b\x0a\x00\x00\x00\x00\x02\x00\x00\x00\x00\x00\xff\x00\x00"sv,
                  static_cast<std::int64_t>(0xff00000000000200U)},
                 {"J\xfe\xff\xff\xff"sv, -2},
                 {"M\x01\x02"sv, 513},
             }) {
            const std::string bytes = pickleOf(each.opcodes);
            const auto document = pickle::Document::read(bytes, "x");
            QVERIFY2(document, document ? "" : toText(document.error()).c_str());
            QCOMPARE(document->root().kind, pickle::Kind::integer);
            QCOMPARE(pickle::Document::integer(document->root()), each.value);
        }
    }

    void widerIntegersAreErrorsWithARemedy()
    {
        for (const std::string_view opcodes : {
                 "\x8a\x09\x00\x00\x00\x00\x00\x00\x00\x00\x01"sv,     // 2^64
                 "\x8a\x09\xff\xff\xff\xff\xff\xff\xff\x7f\xff"sv,     // -2^63 - 1
                 "\x8a\x0a\xff\xff\xff\xff\xff\xff\xff\xff\x00\x01"sv, // 2^72 + 2^64 - 1
                 "\x8b\x01\x10\x00\x00"sv,                             // 4,097 bytes
             }) {
            const std::string bytes = pickleOf(opcodes);
            const auto document = pickle::Document::read(bytes, "x");
            QVERIFY(!document);
            QVERIFY2(document.error().message.find("64 bits") != std::string::npos, document.error().message.c_str());
            QVERIFY(document.error().remedy.find("_dump_snapshot") != std::string::npos);
            QCOMPARE(document.error().where.byte, 2);
        }
    }

    void everyOpcodeThatCouldRunCodeIsRefused()
    {
        for (const char* code : {"cos\nsystem\n.", "(ios\nsystem\n.", "N\x81.", "N\x92.", "NN\x93.", "Pid\n.", "NQ.", "\x82\x01.",
                                 "NNR.", "NNb.", "\x97.", "(No.", "S'text'\n.", "I1\n.", "}N0."}) {
            const std::string bytes = std::string("\x80\x04") + code;
            const auto document = pickle::Document::read(bytes, "x");
            QVERIFY2(!document, code);
            QVERIFY2(document.error().where.byte >= 2, code);
        }
    }
};

QTEST_GUILESS_MAIN(PickleTest)
#include "tst_pickle.moc"
