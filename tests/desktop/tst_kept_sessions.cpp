// The real window: which plans a session holds, what it says of others, targets in it, and the autosaves of several programs.
#include "app/desktop/file_lock.h"
#include "app/desktop/session_keeper.h"
#include "app/desktop/shell/welcome_page.h"
#include "app/desktop/widgets/canvas.h"
#include "app/desktop/widgets/error_card.h"
#include "app/session/file_hash.h"
#include "tests/desktop/desk.h"
#include "tests/support/written_file.h"

#include <QDateTime>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QLineEdit>
#include <QMessageBox>
#include <QProcess>
#include <QPushButton>
#include <QSysInfo>
#include <QTest>
#include <QTimer>

#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <sys/stat.h>
#include <utility>
#include <vector>

using namespace stowage;
using test::Desk;

namespace {

const QByteArray two = "id,lower,upper,size\na,0,2,10\nb,1,3,20\n";

/// A buffer of 64 bytes in each step, two live at a time.
QByteArray chain(int buffers)
{
    QByteArray text = "id,lower,upper,size\n";
    for (int i = 0; i < buffers; ++i)
        text += QByteArray::number(i) + ',' + QByteArray::number(i) + ',' + QByteArray::number(i + 2) + ",64\n";
    return text;
}

bool modelOpened(Desk& desk, const QString& path)
{
    desk.window->openFiles({path});
    return QTest::qWaitFor([&] { return desk.idle() && desk.workspace().run() && desk.workspace().model()->path == path; },
                           60'000);
}

/// Saves a session, and gives the notes of the card that says so.
std::optional<Diagnostics> saved(Desk& desk, const QString& stow)
{
    desk.window->saveSession(stow);
    const auto& card = desk.window->errorCard();
    if (!QTest::qWaitFor([&] { return card.isVisible() && card.notice().path.endsWith(u".stow"); }, 60'000)) return std::nullopt;
    return card.notice().more;
}

/// Opens a session, and waits until its one model is there, with its runs.
bool sessionOpened(Desk& desk, const QString& stow)
{
    return desk.window->openSession(stow) &&
           QTest::qWaitFor([&] { return desk.idle() && desk.workspace().model() != nullptr; }, 60'000);
}

/// Saves the session under a name that is typed into the file dialog. True if the dialog asks whether to replace a file; the
/// answer is no, and nothing is saved.
bool asksToReplace(Desk& desk, const QString& name)
{
    bool typed = false, asked = false;
    const QObject here; // ends the steps with this function
    const std::function<void()> step = [&] {
        QTimer::singleShot(20, &here, [&] { step(); }); // also while a dialog that this step opens waits
        QWidget* shown = QApplication::activeModalWidget();
        auto* dialog = qobject_cast<QFileDialog*>(shown);
        if (auto* box = qobject_cast<QMessageBox*>(shown)) {
            asked = true;
            box->reject();
        } else if (dialog && asked) {
            dialog->reject();
        } else if (dialog) {
            if (!std::exchange(typed, true)) dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))->setText(name);
            static_cast<QDialog*>(dialog)->accept();
        }
    };
    step();
    desk.trigger("file.save-session");
    return asked;
}

} // namespace

class KeptSessionsTest : public QObject {
    Q_OBJECT

    test::OwnSettings settings_;
    QTemporaryDir folder_;

    QString file(const char* name, const QByteArray& text) { return test::writtenFile(folder_, QString::fromLatin1(name), text); }
    static void removeAutosaves()
    {
        for (int place = 1; place <= SessionKeeper::maxPlaces; ++place) {
            QFile::remove(SessionKeeper::autosaveFile(place));
            QFile::remove(SessionKeeper::autosaveFile(place) + QStringLiteral(".lock"));
        }
        for (const QString& copy : copies()) folderOfAutosaves().remove(copy);
    }
    static QDir folderOfAutosaves() { return QFileInfo(SessionKeeper::autosaveFile()).dir(); }
    /// The names of the copies of autosaves that could not be read.
    static QStringList copies()
    {
        return folderOfAutosaves().entryList({QStringLiteral("*.unreadable*")}, QDir::Files, QDir::Name);
    }
    /// Writes the autosave of the last start, or the file with this suffix beside it.
    static bool writeLast(const QByteArray& text, const QString& suffix = {})
    {
        QFile last(SessionKeeper::autosaveFile() + suffix);
        return last.open(QIODevice::WriteOnly) && last.write(text) == text.size();
    }

private Q_SLOTS:
    void init() { removeAutosaves(); }
    void cleanup()
    {
        QSettings().clear();
        removeAutosaves();
    }

    /// Plans of another setup are left out, and the card counts them.
    void plansOfAnotherSetupAreCounted()
    {
        const QString stow = folder_.filePath(QStringLiteral("setups.stow"));
        {
            Desk desk;
            desk.workspace().planners().restoreTicked({"naive"}, false);
            QVERIFY(modelOpened(desk, file("setups.csv", two)));
            desk.workspace().edits().setCapacity(0, 1000);
            QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.session.runs().size() == 2, 20'000);
            const auto notes = saved(desk, stow);
            QVERIFY(notes);
            QCOMPARE(notes->size(), std::size_t(1));
            QVERIFY(notes->front().code == Code::plansLeftOut);
            QVERIFY2(notes->front().message.starts_with("1 of 2 plans are left out"), notes->front().message.c_str());
        }
        Desk desk;
        QVERIFY(sessionOpened(desk, stow));
        QCOMPARE(desk.session.runs().size(), std::size_t(1));
        QVERIFY(desk.workspace().run());
        QVERIFY(!desk.window->errorCard().isVisible()); // a plan is there
    }

    /// A plan of more buffers than a session holds: the model is opened without one, and a card offers to plan it.
    void aModelWithoutItsPlanOffersToPlan()
    {
        const QString stow = folder_.filePath(QStringLiteral("many.stow"));
        {
            Desk desk;
            desk.workspace().planners().restoreTicked({"naive"}, false);
            QVERIFY(modelOpened(desk, file("many.csv", chain(int(DeskSession::maxBuffers) + 1))));
            const auto notes = saved(desk, stow);
            QVERIFY(notes && notes->size() == 1);
            QVERIFY2(notes->front().message.starts_with("1 of 1 plans are left out"), notes->front().message.c_str());
        }
        Desk desk;
        QVERIFY(sessionOpened(desk, stow));
        QVERIFY(desk.session.runs().empty());
        const ErrorCard& card = desk.window->errorCard();
        QTRY_VERIFY(card.isVisible());
        QCOMPARE(card.notice().title, QStringLiteral("many.csv is without its plans"));
        QCOMPARE(card.notice().choices.size(), std::size_t(1));
        card.notice().choices.front().take();
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().run(), 60'000);
    }

    /// Targets that differ in their runtime only are two targets: `fit` compares with the planners of that runtime.
    void theRuntimeOfATargetIsKept()
    {
        const QString stow = folder_.filePath(QStringLiteral("runtime.stow"));
        {
            Desk desk;
            desk.workspace().planners().restoreTicked({"naive"}, false);
            QVERIFY(modelOpened(desk, file("runtime.csv", two)));
            Target board;
            board.name = QStringLiteral("board");
            board.pools = desk.workspace().pools();
            desk.workspace().edits().setTarget(board);
            board.runtime = QStringLiteral("executorch");
            desk.workspace().edits().setTarget(board);
            QCOMPARE(desk.workspace().undoStack().count(), 2);
            QCOMPARE(desk.workspace().target().runtime, board.runtime);
            QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().run(), 20'000);
            QVERIFY(saved(desk, stow));
        }
        Desk desk;
        QVERIFY(sessionOpened(desk, stow));
        QCOMPARE(desk.workspace().target().name, QStringLiteral("board"));
        QCOMPARE(desk.workspace().target().runtime, QStringLiteral("executorch"));
        QCOMPARE(desk.session.runs().size(), std::size_t(1));
    }

    /// The hash of a file of a session is made where the file is read, and not on the window's thread.
    void theReaderMakesTheHash()
    {
        const QString csv = file("hashed.csv", two), stow = folder_.filePath(QStringLiteral("hashed.stow"));
        {
            Desk desk;
            QVERIFY(modelOpened(desk, csv));
            QVERIFY(desk.workspace().model()->sha256.empty()); // nobody asked
            QVERIFY(saved(desk, stow));
        }
        Desk desk;
        QVERIFY(sessionOpened(desk, stow));
        QCOMPARE(desk.workspace().model()->sha256, fileHash(csv));
        QVERIFY(!desk.session.runs().empty());
    }

    /// Each running program has an autosave; the next start goes on with the newest one that is left.
    void eachProgramHasItsOwnAutosave()
    {
        const QString one = file("one.csv", two), other = file("other.csv", two);
        const auto models = [](const QString& autosave) {
            const auto session = SessionKeeper::read(autosave);
            std::vector<std::string> paths;
            if (session)
                for (const SessionModel& model : session->models) paths.push_back(model.path);
            return paths;
        };
        QString first, second;
        {
            Desk desk;
            first = desk.window->keeper().file();
            QCOMPARE(first, SessionKeeper::autosaveFile());
            QVERIFY(modelOpened(desk, one));
            {
                Desk beside;
                second = beside.window->keeper().file();
                QVERIFY(second != first);
                QVERIFY(modelOpened(beside, other));
                desk.window->keeper().autosave();
                beside.window->keeper().autosave();
            }
            QCOMPARE(models(first), std::vector<std::string>{one.toStdString()});
            QCOMPARE(models(second), std::vector<std::string>{other.toStdString()});
            // The one that still runs keeps its autosave.
            const Desk third;
            QCOMPARE(third.window->keeper().file(), second);
        }
        QFile newest(second);
        QVERIFY(newest.open(QIODevice::ReadWrite));
        QVERIFY(newest.setFileTime(QDateTime::currentDateTime().addSecs(60), QFileDevice::FileModificationTime));
        newest.close();
        Desk desk;
        QCOMPARE(desk.window->keeper().file(), second);
        desk.window->reopenLast();
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().model(), 20'000);
        QCOMPARE(desk.workspace().model()->path, other);
    }

    /// The lock of a program that was killed is there, and its process is not.
    void theAutosaveOfAKilledProgramIsTaken()
    {
        {
            Desk desk;
            QVERIFY(modelOpened(desk, file("killed.csv", two)));
            desk.window->keeper().autosave();
        }
        QProcess gone;
        gone.start(QStringLiteral("sleep"), {QStringLiteral("600")});
        QVERIFY(gone.waitForStarted());
        const QByteArray lock = QByteArray::number(gone.processId()) + "\nsleep\n" + QSysInfo::machineHostName().toUtf8() + '\n';
        gone.kill();
        QVERIFY(gone.waitForFinished());
        QFile left(SessionKeeper::autosaveFile() + QStringLiteral(".lock"));
        QVERIFY(left.open(QIODevice::WriteOnly) && left.write(lock) == lock.size());
        left.close();
        Desk desk;
        QCOMPARE(desk.window->keeper().file(), SessionKeeper::autosaveFile());
    }

    /// The lock file of a program that was killed names a process of another host, or a number that a running process has by now.
    void theAutosaveOfAKilledContainerIsTaken_data()
    {
        QTest::addColumn<QByteArray>("host");
        QTest::newRow("another host") << QByteArray("host-of-a-container");
        QTest::newRow("a process with the same number") << QSysInfo::machineHostName().toUtf8();
    }
    void theAutosaveOfAKilledContainerIsTaken()
    {
        QFETCH(const QByteArray, host);
        {
            Desk desk;
            QVERIFY(modelOpened(desk, file("container.csv", two)));
            desk.window->keeper().autosave();
        }
        QProcess running;
        running.start(QStringLiteral("sleep"), {QStringLiteral("600")});
        QVERIFY(running.waitForStarted());
        const QByteArray lock = QByteArray::number(running.processId()) + "\nsleep\n" + host + '\n';
        QFile left(SessionKeeper::autosaveFile() + QStringLiteral(".lock"));
        QVERIFY(left.open(QIODevice::WriteOnly) && left.write(lock) == lock.size());
        left.close();
        {
            const Desk desk;
            QCOMPARE(desk.window->keeper().file(), SessionKeeper::autosaveFile());
        }
        running.kill();
        QVERIFY(running.waitForFinished());
    }

    /// A program that this one starts and that outlives it does not keep the place.
    void startedProgramsDoNotHoldTheAutosave()
    {
        QProcess started;
        {
            const Desk desk;
            started.start(QStringLiteral("sleep"), {QStringLiteral("600")});
            QVERIFY(started.waitForStarted());
        }
        {
            const Desk desk;
            QCOMPARE(desk.window->keeper().file(), SessionKeeper::autosaveFile());
        }
        started.kill();
        QVERIFY(started.waitForFinished());
    }

    /// A window that finds no place says so once, when it has something to save.
    void aWindowWithoutAutosaveSaysSo()
    {
        std::vector<FileLock> others(SessionKeeper::maxPlaces);
        for (int place = 1; place <= SessionKeeper::maxPlaces; ++place)
            QVERIFY(others[std::size_t(place - 1)].take(SessionKeeper::autosaveFile(place) + QStringLiteral(".lock")));
        Desk desk;
        QVERIFY(desk.window->keeper().file().isEmpty());
        const QString title = QStringLiteral("This window has no autosave");
        int said = 0;
        connect(&desk.workspace(), &Workspace::noticed, this, [&](const Notice& notice) { said += notice.title == title; });
        QVERIFY(modelOpened(desk, file("placeless.csv", two)));
        QTRY_COMPARE_WITH_TIMEOUT(said, 1, 20'000);
        QVERIFY(desk.window->errorCard().isVisible());
        QVERIFY(!desk.window->errorCard().notice().what.remedy.empty());
        desk.window->keeper().autosave();
        QCOMPARE(said, 1);
    }

    /// A last session that is damaged, or that a newer version has written: the window says so, and keeps it.
    void anUnreadableLastSessionIsCopied()
    {
        const QByteArray newer = QByteArray("{'format': 'stowage.session/1', 'files': [], 'later': 1}").replace('\'', '"'),
                         damaged = newer.chopped(3);
        const QString autosave = SessionKeeper::autosaveFile(), first = QStringLiteral("last.stow.unreadable");
        for (int start = 0; start < 2; ++start) { // an equal file is not copied twice
            QVERIFY(writeLast(newer));
            Desk desk;
            desk.trigger("file.reopen");
            const auto* card = desk.window->welcome().findChild<ErrorCard*>();
            QTRY_VERIFY(card->isVisible());
            QVERIFY2(card->details().contains(QStringLiteral("later")) && card->details().contains(first),
                     qPrintable(card->details()));
            QCOMPARE(copies(), QStringList(first));
            QCOMPARE(test::contentsOf(autosave + QStringLiteral(".unreadable")), newer);
            QVERIFY(modelOpened(desk, file("copied.csv", two)));
            desk.window->keeper().autosave();
            QVERIFY(SessionKeeper::read(autosave));
        }
        QVERIFY(writeLast(damaged));
        Desk desk;
        desk.window->reopenLast();
        QCOMPARE(copies(), (QStringList{first, QStringLiteral("last.stow.unreadable-2")}));
        QCOMPARE(test::contentsOf(autosave + QStringLiteral(".unreadable")), newer);
        QCOMPARE(test::contentsOf(autosave + QStringLiteral(".unreadable-2")), damaged);
    }

    /// Also by a window that opened a file instead of the last session.
    void anUnreadableLastSessionIsCopiedBeforeItIsReplaced()
    {
        const QByteArray damaged = "{'format'";
        QVERIFY(writeLast(damaged));
        Desk desk;
        QVERIFY(modelOpened(desk, file("replacing.csv", two)));
        desk.window->keeper().autosave();
        QVERIFY(SessionKeeper::read(SessionKeeper::autosaveFile()));
        QCOMPARE(test::contentsOf(SessionKeeper::autosaveFile() + QStringLiteral(".unreadable")), damaged);
    }

    /// The last session is read at most once in each start: what was read is replaced without another look at it.
    void theLastSessionIsReadOnce()
    {
        const QString csv = file("once.csv", two);
        {
            Desk desk;
            QVERIFY(modelOpened(desk, csv));
            desk.window->keeper().autosave();
        }
        Desk desk;
        desk.window->reopenLast();
        QVERIFY(writeLast("{")); // a second reading would copy it
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().model(), 20'000);
        desk.window->keeper().autosave();
        const auto kept = SessionKeeper::read(SessionKeeper::autosaveFile());
        QVERIFY(kept);
        QCOMPARE(kept->models.size(), std::size_t(1));
        QVERIFY(copies().isEmpty());
    }

    /// The first autosave finds it, on its own thread, and the window says that it has no autosave.
    void anUnreadableLastSessionThatNobodyReopenedStays()
    {
        const QByteArray damaged = "{";
        QVERIFY(writeLast(damaged));
        for (int number = 1; number <= SessionKeeper::maxCopies; ++number)
            QVERIFY(writeLast(QByteArray::number(number),
                              number == 1 ? QStringLiteral(".unreadable") : QStringLiteral(".unreadable-%1").arg(number)));
        Desk desk;
        int said = 0;
        connect(&desk.workspace(), &Workspace::noticed, this,
                [&](const Notice& notice) { said += notice.title == QStringLiteral("This window has no autosave"); });
        QVERIFY(modelOpened(desk, file("nobody.csv", two)));
        desk.window->keeper().autosave();
        QTRY_COMPARE(said, 1);
        desk.workspace().planners().setSeed(5);
        desk.window->keeper().autosave();
        QTest::qWait(50);
        QCOMPARE(said, 1);
        QCOMPARE(test::contentsOf(SessionKeeper::autosaveFile()), damaged);
    }

    /// Another view, a panel that is closed and a zoom are in the autosave without any other change.
    void whatTheWindowOwnsIsKept()
    {
        Desk desk;
        QVERIFY(desk.open("mobilenet_v1_025"));
        auto* map = desk.show<View>("memory-map");
        QTRY_VERIFY(map->canvas()->scene() && map->canvas()->ready());
        QTest::qWait(2'000); // no change is left to be saved: an autosave begins 1.5 s after the first one
        desk.window->keeper().autosave();
        const auto kept = [] {
            auto session = SessionKeeper::read(SessionKeeper::autosaveFile());
            return session ? *std::move(session) : SessionDocument();
        };
        ViewRange closer = map->canvas()->range();
        closer.steps.begin = {4, 0};
        closer.steps.span = 10;
        map->canvas()->go(closer);
        const ViewRange gone = map->canvas()->range();
        const auto zoomed = [&] {
            const SessionDocument session = kept();
            if (session.models.empty()) return false;
            const auto zoom = session.models.front().zooms.find("memory-map");
            return zoom != session.models.front().zooms.end() && !zoom->second.empty() &&
                   std::abs(zoom->second.front().second - gone.steps.span) < 1e-6;
        };
        QVERIFY(!zoomed());
        QTRY_VERIFY_WITH_TIMEOUT(zoomed(), 10'000);
        const auto panels = kept().panels;
        desk.trigger("view.inspector");
        QTRY_VERIFY_WITH_TIMEOUT(kept().panels != panels, 10'000);
        QVERIFY(kept().view != "usage");
        desk.show<View>("usage");
        QTRY_COMPARE_WITH_TIMEOUT(kept().view, std::string("usage"), 10'000);
    }

    /// Changes that come more often than the autosave, such as those of a long search, do not put it off until they end.
    void frequentChangesDoNotPutTheAutosaveOff()
    {
        Desk desk;
        QVERIFY(modelOpened(desk, file("often.csv", two)));
        desk.window->keeper().autosave();
        QVERIFY(QFile::remove(SessionKeeper::autosaveFile()));
        std::uint64_t seed = 10;
        QTimer often;
        connect(&often, &QTimer::timeout, &often, [&] { desk.workspace().planners().setSeed(++seed); });
        often.start(200);
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(SessionKeeper::autosaveFile()), 10'000);
        QVERIFY(often.isActive());
    }

    /// A model that comes without a plan has its zoom as soon as it is planned, however late.
    void theZoomWaitsForTheFirstPlan()
    {
        const QString stow = folder_.filePath(QStringLiteral("late.stow"));
        ViewRange range;
        {
            Desk desk;
            QVERIFY(modelOpened(desk, file("late.csv", chain(40))));
            auto* map = desk.show<View>("memory-map");
            QTRY_VERIFY(map->canvas()->scene() && map->canvas()->ready());
            ViewRange closer = map->canvas()->range();
            closer.steps.begin = {4, 0};
            closer.steps.span = 10;
            map->canvas()->go(closer);
            range = map->canvas()->range();
            SessionDocument session = desk.window->keeper().capture();
            QCOMPARE(session.models.size(), std::size_t(1));
            session.models.front().runs.clear();
            session.models.front().shownRun.reset();
            file("late.stow", QByteArray::fromStdString(writeSession(session, stow.toStdString())));
        }
        Desk desk;
        QVERIFY(sessionOpened(desk, stow));
        QVERIFY(!desk.workspace().run());
        QTest::qWait(5'500); // longer than a picture may take
        desk.workspace().plan();
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().run(), 60'000);
        const Canvas* canvas = desk.window->views().currentView()->canvas();
        QTRY_VERIFY_WITH_TIMEOUT(canvas->scene() && std::abs(canvas->range().steps.span - range.steps.span) < 1e-6, 10'000);
        QCOMPARE(canvas->range().steps.begin.whole, range.steps.begin.whole);
    }

    /// Without room for another copy the file is not replaced, until there is room.
    void anUnreadableLastSessionWithoutACopyStays()
    {
        const QByteArray damaged = "{";
        const QString autosave = SessionKeeper::autosaveFile();
        QVERIFY(writeLast(damaged));
        for (int number = 1; number <= SessionKeeper::maxCopies; ++number)
            QVERIFY(writeLast(QByteArray::number(number),
                              number == 1 ? QStringLiteral(".unreadable") : QStringLiteral(".unreadable-%1").arg(number)));
        Desk desk;
        desk.window->reopenLast();
        const auto* card = desk.window->welcome().findChild<ErrorCard*>();
        QTRY_VERIFY(card->isVisible());
        QVERIFY2(card->notice().what.message.find("no autosave") != std::string::npos, qPrintable(card->details()));
        QVERIFY(!card->notice().what.remedy.empty());
        QVERIFY(modelOpened(desk, file("stays.csv", two)));
        desk.window->keeper().autosave();
        QCOMPARE(test::contentsOf(autosave), damaged);
        QCOMPARE(copies().size(), qsizetype(SessionKeeper::maxCopies));
        QVERIFY(QFile::remove(autosave + QStringLiteral(".unreadable-3")));
        desk.window->reopenLast();
        QCOMPARE(test::contentsOf(autosave + QStringLiteral(".unreadable-3")), damaged);
        desk.window->keeper().autosave();
        QVERIFY(SessionKeeper::read(autosave));
    }

    /// A session is known by its suffix, which is added to a typed name, also to one with a dot in it. The file of the whole name
    /// is replaced only after a question.
    void aTypedNameOfASessionHasItsSuffix_data()
    {
        QTest::addColumn<QString>("typed");
        QTest::newRow("word") << "desk";
        QTest::newRow("word with a dot") << "net_0.25";
    }
    void aTypedNameOfASessionHasItsSuffix()
    {
        QFETCH(const QString, typed);
        const QString csv = file("typed.csv", two), name = folder_.filePath(typed), stow = name + QStringLiteral(".stow");
        {
            Desk desk;
            QVERIFY(modelOpened(desk, csv));
            QVERIFY(!asksToReplace(desk, name));
            QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(stow), 20'000);
            QVERIFY(!QFile::exists(name));
            const QByteArray before = test::contentsOf(stow);
            desk.workspace().planners().setSeed(3);
            QVERIFY(asksToReplace(desk, name));
            QVERIFY(!QFile::exists(name));
            QCOMPARE(test::contentsOf(stow), before);
        }
        Desk desk;
        desk.window->openFiles({stow});
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().model(), 20'000);
        QCOMPARE(desk.workspace().model()->path, csv);
    }

    /// The autosave goes to a place that takes no bytes: the window works on.
    void aSlowDiskDoesNotHoldTheWindow()
    {
        Desk desk;
        QVERIFY(modelOpened(desk, file("slow.csv", two)));
        desk.window->keeper().autosave();
        const QString autosave = desk.window->keeper().file();
        QVERIFY(QFile::remove(autosave));
        QCOMPARE(::mkfifo(autosave.toLocal8Bit().constData(), 0600), 0); // nobody reads it
        desk.workspace().planners().setSeed(3);
        QElapsedTimer clock;
        clock.start();
        QTest::qWait(3000); // an autosave begins 1.5 s after a change
        QVERIFY2(clock.elapsed() < 10'000, qPrintable(QString::number(clock.elapsed())));
        QVERIFY(QFile::remove(autosave));
    }
};

QTEST_MAIN(KeptSessionsTest)
#include "tst_kept_sessions.moc"
