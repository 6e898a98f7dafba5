// What a picture is: the contract between a picture, the canvas that shows it in the window, the exporter that writes it into
// files, and the tests that drive all pictures alike.
//
// How to add a picture:
// 1. Write one pair of files in app/canvas/pictures/<name>/: a class that derives from `Picture`. The build takes each source.
// 2. Add one line, and the include of its class, to the table in app/canvas/pictures/table.cpp. From that line the window makes
//    the tab, the menu entry and its key, the bar with the picture's options, its help text and the page of the guide that F1
//    opens; `stowage-cli render` learns the name; the tests of all pictures drive it through every key and gesture.
// 3. Let `tst_draw_lists --write` write its draw list into tests/canvas/golden, and look at the picture.
// A picture paints into a `DrawList` only, knows no widget, and never handles an event: it says where its parts lie (`parts`),
// what is under a point (`hit`), what an area holds (`areaTo`), and the canvas does the rest.
#pragma once

#include "app/canvas/axis/hit_test.h"
#include "app/canvas/axis/viewport.h"
#include "app/canvas/kit/card.h"
#include "app/canvas/kit/draw_list.h"
#include "app/canvas/kit/number_text.h"
#include "app/canvas/kit/shared_buffers.h"
#include "app/canvas/kit/theme.h"
#include "core/ir/expected.h"
#include "core/plan/run.h"

#include <QPointF>
#include <QRectF>
#include <QSizeF>
#include <QString>
#include <QStringList>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

namespace stowage {

class SceneCache;

/// Base of what a picture needs besides runs; a picture finds its own type by dynamic_cast. Immutable.
struct PictureSubject {
    virtual ~PictureSubject() = default;
};

using BufferTest = std::function<bool(BufferId)>;

/// The inputs of a picture.
struct PictureSource {
    std::shared_ptr<const Run> run;                ///< the run that is shown; null: nothing is planned yet
    std::vector<std::shared_ptr<const Run>> runs;  ///< all runs of the model, for comparisons
    std::shared_ptr<const Program> program;        ///< of the model, planned or not; null: a problem without a program
    std::shared_ptr<const PictureSubject> subject; ///< null for pictures of runs and programs
    std::shared_ptr<SceneCache> scenes;            ///< never null; scenes of runs are made there, once for all pictures

    [[nodiscard]] bool any() const { return run || program || subject; }
    [[nodiscard]] bool sameAs(const PictureSource& other) const
    {
        return run == other.run && runs == other.runs && program == other.program && subject == other.subject;
    }
};

/// The error "Nothing is planned yet." for a source without a run; no value for one with a run.
[[nodiscard]] std::optional<Error> whyNoRun(const PictureSource& source);

/// The data that is computed once from a source, and then painted at any zoom. Immutable, shared between threads.
struct PictureScene {
    std::shared_ptr<const Run> run; ///< the run of the scene; may be null
    std::optional<Error> error;     ///< reason why there is nothing to show

    virtual ~PictureScene() = default;
};

/// The computation of a scene.
struct PictureJob {
    std::size_t work = 0; ///< count of buffers, steps or executions; see `Picture::sceneAtOnce`
    /// Runs on any thread, and uses only captured values. Returns null if it was stopped.
    std::function<std::shared_ptr<const PictureScene>(const std::stop_token&)> make;
};

/// The marks that all views share.
struct PictureMarks {
    BufferId selected = none;
    SharedBuffers selection; ///< all selected buffers; contains `selected`
    BufferId hovered = none;
    std::optional<Step> cursor;
    std::shared_ptr<const std::vector<bool>> shown; ///< by buffer: whether the filter includes it; null: all

    [[nodiscard]] bool passes(BufferId buffer) const
    {
        return !shown || buffer < 0 || std::size_t(buffer) >= shown->size() || (*shown)[std::size_t(buffer)];
    }
};

/// A part of a picture that scrolls, because its content is higher.
struct PictureScroll {
    QRectF box;
    QRectF names;       ///< area of `box` in which the wheel always scrolls; may be empty
    double content = 0; ///< height of all content, logical pixels
    double at = 0;      ///< scroll position, logical pixels
    bool wheel = true;  ///< the wheel scrolls here; false: only over `names`, on the bar, and with Ctrl
    bool bar = false;   ///< a scroll bar is painted along the right edge, 10 px wide

    [[nodiscard]] double overhang() const { return content > box.height() ? content - box.height() : 0; }
};
/// Paints the scroll bar of a part whose content is higher than the part; else nothing.
void paintScrollBar(DrawList& list, const Theme& theme, const PictureScroll& part);

/// The positions of the parts of a picture, in logical pixels, for pointer, wheel and keys.
struct PictureParts {
    double plotLeft = 0; ///< left and right end of the horizontal axis, `Viewport::steps`
    double plotRight = 0;
    std::vector<QRectF> strips; ///< one for each of `Viewport::addresses`, whose values grow upwards; with gutter
    QRectF ruler;               ///< a drag in it moves the time cursor
    std::vector<PictureScroll> scrolls;
    bool uniform = false; ///< both axes have the same scale, and the wheel zooms both

    [[nodiscard]] bool zooms() const { return plotRight > plotLeft; }
    /// The index of the strip under a point; the count of strips if there is none.
    [[nodiscard]] std::size_t stripAt(QPointF at) const;
    /// The index of the scrolling part under a point; their count if there is none.
    [[nodiscard]] std::size_t scrollAt(QPointF at) const;
};

/// The object under a point.
struct PictureHit {
    BufferId buffer = none;      ///< hovered in all views while the pointer is here
    SharedBuffers chosen;        ///< the buffers that a click selects; empty: none
    bool keepsSelection = false; ///< a click keeps the selection
    std::optional<Step> step;    ///< step to which a click moves the time cursor
    QRectF box;                  ///< box of the object, which the card does not cover
    bool holds = false;          ///< a drag moves the object (see `takeHold`)
    bool acts = false;           ///< a click has an effect of its own (see `press`)
    std::int32_t kind = 0;       ///< the picture's own
    std::int64_t item = none;    ///< the picture's own

    friend bool operator==(const PictureHit&, const PictureHit&) = default;
};

/// The target of a jump in the view: the selection, the peak, a neighbour.
struct PictureAim {
    std::optional<BufferId> select; ///< becomes the selected buffer
    std::optional<Step> cursor;     ///< becomes the time cursor
    std::optional<Interval> across; ///< its range on `Viewport::steps`
    struct Up {
        std::size_t axis = 0; ///< of `Viewport::addresses`
        std::int64_t low = 0;
        std::int64_t high = 0;
    };
    std::vector<Up> up;
    bool fit = false; ///< zoomed to fit immediately, instead of centred first
};

/// An option of a picture, for the bar above it and the command line.
struct PictureOption {
    QString id;         ///< "iterations": stable, for `render --set` and sessions
    QString label;      ///< in the bar
    QStringList values; ///< possible values, as shown; {"off", "on"}: a button
    QString value;      ///< the chosen one
    QString tip;        ///< one sentence

    [[nodiscard]] bool toggle() const { return values == QStringList{QStringLiteral("off"), QStringLiteral("on")}; }
};

/// The effect of the change of an option.
enum class PictureChange : std::uint8_t {
    unknown, ///< no such option, or no such value
    nothing,
    paint, ///< layout and painting are out of date
    scene, ///< another scene is needed
};

/// How bodies of many rectangles are painted.
enum class BodyMode {
    given,  ///< from images painted in tiles before; on the screen
    raster, ///< into one image, immediately: for PNG, and for a vector format with more than `vectorLimit` rectangles
    vector, ///< as commands: for SVG and PDF
};
inline constexpr std::size_t vectorLimit = 50000;

/// A picture of one kind, with its state. Belongs to one thread; scenes are made on others.
///
/// Order of calls: `prepare` and `take` for each source; `layOut` for each size, and after `take`, `set` or `scrollTo`; then
/// `paint` and `paintOverlay` as often as needed. The last two need a scene without error and a layout.
class Picture {
public:
    virtual ~Picture() = default;

    /// Work up to which the canvas makes a scene at once; more is done on another thread.
    static constexpr std::size_t sceneAtOnce = 5000;

    // --- what is shown ---------------------------------------------------------------------------------------------------
    /// The computation of the scene of `source` with the current options. Requires that the table's `whyNot` gives no error.
    [[nodiscard]] virtual PictureJob prepare(const PictureSource& source) const = 0;
    /// Shows a scene made by `prepare`, or none (null). Returns true if the visible range has the same meaning in the new scene,
    /// so that it and its history are kept.
    virtual bool take(std::shared_ptr<const PictureScene> scene) = 0;
    /// Whether another scene is needed when a run is added to `PictureSource::runs`.
    [[nodiscard]] virtual bool usesAllRuns() const { return false; }
    /// Whether an outdated scene may be shown until the next one is ready (while a search continues).
    [[nodiscard]] virtual bool stillOf(const PictureScene& scene, const PictureSource& source) const;
    void setTheme(const Theme& theme) { theme_ = &theme; }
    void setNumbers(const NumberFormat& numbers) { numbers_ = numbers; }
    [[nodiscard]] const Theme& theme() const { return *theme_; }
    [[nodiscard]] const NumberFormat& numbers() const { return numbers_; }
    /// `fromHere`: the change comes from a click in this picture, which need not scroll to show it. Returns `scene` if the
    /// picture shows other data for another selection.
    virtual PictureChange setMarks(const PictureMarks& marks, bool fromHere) = 0;
    /// The options for the current scene; may be empty.
    [[nodiscard]] virtual std::vector<PictureOption> options() const { return {}; }
    virtual PictureChange set(const QString& id, const QString& value);

    // --- layout ----------------------------------------------------------------------------------------------------------
    /// Computes the layout for `size` logical pixels of `ratio` device pixels each; axes keep their visible ranges.
    virtual void layOut(QSizeF size, double ratio) = 0;
    [[nodiscard]] virtual PictureParts parts() const = 0;
    /// The axes with their visible ranges. The canvas zooms and pans copies of them, keeps the history, and calls `show` with the
    /// result.
    [[nodiscard]] virtual Viewport viewport() const = 0;
    /// Shows another range, clamped as the axes do. `moving`: another change follows within a frame.
    virtual void show(const ViewRange& range, bool moving) = 0;
    virtual void scrollTo(std::size_t part, double y);
    /// For files: a larger size in which all names are readable; `size` itself if they are already.
    [[nodiscard]] virtual QSizeF readableSize(QSizeF size, double maxPixels) const;

    // --- painting --------------------------------------------------------------------------------------------------------
    /// Paints everything but the overlay. Returns true if `vector` had to become a raster.
    virtual bool paint(DrawList& list, BodyMode mode) = 0;
    /// Paints the marks of pointer and selection, on top. Fast.
    virtual void paintOverlay(DrawList& list) const = 0;
    /// Paints the legend or scale for the head of a file, right-aligned between `left` and `right` and centred at the height `y`.
    virtual void paintLegend(DrawList& list, double left, double right, double y) const;
    /// False while parts are painted in the background.
    [[nodiscard]] virtual bool settled() const { return true; }
    /// Sets the function that is called, on any thread, when parts painted in the background are ready.
    void onReady(std::function<void()> ready) { ready_ = std::move(ready); }

    // --- pointer ---------------------------------------------------------------------------------------------------------
    [[nodiscard]] virtual PictureHit hit(QPointF at) const = 0;
    /// At most five lines about the object under the pointer; no value: no card.
    [[nodiscard]] virtual std::optional<CardText> card(const PictureHit& hit) const = 0;
    /// Marks the object under the pointer. Returns true if the picture has to be painted again.
    virtual bool hover(const PictureHit& hit);
    /// Handles a click before it selects: opens a group, chooses a pool. Returns its effect, by default `nothing`.
    virtual PictureChange press(const PictureHit& hit, Qt::KeyboardModifiers modifiers);
    /// Drags out an area from `from` to `to`. It is kept in values of the axes, so that it stays in place under a zoom. Returns
    /// the buffers in it; no value if no area can begin here. Called for each move of the pointer: a picture whose areas may hold
    /// very many buffers returns an empty list, and lists them in `endArea`.
    virtual std::optional<std::vector<BufferId>> areaTo(QPointF from, QPointF to);
    /// Drags out an area over all that is in view, of several parts over all of them. By default over the first strip.
    virtual std::optional<std::vector<BufferId>> areaOfView();
    /// Ends the drag of an area. Returns the buffers in it; no value: those that the drag returned last.
    virtual std::optional<std::vector<BufferId>> endArea();
    virtual void clearArea() {}
    /// Whether areas can be dragged out at all.
    [[nodiscard]] virtual bool hasAreas() const { return true; }
    /// A drag that moves an object: a buffer, a border, a threshold. `takeHold` returns whether there is one at `at`. `drop`
    /// returns true if it may stay at its new place; then the canvas informs the view. `letGo` cancels the drag.
    virtual bool takeHold(QPointF at);
    /// Whether the selected object at `at`, of a kind that drags move, is one that cannot be moved.
    [[nodiscard]] virtual bool refusesHold(QPointF at) const;
    virtual void moveTo(QPointF at);
    virtual bool drop();
    virtual void letGo() {}

    // --- where to go -----------------------------------------------------------------------------------------------------
    [[nodiscard]] virtual std::optional<PictureAim> selectionAim() const { return std::nullopt; }
    [[nodiscard]] virtual std::optional<PictureAim> peakAim() const { return std::nullopt; }
    /// The next object in a direction, past the buffers that the filter hides and those that cannot be selected from here. No
    /// value at the end.
    [[nodiscard]] virtual std::optional<PictureAim> neighbourAim(Direction direction, const BufferTest& selectable) const;

    /// What the scene shows besides its run, for screen readers: "arena: 64 x 62, 2 KiB x 3 steps". No full stop; empty: nothing.
    /// Needs a scene without error and a layout.
    [[nodiscard]] virtual QString spoken() const { return {}; }

protected:
    [[nodiscard]] const std::function<void()>& ready() const { return ready_; }

private:
    const Theme* theme_ = &Theme::darkTheme();
    NumberFormat numbers_;
    std::function<void()> ready_;
};

} // namespace stowage
