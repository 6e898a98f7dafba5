// The lists of a problem's fields against std::vector, and lists that borrow.
#include "core/ir/borrowing_list.h"
#include "core/ir/lists.h"
#include "core/ir/problem.h"
#include "core/plan/plan.h"
#include "tests/support/seed_shift.h"

#include <QTest>

#include <memory>
#include <random>
#include <string>

using namespace stowage;

namespace {

/// The same random operations on `List` and on std::vector.
template <typename List>
void compareWithVector(unsigned seed)
{
    std::mt19937 random(seed);
    const auto below = [&](std::size_t end) { return static_cast<std::size_t>(random()) % end; };
    List list;
    std::vector<int> expected;
    const auto offset = [](std::size_t i) { return static_cast<std::ptrdiff_t>(i); };
    for (int round = 0; round < 2000; ++round) {
        const int value = static_cast<int>(below(5));
        const std::vector<int> several(below(4), value);
        const std::size_t at = below(expected.size() + 1);
        switch (below(12)) {
        case 0: list.push_back(value), expected.push_back(value); break;
        case 1: list.emplace_back(value), expected.emplace_back(value); break;
        case 2:
            list.insert(list.begin() + offset(at), value);
            expected.insert(expected.begin() + offset(at), value);
            break;
        case 3:
            list.insert(list.begin() + offset(at), several.begin(), several.end());
            expected.insert(expected.begin() + offset(at), several.begin(), several.end());
            break;
        case 4:
            if (at == expected.size()) break;
            list.erase(list.begin() + offset(at));
            expected.erase(expected.begin() + offset(at));
            break;
        case 5:
            list.erase(list.begin() + offset(at / 2), list.begin() + offset(at));
            expected.erase(expected.begin() + offset(at / 2), expected.begin() + offset(at));
            break;
        case 6: QCOMPARE(eraseEqual(list, value), std::erase(expected, value)); break;
        case 7: list.resize(at + 1), expected.resize(at + 1); break;
        case 8:
            if (below(8) == 0) list.clear(), expected.clear();
            break;
        case 9: {
            List copy = list; // the copy takes the place of the list, which then has other elements
            list.push_back(value);
            list = copy;
            List moved = std::move(copy);
            QVERIFY(moved == list);
            list = std::move(moved);
            break;
        }
        case 10: list = several, expected = several; break;
        case 11:
            if (expected.empty()) break;
            list.push_back(list.front()); // an element of the list that grows
            expected.push_back(expected.front());
            break;
        }
        if (expected.size() > 40) list.resize(1), expected.resize(1);
        QCOMPARE(list.size(), expected.size());
        QCOMPARE(list.empty(), expected.empty());
        QVERIFY(list == expected);
        QVERIFY(std::vector<int>(list) == expected);
        QVERIFY(list == List(expected.begin(), expected.end()));
    }
}

Problem twoBuffers()
{
    Problem problem;
    problem.pools.push_back({.name = "arena"});
    for (const char* name : {"a", "b"}) {
        Buffer& buffer = problem.buffers.emplace_back();
        buffer.name = name;
        buffer.size = 4;
        buffer.live = {{0, 3}};
    }
    return problem;
}

} // namespace

class TestLists : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void listsActAsVectors()
    {
        const unsigned seed = 20220815 + stowage::test::seedShift();
        compareWithVector<RareList<int>>(seed);
        compareWithVector<ShortList<int>>(seed);
    }

    /// The reason for the lists: ten million buffers have to fit, and every byte here is ten megabytes there.
    void buffersAndPlacementsStaySmall()
    {
        QCOMPARE(sizeof(RareList<Window>), sizeof(void*));
        QCOMPARE(sizeof(ShortList<Interval>), sizeof(Interval) + 8);
        QVERIFY2(sizeof(Buffer) <= 216, qPrintable(QString::number(sizeof(Buffer))));
        QVERIFY2(sizeof(Placement) <= 32, qPrintable(QString::number(sizeof(Placement))));
    }

    void aBorrowedProblemCopiesItsBuffersWhenOneChanges()
    {
        auto lender = std::make_shared<const Problem>(twoBuffers());
        Problem problem = borrowed(lender);
        QVERIFY(problem == *lender);
        QVERIFY(problem.buffers.borrows());
        QCOMPARE(std::as_const(problem).buffers.data(), lender->buffers.data());

        const Problem copy = problem;
        problem.buffers[0].size = 8;
        QVERIFY(!problem.buffers.borrows());
        QCOMPARE(problem.buffers.size(), std::size_t(2));
        QCOMPARE(lender->buffers[0].size, Bytes(4));
        QVERIFY(copy.buffers.borrows());
        QVERIFY(copy == *lender);
        QVERIFY(problem != copy);
    }

    void aBorrowerKeepsTheLenderAlive()
    {
        auto lender = std::make_shared<const Problem>(twoBuffers());
        auto between = std::make_shared<const Problem>(borrowed(lender));
        const Problem problem = borrowed(between);
        lender.reset();
        between.reset();
        QCOMPARE(problem.buffers.size(), std::size_t(2));
        QCOMPARE(problem.buffers[1].name, std::string("b"));
        QVERIFY(problem == twoBuffers());
    }

    void aBorrowerGrowsShrinksAndMoves()
    {
        auto lender = std::make_shared<const Problem>(twoBuffers());
        Problem grown = borrowed(lender);
        grown.buffers.emplace_back().name = "c";
        QCOMPARE(grown.buffers.size(), std::size_t(3));
        QCOMPARE(grown.buffers.back().name, std::string("c"));
        Problem shrunk = borrowed(lender);
        shrunk.buffers.erase(shrunk.buffers.begin());
        QCOMPARE(shrunk.buffers.front().name, std::string("b"));
        Problem moved = std::move(shrunk);
        QCOMPARE(moved.buffers.size(), std::size_t(1));
        moved = borrowed(lender);
        QVERIFY(moved == *lender);
        moved.buffers.clear();
        QVERIFY(moved.buffers.empty());
        QCOMPARE(lender->buffers.size(), std::size_t(2));
    }
};

QTEST_GUILESS_MAIN(TestLists)
#include "tst_lists.moc"
