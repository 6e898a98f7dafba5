// Random actions of a user in random order through the real window: commands, keys, wheel, drags, views, models opened and
// closed, work cancelled. It neither crashes nor hangs; at the end one window still plans, and another is closed in the midst of
// its work. The seed is printed; STOWAGE_SEED takes it again.
#include "tests/desktop/desk.h"
#include "tests/support/seed.h"

#include <QDialog>
#include <QElapsedTimer>
#include <QRandomGenerator>
#include <QTimer>
#include <QWheelEvent>

#include <cstdio>
#include <iterator>
#include <memory>
#include <utility>

using namespace stowage;
using test::Desk;

namespace {

constexpr int actionCount = 200;
constexpr int patience = 60'000; ///< in ms

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
        switch (random_.bounded(8)) {
        case 0: return openOrClose();
        case 1: return command();
        case 2: return key();
        case 3: return wheel();
        case 4: return drag();
        case 5: return view();
        case 6: return cancel();
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
    /// Cancels the planning, or the reading of a file, after up to 20 ms in which that goes on.
    QString cancel()
    {
        QTest::qWait(random_.bounded(20));
        const auto& opening = desk_.workspace().models().opening();
        if (random_.bounded(3) == 0 && !opening.empty()) {
            desk_.workspace().models().cancelOpening(opening.begin()->first);
            return "cancel opening";
        }
        desk_.trigger("plan.cancel");
        return "cancel";
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
        QTest::addColumn<bool>("closes"); ///< at once after the last action; else it plans once more
        QTest::newRow("plans") << quint64(testSeed()) << false;
        QTest::newRow("closes") << quint64(testSeed()) + 1 << true;
    }
    void nothingBreaks()
    {
        QFETCH(quint64, seed);
        QFETCH(bool, closes);
        std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
        std::fflush(stdout); // also when the next line is the last
        auto desk = std::make_unique<Desk>();
        {
            Monkey monkey(*desk, seed);
            for (int i = 0; i < actionCount; ++i) {
                const QString done = monkey.act();
                if (qEnvironmentVariableIsSet("STOWAGE_TELL")) qInfo("%d %s", i, qPrintable(done));
                QCoreApplication::processEvents();
            }
        }
        if (closes) return closeInTheMidst(std::move(desk));
        desk->window->show();
        QVERIFY(QTest::qWaitFor([&] { return desk->idle(); }, patience));
        // Whatever was ticked, cleared or cancelled: a model opens, and is planned when asked.
        desk->window->openFiles({test::sample("resnet18")});
        QVERIFY(QTest::qWaitFor([&] { return desk->idle() && desk->workspace().model(); }, patience));
        desk->workspace().plannings().planOnly("greedy-by-size");
        QVERIFY(QTest::qWaitFor([&] { return desk->idle() && desk->workspace().run(); }, patience));
    }

private:
    /// Besides what the actions began, a search without a limit of time has just begun, and the reading of a file.
    static void closeInTheMidst(std::unique_ptr<Desk> desk)
    {
        desk->workspace().planners().setTimeLimitSeconds(0);
        desk->workspace().plannings().planOnly("exact");
        desk->window->openFiles({test::sample("resnet18")});
        QElapsedTimer clock;
        clock.start();
        desk->window->close();
        desk.reset();
        QVERIFY2(!clock.hasExpired(patience), "closing the window waits for its work");
        QCoreApplication::processEvents(); // what was still on its way to the window finds nobody
    }

    test::OwnSettings settings_;
};

QTEST_MAIN(RandomActionsTest)
#include "tst_random_actions.moc"
