// Random actions of a user in random order through the real window: commands, keys, wheel, drags, views, models opened and
// closed. It neither crashes nor hangs, and at the end the window still plans. The seed is printed; STOWAGE_SEED takes it again.
#include "tests/desktop/desk.h"
#include "tests/support/seed.h"

#include <QDialog>
#include <QRandomGenerator>
#include <QTimer>
#include <QWheelEvent>

#include <cstdio>
#include <iterator>

using namespace stowage;
using test::Desk;

namespace {

constexpr int actionCount = 200;

/// What leaves the window, opens a dialog of the system, or waits for the user.
bool leftOut(const QString& id)
{
    for (const char* part :
         {"quit", "open", "save", "export", "close-window", "help.about-qt", "paste", "print", "fullScreen", "full-screen"})
        if (id.contains(QLatin1String(part), Qt::CaseInsensitive)) return true;
    return false;
}

class Monkey {
public:
    Monkey(Desk& desk, quint64 seed) : desk_(desk), random_(quint32(seed))
    {
        // A dialog of ours that an action opened is closed again: nobody answers it here.
        QObject::connect(&closer_, &QTimer::timeout, [] {
            if (QWidget* modal = QApplication::activeModalWidget()) modal->close();
            if (QWidget* popup = QApplication::activePopupWidget()) popup->close();
        });
        closer_.start(50);
    }

    /// Does one thing, and says what.
    QString act()
    {
        switch (random_.bounded(7)) {
        case 0: return openOrClose();
        case 1: return command();
        case 2: return key();
        case 3: return wheel();
        case 4: return drag();
        case 5: return view();
        default: return resize();
        }
    }

private:
    template <typename List>
    auto one(const List& from)
    {
        return from[random_.bounded(int(std::size(from)))];
    }

    QString openOrClose()
    {
        static const char* const samples[] = {
            "mobilenet_v1_025",  "lstm_loop", "refine_loop", "double_buffered_matmul", "microcontroller_two_memories",
            "mlp_packed_weights"};
        const QString file = test::sample(one(samples));
        desk_.window->openFiles({file});
        if (random_.bounded(2) == 0) QTest::qWait(random_.bounded(200));
        return "open " + file.section('/', -1);
    }
    QString command()
    {
        const auto& entries = desk_.window->actions().entries();
        const auto& entry = entries[std::size_t(random_.bounded(int(entries.size())))];
        if (!entry.action || leftOut(entry.id) || !entry.action->isEnabled()) return "nothing";
        entry.action->trigger();
        return entry.id;
    }
    QWidget* target()
    {
        QWidget* at = desk_.window->childAt(random_.bounded(std::max(1, desk_.window->width())),
                                            random_.bounded(std::max(1, desk_.window->height())));
        return at ? at : desk_.window.get();
    }
    QString key()
    {
        static const Qt::Key keys[] = {Qt::Key_Left,  Qt::Key_Right,  Qt::Key_Up,    Qt::Key_Down, Qt::Key_Plus,
                                       Qt::Key_Minus, Qt::Key_W,      Qt::Key_Home,  Qt::Key_End,  Qt::Key_Escape,
                                       Qt::Key_Tab,   Qt::Key_Return, Qt::Key_Space, Qt::Key_Y};
        QWidget* to = QApplication::focusWidget() ? QApplication::focusWidget() : target();
        const Qt::Key pressed = one(keys);
        QTest::keyClick(to, pressed, random_.bounded(4) == 0 ? Qt::ShiftModifier : Qt::NoModifier);
        return "key " + QKeySequence(pressed).toString();
    }
    QString wheel()
    {
        QWidget* to = target();
        const QPointF at(random_.bounded(std::max(1, to->width())), random_.bounded(std::max(1, to->height())));
        QWheelEvent event(at, to->mapToGlobal(at), {}, {0, random_.bounded(2) == 0 ? 240 : -240}, Qt::NoButton,
                          random_.bounded(2) == 0 ? Qt::ControlModifier : Qt::NoModifier, Qt::NoScrollPhase, false);
        QApplication::sendEvent(to, &event);
        return "wheel";
    }
    QString drag()
    {
        QWidget* to = target();
        const auto point = [&] {
            return QPoint(random_.bounded(std::max(1, to->width())), random_.bounded(std::max(1, to->height())));
        };
        const QPoint from = point(), end = point();
        if (qobject_cast<QDialog*>(to->window())) return "nothing";
        // A click on a button of the window may open files: only what is dragged counts.
        QTest::mousePress(to, Qt::LeftButton, random_.bounded(3) == 0 ? Qt::ShiftModifier : Qt::NoModifier, from);
        for (int i = 1; i <= 4; ++i) QTest::mouseMove(to, from + (end - from) * i / 4);
        QTest::mouseRelease(to, Qt::LeftButton, Qt::NoModifier, QPoint(-5, -5));
        return QString("drag on %1").arg(to->metaObject()->className());
    }
    QString view()
    {
        const auto& kinds = viewEntries();
        const QString name = QString::fromLatin1(kinds[std::size_t(random_.bounded(int(kinds.size())))].id);
        desk_.window->views().setCurrent(name);
        return "view " + name;
    }
    QString resize()
    {
        const QSize size(700 + random_.bounded(1200), 500 + random_.bounded(700));
        desk_.window->resize(size);
        return QString("resize %1x%2").arg(size.width()).arg(size.height());
    }

    Desk& desk_;
    QRandomGenerator random_;
    QTimer closer_;
};

} // namespace

class RandomActionsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void nothingBreaks_data()
    {
        QTest::addColumn<quint64>("seed");
        for (quint64 i = 0; i < 2; ++i) QTest::addRow("%llu", i) << quint64(testSeed()) + i;
    }
    void nothingBreaks()
    {
        QFETCH(quint64, seed);
        std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
        std::fflush(stdout); // also when the next line is the last
        Desk desk;
        {
            Monkey monkey(desk, seed);
            for (int i = 0; i < actionCount; ++i) {
                const QString done = monkey.act();
                if (qEnvironmentVariableIsSet("STOWAGE_TELL")) qInfo("%d %s", i, qPrintable(done));
                QCoreApplication::processEvents();
            }
        }
        desk.window->show();
        QVERIFY(QTest::qWaitFor([&] { return desk.idle(); }, 60'000));
        // Whatever was ticked, cleared or cancelled: a model opens, and is planned when asked.
        desk.window->openFiles({test::sample("resnet18")});
        QVERIFY(QTest::qWaitFor([&] { return desk.idle() && desk.workspace().model(); }, 60'000));
        desk.workspace().plannings().planOnly("greedy-by-size");
        QVERIFY(QTest::qWaitFor([&] { return desk.idle() && desk.workspace().run(); }, 60'000));
    }

private:
    test::OwnSettings settings_;
};

QTEST_MAIN(RandomActionsTest)
#include "tst_random_actions.moc"
