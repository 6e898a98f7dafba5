// Two open models as revisions of one, in the real window: the sentences, the addresses of what moved, a model without a plan,
// and tensors that are gone.
#include "app/desktop/panels/revision_pane.h"
#include "app/desktop/tables/revision_table.h"
#include "app/desktop/views/compare_view.h"
#include "app/desktop/widgets/table.h"
#include "tests/desktop/desk.h"

#include <QPushButton>
#include <QTest>

#include <memory>
#include <set>
#include <string>

using namespace stowage;
using test::Desk;

namespace {

/// Opens a table of buffers, waits until it is planned, and returns the model; 0 on failure.
int openTable(Desk& desk, const char* name, const QByteArray& text)
{
    const std::size_t before = desk.session.models().size();
    desk.workspace().openText(QString::fromLatin1(name), text);
    const bool planned =
        QTest::qWaitFor([&] { return desk.session.models().size() > before && desk.idle() && desk.workspace().run(); }, 20'000);
    return planned ? desk.workspace().modelId() : 0;
}

const QByteArray earlier = "id,lower,upper,size\na,0,2,10\nb,1,3,14\nc,2,4,10\nold,3,5,2\n";
const QByteArray later = "id,lower,upper,size\na,0,2,10\nb,1,3,20\nc,2,4,10\nadded,4,6,7\n";

/// Shows the changes since the other of two models.
RevisionPane* showChanges(Desk& desk)
{
    if (!desk.show<CompareView>("compare")) return nullptr;
    desk.trigger("compare.since");
    return desk.find<RevisionPane>();
}

/// As it is read, without places for line breaks.
QString read(const RevisionPane& pane)
{
    return pane.sentence().remove(QChar(0x200B)).replace(QChar(0xA0), u' ');
}

int rowOf(const RevisionTable& table, const QString& tensor)
{
    for (int row = 0; row < table.rowCount(); ++row)
        if (table.index(row, RevisionTable::Tensor).data().toString() == tensor) return row;
    return -1;
}

/// With `second` in front, clicks the button that plans `first`, whose runs are removed, after `choose`. False without a button.
template <typename Choose>
bool planAgain(Desk& desk, int first, int second, const Choose& choose)
{
    desk.workspace().setModel(first);
    desk.workspace().shown().clear();
    desk.workspace().setModel(second);
    choose(desk.workspace().planners());
    auto* button = showChanges(desk) ? desk.find<QPushButton>("revisionPlan") : nullptr;
    if (!button || !QTest::qWaitFor([&] { return button->isVisible(); }, 10'000)) return false;
    QTest::mouseClick(button, Qt::LeftButton);
    return true;
}

/// The planners of the runs of a model.
std::set<std::string> plannersOf(const Desk& desk, int model)
{
    std::set<std::string> names;
    for (const RunEntry& entry : desk.session.runs())
        if (entry.model == model) names.insert(entry.run->plan.planner);
    return names;
}

} // namespace

class RevisionPaneTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { QSettings().clear(); }

    /// By hand: naive takes the sum of all, 36 bytes; of the later revision 30 are live at once, which is what a good plan takes.
    void sizesAndPlannersAreSaid()
    {
        Desk desk;
        const int first = openTable(desk, "v1.csv", earlier);
        QVERIFY(first);
        desk.workspace().planners().setAllTicked(false);
        desk.workspace().planners().setTicked("naive", true);
        desk.workspace().shown().clear();
        desk.workspace().plan();
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().runs().size() == 1, 20'000);
        const int second = openTable(desk, "v2.csv", later);
        QVERIFY(second);
        if (desk.workspace().run()->plan.planner == "naive") { // the ticks may go from model to model
            desk.workspace().planners().setTicked("naive", false);
            desk.workspace().planners().setTicked("greedy-by-size", true);
            desk.workspace().shown().clear();
            desk.workspace().plan();
            QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().run(), 20'000);
        }
        const QString planner = QString::fromStdString(desk.workspace().run()->plan.planner);
        QVERIFY(planner != u"naive");
        QCOMPARE(desk.workspace().run()->report.totalSize(), Bytes(30));
        auto* pane = showChanges(desk);
        QVERIFY(pane);
        QTRY_VERIFY_WITH_TIMEOUT(pane->table().rowCount() > 2, 10'000);
        const QString size = QStringLiteral(" Size: 30 B, -6 B against 36 B of %1 by naive; planned by %2. ")
                                 .arg(desk.session.model(first)->name, planner);
        QVERIFY2(read(*pane).contains(size), qPrintable(read(*pane)));
        QVERIFY2(read(*pane).contains(QStringLiteral("3 matched by name, 0 renamed, 1 new, 1 gone, 1 of another size, ")),
                 qPrintable(read(*pane)));
    }

    /// a and b change places; their offsets are given, so no planner decides.
    void whatMovedHasItsAddresses()
    {
        Desk desk;
        QVERIFY(openTable(desk, "m1.csv", "id,lower,upper,size,offset\na,0,2,8,0\nb,0,2,8,8\nc,0,2,8,16\n"));
        QVERIFY(openTable(desk, "m2.csv", "id,lower,upper,size,offset\na,0,2,8,8\nb,0,2,8,0\nc,0,2,8,16\n"));
        auto* pane = showChanges(desk);
        QVERIFY(pane);
        QTRY_COMPARE_WITH_TIMEOUT(pane->table().rowCount(), 2, 10'000);
        const int row = rowOf(pane->table(), QStringLiteral("a"));
        QVERIFY(row >= 0);
        const auto cell = [&](int column) { return pane->table().index(row, column).data().toString(); };
        QCOMPARE(cell(RevisionTable::What), QStringLiteral("moved"));
        QCOMPARE(cell(RevisionTable::AddressBefore), QStringLiteral("0x0000"));
        QCOMPARE(cell(RevisionTable::AddressAfter), QStringLiteral("0x0008"));
        QVERIFY2(read(*pane).contains(QStringLiteral(", 2 moved.")), qPrintable(read(*pane)));
    }

    void aModelWithoutAPlanIsNamedAndPlanned()
    {
        Desk desk;
        const int first = openTable(desk, "v1.csv", earlier);
        const int second = openTable(desk, "v2.csv", later);
        QVERIFY(first && second);
        desk.workspace().setModel(first);
        desk.workspace().shown().clear();
        desk.workspace().setModel(second);
        auto* pane = showChanges(desk);
        QVERIFY(pane);
        const QString name = desk.session.model(first)->name;
        QTRY_COMPARE(read(*pane), QStringLiteral("%1 has no plan yet.").arg(name));
        auto* button = desk.find<QPushButton>("revisionPlan");
        QVERIFY(button && button->isVisible());
        QCOMPARE(button->text(), QStringLiteral("Plan %1").arg(name));
        QTest::mouseClick(button, Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(pane->table().rowCount() > 2, 20'000);
        QVERIFY(!button->isVisible());
        QCOMPARE(desk.workspace().modelId(), second); // the other one was planned where it was
    }

    void aTensorThatIsGoneIsShownInTheEarlierModel()
    {
        Desk desk;
        const int first = openTable(desk, "v1.csv", earlier);
        QVERIFY(first && openTable(desk, "v2.csv", later));
        auto* pane = showChanges(desk);
        QVERIFY(pane);
        QTRY_VERIFY_WITH_TIMEOUT(pane->table().rowCount() > 2, 10'000);
        auto* table = desk.find<Table>("revisionTable");
        QVERIFY(table);
        table->selectRow(rowOf(pane->table(), QStringLiteral("b")));
        QVERIFY(desk.workspace().selection().buffer() != none);
        table->selectRow(rowOf(pane->table(), QStringLiteral("old")));
        QCOMPARE(desk.workspace().selection().buffer(), BufferId(none)); // b is not what the row is about
        table->setFocus();
        QTest::keyClick(table, Qt::Key_Return);
        QTRY_COMPARE(desk.workspace().modelId(), first);
        const BufferId selected = desk.workspace().selection().buffer();
        QVERIFY(selected != none);
        QCOMPARE(desk.workspace().run()->problem().buffers[std::size_t(selected)].name, std::string("old"));
    }

    /// The planners that the model in front has brought are not those of the other one, which has the user's.
    void theOtherModelIsPlannedWithItsOwnTicks()
    {
        Desk desk;
        const int first = openTable(desk, "v1.csv", earlier);
        const int second = openTable(desk, "v2.csv", later);
        QVERIFY(first && second);
        QVERIFY(planAgain(desk, first, second, [&](PlannerChoice& planners) {
            planners.setTicked("greedy-by-size", true);
            planners.bring(second, {"naive"});
        }));
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && plannersOf(desk, first).contains("greedy-by-size"), 20'000);
    }

    void withoutTicksTheDefaultPlannerPlansIt()
    {
        Desk desk;
        const int first = openTable(desk, "v1.csv", earlier);
        const int second = openTable(desk, "v2.csv", later);
        QVERIFY(first && second);
        QVERIFY(planAgain(desk, first, second, [](PlannerChoice& planners) { planners.setAllTicked(false); }));
        QTRY_COMPARE_WITH_TIMEOUT(plannersOf(desk, first), std::set<std::string>{desk.session.defaultPlanner()}, 20'000);
    }

    void aTensorWithoutAPlaceHasWordsForIt()
    {
        auto compared = std::make_shared<RevisionsCompared>();
        RevisionTensor tensor;
        tensor.name = "x";
        tensor.size = 8;
        compared->before.name = "v1";
        compared->before.tensors = {tensor};
        tensor.pool = "arena";
        tensor.offset = 0x40;
        compared->after.name = "v2";
        compared->after.tensors = {tensor};
        compared->difference = difference(compared->before, compared->after);
        compared->changes = changesOf(compared->before, compared->after, compared->difference);
        RevisionTable table;
        table.show(compared, NumberFormat());
        QCOMPARE(table.rowCount(), 1);
        QCOMPARE(table.index(0, RevisionTable::Tensor).data(Qt::ToolTipRole).toString(), QStringLiteral("x, not placed in v1"));
    }

private:
    test::OwnSettings settings_;
};

QTEST_MAIN(RevisionPaneTest)
#include "tst_revision_pane.moc"
