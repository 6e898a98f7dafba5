// Pixels and values: there and back, zoom about a point, pan, clamp, fit, history, at small and at 62-bit addresses.
#include "app/canvas/axis/viewport.h"
#include "tests/support/seed.h"

#include <QRandomGenerator>
#include <QTest>

#include <cmath>

using namespace stowage;

class TestViewport : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everythingFitsAtFirst()
    {
        const PixelAxis axis(0, 46, 2, 920);
        QCOMPARE(axis.edge(0), 0);
        QCOMPARE(axis.edge(46), 920);
        QCOMPARE(axis.toPixel(23), 460.0);
        QCOMPARE(axis.unitAt(459.9), 22);
        QCOMPARE(axis.unitAt(460.0), 23);
        QCOMPARE(axis.unitAt(-50), 0);
        QCOMPARE(axis.unitAt(5000), 45);
    }

    void pixelsAndValuesAgreeBothWays()
    {
        const auto seed = testSeed();
        QRandomGenerator random(seed);
        for (int round = 0; round < 2000; ++round) {
            const std::int64_t high = std::int64_t{1} << random.bounded(1, 63);
            PixelAxis axis(0, high, 1, random.bounded(1, 4000));
            for (int i = 0; i < 6; ++i) axis.zoom(std::exp2(random.bounded(16.0) - 5), random.bounded(double(axis.pixels())));
            for (int i = 0; i < 20; ++i) {
                const double pixel = random.bounded(double(axis.pixels()));
                const AxisPoint point = axis.at(pixel);
                QVERIFY(point.part >= 0 && point.part < 1);
                QVERIFY2(std::abs(axis.toPixel(point) - pixel) < 1e-3, qPrintable(QString::number(axis.toPixel(point) - pixel)));
                // An edge is the nearest whole pixel, and values in order have edges in order.
                QVERIFY(std::abs(axis.edge(point.whole) - axis.toPixel(point.whole)) <= 0.5);
                QVERIFY(axis.edge(point.whole) <= axis.edge(point.whole + 1));
            }
        }
    }

    void zoomKeepsTheValueUnderThePointer()
    {
        const auto seed = testSeed();
        QRandomGenerator random(seed);
        for (int round = 0; round < 5000; ++round) {
            PixelAxis axis(0, 1000000, 2, 1600);
            axis.show({{random.bounded(400000), 0.25}, 200000});
            const double pixel = random.bounded(1600.0);
            const AxisPoint before = axis.at(pixel);
            axis.zoom(1.0 + random.bounded(3.0), pixel);
            QVERIFY(std::abs(axis.toPixel(before) - pixel) <= 1.0);
        }
    }

    void zoomReachesASingleByteAtTheEndOfTheAddressSpace()
    {
        const std::int64_t high = std::int64_t{1} << 62;
        PixelAxis axis(0, high, 4, 900);
        for (int i = 0; i < 80; ++i) axis.zoom(2.0, 900); // at the upper end
        QCOMPARE(axis.range().span, 4.0);
        // Four bytes over 900 pixels: neighbours are 225 pixels apart, though a double cannot tell 2^62 from 2^62 - 1.
        QCOMPARE(axis.edge(high), 900);
        QCOMPARE(axis.edge(high - 1), 675);
        QCOMPARE(axis.edge(high - 4), 0);
        QCOMPARE(axis.unitAt(674), high - 2);
        QCOMPARE(axis.unitAt(676), high - 1);
    }

    void nothingIsShownBeyondTheLimits()
    {
        const auto seed = testSeed();
        QRandomGenerator random(seed);
        PixelAxis axis(10, 5000, 8, 777);
        for (int i = 0; i < 20000; ++i) {
            if (random.bounded(2))
                axis.zoom(std::exp2(random.bounded(6.0) - 3), random.bounded(777.0));
            else
                axis.pan(random.bounded(-900, 900));
            const double slack = 0.51 / axis.scale(); // half a pixel of the grid
            QVERIFY(axis.at(0).minus({10, 0}) >= -slack);
            QVERIFY(axis.at(777).minus({5000, 0}) <= slack);
            QVERIFY(axis.range().span >= 8 * (1 - 1e-9) && axis.range().span <= 4990 * (1 + 1e-9));
        }
    }

    /// Nothing is cut at either end, though 878 pixels are no multiple of 7 steps.
    void everythingIsShownWhereverTheLimitsBegin()
    {
        for (const std::int64_t low : {std::int64_t{0}, std::int64_t{4}, std::int64_t{10}, (std::int64_t{1} << 61) + 3})
            for (const int pixels : {538, 878, 1001}) {
                PixelAxis axis(low, low + 7, 2, pixels);
                QCOMPARE(axis.range(), (AxisRange{{low, 0.0}, 7.0}));
                QCOMPARE(axis.toPixel(low), 0.0);
                QVERIFY(std::abs(axis.toPixel(low + 7) - pixels) < 1e-9);
                axis.zoom(2.0, pixels / 3.0);
                axis.fit();
                QCOMPARE(axis.range(), (AxisRange{{low, 0.0}, 7.0}));
            }
    }

    void panMovesByWholePixelsAndComesBack()
    {
        PixelAxis axis(0, 100000, 2, 1000);
        axis.show({{30000, 0.37}, 777.7});
        const PixelAxis before = axis;
        const double fraction = axis.toPixel(std::int64_t{30100}) - std::floor(axis.toPixel(std::int64_t{30100}));
        QCOMPARE(axis.pan(123), 123);
        QCOMPARE(axis.grid(), before.grid());
        QCOMPARE(axis.origin(), before.origin() + 123);
        const double after = axis.toPixel(std::int64_t{30100});
        QVERIFY(std::abs(after - std::floor(after) - fraction) < 1e-6);
        QCOMPARE(axis.pan(-123), -123);
        QCOMPARE(axis.origin(), before.origin());
        QCOMPARE(axis.pan(-10000000), -int(before.origin()));
        QCOMPARE(axis.pan(-1), 0);
    }

    void aroundCentresARangeWithItsMargin()
    {
        PixelAxis axis(0, 10000, 2, 1000);
        axis.show(axis.around(4000, 4400, 100));
        QVERIFY(std::abs(axis.toPixel(std::int64_t{4000}) - 100) <= 1);
        QVERIFY(std::abs(axis.toPixel(std::int64_t{4400}) - 900) <= 1);
        axis.show(axis.around(0, 10, 100)); // at the rim there is no room for a margin
        QCOMPARE(axis.edge(0), 0);
    }

    void resizeKeepsTheRange()
    {
        PixelAxis axis(0, 10000, 2, 1000);
        axis.show({{2000, 0}, 500});
        axis.resize(2000);
        QCOMPARE(axis.edge(2000), 0);
        QCOMPARE(axis.edge(2500), 2000);
    }

    void animationKeepsTheFixedPointOfAZoom()
    {
        PixelAxis axis(0, 1000000, 2, 1000);
        axis.show({{100000, 0}, 400000});
        const AxisPoint fixed = axis.at(250);
        const AxisRange from = axis.range();
        const AxisRange to = axis.zoomed(50, 250);
        for (double t : {0.0, 0.1, 0.33, 0.5, 0.9, 1.0}) {
            axis.show(between(from, to, t));
            QVERIFY(std::abs(axis.toPixel(fixed) - 250) <= 1.0);
        }
        QCOMPARE(between(from, to, 1.0), to);
        QCOMPARE(between(from, to, 0.0), from);
        const AxisRange shifted{from.begin.plus(1000), from.span};
        QCOMPARE(between(from, shifted, 0.5).begin, from.begin.plus(500));
    }

    void historyGoesBackAndForward()
    {
        ViewHistory history;
        const auto at = [](std::int64_t begin) { return ViewRange{{{begin, 0}, 10}, {{{0, 0}, 4}}}; };
        QVERIFY(!history.canGoBack());
        history.leave(at(0));
        history.leave(at(10));
        history.leave(at(11), true); // the same wheel goes on
        QCOMPARE(history.goBack(at(20)), at(10));
        QCOMPARE(history.goBack(at(10)), at(0));
        QVERIFY(!history.canGoBack());
        QCOMPARE(history.goForward(at(0)), at(10));
        QVERIFY(history.canGoForward());
        history.leave(at(10)); // a new way: what lay ahead is gone
        QVERIFY(!history.canGoForward());
        for (int i = 0; i < 1000; ++i) history.leave(at(i));
        int back = 0;
        for (ViewRange now = at(5000); history.canGoBack(); ++back) now = history.goBack(now);
        QCOMPARE(std::size_t(back), ViewHistory::limit);
    }

    void aViewportShowsEachStripOnItsOwn()
    {
        Viewport viewport{PixelAxis(0, 100, 2, 500), {PixelAxis(0, 4096, 16, 300), PixelAxis(0, 1 << 20, 16, 200)}};
        ViewRange range = viewport.range();
        range.steps = {{10, 0}, 50};
        range.addresses[1] = {{4096, 0}, 8192};
        viewport.show(range);
        QCOMPARE(viewport.range(), range);
        QCOMPARE(viewport.addresses[0].edge(4096), 300);
        QCOMPARE(viewport.addresses[1].edge(4096), 0);
    }
};

QTEST_APPLESS_MAIN(TestViewport)
#include "tst_viewport.moc"
