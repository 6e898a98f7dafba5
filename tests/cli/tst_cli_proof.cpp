// plan --proof and check-proof, as programs call them.
#include "tests/cli/cli_process.h"

#include <QtTest/QTest>

using stowage::test::Cli;

class TestCliProof : public QObject {
    Q_OBJECT

    Cli cli_;
    // Aligned to 4, the two 5-byte buffers need 13 bytes and not 10.
    QString input() const
    {
        return cli_.file("p.csv", "id,lower,upper,size,alignment\na,0,4,5,4\nb,0,2,5,4\nc,3,6,4,1\n");
    }

private Q_SLOTS:
    void aProofOfTheSmallestSizeIsVerified()
    {
        const auto planned = cli_({"plan", input(), "--planner", "exact", "--proof", cli_.path("log")});
        QVERIFY2(planned.status == 0, planned.err.constData());
        QVERIFY2(planned.err.contains("does not fit into 12 bytes"), planned.err.constData());
        const auto checked = cli_({"check-proof", input(), cli_.path("log")});
        QVERIFY2(checked.status == 0, checked.out.constData());
        QVERIFY2(checked.out.contains("nothing fits into 12 bytes of"), checked.out.constData());
    }

    void aTamperedProofIsRefused()
    {
        QCOMPARE(cli_({"plan", input(), "--planner", "exact", "--proof", cli_.path("log")}).status, 0);
        QByteArray log = cli_.contents("log");
        log.replace("capacity 12", "capacity 13");
        const auto checked = cli_({"check-proof", input(), cli_.file("tampered", log)});
        QCOMPARE(checked.status, 1);
        QVERIFY2(checked.out.contains("not proved: line "), checked.out.constData());
    }

    void whatDoesNotFitComesWithItsCulpritsAndAProof()
    {
        const auto planned = cli_({"plan", input(), "--planner", "exact", "--capacity", "12", "--proof", cli_.path("log")});
        QCOMPARE(planned.status, 1);
        QVERIFY2(planned.err.contains("2 of the 3 buffers of") && planned.err.contains("'a' (5), 'b' (5)"), planned.err.constData());
        QVERIFY2(planned.err.contains("they need 13 bytes, 1 more than there are"), planned.err.constData());
        QCOMPARE(cli_({"check-proof", input(), cli_.path("log"), "--capacity", "12"}).status, 0);
    }

    void whatIsNotProvedHasNoLog()
    {
        const auto planned = cli_({"plan", input(), "--planner", "naive", "--proof", cli_.path("none")});
        QCOMPARE(planned.status, 2);
        QVERIFY2(planned.err.contains("nothing to prove"), planned.err.constData());
        QCOMPARE(cli_({"check-proof", input(), cli_.path("missing")}).status, 2);
    }
};

QTEST_GUILESS_MAIN(TestCliProof)
#include "tst_cli_proof.moc"
