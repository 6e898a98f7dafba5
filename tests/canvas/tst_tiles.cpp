// Tiles put together are the picture painted as a whole, however one came there; and what was asked for before another zoom is
// not painted to the end.
#include "app/canvas/kit/map_tiles.h"
#include "app/canvas/pictures/map/view_state.h"
#include "tests/support/sample_run.h"
#include "tests/support/seed.h"

#include <QRandomGenerator>
#include <QTest>

#include <atomic>

using namespace stowage;

namespace {

struct Shown {
    std::shared_ptr<const RunScene> scene;
    ViewState view;
    StackLayout layout;

    explicit Shown(std::size_t buffers, Step steps = 4000)
        : scene(makeScene(runOf(buffers, steps))), view(scene, Theme::darkTheme(), ColourBy::size)
    {
        view.state().rows = false;
        layout = layOut(view.state(), {900, 500});
        fitViewport(view.state(), layout);
    }
    static std::shared_ptr<const Run> runOf(std::size_t buffers, Step steps)
    {
        test::SampleOptions options;
        options.buffers = buffers;
        options.steps = steps;
        options.program = false;
        options.longLived = 0.001;
        return test::sampleRun(options);
    }
    [[nodiscard]] TileSource source() const { return {scene, view.styles(), StackGeometry{view.state(), layout}.picture(0)}; }
    [[nodiscard]] QImage whole() const
    {
        const TileSource s = source();
        return rasterArea(s.picture, visibleArea(s.picture));
    }
};

/// Pixels that differ by more than the rounding of summed floats.
int different(const QImage& a, const QImage& b)
{
    if (a.size() != b.size()) return -1;
    int count = 0;
    for (int y = 0; y < a.height(); ++y)
        for (int x = 0; x < a.width(); ++x) {
            const QRgb p = a.pixel(x, y), q = b.pixel(x, y);
            count += std::abs(qRed(p) - qRed(q)) > 2 || std::abs(qGreen(p) - qGreen(q)) > 2 || std::abs(qBlue(p) - qBlue(q)) > 2;
        }
    return count;
}

} // namespace

class TestTiles : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aSmallPictureIsWholeAtOnceAlsoAfterPanning()
    {
        Shown shown(300, 200);
        MapTiles tiles([] { QFAIL("nothing is painted in the background"); });
        PixelAxis& steps = shown.view.state().viewport.steps;
        PixelAxis& addresses = shown.view.state().viewport.addresses[0];
        QCOMPARE(different(tiles.body(shown.source()), shown.whole()), 0);
        QVERIFY(tiles.complete());
        steps.zoom(6, 300);
        addresses.zoom(3, 100);
        QCOMPARE(different(tiles.body(shown.source()), shown.whole()), 0);
        const auto seed = testSeed();
        QRandomGenerator random(seed);
        for (int i = 0; i < 30; ++i) {
            steps.pan(int(random.bounded(500)) - 250);
            addresses.pan(int(random.bounded(300)) - 150);
            QCOMPARE(different(tiles.body(shown.source()), shown.whole()), 0);
        }
    }

    void nothingIsPaintedWhenNothingChanged()
    {
        Shown shown(300, 200);
        MapTiles tiles([] {});
        tiles.body(shown.source());
        const std::size_t painted = tiles.painted();
        for (int i = 0; i < 5; ++i) tiles.body(shown.source());
        QCOMPARE(tiles.painted(), painted);
    }

    void aLargePictureComesInTilesAndIsTheSame()
    {
        Shown shown(60000, 30000);
        std::atomic<int> told = 0;
        MapTiles tiles([&] { ++told; });
        tiles.body(shown.source());
        QVERIFY(!tiles.complete());
        tiles.wait();
        QVERIFY(told >= 1);
        QCOMPARE(different(tiles.body(shown.source()), shown.whole()), 0);
        QVERIFY(tiles.complete());
        // Panned by whole pixels: only the new column of tiles is painted.
        PixelAxis& steps = shown.view.state().viewport.steps;
        steps.zoom(1.5, 100);
        tiles.body(shown.source());
        tiles.wait();
        tiles.body(shown.source());
        const std::size_t painted = tiles.painted();
        steps.pan(100);
        tiles.body(shown.source());
        tiles.wait();
        QCOMPARE(different(tiles.body(shown.source()), shown.whole()), 0);
        QVERIFY(tiles.painted() - painted <= 4);
    }

    void whatIsNotReadyIsTheOldPictureStretched()
    {
        Shown shown(60000, 30000);
        MapTiles tiles([] {});
        tiles.body(shown.source());
        tiles.wait();
        const QImage before = tiles.body(shown.source()).copy();
        const PixelAxis oldSteps = shown.view.state().viewport.steps, oldAddresses = shown.view.state().viewport.addresses[0];
        shown.view.state().viewport.steps.zoom(1.3, 450);
        const QImage moving = tiles.body(shown.source(), true);
        QVERIFY(!tiles.complete());
        // A pixel shows what the old picture shows of the value in its middle.
        const PixelAxis& steps = shown.view.state().viewport.steps;
        const PixelAxis& addresses = shown.view.state().viewport.addresses[0];
        for (int x = 3; x < moving.width(); x += 37)
            for (int y = 2; y < moving.height(); y += 23) {
                const int fromX = int(std::floor(oldSteps.toPixel(steps.at(x + 0.5))));
                const int fromY = int(std::floor(oldAddresses.toPixel(addresses.at(moving.height() - 1 - y + 0.5))));
                QCOMPARE(moving.pixel(x, y), before.pixel(fromX, before.height() - 1 - fromY));
            }
        // While it moves nothing is asked for.
        const std::size_t painted = tiles.painted();
        tiles.wait();
        tiles.body(shown.source(), true);
        QCOMPARE(tiles.painted(), painted);
    }

    void tilesOfAnotherZoomAreGivenUp()
    {
        Shown shown(200000, 60000);
        MapTiles tiles([] {});
        tiles.body(shown.source());
        // Before any of them can be ready, ten other zooms.
        for (int i = 0; i < 10; ++i) {
            shown.view.state().viewport.steps.zoom(1.02, 200);
            tiles.body(shown.source());
        }
        tiles.wait();
        QCOMPARE(different(tiles.body(shown.source()), shown.whole()), 0);
        // One screen of tiles, and what was under way when the zoom changed.
        const std::size_t screen = std::size_t((900 / MapTiles::tileSize + 2) * (500 / MapTiles::tileSize + 2));
        QVERIFY2(tiles.painted() <= 3 * screen, qPrintable(QString::number(tiles.painted())));
    }
};

QTEST_GUILESS_MAIN(TestTiles)
#include "tst_tiles.moc"
