// A misspelt name gets the names that its writer may have meant.
#include "core/ir/neighbours.h"

#include <QTest>

using namespace stowage;

class NeighboursTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aMisspeltNameFindsItsNeighbour_data()
    {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("first");
        QTest::newRow("a letter too many") << "plann"
                                           << "plan";
        QTest::newRow("a letter missing") << "compre"
                                          << "compare";
        QTest::newRow("another letter") << "greedy-by-sise"
                                        << "greedy-by-size";
        QTest::newRow("exchanged letters") << "exoprt"
                                           << "export";
        QTest::newRow("upper case") << "PLAN"
                                    << "plan";
        QTest::newRow("only the beginning") << "greedy"
                                            << "greedy-by-size";
        QTest::newRow("more than the name") << "exported"
                                            << "export";
        QTest::newRow("nothing like it") << "xyz"
                                         << "";
        QTest::newRow("nothing at all") << ""
                                        << "";
    }
    void aMisspeltNameFindsItsNeighbour()
    {
        QFETCH(QString, typed);
        QFETCH(QString, first);
        const std::vector<std::string> names{"plan", "compare", "export", "greedy-by-size"};
        const auto near = neighbours(typed.toStdString(), names);
        QCOMPARE(near.empty() ? QString() : QString::fromStdString(near.front()), first);
    }

    void theNearestIsFirstAndThreeAreEnough()
    {
        const std::vector<std::string> names{"--rows-a", "--row", "--rows", "--rwos", "--rowss"};
        QCOMPARE(neighbours("--rows", names), (std::vector<std::string>{"--rows", "--row", "--rwos"}));
    }

    void theSuggestionHasTheListToo()
    {
        QCOMPARE(suggestion("plann", std::vector<std::string>{"plan", "check"}, "commands"),
                 std::string("did you mean 'plan'? the commands are: plan, check"));
        QCOMPARE(suggestion("x", std::vector<std::string>{"plan", "check"}, "commands"),
                 std::string("the commands are: plan, check"));
    }

    void aWordWithoutEndIsLikeNothing()
    {
        QVERIFY(neighbours(std::string(100'000'000, 'p'), std::vector<std::string>{"plan"}).empty());
    }
};

QTEST_GUILESS_MAIN(NeighboursTest)
#include "tst_neighbours.moc"
