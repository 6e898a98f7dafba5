// The real window: the plans of a session are checked before they are taken over, beside the window's thread.
#include "app/canvas/kit/background_pool.h"
#include "app/desktop/file_watch.h"
#include "app/desktop/session_keeper.h"
#include "app/desktop/shell/welcome_page.h"
#include "app/desktop/views/regression_view.h"
#include "app/desktop/widgets/error_card.h"
#include "app/session/again_command.h"
#include "tests/desktop/desk.h"
#include "tests/support/written_file.h"

#include <QAbstractButton>
#include <QAction>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QLineEdit>
#include <QPushButton>
#include <QSemaphore>
#include <QStringList>
#include <QTest>
#include <QThreadPool>
#include <QTimer>

#include <algorithm>
#include <array>
#include <cstdint>
#include <fcntl.h>
#include <memory>
#include <optional>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <vector>

using namespace stowage;
using test::Desk;

namespace {

const QByteArray two = "id,lower,upper,size\na,0,2,10\nb,1,3,20\n";

bool planned(Desk& desk)
{
    return QTest::qWaitFor([&] { return desk.idle() && desk.workspace().run(); }, 60'000);
}

bool modelOpened(Desk& desk, const QString& path)
{
    desk.workspace().planners().restoreTicked({"naive"}, false);
    desk.window->openFiles({path});
    return planned(desk);
}

bool sessionSaved(Desk& desk, const QString& stow)
{
    desk.window->saveSession(stow);
    const auto& card = desk.window->errorCard();
    return QTest::qWaitFor([&] { return card.isVisible() && card.notice().path.endsWith(u".stow"); }, 60'000);
}

/// Keeps all threads of the window's own work busy.
class BusyThreads {
public:
    BusyThreads()
    {
        for (int i = 0; i < threads_; ++i) backgroundPool().start([free = free_] { free->acquire(); });
    }
    BusyThreads(const BusyThreads&) = delete;
    BusyThreads& operator=(const BusyThreads&) = delete;
    ~BusyThreads() { free_->release(threads_); }

private:
    const int threads_ = backgroundPool().maxThreadCount();
    std::shared_ptr<QSemaphore> free_ = std::make_shared<QSemaphore>();
};

} // namespace

class SessionPlansTest : public QObject {
    Q_OBJECT

    test::OwnSettings settings_;
    QTemporaryDir folder_;

    QString file(const char* name, const QByteArray& text) { return test::writtenFile(folder_, QString::fromLatin1(name), text); }
    /// A session of one model with one plan.
    QString session(const char* name)
    {
        const QString stow = folder_.filePath(QString::fromLatin1(name) + QStringLiteral(".stow"));
        Desk desk;
        const QByteArray csv = QByteArray(name) + ".csv";
        return modelOpened(desk, file(csv.constData(), two)) && sessionSaved(desk, stow) ? stow : QString();
    }
    /// The same, with a path of the runtime's log.
    QString sessionWithLog(const QString& log)
    {
        const QString stow = folder_.filePath(QStringLiteral("unread.stow"));
        Desk desk;
        if (!modelOpened(desk, file("unread.csv", two))) return {};
        SessionDocument saved = desk.window->keeper().capture();
        if (saved.models.size() != 1) return {};
        saved.models.front().runtimeLog = log.toStdString();
        return file("unread.stow", QByteArray::fromStdString(writeSession(saved, stow.toStdString())));
    }

private Q_SLOTS:
    void cleanup() { QSettings().clear(); }

    /// A session without hashes does not say that a file has changed: its plans do. A model that has none of them left is not
    /// planned either before the user asks: the session names the planners.
    void plansOfOtherBuffersAreCounted()
    {
        const QString stow = folder_.filePath(QStringLiteral("others.stow"));
        SessionDocument session;
        for (const QByteArray& text : {QByteArray("id,lower,upper,size\na,0,2,10\nc,1,3,20\n"), two}) {
            Desk desk;
            QVERIFY(modelOpened(desk, file("others.csv", text)));
            SessionDocument captured = desk.window->keeper().capture();
            QCOMPARE(captured.models.size(), std::size_t(1));
            QCOMPARE(captured.models.front().runs.size(), std::size_t(1));
            captured.models.front().sha256.clear();
            // Beside the plan of the second text there is that of the first one.
            if (!session.models.empty()) captured.models.front().runs.push_back(session.models.front().runs.front());
            session = std::move(captured);
        }
        file("others.stow", QByteArray::fromStdString(writeSession(session, stow.toStdString())));
        for (const bool some : {true, false}) {
            if (!some) file("others.csv", "id,lower,upper,size\nd,0,2,10\ne,1,3,20\n");
            int started = 0;
            Desk desk;
            connect(&desk.session, &Session::jobChanged, &desk.session, [&] { ++started; });
            QVERIFY(desk.window->openSession(stow));
            const ErrorCard& card = desk.window->errorCard();
            QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().model() && card.isVisible(), 60'000);
            QCOMPARE(card.notice().title, some ? QStringLiteral("others.csv is without 1 saved plan")
                                               : QStringLiteral("others.csv is without 2 saved plans"));
            QCOMPARE(desk.workspace().planners().tickedPlanners(), std::vector<std::string>{"naive"});
            QTest::qWait(50); // a planning would have begun
            QCOMPARE(started, 0);
            QCOMPARE(desk.session.runs().size(), std::size_t(some ? 1 : 0));
            QCOMPARE(card.notice().choices.size(), std::size_t(1)); // it offers to plan
            if (!some) card.notice().choices.front().take();
            QVERIFY(planned(desk));
            QCOMPARE(started > 0, !some);
            QVERIFY(desk.workspace().run()->report.verdict.valid());
        }
    }

    /// The plan of the file claims more bytes than its placements have, which the text of a plan does not hold. The file brings
    /// it anew.
    void thePlanOfTheFileComesWithTheFile()
    {
        const QString stow = folder_.filePath(QStringLiteral("own.stow"));
        {
            Desk desk;
            desk.workspace().planners().restoreTicked({}, false);
            desk.window->openFiles({QStringLiteral(STOWAGE_SOURCE_DIR "/resources/samples/pytorch/training_step.pickle")});
            QVERIFY(planned(desk));
            QCOMPARE(desk.session.runs().size(), std::size_t(1));
            QVERIFY(sessionSaved(desk, stow));
        }
        int started = 0;
        Desk desk;
        connect(&desk.session, &Session::jobChanged, &desk.session, [&] { ++started; });
        QVERIFY(desk.window->openSession(stow));
        QVERIFY(planned(desk));
        QCOMPARE(desk.session.runs().size(), std::size_t(1));
        QCOMPARE(desk.workspace().run(), desk.session.runs().front().run);
        QCOMPARE(started, 0);
        QVERIFY2(!desk.window->errorCard().isVisible(), qPrintable(desk.window->errorCard().notice().title));
    }

    /// A plan that was laid beside a model may have the name of the file's own plan (a `memory_info.json` of another folder), in
    /// whose place it is then: it comes back, not that of the file.
    void aPlanOfTheSameNameAsTheFilesOwnComesBack()
    {
        const QString stow = folder_.filePath(QStringLiteral("same-name.stow"));
        const auto sizes = [](Desk& desk) {
            std::vector<Bytes> found;
            for (const RunEntry& entry : desk.session.runs()) found.push_back(entry.run->report.totalSize());
            std::ranges::sort(found);
            return found;
        };
        std::vector<Bytes> before;
        {
            Desk desk;
            desk.workspace().planners().restoreTicked({}, false);
            desk.window->openFiles({QStringLiteral(STOWAGE_SOURCE_DIR "/resources/samples/pytorch/training_step.pickle")});
            QVERIFY(planned(desk));
            QCOMPARE(desk.session.runs().size(), std::size_t(1));
            PlanRequest request = desk.session.runs().front().request; // with the name of the file's plan
            const std::string name = request.planner;
            request.planner = "naive";
            const auto naive = desk.session.planNow(*desk.workspace().model(), request);
            QVERIFY(bool(naive));
            auto other = std::make_shared<Run>(**naive);
            other->plan.planner = name;
            request.planner = name;
            const std::vector<Bytes> own = sizes(desk);
            desk.session.addRun(request, other);
            before = sizes(desk);
            QCOMPARE(before.size(), std::size_t(1));
            QVERIFY(before != own); // no bytes are shared in a naive plan
            QVERIFY(sessionSaved(desk, stow));
        }
        Desk desk;
        QVERIFY(desk.window->openSession(stow));
        QVERIFY(planned(desk));
        QCOMPARE(sizes(desk), before);
        QVERIFY2(!desk.window->errorCard().isVisible(), qPrintable(desk.window->errorCard().notice().title));
    }

    /// Until its plans are checked a model counts as one that is being read: it is not shown, nothing is planned, and the
    /// autosave has it as it was saved.
    void aModelIsKeptWhileItsPlansAreChecked()
    {
        const QString stow = session("kept");
        QVERIFY(!stow.isEmpty());
        int started = 0;
        Desk desk;
        connect(&desk.session, &Session::jobChanged, &desk.session, [&] { ++started; });
        {
            const BusyThreads threads;
            QVERIFY(desk.window->openSession(stow));
            QTRY_COMPARE_WITH_TIMEOUT(desk.session.models().size(), std::size_t(1), 60'000);
            QCOMPARE(desk.workspace().models().opening().size(), std::size_t(1));
            desk.workspace().setModel(desk.session.models().front());
            QVERIFY(!desk.workspace().model());
            desk.window->keeper().autosave();
            const auto kept = SessionKeeper::read(desk.window->keeper().file());
            QVERIFY(kept);
            QCOMPARE(kept->models.size(), std::size_t(1));
            QCOMPARE(kept->models.front().runs.size(), std::size_t(1));
        }
        QVERIFY(planned(desk));
        QCOMPARE(desk.session.runs().size(), std::size_t(1));
        QCOMPARE(started, 0);
    }

    /// Given up while its plans are checked, a model does not come back.
    void aModelIsGivenUpWhileItsPlansAreChecked()
    {
        const QString stow = session("given-up");
        QVERIFY(!stow.isEmpty());
        Desk desk;
        {
            const BusyThreads threads;
            QVERIFY(desk.window->openSession(stow));
            QTRY_COMPARE_WITH_TIMEOUT(desk.session.models().size(), std::size_t(1), 60'000);
            desk.workspace().models().cancelOpening(desk.session.models().front());
            QVERIFY(desk.session.models().empty());
        }
        QVERIFY(backgroundPool().waitForDone(60'000));
        QTest::qWait(50); // the answer arrives
        QVERIFY(desk.idle() && desk.session.models().empty() && desk.session.runs().empty());
        QVERIFY(desk.workspace().models().waiting().empty());
    }

    /// The open suite is in a session. It is planned when the user asks for it, and not when the session is opened.
    void theSuiteOfASessionWaitsForTheUser()
    {
        const QString stow = folder_.filePath(QStringLiteral("suite.stow"));
        file("row.csv", two);
        QByteArray text = "{'format': 'stowage.suite/1', 'name': 'nightly', 'defaults': {'planners': ['naive']}, "
                          "'rows': [{'model': 'row.csv'}]}";
        const QString suite = file("nightly.suite.json", text.replace('\'', '"'));
        const auto compared = [](RegressionView* view) {
            return view &&
                   QTest::qWaitFor([&] { return !view->desk().running() && view->desk().regression() != nullptr; }, 60'000);
        };
        {
            Desk desk;
            desk.window->openFiles({suite});
            QVERIFY(compared(desk.show<RegressionView>("regression")));
            QVERIFY(sessionSaved(desk, stow));
        }
        QVERIFY(test::contentsOf(stow).contains("\"suite\": \"nightly.suite.json\"")); // relative: the folder may move
        Desk desk;
        QVERIFY(desk.window->openSession(stow));
        QCOMPARE(desk.workspace().suite(), suite);
        auto* view = desk.show<RegressionView>("regression");
        QVERIFY(view);
        QTest::qWait(50);
        QVERIFY(view->desk().held() && !view->desk().running() && !view->desk().regression());
        desk.find<QPushButton>("regressionAgain")->click();
        QVERIFY(compared(view));
        QVERIFY(!view->desk().held());
    }

    /// The runtime's log of a model is in a session by its path, and is read again.
    void theLogOfARuntimeComesBack()
    {
        const QString samples = QStringLiteral(STOWAGE_SOURCE_DIR "/resources/samples/tflite/");
        const QString stow = folder_.filePath(QStringLiteral("log.stow"));
        {
            Desk desk;
            QVERIFY(modelOpened(desk, samples + QStringLiteral("doorbell.tflite")));
            desk.workspace().beside().openRuntimeLog(samples + QStringLiteral("doorbell.log"));
            QTRY_VERIFY_WITH_TIMEOUT(desk.workspace().runtimeLog(), 60'000);
            QVERIFY(sessionSaved(desk, stow));
        }
        int started = 0;
        Desk desk;
        connect(&desk.session, &Session::jobChanged, &desk.session, [&] { ++started; });
        QVERIFY(desk.window->openSession(stow));
        QVERIFY(planned(desk));
        QTRY_VERIFY_WITH_TIMEOUT(desk.workspace().runtimeLog(), 60'000);
        QVERIFY(desk.workspace().runtimeLog()->path.endsWith(u"/doorbell.log"));
        QCOMPARE(desk.session.models().size(), std::size_t(1)); // the log is no model of its own
        QCOMPARE(started, 0);
    }

    /// A log that the user opens meanwhile is laid beside the model, too, and is no model of its own.
    void aLogWaitsForTheModelThatIsBeingChecked()
    {
        const QString samples = QStringLiteral(STOWAGE_SOURCE_DIR "/resources/samples/tflite/");
        const QString stow = folder_.filePath(QStringLiteral("checked.stow"));
        {
            Desk desk;
            QVERIFY(modelOpened(desk, samples + QStringLiteral("doorbell.tflite")));
            QVERIFY(sessionSaved(desk, stow));
        }
        Desk desk;
        {
            const BusyThreads busy; // nothing is checked
            QVERIFY(desk.window->openSession(stow));
            QTRY_COMPARE_WITH_TIMEOUT(desk.session.models().size(), std::size_t(1), 60'000);
            desk.window->openFiles({samples + QStringLiteral("doorbell.log")});
            QTRY_COMPARE_WITH_TIMEOUT(desk.session.models().size(), std::size_t(2), 60'000);
            QTest::qWait(50);
            QVERIFY(desk.workspace().models().ids().empty());
        }
        QVERIFY(planned(desk));
        QTRY_VERIFY_WITH_TIMEOUT(desk.workspace().runtimeLog(), 60'000);
        QCOMPARE(desk.session.models().size(), std::size_t(1));
        QVERIFY(desk.workspace().model()->path.endsWith(u"/doorbell.tflite"));
    }

    /// A log that is not there now may be there the next time.
    void aLogThatCannotBeReadStaysInTheSession()
    {
        const QString log = folder_.filePath(QStringLiteral("gone.log")), stow = sessionWithLog(log);
        QVERIFY(!stow.isEmpty());
        Desk desk;
        QVERIFY(desk.window->openSession(stow));
        QVERIFY(planned(desk));
        QTRY_VERIFY_WITH_TIMEOUT(!desk.workspace().beside().running(), 60'000);
        QVERIFY(!desk.workspace().runtimeLog());
        const auto kept = [&] { return QString::fromStdString(desk.window->keeper().capture().models.front().runtimeLog); };
        QCOMPARE(kept(), log);
        const int before = desk.workspace().modelId();
        desk.workspace().reload(before);
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().models().successor(before) != before, 60'000);
        QCOMPARE(kept(), log);
    }

    void aLogThatCannotBeReadCanBeLeftOut()
    {
        const QString stow = sessionWithLog(folder_.filePath(QStringLiteral("gone.log")));
        QVERIFY(!stow.isEmpty());
        std::vector<Notice> told;
        Desk desk;
        connect(&desk.workspace(), &Workspace::noticed, &desk.session, [&](const Notice& notice) { told.push_back(notice); });
        QVERIFY(desk.window->openSession(stow));
        QVERIFY(planned(desk));
        QTRY_VERIFY_WITH_TIMEOUT(!desk.workspace().beside().running(), 60'000);
        const auto kept = [&] { return QString::fromStdString(desk.window->keeper().capture().models.front().runtimeLog); };
        QVERIFY(!kept().isEmpty());
        const auto about = std::ranges::find(told, QStringLiteral("gone.log was not opened"), &Notice::title);
        QVERIFY(about != told.end());
        const Notice notice = *about;
        QVERIFY(notice.asks());
        QCOMPARE(notice.choices.front().text, QStringLiteral("Leave it out"));
        notice.choices.front().take();
        QVERIFY(kept().isEmpty() && !notice.asks());

        // A log that is being read is dropped by closing it, and does not come back when it has been read.
        PlansBeside& beside = desk.workspace().beside();
        const QString readable = QStringLiteral(STOWAGE_SOURCE_DIR "/resources/samples/tflite/doorbell.log");
        beside.restoreRuntimeLog(readable, desk.workspace().modelId());
        QVERIFY(kept().endsWith(u"/doorbell.log"));
        beside.setRuntimeLog(nullptr);
        QVERIFY(kept().isEmpty());
        QTRY_VERIFY_WITH_TIMEOUT(!beside.running(), 60'000);
        QVERIFY(!desk.workspace().runtimeLog() && kept().isEmpty());
    }

    /// A session without a suite replaces one that has a suite, which can be saved without a model.
    void theSuiteOfAnEarlierSessionGoes()
    {
        const QString stow = session("no-suite");
        QVERIFY(!stow.isEmpty());
        file("row.csv", two);
        const QString suite = file("early.suite.json", "{\"format\": \"stowage.suite/1\", \"name\": \"early\", \"rows\": "
                                                       "[{\"model\": \"row.csv\", \"planners\": [\"naive\"]}]}");
        Desk desk;
        const QAction* save = desk.window->actions().action(QStringLiteral("file.save-session"));
        QVERIFY(!save->isEnabled());
        desk.window->openFiles({suite});
        QTRY_COMPARE_WITH_TIMEOUT(desk.workspace().suite(), suite, 60'000);
        QVERIFY(save->isEnabled() && !desk.workspace().model());
        QVERIFY(desk.window->openSession(stow));
        QVERIFY(planned(desk));
        QVERIFY(desk.workspace().suite().isEmpty() && desk.window->keeper().capture().suite.empty());
    }

    void aSessionThatWasNotWrittenIsNotRemembered()
    {
        const QString taken = folder_.filePath(QStringLiteral("taken.stow"));
        QVERIFY(QDir().mkpath(taken)); // a folder: no file can be written there
        Desk desk;
        QVERIFY(modelOpened(desk, file("unsaved.csv", two)));
        desk.window->saveSession(taken);
        const ErrorCard& card = desk.window->errorCard();
        QTRY_VERIFY_WITH_TIMEOUT(card.isVisible() && card.notice().title == QStringLiteral("taken.stow was not written"), 60'000);
        for (const RecentFile& recent : desk.session.recentFiles()) QVERIFY(!recent.path.endsWith(u"/taken.stow"));
        QString proposed;
        QTimer look;
        connect(&look, &QTimer::timeout, &look, [&] {
            auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
            if (!dialog) return;
            proposed = dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))->text();
            dialog->reject();
        });
        look.start(50);
        desk.trigger("file.save-session");
        QCOMPARE(proposed, QStringLiteral("desk.stow"));
    }

    /// Later changes do not end the writing of an autosave on a slow disk: the state at its begin is written.
    void aSlowAutosaveIsFinishedWhileChangesGoOn()
    {
        Desk desk;
        QVERIFY(modelOpened(desk, file("changing.csv", two)));
        desk.window->keeper().autosave();
        const QString autosave = desk.window->keeper().file();
        QVERIFY(QFile::remove(autosave));
        const QByteArray name = autosave.toLocal8Bit();
        QCOMPARE(::mkfifo(name.constData(), 0600), 0);
        desk.workspace().planners().setSeed(3);
        QTest::qWait(2500); // the autosave begins 1.5 s after a change, and waits for a reader
        std::uint64_t seed = 100;
        QTimer often;
        connect(&often, &QTimer::timeout, &often, [&] { desk.workspace().planners().setSeed(++seed); });
        often.start(200);
        QTest::qWait(3500);
        const int reader = ::open(name.constData(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
        QVERIFY(reader >= 0);
        std::string text;
        const bool whole = QTest::qWaitFor(
            [&] {
                std::array<char, 4096> bytes;
                for (;;) {
                    const ssize_t count = ::read(reader, bytes.data(), bytes.size());
                    if (count <= 0) break;
                    text.append(bytes.data(), std::size_t(count));
                }
                return bool(readSession(text, autosave.toStdString()));
            },
            10'000);
        ::close(reader);
        QVERIFY(QFile::remove(autosave));
        QVERIFY2(whole, text.c_str());
        QCOMPARE(readSession(text, autosave.toStdString())->seed, std::uint64_t(3));
    }

    /// Save proposes the session that was opened last. It is among the recent files, and opens from there.
    void theNameOfASessionIsRemembered()
    {
        const QString stow = session("mine");
        QVERIFY(!stow.isEmpty());
        {
            Desk desk;
            QVERIFY(desk.window->openSession(stow));
            QVERIFY(planned(desk));
            QString proposed;
            QTimer look;
            connect(&look, &QTimer::timeout, &look, [&] {
                auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
                if (!dialog) return;
                proposed = dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))->text();
                dialog->reject();
            });
            look.start(50);
            desk.trigger("file.save-session");
            QCOMPARE(proposed, QStringLiteral("mine.stow"));
        }
        Desk desk;
        const auto buttons = desk.window->welcome().findChildren<QAbstractButton*>();
        const auto row = std::ranges::find(buttons, stow, &QAbstractButton::accessibleName);
        QVERIFY(row != buttons.end());
        (*row)->click();
        QVERIFY(planned(desk));
        QCOMPARE(desk.session.runs().size(), std::size_t(1)); // that of the session
        QVERIFY(desk.workspace().models().failures().empty());
    }

    /// A report names the file of a target in its command line, also after the session was opened.
    void theFileOfATargetIsKept()
    {
        const QString stow = folder_.filePath(QStringLiteral("board.stow"));
        const QString board = file("board.json", "{\"format\": \"stowage.target/1\", \"name\": \"board\", \"pools\": "
                                                 "[{\"name\": \"fast\", \"capacity\": 4096, \"alignment\": 64}]}");
        {
            Desk desk;
            QVERIFY(modelOpened(desk, file("board.csv", two)));
            const auto target = desk.session.target(board);
            QVERIFY(bool(target));
            desk.workspace().edits().setTarget(*target);
            QVERIFY(planned(desk));
            QVERIFY(sessionSaved(desk, stow));
        }
        QVERIFY(test::contentsOf(stow).contains("\"target_file\": \"board.json\"")); // relative: the folder may move
        Desk desk;
        QVERIFY(desk.window->openSession(stow));
        QVERIFY(planned(desk));
        QCOMPARE(desk.workspace().target().file, board);
        QCOMPARE(desk.workspace().run()->targetName, std::string("board"));
        const RunEntry* entry = desk.session.run(desk.workspace().shownRun());
        QVERIFY(entry);
        const AgainCommand again =
            againCommand(desk.session, *desk.workspace().model(), entry->request, *entry->run, "board.csv", {});
        QVERIFY2(again.line.find(" --target board.json ") != std::string::npos, (again.line + again.whyNot).c_str());
    }

    /// Nothing is planned when a session is opened, also where the user wants changed files to be read again.
    void aTargetThatHasChangedSinceIsAskedAbout()
    {
        const QString stow = folder_.filePath(QStringLiteral("stale.stow"));
        const auto board = [&](const char* capacity) {
            return file("stale.json", QByteArray("{\"format\": \"stowage.target/1\", \"name\": \"stale\", \"pools\": "
                                                 "[{\"name\": \"fast\", \"capacity\": ") +
                                          capacity + "}]}");
        };
        {
            Desk desk;
            QVERIFY(modelOpened(desk, file("stale.csv", two)));
            const auto target = desk.session.target(board("4096"));
            QVERIFY(bool(target));
            desk.workspace().edits().setTarget(*target);
            QVERIFY(planned(desk));
            QVERIFY(sessionSaved(desk, stow));
        }
        board("8192");
        int started = 0;
        QStringList told;
        Desk desk;
        connect(&desk.session, &Session::jobChanged, &desk.session, [&] { ++started; });
        connect(&desk.workspace(), &Workspace::noticed, &desk.session, [&](const Notice& notice) { told << notice.title; });
        desk.window->fileWatch().setReloads(true);
        QVERIFY(desk.window->openSession(stow));
        QVERIFY(planned(desk));
        QTRY_VERIFY_WITH_TIMEOUT(told.contains(QStringLiteral("stale.json has changed")), 20'000);
        QCOMPARE(desk.workspace().pools().front().capacity, std::optional<Bytes>(4096));
        QCOMPARE(started, 0);
    }
};

QTEST_MAIN(SessionPlansTest)
#include "tst_session_plans.moc"
