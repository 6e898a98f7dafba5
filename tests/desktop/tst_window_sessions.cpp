// The real window: sessions as files, the autosave, and files that change while they are open.
#include "app/desktop/file_watch.h"
#include "app/desktop/session_keeper.h"
#include "app/desktop/widgets/canvas.h"
#include "app/desktop/widgets/error_card.h"
#include "tests/desktop/desk.h"
#include "tests/support/written_file.h"

#include <QFile>
#include <QPushButton>
#include <QStandardPaths>
#include <QTabBar>
#include <QTest>

using namespace stowage;
using test::Desk;

namespace {

/// An unknown field; a path outside; a program to run.
const char* const unknownField =
    "{\"format\": \"stowage.session/1\", \"files\": [{\"path\": \"a.csv\", \"execute\": \"/bin/true\"}]}";

} // namespace

class WindowSessionsTest : public QObject {
    Q_OBJECT

    test::OwnSettings settings_;
    QTemporaryDir folder_;

    QString file(const QString& name, const QByteArray& text) { return test::writtenFile(folder_, name, text); }

private Q_SLOTS:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
    void cleanup()
    {
        QSettings().clear();
        QFile::remove(SessionKeeper::autosaveFile());
    }

    void aSessionBringsTheDeskBackWithoutPlanning()
    {
        QVERIFY(QFile::copy(test::sample("mobilenet_v1_025"), folder_.filePath(QStringLiteral("net.json"))));
        const QString csv = file(QStringLiteral("three.csv"), "id,lower,upper,size\na,0,2,10\nb,1,3,20\nc,2,4,10\n");
        const QString stow = folder_.filePath(QStringLiteral("desk.stow"));
        Bytes size = 0;
        ViewRange range;
        {
            Desk desk;
            desk.window->openFiles({csv});
            QVERIFY(QTest::qWaitFor([&] { return desk.idle() && desk.workspace().run(); }, 20'000));
            desk.window->openFiles({folder_.filePath(QStringLiteral("net.json"))});
            QVERIFY(QTest::qWaitFor(
                [&] { return desk.idle() && desk.workspace().run() && desk.workspace().model()->path.endsWith(u"net.json"); },
                20'000));
            Workspace& desk_ = desk.workspace();
            desk_.edits().setCapacity(0, 120'000);
            desk_.planners().setTicked("exact", true);
            desk_.edits().setNote({0, "arena", 3, 4096, QStringLiteral("look here")});
            QTRY_VERIFY_WITH_TIMEOUT(desk.idle(), 20'000);
            desk_.showRun(desk_.shown().runOf("greedy-by-size")->id);
            const Run& run = *desk_.run();
            desk_.setPin({run.problem().buffers[0].name, "arena", run.plan.placements[0].offset});
            QTRY_VERIFY_WITH_TIMEOUT(desk.idle(), 20'000);
            size = desk_.run()->report.totalSize();
            auto* map = desk.show<View>("memory-map");
            QTRY_VERIFY(map->canvas()->scene());
            ViewRange closer = map->canvas()->range();
            closer.steps.begin = {4, 0};
            closer.steps.span = 10;
            map->canvas()->go(closer);
            range = map->canvas()->range();
            desk.window->saveSession(stow);
            QTRY_VERIFY_WITH_TIMEOUT(desk.find<ErrorCard>("errorCard")->isVisible(), 20'000);
            QVERIFY(desk.find<ErrorCard>("errorCard")->notice().good);
        }
        const QByteArray text = test::contentsOf(stow);
        QVERIFY(text.contains("\"stowage.session/1\""));
        QVERIFY(text.contains("\"path\": \"net.json\"")); // relative: the folder may move
        QVERIFY(!text.contains("\"path\": \"/"));

        Desk desk;
        int started = 0;
        connect(&desk.session, &Session::jobChanged, &desk.session, [&] { ++started; });
        QVERIFY(desk.window->openSession(stow));
        QVERIFY(QTest::qWaitFor([&] { return desk.session.models().size() == 2 && desk.idle(); }, 20'000));
        Workspace& workspace = desk.workspace();
        QTRY_VERIFY(workspace.model() && workspace.model()->path.endsWith(u"net.json"));
        QCOMPARE(started, 0); // the plans are those of the file, judged again
        QVERIFY(workspace.run());
        QCOMPARE(workspace.run()->report.totalSize(), size);
        QVERIFY(workspace.run()->report.verdict.valid());
        QCOMPARE(workspace.pools().front().capacity, std::optional<Bytes>(120'000));
        QVERIFY(workspace.planners().ticked("exact"));
        QCOMPARE(workspace.edits().setup().pins.size(), std::size_t(1));
        QCOMPARE(workspace.notes().size(), std::size_t(1));
        QCOMPARE(workspace.notes().front().text, QStringLiteral("look here"));
        auto* map = desk.window->views().currentView();
        QTRY_VERIFY(map->canvas() && map->canvas()->scene() &&
                    std::abs(map->canvas()->range().steps.span - range.steps.span) < 1e-6);
        QCOMPARE(map->canvas()->range().steps.begin.whole, range.steps.begin.whole);
        const auto* tabs = desk.find<QTabBar>("viewTabs");
        for (int i = 0, end = 0; i < tabs->count(); ++i) {
            if (!tabs->isTabVisible(i)) continue;
            QVERIFY2(tabs->tabRect(i).left() >= end && tabs->tabRect(i).width() > 20, qPrintable(tabs->tabText(i)));
            end = tabs->tabRect(i).right();
        }
        if (const QString to = qEnvironmentVariable("STOWAGE_SHOTS"); !to.isEmpty()) {
            QTest::qWait(300);
            desk.window->grab().save(to + "/session.png");
        }
        workspace.plan();
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && started > 0, 30'000);
    }

    /// The autosave is there without being asked; a program that is killed leaves it as it was.
    void theDeskIsKeptWithoutBeingAsked()
    {
        {
            Desk desk;
            QVERIFY(desk.open("mobilenet_v1_025"));
            QTRY_VERIFY_WITH_TIMEOUT(test::contentsOf(SessionKeeper::autosaveFile()).contains("mobilenet_v1_025.json"), 10'000);
            // No end of the program: the window is not closed.
        }
        const auto kept = SessionKeeper::read(SessionKeeper::autosaveFile());
        QVERIFY(kept);
        QCOMPARE(kept->models.size(), std::size_t(1));
        QVERIFY(!kept->models.front().runs.empty());
        Desk desk;
        desk.window->reopenLast();
        QVERIFY(QTest::qWaitFor([&] { return desk.idle() && desk.workspace().run(); }, 20'000));
        QVERIFY(desk.workspace().model()->path.endsWith(u"mobilenet_v1_025.json"));
    }

    void aModelThatHasChangedSinceKeepsNoOldPlan()
    {
        const QString csv = file(QStringLiteral("model.csv"), "id,lower,upper,size\na,0,2,10\nb,1,3,20\n");
        const QString stow = folder_.filePath(QStringLiteral("changed.stow"));
        {
            Desk desk;
            desk.window->openFiles({csv});
            QVERIFY(QTest::qWaitFor([&] { return desk.idle() && desk.workspace().run(); }, 20'000));
            desk.window->saveSession(stow);
        }
        file(QStringLiteral("model.csv"), "id,lower,upper,size\na,0,2,10\nb,1,3,24\n");
        Desk desk;
        QVERIFY(desk.window->openSession(stow));
        QVERIFY(QTest::qWaitFor([&] { return desk.idle() && desk.workspace().model(); }, 20'000));
        QVERIFY(!desk.workspace().run());
        auto* card = desk.find<ErrorCard>("errorCard");
        QTRY_VERIFY(card->isVisible() && card->notice().title.endsWith(QStringLiteral("has changed")));
    }

    /// The window does not wait for the hash of a file. It is there some time after the file is open, in the autosave, too.
    void hashesComeBesideTheReading()
    {
        const QString first = file(QStringLiteral("first.csv"), "id,lower,upper,size\na,0,2,10\n"),
                      large = file(QStringLiteral("large.csv"), "id,lower,upper,size\na,0,2,10\n" + QByteArray(32 << 20, '\n'));
        Desk desk;
        OpenModels& models = desk.workspace().models();
        desk.window->openFiles({large, first});
        for (const auto& [id, path] : models.opening()) QVERIFY(!models.hashOf(id));
        QVERIFY(QTest::qWaitFor([&] { return desk.idle() && desk.session.models().size() == 2; }, 60'000));
        for (const int id : desk.session.models()) {
            QTRY_VERIFY_WITH_TIMEOUT(models.hashOf(id), 60'000);
            QCOMPARE(*models.hashOf(id), fileHash(desk.session.model(id)->path));
        }
        QTRY_VERIFY_WITH_TIMEOUT(test::contentsOf(SessionKeeper::autosaveFile()).count("\"sha256\"") == 2, 20'000);

        // What is closed while its hash is worked out has none, and does not keep the next one waiting.
        const int before = int(desk.session.models().size());
        desk.window->openFiles({file(QStringLiteral("gone.csv"), "id,lower,upper,size\n" + QByteArray(32 << 20, '\n')),
                                file(QStringLiteral("next.csv"), "id,lower,upper,size\na,0,2,10\n")});
        const int gone = models.opening().begin()->first;
        models.cancelOpening(gone);
        QVERIFY(QTest::qWaitFor([&] { return desk.idle() && int(desk.session.models().size()) == before + 1; }, 60'000));
        QTRY_VERIFY_WITH_TIMEOUT(models.hashOf(desk.session.models().back()), 60'000);
        QVERIFY(!models.hashOf(gone));
    }

    void aSessionThatIsNoneSaysWhere()
    {
        Desk desk;
        QVERIFY(desk.open("mobilenet_v1_025"));
        QVERIFY(!desk.window->openSession(file(QStringLiteral("bad.stow"), unknownField)));
        auto* card = desk.find<ErrorCard>("errorCard");
        QVERIFY(card->isVisible() && card->details().contains(QStringLiteral("execute")));
        QVERIFY(card->notice().what.where.line == 1);
        QVERIFY(desk.workspace().run()); // nothing is lost
        QVERIFY(!desk.window->openSession(folder_.filePath(QStringLiteral("none.stow"))));
    }

    void aFileThatChangesIsReadAgainOnAClick()
    {
        const QString csv = file(QStringLiteral("live.csv"), "id,lower,upper,size\na,0,2,10\nb,1,3,20\n");
        Desk desk;
        desk.window->openFiles({csv});
        QVERIFY(QTest::qWaitFor([&] { return desk.idle() && desk.workspace().run(); }, 20'000));
        QCOMPARE(desk.workspace().run()->report.totalSize(), Bytes(30));
        file(QStringLiteral("live.csv"), "id,lower,upper,size\na,0,2,10\nb,1,3,26\n");
        auto* card = desk.find<ErrorCard>("errorCard");
        QTRY_VERIFY_WITH_TIMEOUT(card->isVisible(), 10'000);
        QCOMPARE(card->notice().title, QStringLiteral("live.csv has changed"));
        if (const QString to = qEnvironmentVariable("STOWAGE_SHOTS"); !to.isEmpty())
            desk.window->grab().save(to + "/changed.png");
        QCOMPARE(desk.workspace().run()->report.totalSize(), Bytes(30)); // until the user asks for it
        for (QPushButton* button : card->findChildren<QPushButton*>())
            if (button->text() == QStringLiteral("Reload")) button->click();
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().run() && desk.workspace().run()->report.totalSize() == 36,
                                 20'000);
        // With the setting nobody is asked.
        desk.trigger("file.reload-changed");
        QVERIFY(desk.window->fileWatch().reloads());
        file(QStringLiteral("live.csv"), "id,lower,upper,size\na,0,2,10\nb,1,3,30\n");
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().run() && desk.workspace().run()->report.totalSize() == 40,
                                 20'000);
    }
};

QTEST_MAIN(WindowSessionsTest)
#include "tst_window_sessions.moc"
