// One canvas for all pictures: scenes are made off its thread, and what it shows is what a file has.
#include "tests/desktop/canvas_desk.h"
#include "tests/support/sample_run.h"

#include <QFileInfo>
#include <QImage>
#include <QTemporaryDir>

#include <algorithm>

using namespace stowage;
using namespace stowage::test;

class CanvasFilesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatIsShownIsExported_data() { addPictures(); }
    void whatIsShownIsExported()
    {
        DESK();
        desk.canvas->perform(ViewCommand::zoomIn);
        const ViewRange shown = desk.canvas->picture().viewport().range();
        QTemporaryDir folder;
        for (const char* name : {"a.png", "a.svg", "a.pdf"}) {
            const auto done = desk.canvas->exportTo(folder.filePath(QLatin1String(name)));
            QVERIFY2(bool(done), done ? "" : done.error().message.c_str());
            QVERIFY(QFileInfo(folder.filePath(QLatin1String(name))).size() > 500);
        }
        // Without its head the file is as large as the canvas, and has its colours.
        const QImage file(folder.filePath(QStringLiteral("a.png")));
        QCOMPARE(file.width(), desk.canvas->width());
        QVERIFY(file.height() > desk.canvas->height());
        QCOMPARE(desk.canvas->picture().viewport().range(), shown); // and the canvas stays as it was
        QVERIFY(!desk.canvas->exportTo(folder.filePath(QStringLiteral("a.doc"))));
    }

    /// The scene of a large run is made on a thread, whatever the picture: the window goes on meanwhile.
    void scenesOfLargeRunsAreMadeOnAThread_data()
    {
        QTest::addColumn<QString>("id");
        for (const PictureEntry& entry : pictureTable()) // the others' subjects are made elsewhere, or say how large they are
            if (!entry.whyNot) QTest::newRow(entry.id) << QString::fromLatin1(entry.id);
    }
    void scenesOfLargeRunsAreMadeOnAThread()
    {
        QFETCH(QString, id);
        test::SampleOptions options;
        options.buffers = Picture::sceneAtOnce + 1;
        options.steps = 400;
        static const auto large = test::sampleRun(options);
        const PictureEntry& entry = *pictureEntry(id);
        SelectionModel selection;
        Canvas canvas(selection, entry.make(), id);
        PictureSource source;
        source.run = large;
        source.runs = {large};
        source.program = large->program;
        source.scenes = std::make_shared<SceneCache>();
        QVERIFY(!whyNoPicture(entry, source));
        canvas.setSource(source);
        QVERIFY(canvas.waiting());
        QVERIFY(!canvas.scene() && !canvas.ready());
    }

    /// Below its head the file has what the screen shows; a map is painted from tiles here and in one go there, so that some
    /// edges of boxes may differ, and what is centred may lie a pixel lower.
    void theFileHasThePixelsOfTheScreen_data() { addPictures(); }
    void theFileHasThePixelsOfTheScreen()
    {
        DESK();
        desk.canvas->perform(ViewCommand::zoomIn);
        desk.canvas->grab();
        QTRY_VERIFY(desk.canvas->picture().settled());
        const QImage screen = desk.canvas->grab().toImage().convertToFormat(QImage::Format_RGB32);
        if (screen.size() != desk.canvas->size()) QSKIP("the file is compared at one pixel for each logical pixel");
        QTemporaryDir folder;
        QVERIFY(bool(desk.canvas->exportTo(folder.filePath(QStringLiteral("a.png")))));
        const QImage file = QImage(folder.filePath(QStringLiteral("a.png"))).convertToFormat(QImage::Format_RGB32);
        const int head = file.height() - screen.height();
        QVERIFY(head > 0 && file.width() == screen.width());
        const auto alike = [](QColor a, QColor b) {
            return std::max({std::abs(a.red() - b.red()), std::abs(a.green() - b.green()), std::abs(a.blue() - b.blue())}) <= 24;
        };
        int different = 0;
        for (int y = 1; y + 1 < screen.height(); ++y)
            for (int x = 0; x < screen.width(); ++x) {
                const QColor shown = screen.pixelColor(x, y);
                const auto at = [&](int dy) { return file.pixelColor(x, y + head + dy); };
                different += !alike(shown, at(0)) && !alike(shown, at(-1)) && !alike(shown, at(1));
            }
        QVERIFY2(different <= screen.width() * screen.height() / 200, qPrintable(QString::number(different)));
    }
};

QTEST_MAIN(CanvasFilesTest)
#include "tst_canvas_files.moc"
