// The real window: the plans of a session are checked before they are taken over, beside the window's thread.
#include "app/canvas/kit/background_pool.h"
#include "app/desktop/session_keeper.h"
#include "app/desktop/widgets/error_card.h"
#include "app/session/again_command.h"
#include "tests/desktop/desk.h"
#include "tests/support/written_file.h"

#include <QSemaphore>
#include <QTest>
#include <QThreadPool>

#include <memory>
#include <string>
#include <utility>

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
    desk.workspace().planners().tickOnly({"naive"});
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

private Q_SLOTS:
    void cleanup() { QSettings().clear(); }

    /// A session without hashes does not say that a file has changed: its plans do. A model that has none of them left is
    /// planned, as one that is opened by itself.
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
            QVERIFY(planned(desk));
            QCOMPARE(started > 0, !some);
            QCOMPARE(desk.session.runs().size(), std::size_t(1));
            QVERIFY(desk.workspace().run()->report.verdict.valid());
            const ErrorCard& card = desk.window->errorCard();
            QTRY_VERIFY(card.isVisible());
            QCOMPARE(card.notice().title, some ? QStringLiteral("others.csv is without 1 saved plan")
                                               : QStringLiteral("others.csv is without 2 saved plans"));
            QCOMPARE(card.notice().choices.size(), std::size_t(some ? 1 : 0)); // whether it offers to plan
        }
    }

    /// The plan of the file claims more bytes than its placements have, which the text of a plan does not hold. The file brings
    /// it anew.
    void thePlanOfTheFileComesWithTheFile()
    {
        const QString stow = folder_.filePath(QStringLiteral("own.stow"));
        {
            Desk desk;
            desk.workspace().planners().tickOnly({});
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
};

QTEST_MAIN(SessionPlansTest)
#include "tst_session_plans.moc"
