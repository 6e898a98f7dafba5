// Names that are taken get the number that counting from 2 would find, in linear time.
#include "core/ir/unique_names.h"
#include "tests/support/seed.h"

#include <QTest>

#include <array>
#include <random>
#include <set>

using namespace stowage;

namespace {

/// Takes names by counting from 2 each time.
std::string counted(std::set<std::string>& taken, const std::string& name)
{
    std::string result = name;
    for (int number = 2; !taken.insert(result).second; ++number) result = name + '#' + std::to_string(number);
    return result;
}

} // namespace

class UniqueNamesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aTakenNameGetsTheFirstFreeNumber()
    {
        UniqueNames names;
        QCOMPARE(names.take("x"), std::string("x"));
        QCOMPARE(names.take("x"), std::string("x#2"));
        QCOMPARE(names.take("x#3"), std::string("x#3"));
        QCOMPARE(names.take("x"), std::string("x#4"));
        QCOMPARE(names.take("x#2"), std::string("x#2#2"));
        QCOMPARE(names.numbered("x@"), std::string("x@2")); // another stem counts for itself
        QCOMPARE(names.numbered("x@"), std::string("x@3"));
        QVERIFY(names.insert("x#5"));
        QVERIFY(!names.insert("x#5"));
        QCOMPARE(names.take("x"), std::string("x#6"));
        QCOMPARE(names.take(""), std::string());
        QCOMPARE(names.take(""), std::string("#2"));
    }

    void theNumbersAreThoseOfCountingFromTwo()
    {
        std::mt19937 random(testSeed());
        constexpr std::array given{"a", "b", "a#2", "a#3", "a#2#2", "b#7", "#2", ""};
        for (int round = 0; round < 200; ++round) {
            UniqueNames names;
            std::set<std::string> taken;
            for (int i = 0; i < 50; ++i) {
                const std::string name = given[random() % given.size()];
                QCOMPARE(names.take(name), counted(taken, name));
            }
        }
    }

    /// Counting from 2 each time would look up 500,000,000,000 names.
    void aMillionEqualNamesAreNumbered()
    {
        UniqueNames names;
        std::string last;
        for (int i = 0; i < 1'000'000; ++i) last = names.take("x");
        QCOMPARE(last, std::string("x#1000000"));
    }
};

QTEST_GUILESS_MAIN(UniqueNamesTest)
#include "tst_unique_names.moc"
