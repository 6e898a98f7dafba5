// The raster: every buffer reaches a pixel, thin ones add up exactly, and parts of a picture are parts of the picture.
#include "app/canvas/axis/map_raster.h"
#include "tests/support/sample_run.h"
#include "tests/support/seed.h"

#include <QRandomGenerator>
#include <QTest>

#include <cmath>
#include <map>

using namespace stowage;

namespace {

struct Scene {
    std::shared_ptr<const Run> run;
    MapData map;
    std::vector<BufferStyle> styles;
    MapPicture picture;

    Scene(std::shared_ptr<const Run> shown, int width, int height, double ratio = 1, Bytes top = 0)
        : run(std::move(shown)), map(makeMapData(*run, 0))
    {
        styles.assign(run->problem().buffers.size(), 0);
        for (std::size_t i = 0; i < styles.size(); ++i) styles[i] = BufferStyle(i % 9);
        picture.map = &map;
        picture.steps = PixelAxis(0, map.steps, 1, width);
        picture.addresses = PixelAxis(0, top ? top : map.top, 1, height);
        picture.styles = styles;
        picture.ratio = ratio;
        for (std::size_t i = 0; i < 16; ++i) picture.colours.fill[i] = 0xFF404040U + Argb(i) * 0x00080B0DU;
        picture.colours.well = 0xFF000000U;
        picture.colours.free = 0xFF101010U;
        picture.colours.hatch = 0xFF202020U;
        picture.colours.bad = 0xFFFF0000U;
        picture.colours.warn = 0xFFFFFF00U;
        picture.colours.grid = 0xFF181818U;
    }

    [[nodiscard]] std::vector<Argb> paint(const PixelArea& area) const
    {
        std::vector<Argb> pixels(std::size_t(area.width) * std::size_t(area.height));
        if (!paintArea(picture, area, pixels.data(), area.width)) qFatal("stopped");
        return pixels;
    }
    [[nodiscard]] std::vector<Argb> paint() const { return paint(visibleArea(picture)); }
};

std::shared_ptr<const Run> dense(std::size_t buffers, std::uint64_t seed)
{
    test::SampleOptions options;
    options.buffers = buffers;
    options.steps = Step(buffers / 4 + 10);
    options.longLived = 0.01;
    options.gaps = 0.1;
    options.program = false;
    options.capacityFactor = 0;
    options.seed = seed;
    return test::sampleRun(options);
}

} // namespace

class TestCoverage : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyBufferReachesAPixel()
    {
        const auto seed = testSeed();
        for (const std::size_t buffers : {50, 5000}) {
            for (const double ratio : {1.0, 2.0}) {
                Scene scene(dense(buffers, seed), 300, 120, ratio, buffers == 50 ? 1 << 20 : 0);
                const std::vector<BufferStyle> shown = scene.styles;
                std::fill(scene.styles.begin(), scene.styles.end(), styleHidden);
                const std::vector<Argb> nothing = scene.paint();
                const std::size_t every = buffers == 50 ? 1 : 40;
                for (std::size_t i = 0; i < shown.size(); i += every) {
                    scene.styles[i] = shown[i];
                    const std::vector<Argb> alone = scene.paint();
                    QVERIFY2(alone != nothing,
                             qPrintable(QString("buffer %1 of %2 bytes").arg(i).arg(scene.run->problem().buffers[i].size)));
                    // And it is seen: some pixel took on at least a third of its colour.
                    int most = 0;
                    for (std::size_t p = 0; p < alone.size(); ++p)
                        most = std::max(most, std::abs(int(alone[p] >> 8 & 0xFF) - int(nothing[p] >> 8 & 0xFF)));
                    const int full = int(scene.picture.colours.fill[shown[i]] >> 8 & 0xFF) - 0x20;
                    QVERIFY2(most >= full / 4, qPrintable(QString("%1 of %2").arg(most).arg(full)));
                    scene.styles[i] = styleHidden;
                }
            }
        }
    }

    void thinBuffersAddUpExactly()
    {
        const auto seed = testSeed();
        Scene scene(dense(20000, seed), 640, 200);
        const PixelArea area = visibleArea(scene.picture);
        std::vector<Coverage> sums(std::size_t(area.width) * std::size_t(area.height));
        addCoverage(scene.picture, area, sums);
        double total = 0;
        for (const Coverage& c : sums) {
            total += double(c.share);
            QVERIFY(c.share >= 0);
        }
        // Independently: extents in pixels; what is at least a pixel long is drawn in whole pixels, less the gap from three on.
        const double perStep = 640.0 / double(scene.map.steps);
        const double perByte = 200.0 / double(scene.map.top);
        const auto drawn = [](double low, double high) {
            if (high - low < 1) return high - low;
            const double whole = std::floor(high + 0.5) - std::floor(low + 0.5);
            return high - low >= 3 ? whole - 1 : whole;
        };
        double expected = 0;
        std::size_t thin = 0;
        for (std::size_t i = 0; i < scene.map.rects.size(); ++i) {
            const StepBytes& r = scene.map.rects[i];
            const double x0 = double(r.begin) * perStep, x1 = double(r.end) * perStep;
            const double y0 = double(r.low) * perByte, y1 = double(r.high) * perByte;
            const double padded = double(scene.map.paddedHigh(i)) * perByte;
            if (x1 - x0 >= 1 && padded - y0 >= 1) continue;
            expected += drawn(x0, x1) * drawn(y0, y1);
            ++thin;
        }
        QVERIFY(thin > 1000);
        QVERIFY2(std::abs(total - expected) < 1e-4 * expected, qPrintable(QString("%1, expected %2").arg(total).arg(expected)));
    }

    void aStackOfThinBuffersLeavesNoSeam()
    {
        // 1000 buffers of 8 bytes over 300 pixels, then over 1300: pixels between bottom and top are fully covered in both.
        Problem problem;
        problem.pools.resize(1);
        for (int i = 0; i < 1000; ++i) {
            Buffer b;
            b.size = 8;
            b.live = {{0, 10}};
            problem.buffers.push_back(b);
        }
        const auto run = test::runOf(problem);
        QCOMPARE(run->report.pools[0].size, Bytes(8000));
        for (const int height : {300, 1300, 2400}) {
            Scene scene(run, 100, height);
            std::fill(scene.styles.begin(), scene.styles.end(), BufferStyle(3));
            const std::vector<Argb> pixels = scene.paint();
            for (int y = 0; y < height; ++y) QCOMPARE(pixels[std::size_t(y) * 100 + 50], scene.picture.colours.fill[3]);
        }
    }

    void tilesArePartsOfThePicture()
    {
        const auto seed = testSeed();
        QRandomGenerator random(seed);
        for (const double ratio : {1.0, 1.5, 2.0}) {
            Scene scene(dense(3000, seed), 700, 333, ratio);
            scene.picture.steps.zoom(3, 200);
            scene.picture.addresses.zoom(1.7, 100);
            scene.picture.peak = Interval{scene.map.steps / 2, scene.map.steps / 2 + 1};
            scene.picture.gridSpacing = 10;
            const PixelArea all = visibleArea(scene.picture);
            const std::vector<Argb> whole = scene.paint();
            for (int round = 0; round < 20; ++round) {
                PixelArea part;
                part.width = random.bounded(1, 300);
                part.height = random.bounded(1, 200);
                const int x = random.bounded(all.width - part.width);
                const int y = random.bounded(all.height - part.height);
                part.x = all.x + x;
                part.y = all.y + y;
                const std::vector<Argb> pixels = scene.paint(part);
                for (int row = 0; row < part.height; ++row) {
                    const int wholeRow = all.height - (y + part.height) + row;
                    for (int column = 0; column < part.width; ++column) {
                        const Argb a = pixels[std::size_t(row * part.width + column)];
                        const Argb b = whole[std::size_t(wholeRow * all.width + x + column)];
                        if (a != b) QFAIL(qPrintable(QString("pixel %1, %2 of the part differs").arg(column).arg(row)));
                    }
                }
            }
        }
    }

    void aPannedPictureIsTheSamePictureMoved()
    {
        Scene scene(dense(3000, 5), 500, 200);
        scene.picture.steps.zoom(4, 250);
        const std::vector<Argb> before = scene.paint();
        QCOMPARE(scene.picture.steps.pan(37), 37);
        const std::vector<Argb> after = scene.paint();
        for (int y = 0; y < 200; ++y)
            for (int x = 0; x < 500 - 37; ++x) QCOMPARE(after[std::size_t(y * 500 + x)], before[std::size_t(y * 500 + x + 37)]);
    }

    void pixelsAreWhatThePlanSaysThere()
    {
        // 12 pixels a step and a pixel for every 8 bytes: what a pixel shows can be worked out by division alone.
        test::SampleOptions options;
        options.buffers = 60;
        options.steps = 50;
        options.program = false;
        options.alignment = 8;
        options.maximumSize = 1200;
        const auto run = test::sampleRun(options);
        Bytes top = run->report.pools[0].size;
        top = (*run->report.pools[0].capacity + 200) / 8 * 8;
        Scene scene(run, 600, int(top / 8), 1, top);
        scene.picture.steps = PixelAxis(0, 50, 1, 600);
        const std::vector<Argb> pixels = scene.paint();
        std::size_t compared = 0;
        for (int y = 0; y < int(top / 8); ++y)
            for (int x = 0; x < 600; ++x) {
                const Argb pixel = pixels[std::size_t((int(top / 8) - 1 - y) * 600 + x)];
                const Step step = x / 12;
                const Bytes address = Bytes(y) * 8;
                const Buffer* there = nullptr;
                std::size_t id = 0;
                for (std::size_t i = 0; i < run->problem().buffers.size(); ++i) {
                    const Buffer& b = run->problem().buffers[i];
                    const Bytes offset = run->plan.placements[i].offset;
                    if (b.live[0].contains(step) && offset <= address && address < offset + b.size) there = &b, id = i;
                }
                if (!there) {
                    for (std::size_t i = 0; i < 9; ++i) QVERIFY(pixel != scene.picture.colours.fill[i]);
                    continue;
                }
                // Well inside: away from the rounded corners, the gap and the padding strip.
                const Bytes low = run->plan.placements[id].offset;
                if (there->size < 64 || address < low + 16 || address + 40 > low + there->size) continue;
                if (x < there->live[0].begin * 12 + 2 || x >= there->live[0].end * 12 - 2) continue;
                QCOMPARE(pixel, scene.picture.colours.fill[id % 9]);
                ++compared;
            }
        QVERIFY(compared > 5000);
    }

    void neighboursShowOnePixelOfWell()
    {
        Problem problem;
        problem.pools.resize(1);
        for (int i = 0; i < 2; ++i) {
            Buffer b;
            b.size = 100;
            b.live = {{i * 5, i * 5 + 5}};
            problem.buffers.push_back(b);
        }
        for (const double ratio : {1.0, 2.0, 3.0}) {
            Scene scene(test::runOf(problem), int(100 * ratio), int(50 * ratio), ratio);
            const std::vector<Argb> pixels = scene.paint();
            const int width = int(100 * ratio);
            const auto row = std::size_t(25 * ratio) * std::size_t(width);
            int gap = 0;
            for (int x = 0; x < width; ++x) {
                const Argb pixel = pixels[row + std::size_t(x)];
                if (x > 10 && x < width - 10 && pixel != scene.picture.colours.fill[0] && pixel != scene.picture.colours.fill[1])
                    ++gap;
            }
            QCOMPARE(gap, int(ratio)); // one logical pixel
        }
    }

    void anUnwantedAreaIsGivenUp()
    {
        Scene scene(dense(20000, 3), 400, 200);
        std::vector<Argb> pixels(400 * 200);
        int asked = 0;
        QVERIFY(!paintArea(scene.picture, visibleArea(scene.picture), pixels.data(), 400, [&] { return ++asked > 2; }));
        QCOMPARE(asked, 3);
    }

    void mixingIsExactAtBothEnds()
    {
        QCOMPARE(mixArgb(0xFF123456U, 0xFFABCDEFU, 0), 0xFF123456U);
        QCOMPARE(mixArgb(0xFF123456U, 0xFFABCDEFU, 1), 0xFFABCDEFU);
        QCOMPARE(mixArgb(0xFF000000U, 0xFFFFFFFFU, 0.5F), 0xFF7F7F7FU);
    }

    void hatchesCoverTheirShareAtEveryScale()
    {
        // A line of width w every s pixels covers w / s of the plane.
        for (const double ratio : {1.0, 1.25, 1.5, 2.0, 3.0})
            for (const double spacing : {4.0, 5.0, 6.0}) {
                const std::vector<float> shares = hatchShares(-5000, 100000, spacing * ratio, ratio);
                double sum = 0;
                for (const float share : shares) sum += double(share);
                QVERIFY2(std::abs(sum / 100000 - 1 / spacing) < 1e-3, qPrintable(QString::number(sum / 100000)));
            }
        // Absolute positions: a part has the same lines as the whole.
        const std::vector<float> whole = hatchShares(0, 100, 6, 1);
        const std::vector<float> part = hatchShares(40, 10, 6, 1);
        for (std::size_t i = 0; i < 10; ++i) QCOMPARE(part[i], whole[40 + i]);
    }
};

QTEST_APPLESS_MAIN(TestCoverage)
#include "tst_coverage.moc"
