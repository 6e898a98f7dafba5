// Frames of the memory map as the window paints them, 1600 x 900, at 10,000 to 1,000,000 buffers: what the window's own thread
// does for one frame while the view is panned, zoomed or only pointed at, and what it takes until a picture is whole. Median
// processor time of the thread. What it is compared with in the same run: `of_painter`, the share of the time that one
// QPainter::fillRect for each visible buffer takes, which is the least that a scene of items does; `copies`, how many copies of
// the frame's pixels would take as long.
#include "app/canvas/axis/hit_test.h"
#include "app/canvas/kit/map_tiles.h"
#include "app/canvas/pictures/heatmap/heatmap.h"
#include "app/canvas/pictures/map/paint_stack.h"
#include "app/canvas/pictures/map/view_state.h"
#include "tests/bench/peer.h"
#include "tests/support/sample_run.h"

#include <QGuiApplication>
#include <QImage>
#include <QPainter>

#include <cstring>
#include <functional>
#include <memory>
#include <random>

using namespace stowage;
using test::processorSeconds;

namespace {

constexpr QSize frameSize{1600, 900};

/// What the widget does for a frame, without the widget.
class Frame {
public:
    explicit Frame(const std::shared_ptr<const Run>& run)
        : scene_(makeScene(run)),
          view_(scene_, Theme::darkTheme(), ColourBy::size),
          image_(frameSize, QImage::Format_RGB32),
          shaper_(),
          tiles_([] {})
    {
        layout_ = layOut(view_.state(), frameSize);
        fitViewport(view_.state(), layout_);
    }
    void base()
    {
        const StackGeometry geometry{view_.state(), layout_};
        const QImage body = tiles_.body({scene_, view_.styles(), geometry.picture(0)});
        DrawList list(shaper_, 1);
        const QImage bodies[] = {body};
        paintStack(list, view_.state(), layout_, BodyMode::given, bodies);
        QPainter painter(&image_);
        replay(list, painter);
    }
    void overlay()
    {
        DrawList list(shaper_, 1);
        paintStackOverlay(list, view_.state(), layout_);
        QImage screen = image_; // the blit to the window
        QPainter painter(&screen);
        replay(list, painter);
    }
    /// Until nothing is missing, with the waiting.
    void whole()
    {
        base();
        tiles_.wait();
        base();
    }
    [[nodiscard]] ViewState& view() { return view_; }
    [[nodiscard]] Viewport& viewport() { return view_.state().viewport; }
    [[nodiscard]] const RunScene& scene() const { return *scene_; }

private:
    std::shared_ptr<const RunScene> scene_;
    ViewState view_;
    StackLayout layout_;
    QImage image_;
    TextShaper shaper_;
    MapTiles tiles_;
};

std::shared_ptr<const Run> runOf(std::int64_t buffers)
{
    static std::int64_t madeFor = 0;
    static std::shared_ptr<const Run> made;
    if (madeFor != buffers) {
        made.reset(); // one at a time: a million buffers are some hundred MB
        test::SampleOptions options;
        options.buffers = std::size_t(buffers);
        options.steps = Step(buffers / 5);
        options.longLived = 0;
        options.program = false;
        made = test::sampleRun(options);
        madeFor = buffers;
    }
    return made;
}

Frame& frameOf(std::int64_t buffers)
{
    static std::int64_t madeFor = 0;
    static std::unique_ptr<Frame> made;
    if (madeFor != buffers) {
        made.reset();
        made = std::make_unique<Frame>(runOf(buffers));
        madeFor = buffers;
    }
    return *made;
}

/// What the pixels of a frame take to be copied, as the blit to the window does.
double secondsToCopy()
{
    QImage from(frameSize, QImage::Format_RGB32), to(frameSize, QImage::Format_RGB32);
    from.fill(Qt::black);
    to.fill(Qt::black);
    return test::minSeconds(20, [&] {
        std::memcpy(to.bits(), from.constBits(), std::size_t(from.sizeInBytes()));
        benchmark::DoNotOptimize(to.constBits());
    });
}

/// What the buffers in view take with one QPainter::fillRect each, every one in its own colour.
double secondsToFill(Frame& frame)
{
    const MapData& map = frame.scene().pools[0].map;
    const PixelAxis& steps = frame.viewport().steps;
    const PixelAxis& bytes = frame.viewport().addresses[0];
    const StepBytes box{steps.unitAt(0), steps.unitAt(steps.pixels()) + 1, bytes.unitAt(0), bytes.unitAt(bytes.pixels()) + 1};
    QImage image(frameSize, QImage::Format_RGB32);
    return test::minSeconds(3, [&] {
        QPainter painter(&image);
        map.rects.forEach(box, [&](std::size_t i) {
            const StepBytes& r = map.rects[i];
            const QPointF topLeft(steps.toPixel(r.begin), bytes.pixels() - bytes.toPixel(r.high));
            const QPointF bottomRight(steps.toPixel(r.end), bytes.pixels() - bytes.toPixel(r.low));
            painter.fillRect(QRectF(topLeft, bottomRight),
                             QColor::fromRgb(QRgb(0xff000000u | std::uint32_t(map.buffer[i]) * 2654435761u)));
            return true;
        });
    });
}

/// The median processor time of `call` in seconds, with the milliseconds as a counter; `prepare` is not counted.
double median(benchmark::State& state, const std::function<void()>& prepare, const std::function<void()>& call)
{
    std::vector<double> times;
    for (auto _ : state) {
        prepare();
        const double start = processorSeconds();
        call();
        times.push_back(processorSeconds() - start);
        state.SetIterationTime(times.back());
    }
    std::sort(times.begin(), times.end());
    state.counters["median_ms"] = times[times.size() / 2] * 1e3;
    state.counters["worst_ms"] = times.back() * 1e3;
    return times[times.size() / 2];
}

void prepareScene(benchmark::State& state)
{
    const auto run = runOf(state.range(0));
    median(
        state, [] {},
        [&] {
            const ViewState view(makeScene(run), Theme::darkTheme(), ColourBy::size);
            benchmark::DoNotOptimize(view.styles()->data());
        });
}

/// From a scene to a whole picture of everything, by the clock: the window's thread waits for those who paint.
void fit(benchmark::State& state)
{
    const auto run = runOf(state.range(0));
    std::vector<double> times;
    for (auto _ : state) {
        Frame frame(run);
        const auto start = std::chrono::steady_clock::now();
        frame.whole();
        times.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
        state.SetIterationTime(times.back());
    }
    std::sort(times.begin(), times.end());
    state.counters["median_ms"] = times[times.size() / 2] * 1e3;
}

void panning(benchmark::State& state)
{
    Frame& frame = frameOf(state.range(0));
    frame.viewport().steps.fit();
    frame.viewport().addresses[0].fit();
    frame.viewport().steps.zoom(4, 700);
    frame.whole();
    const double filled = secondsToFill(frame);
    int direction = 24;
    state.counters["of_painter"] = median(
                                       state,
                                       [&] {
                                           if (frame.viewport().steps.pan(direction) == 0)
                                               frame.viewport().steps.pan(direction = -direction);
                                       },
                                       [&] { frame.base(); }) /
                                   filled;
    frame.whole();
}

void zooming(benchmark::State& state)
{
    Frame& frame = frameOf(state.range(0));
    frame.viewport().steps.fit();
    frame.viewport().addresses[0].fit();
    frame.whole();
    const double filled = secondsToFill(frame);
    // In and out again, a notch a frame, faster than the tiles can follow.
    int notch = 0;
    state.counters["of_painter"] =
        median(
            state, [&] { frame.viewport().steps.zoom(notch++ % 40 < 20 ? 1.25 : 0.8, 600); }, [&] { frame.base(); }) /
        filled;
    frame.whole();
}

void pointing(benchmark::State& state)
{
    Frame& frame = frameOf(state.range(0));
    frame.viewport().steps.fit();
    frame.whole();
    BufferId hovered = 0;
    const auto count = BufferId(frame.scene().run->problem().buffers.size());
    state.counters["copies"] =
        median(
            state, [&] { frame.view().state().hovered = hovered = (hovered + 7919) % count; }, [&] { frame.overlay(); }) /
        secondsToCopy();
}

void hitting(benchmark::State& state)
{
    Frame& frame = frameOf(state.range(0));
    frame.viewport().steps.fit();
    frame.viewport().addresses[0].fit();
    const Viewport& view = frame.viewport();
    std::mt19937 random(1);
    double x = 0, y = 0;
    median(
        state,
        [&] {
            x = double(random() % unsigned(view.steps.pixels()));
            y = double(random() % unsigned(view.addresses[0].pixels()));
        },
        [&] { benchmark::DoNotOptimize(hitTest(frame.scene().pools[0].map, view.steps, view.addresses[0], x, y)); });
}

/// What a move of the pointer over the heatmap looks up: the buffers of the bin below it.
void hittingBins(benchmark::State& state)
{
    const auto scene = makeHeatScene(makeScene(runOf(state.range(0))));
    HeatState heat;
    heat.scene = scene.get();
    heat.theme = &Theme::darkTheme();
    heat.pool = defaultPool(*scene);
    const HeatLayout layout = layOut(heat, frameSize);
    fitAxes(heat, layout);
    countBins(heat);
    const HeatGeometry geometry{heat, layout};
    const QRectF body = layout.body();
    std::mt19937 random(1);
    QPointF at;
    median(
        state,
        [&] {
            at = body.topLeft() + QPointF(double(random() % unsigned(body.width())), double(random() % unsigned(body.height())));
        },
        [&] {
            const auto bin = geometry.binAt(at);
            benchmark::DoNotOptimize(bin ? touchesIn(heat, *bin).size() : 0);
        });
}

} // namespace

int main(int argc, char** argv)
{
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
    const QGuiApplication application(argc, argv);
    benchmark::Initialize(&argc, argv);
    for (const std::int64_t buffers : {10'000, 100'000, 1'000'000}) {
        const auto add = [&](const char* name, void (*body)(benchmark::State&), int iterations) {
            benchmark::RegisterBenchmark(name, body)
                ->Arg(buffers)
                ->Iterations(iterations)
                ->UseManualTime()
                ->Unit(benchmark::kMillisecond);
        };
        add("scene", prepareScene, buffers > 500'000 ? 3 : 5);
        add("fit", fit, buffers > 500'000 ? 3 : 5);
        add("pan", panning, 120);
        add("zoom", zooming, 80);
        add("point", pointing, 200);
        add("hit", hitting, 2000);
        add("bin", hittingBins, 2000);
    }
    benchmark::RunSpecifiedBenchmarks();
}
