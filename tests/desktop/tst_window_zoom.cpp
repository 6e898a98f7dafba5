// The real window: each open model has its own zoom in each view, and a session holds all of them.
#include "app/desktop/session_keeper.h"
#include "app/desktop/widgets/canvas.h"
#include "tests/desktop/desk.h"
#include "tests/support/written_file.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>

using namespace stowage;
using test::Desk;

namespace {

/// A buffer of 64 bytes in each step, two live at a time.
QByteArray chain(int buffers)
{
    QByteArray text = "id,lower,upper,size\n";
    for (int i = 0; i < buffers; ++i)
        text += QByteArray::number(i) + ',' + QByteArray::number(i) + ',' + QByteArray::number(i + 2) + ",64\n";
    return text;
}

/// Opens a model, and gives its id; 0: it did not open.
int opened(Desk& desk, const QString& path)
{
    desk.window->openFiles({path});
    const bool shown =
        QTest::qWaitFor([&] { return desk.idle() && desk.workspace().run() && desk.workspace().model()->path == path; }, 60'000);
    return shown ? desk.workspace().modelId() : 0;
}

Canvas& shownCanvas(Desk& desk)
{
    return *desk.window->views().currentView()->canvas();
}

/// Shows `span` steps from `begin` in the shown view; false if it has no picture.
bool zoomed(Desk& desk, int begin, int span)
{
    Canvas& canvas = shownCanvas(desk);
    if (!QTest::qWaitFor([&] { return canvas.scene() && canvas.ready(); }, 20'000)) return false;
    ViewRange range = canvas.range();
    range.steps.begin = {begin, 0};
    range.steps.span = span;
    canvas.go(range);
    return true;
}

/// Whether the shown view comes to show `span` steps from about `begin` (axes begin at whole pixels).
bool shows(Desk& desk, int begin, int span)
{
    const Canvas& canvas = shownCanvas(desk);
    return QTest::qWaitFor(
        [&] {
            if (!canvas.scene() || !canvas.ready()) return false;
            const AxisRange steps = canvas.range().steps;
            const double from = double(steps.begin.whole) + steps.begin.part;
            return std::abs(steps.span - span) < 1e-6 && std::abs(from - begin) < 0.1;
        },
        10'000);
}

} // namespace

class WindowZoomTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { QSettings().clear(); }

    void eachModelKeepsItsZoomInEachView()
    {
        Desk desk;
        const int first = opened(desk, file("first.csv", chain(40)));
        QVERIFY(first);
        desk.show<View>("memory-map");
        QVERIFY(zoomed(desk, 4, 10));
        desk.show<View>("liveness");
        QVERIFY(zoomed(desk, 20, 5));
        const int second = opened(desk, file("second.csv", chain(60)));
        QVERIFY(second);
        QVERIFY(zoomed(desk, 30, 8));
        desk.workspace().setModel(first);
        QVERIFY(shows(desk, 20, 5));
        desk.show<View>("memory-map");
        QVERIFY(shows(desk, 4, 10));
        desk.workspace().setModel(second);
        const Canvas& map = shownCanvas(desk);
        QTRY_VERIFY_WITH_TIMEOUT(map.scene() && map.ready() && map.fresh(), 10'000); // nobody zoomed that one
        desk.show<View>("liveness");
        QVERIFY(shows(desk, 30, 8));
    }

    void aSessionHoldsTheZoomOfEachModel()
    {
        const QString first = file("one.csv", chain(40)), second = file("other.csv", chain(60));
        const QString stow = folder_.filePath(QStringLiteral("zooms.stow"));
        {
            Desk desk;
            QVERIFY(opened(desk, first));
            desk.show<View>("memory-map");
            QVERIFY(zoomed(desk, 4, 10));
            QVERIFY(opened(desk, second));
            QVERIFY(zoomed(desk, 30, 8));
            desk.window->saveSession(stow);
            QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(stow), 20'000);
        }
        Desk desk;
        QVERIFY(desk.window->openSession(stow));
        QVERIFY(QTest::qWaitFor([&] { return desk.idle() && desk.workspace().run(); }, 60'000));
        QVERIFY(shows(desk, 30, 8));
        for (const int id : desk.workspace().models().ids())
            if (desk.workspace().session().model(id)->path == first) desk.workspace().setModel(id);
        QCOMPARE(desk.workspace().model()->path, first);
        QVERIFY(shows(desk, 4, 10));
        const SessionDocument again = desk.window->keeper().capture();
        QCOMPARE(again.models.size(), std::size_t(2));
        for (const SessionModel& model : again.models) QVERIFY2(model.zooms.contains("memory-map"), model.path.c_str());
    }

private:
    [[nodiscard]] QString file(const char* name, const QByteArray& text) const
    {
        return test::writtenFile(folder_, QString::fromLatin1(name), text);
    }

    QTemporaryDir folder_;
    test::OwnSettings settings_;
};

QTEST_MAIN(WindowZoomTest)
#include "tst_window_zoom.moc"
