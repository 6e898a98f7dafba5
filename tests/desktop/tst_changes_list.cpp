// The list of changes that make a pool smaller: its words, what it calls proved, and why it tries nothing.
#include "app/desktop/panels/changes_list.h"
#include "app/desktop/widgets/controls.h"
#include "core/plan/run.h"
#include "tests/desktop/desk.h"

#include <QByteArray>
#include <QLabel>
#include <QStringList>
#include <QTest>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

using namespace stowage;
using test::Desk;

namespace {

constexpr int patience = 60'000;

/// Only step 7 has both buffers, in 100 bytes.
QByteArray twoBuffers(const QByteArray& unknown = {})
{
    return R"({"format": "stowage.problem/1", "name": "two", "pools": [{"name": "sram"}], "unknown_sizes": [)" + unknown +
           R"(], "buffers": [{"name": "a", "size": 60, "live": [[7, 10]]}, {"name": "b", "size": 40, "live": [[0, 8]]}]})";
}

bool openText(Desk& desk, const QByteArray& text)
{
    desk.workspace().openText(QStringLiteral("text"), text);
    return QTest::qWaitFor([&] { return desk.idle() && desk.workspace().run(); }, patience);
}

/// Lists the changes of the first pool, and waits for those of the whole model.
bool listChanges(ChangesList& list, std::shared_ptr<const Run> run)
{
    list.setRun(std::move(run), 0);
    list.show();
    return QTest::qWaitFor([&] { return !list.busy() && list.levers(); }, patience);
}

QStringList captionsOf(const ChangesList& list)
{
    QStringList texts;
    for (const ElidedLabel* label : list.findChildren<ElidedLabel*>()) texts << label->fullText();
    return texts;
}

QString labelsOf(const ChangesList& list)
{
    QString texts;
    for (const QLabel* label : list.findChildren<QLabel*>()) texts += label->text() + u'\n';
    return texts;
}

} // namespace

class ChangesListTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { QSettings().clear(); }

    /// 'a' without step 7 leaves steps 8 and 9; its half leaves 30 + 40 bytes, that of 'b' 60 + 20. All are the bytes of one
    /// step, so they are proved smallest, but not if the input leaves out buffers of unknown size.
    void changesAreInPlainWords_data()
    {
        QTest::addColumn<QByteArray>("unknown");
        QTest::addColumn<bool>("proved");
        QTest::newRow("all sizes are known") << QByteArray() << true;
        QTest::newRow("one size is unknown") << QByteArray("\"c\"") << false;
    }
    void changesAreInPlainWords()
    {
        QFETCH(QByteArray, unknown);
        QFETCH(bool, proved);
        Desk desk;
        QVERIFY(openText(desk, twoBuffers(unknown)));
        ChangesList list(desk.workspace(), desk.look);
        QVERIFY(listChanges(list, desk.workspace().run()));
        const QStringList captions = captionsOf(list);
        const auto starts = [&](const char* words) {
            return std::ranges::any_of(captions, [&](const QString& text) { return text.startsWith(QLatin1String(words)); });
        };
        for (const char* words : {"shorten to steps 8 to 9: 60", "shorten to steps 0 to 6: 60", "halve its size: 70",
                                  "halve its size: 80", "write it over b: "})
            QVERIFY2(starts(words), qPrintable(captions.join(u'\n')));
        QCOMPARE(captions.join(u'\n').contains(QStringLiteral(", proved")), proved);
        QVERIFY2(!labelsOf(list).contains(QStringLiteral("was tried:")), qPrintable(labelsOf(list)));
    }

    void itSaysWhyNoChangeOfTheWholeModelWasTried()
    {
        Desk desk;
        QVERIFY(openText(desk, twoBuffers()));
        auto broken = std::make_shared<Run>(*desk.workspace().run());
        for (Placement& placement : broken->plan.placements) placement.offset = 0;
        broken->report = evaluate(*broken);
        QVERIFY(!broken->report.verdict.valid());
        ChangesList list(desk.workspace(), desk.look);
        QVERIFY(listChanges(list, broken));
        QVERIFY2(labelsOf(list).contains(QStringLiteral("No change of the whole model was tried: the plan is not valid.")),
                 qPrintable(labelsOf(list)));
    }

    void loopsWithoutCopiesAreTriedAndTakenBack()
    {
        Desk desk;
        QVERIFY(desk.open("lstm_loop"));
        const auto greedy = [&] {
            const RunEntry* entry = desk.workspace().shown().runOf("greedy-by-size");
            return entry ? entry->run : nullptr;
        };
        QVERIFY(greedy() && greedy()->lowering->options.loops == LoopMode::conservative);
        ChangesList list(desk.workspace(), desk.look);
        QVERIFY(listChanges(list, greedy()));
        QVERIFY2(labelsOf(list).contains(QStringLiteral("loops without copies")), qPrintable(labelsOf(list)));
        const std::vector<Lever>& found = list.levers()->found;
        const auto wanted = std::ranges::find(found, LeverKind::loops, &Lever::kind);
        QVERIFY(wanted != found.end());
        list.applyLever(std::size_t(wanted - found.begin()));
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && greedy() && greedy()->lowering->options.loops == LoopMode::precise, patience);
        desk.trigger("edit.undo");
        QVERIFY(desk.workspace().edits().setup().lowering.empty());
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle(), patience);
    }

private:
    test::OwnSettings settings_;
};

QTEST_MAIN(ChangesListTest)
#include "tst_changes_list.moc"
