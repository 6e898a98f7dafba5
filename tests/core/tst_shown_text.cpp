// Names from files are shown shortened and without characters that act on a terminal.
#include "core/ir/diagnostic.h"
#include "core/ir/shown_text.h"

#include <QTest>

using namespace stowage;

class ShownTextTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void ordinaryNamesStayAsTheyAre()
    {
        for (const char* name : {"", "a", "conv2d/bias:0", "größe", "名前", "a b", "🙂"})
            QCOMPARE(shownName(name), std::string(name));
    }

    void whatActsOnATerminalIsEscaped_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QByteArray>("shown");
        QTest::newRow("escape sequence") << QByteArray("\x1b[31mred") << QByteArray("\\x1b[31mred");
        QTest::newRow("line feed") << QByteArray("a\nb") << QByteArray("a\\nb");
        QTest::newRow("tab, return") << QByteArray("a\tb\rc") << QByteArray("a\\tb\\rc");
        QTest::newRow("bell, delete") << QByteArray("\x07\x7f") << QByteArray("\\x07\\x7f");
        QTest::newRow("C1: CSI in one character") << QByteArray("\xc2\x9b") + "2J" << QByteArray("\\u009b2J");
        QTest::newRow("right-to-left override") << QByteArray("\xe2\x80\xae"
                                                              "cod")
                                                << QByteArray("\\u202ecod");
        QTest::newRow("line separator") << QByteArray("\xe2\x80\xa8") << QByteArray("\\u2028");
        QTest::newRow("no character of XML") << QByteArray("\xef\xbf\xbe\xef\xbf\xbf") << QByteArray("\\ufffe\\uffff");
        QTest::newRow("not UTF-8") << QByteArray("a\xff\xc3") << QByteArray("a\\xff\\xc3");
        QTest::newRow("overlong") << QByteArray("\xc0\x80") << QByteArray("\\xc0\\x80");
        QTest::newRow("surrogate") << QByteArray("\xed\xa0\x80") << QByteArray("\\xed\\xa0\\x80");
        QTest::newRow("NUL") << QByteArray("a\0b", 3) << QByteArray("a\\x00b");
    }
    void whatActsOnATerminalIsEscaped()
    {
        QFETCH(QByteArray, name);
        QFETCH(QByteArray, shown);
        QCOMPARE(QByteArray::fromStdString(shownName(std::string_view(name.constData(), std::size_t(name.size())))), shown);
    }

    void longNamesKeepBothEnds()
    {
        const std::string name = "begin" + std::string(100'000'000, 'x') + "end";
        const std::string shown = shownName(name);
        QCOMPARE(QString::fromStdString(shown).size(), qsizetype(maxShownName));
        QVERIFY(shown.starts_with("beginxxx") && shown.ends_with("xxxend"));
        QCOMPARE(shownName(std::string(200, 'y')), std::string(200, 'y'));
        QCOMPARE(QString::fromStdString(shownName("größe größe", 7)), QStringLiteral("größ…ße")); // cut between characters
    }

    void aMessageQuotesLongNamesShortened()
    {
        Diagnostic error{Severity::error,
                         Code::unknownColumn,
                         "there is a column named '" + std::string(50'000'000, 'q') + "' twice",
                         {.file = "a\x1b.csv", .line = 3},
                         "rename one"};
        const std::string text = toText(error);
        QVERIFY(text.size() < 400);
        QVERIFY2(text.starts_with("error: a\\x1b.csv:3: there is a column named 'qqq"), text.c_str());
        QVERIFY2(text.ends_with(" twice (rename one)"), text.c_str());
        std::string words;
        for (int i = 0; i < 100'000; ++i) words += "word ";
        error.message = words;
        QVERIFY(toText(error).size() < maxShownMessage + 100);
    }
};

QTEST_GUILESS_MAIN(ShownTextTest)
#include "tst_shown_text.moc"
