// The filter that reaches every view, and the words that it is typed in.
#include "app/canvas/kit/number_text.h"
#include "app/desktop/buffer_filter.h"
#include "app/desktop/selection_model.h"
#include "tests/support/sample_run.h"
#include "tests/support/seed_shift.h"

#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>
#include <random>

using namespace stowage;

namespace {

Problem threeBuffers()
{
    Problem problem;
    problem.pools.emplace_back();
    const auto add = [&](const char* name, Bytes size, std::vector<Interval> live) {
        Buffer buffer;
        buffer.name = name;
        buffer.size = size;
        buffer.live = std::move(live);
        problem.buffers.push_back(std::move(buffer));
    };
    add("conv1/Relu", 4096, {{0, 3}});
    add("conv2/relu", 512, {{2, 5}, {9, 10}});
    add("logits", 40, {{9, 11}});
    return problem;
}

std::vector<bool> shown(const Problem& problem, const QString& text)
{
    return applyFilter(problem, parseSearch(text).filter).shown;
}

} // namespace

class BufferFilterTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void wordsMeanWhatTheFieldSays_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QList<bool>>("expected");
        QTest::newRow("part of a name, any case") << "relu" << QList{true, true, false};
        QTest::newRow("a name has each of several words") << "conv1 relu" << QList{true, false, false};
        QTest::newRow("words in any order") << "relu conv" << QList{true, true, false};
        QTest::newRow("no name has both words") << "conv logits" << QList{false, false, false};
        QTest::newRow("words that are not ASCII") << "conv \u00fc" << QList{false, false, false};
        QTest::newRow("regular expression") << "/^conv\\d/" << QList{true, true, false};
        QTest::newRow("larger") << "size>512" << QList{true, false, false};
        QTest::newRow("at least") << "size>=512" << QList{true, true, false};
        QTest::newRow("smaller, with unit") << "size<4K" << QList{false, true, true};
        QTest::newRow("at most") << "size<=4KiB" << QList{true, true, true};
        QTest::newRow("exactly") << "size=40" << QList{false, false, true};
        QTest::newRow("a step, half-open") << "step:3" << QList{false, true, false};
        QTest::newRow("a step in a gap") << "step:6" << QList{false, false, false};
        QTest::newRow("steps, both inclusive") << "step:0-2" << QList{true, true, false};
        QTest::newRow("lifetime leaves gaps out") << "life=4" << QList{false, true, false};
        QTest::newRow("everything at once") << "relu size>1K step:1" << QList{true, false, false};
    }
    void wordsMeanWhatTheFieldSays()
    {
        QFETCH(QString, text);
        QFETCH(QList<bool>, expected);
        QCOMPARE(parseSearch(text).error, QString());
        QCOMPARE(shown(threeBuffers(), text), std::vector<bool>(expected.begin(), expected.end()));
    }

    void anAddressIsNoFilter()
    {
        const SearchQuery query = parseSearch(QStringLiteral("0x0C70"));
        QCOMPARE(query.address, std::optional<Bytes>(3184));
        QVERIFY(!query.filter.active());
        QVERIFY(!parseSearch(QStringLiteral("0xZZ")).address); // a name like any other
    }

    void whatIsNotUnderstoodIsSaid()
    {
        QVERIFY(parseSearch(QStringLiteral("/conv[/")).error.contains(QStringLiteral("regular expression")));
        QVERIFY(parseSearch(QStringLiteral("size>many")).error.contains(QStringLiteral("many")));
        QVERIFY(parseSearch(QStringLiteral("   ")).empty());
    }

    void aFaultIsNotForgottenForALaterWord()
    {
        QVERIFY(parseSearch(QStringLiteral("size>many /conv/")).error.contains(QStringLiteral("many")));
    }

    /// Names are bytes: any language, and what is no UTF-8 at all.
    void expressionsReadNamesOfAnyKind()
    {
        Problem problem = threeBuffers();
        problem.buffers[0].name = "Schl\u00dcssel/\u5c42";
        problem.buffers[1].name = "caf\xe9/relu";
        problem.buffers[2].name = std::string(2'000'000, 'a') + "b";
        const auto is = [&](const char* text, std::vector<bool> expected) {
            return shown(problem, QString::fromUtf8(text)) == expected;
        };
        QVERIFY(is("/schl\u00fcssel/", {true, false, false}));     // of any case
        QVERIFY(is("/^Schl.ssel.\u5c42$/", {true, false, false})); // a letter is one, however many bytes
        QVERIFY(is("/relu$/", {false, true, false}));              // what follows a wrong byte is still text
        QVERIFY(is("/^(?:a|x)*b$/", {false, false, true}));        // goes back far
    }

    void theFilterIsWrittenInItsOwnWords()
    {
        std::mt19937 random(7 + stowage::test::seedShift());
        for (int round = 0; round < 200; ++round) {
            BufferFilter filter;
            const auto maybe = [&] { return random() % 2 == 0; };
            if (maybe()) filter.text = maybe() ? QStringLiteral("conv") : QStringLiteral("/a b/");
            if (filter.text.startsWith(u'/')) { // a lone expression may hold blanks
                QCOMPARE(parseSearch(toSearchText(filter)).filter, filter);
                continue;
            }
            if (maybe()) filter.minimumSize = Bytes(random() % 9999);
            if (maybe()) filter.maximumSize = Bytes(random() % 9999);
            if (maybe()) filter.minimumLifetime = Step(random() % 99);
            if (maybe()) filter.maximumLifetime = Step(random() % 99);
            if (maybe()) {
                const auto begin = Step(random() % 50);
                filter.steps = Interval{begin, begin + 1 + Step(random() % 9)};
            }
            QCOMPARE(parseSearch(toSearchText(filter)).filter, filter);
        }
    }

    void theCountIsWhatIsShown()
    {
        const auto run = test::sampleRun({.buffers = 500, .steps = 80, .gaps = 0.3, .seed = 3});
        for (const char* text : {"size>200", "life>=5", "step:10-20", "size<=64 step:40", "e"}) {
            const BufferMask mask = applyFilter(run->problem(), parseSearch(QString::fromLatin1(text)).filter);
            std::size_t count = 0;
            for (std::size_t i = 0; i < mask.shown.size(); ++i) count += mask.shown[i];
            QCOMPARE(mask.count, count);
            QVERIFY2(count > 0 && count < mask.shown.size(), text);
        }
    }

    /// Against strings of Qt, one by one: letters that are not ASCII, names in several shares of the work.
    void namesAreFoundAsQtFindsThem()
    {
        std::mt19937 random(11 + stowage::test::seedShift());
        const QStringList parts{QStringLiteral("conv"),   QStringLiteral("Relu6"), QStringLiteral("/"), QStringLiteral("K"),
                                QStringLiteral("\u212A"), QStringLiteral("Ä"),     QStringLiteral("s"), QStringLiteral("12")};
        Problem problem;
        problem.pools.emplace_back();
        problem.buffers.resize(120'000);
        for (Buffer& buffer : problem.buffers) {
            QString name;
            for (unsigned i = 0; i < 1 + random() % 5; ++i) name += parts[qsizetype(random() % std::size_t(parts.size()))];
            buffer.name = name.toStdString();
            buffer.size = 1;
            buffer.live = {{0, 1}};
        }
        for (const char16_t* typed : {u"CONV", u"k", u"\u212A", u"ä", u"s/", u"/^conv.*6$/", u"/[^k]\\d/", u"/ä|relu6k/"}) {
            const QString text = QString::fromUtf16(typed);
            const bool regex = text.startsWith(u'/') && text.endsWith(u'/');
            const QRegularExpression expression(text.mid(1, text.size() - 2), QRegularExpression::CaseInsensitiveOption);
            const BufferMask mask = applyFilter(problem, parseSearch(text).filter);
            std::size_t wanted = 0;
            for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
                const QString name = QString::fromStdString(problem.buffers[i].name);
                const bool found = regex ? expression.match(name).hasMatch() : name.contains(text, Qt::CaseInsensitive);
                QVERIFY2(mask.shown[i] == found, qPrintable(text + u' ' + name));
                wanted += found;
            }
            QCOMPARE(mask.count, wanted);
            QVERIFY2(wanted > 0 && wanted < problem.buffers.size(), qPrintable(text));
        }
    }

    void anAddressIsFoundWhereItLies()
    {
        const auto run = test::sampleRun({.buffers = 300, .steps = 60, .seed = 5});
        const Placement& placement = run->plan.placements[17];
        QVERIFY(placement.placed());
        const SearchQuery query = parseSearch(QStringLiteral("0x%1").arg(placement.offset, 0, 16));
        const SearchHits all = findBuffers(*run, query, run->problem().buffers.size());
        std::vector<BufferId> wanted;
        for (std::size_t i = 0; i < run->problem().buffers.size(); ++i) {
            const Bytes begin = run->plan.placements[i].offset, end = begin + run->problem().buffers[i].size;
            if (run->plan.placements[i].placed() && begin <= placement.offset && placement.offset < end)
                wanted.push_back(BufferId(i));
        }
        QVERIFY(!wanted.empty());
        QCOMPARE(all.buffers, wanted);
        QCOMPARE(findBuffers(*run, query, 1).buffers.size(), std::size_t(1));
        QCOMPARE(findBuffers(*run, query, 1).count, wanted.size());
        QCOMPARE(findBuffers(*run, parseSearch({}), 10).count, std::size_t(0));
    }

    /// A rotating buffer lies at each of its offsets in turn.
    void anAddressIsFoundInEverySlot()
    {
        const auto run = test::sampleRun({.buffers = 60, .steps = 40, .slots = 0.5, .seed = 6});
        std::size_t further = 0;
        for (std::size_t i = 0; i < run->plan.placements.size(); ++i) {
            const Placement& placement = run->plan.placements[i];
            for (const Bytes offset : placement.offsets) {
                further += offset != placement.offset;
                for (const Bytes address : {offset, offset + run->problem().buffers[i].size - 1}) {
                    const auto query = parseSearch(QStringLiteral("0x%1").arg(address, 0, 16));
                    const auto found = findBuffers(*run, query, run->problem().buffers.size()).buffers;
                    QVERIFY(std::ranges::find(found, BufferId(i)) != found.end());
                }
            }
        }
        QVERIFY(further > 10);
    }

    void sizesAreRead_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<qint64>("bytes"); // -1: no size
        QTest::newRow("plain") << "4096" << qint64(4096);
        QTest::newRow("commas") << "1,048,576" << qint64(1048576);
        QTest::newRow("K") << "4K" << qint64(4096);
        QTest::newRow("KiB") << "4 KiB" << qint64(4096);
        QTest::newRow("fraction") << "1.5M" << qint64(1572864);
        QTest::newRow("exact above 2^53") << "9007199254740993" << qint64(9007199254740993);
        QTest::newRow("most") << "4611686018427387904" << qint64(4611686018427387904);
        QTest::newRow("too much") << "4611686018427387905" << qint64(-1);
        QTest::newRow("too much by its unit") << "99999999999G" << qint64(-1);
        QTest::newRow("negative") << "-5" << qint64(-1);
        QTest::newRow("empty") << "" << qint64(-1);
    }
    void sizesAreRead()
    {
        QFETCH(QString, text);
        QFETCH(qint64, bytes);
        QCOMPARE(parseBytes(text), bytes < 0 ? std::nullopt : std::optional<Bytes>(bytes));
    }

    void anAreaKeepsItsMainBuffer()
    {
        SelectionModel selection;
        const QSignalSpy changes(&selection, &SelectionModel::selectionChanged);
        selection.select(7);
        selection.selectMany({3, 7, 9});
        QCOMPARE(selection.buffer(), 7);
        selection.selectMany({3, 9});
        QCOMPARE(selection.buffer(), 3);
        selection.selectMany({3, 9}); // nothing new
        QCOMPARE(changes.count(), 3);
        selection.clear();
        QCOMPARE(selection.buffer(), none);
        QVERIFY(selection.buffers().empty());
    }

    void withoutAMaskEverythingPasses()
    {
        SelectionModel selection;
        QVERIFY(selection.passes(0));
        BufferMask mask;
        mask.shown = {false, true};
        selection.setMask(std::make_shared<const BufferMask>(mask));
        QVERIFY(!selection.passes(0));
        QVERIFY(selection.passes(1));
    }
};

QTEST_GUILESS_MAIN(BufferFilterTest)
#include "tst_buffer_filter.moc"
