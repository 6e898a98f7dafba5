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

/// What a picture is made from.
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

/// The error "Nothing is planned yet." for a source without a run; nothing for one with a run.
[[nodiscard]] std::optional<Error> whyNoRun(const PictureSource& source);

/// What is made once of a source, and then painted at any zoom. Immutable, shared between threads.
struct PictureScene {
    std::shared_ptr<const Run> run; ///< that it shows; may be null
    std::optional<Error> error;     ///< why there is nothing to show

    virtual ~PictureScene() = default;
};

/// How to make a scene.
struct PictureJob {
    std::size_t work = 0; ///< buffers, steps or executions: above `Picture::sceneAtOnce` the canvas makes the scene on a thread
    /// Runs on any thread, on what it captured alone. Null when it was stopped.
    std::function<std::shared_ptr<const PictureScene>(const std::stop_token&)> make;
};

/// What all views share, for the picture to mark.
struct PictureMarks {
    BufferId selected = none;
    std::vector<BufferId> selection; ///< all selected buffers; contains `selected`
    BufferId hovered = none;
    std::optional<Step> cursor;
    std::shared_ptr<const std::vector<bool>> shown; ///< by buffer, what a filter leaves; null: all

    [[nodiscard]] bool passes(BufferId buffer) const
    {
        return !shown || buffer < 0 || std::size_t(buffer) >= shown->size() || (*shown)[std::size_t(buffer)];
    }
};

/// A part whose content is higher than the part.
struct PictureScroll {
    QRectF box;
    QRectF names;       ///< part of `box` where the wheel always scrolls; may be empty
    double content = 0; ///< height of all content, logical pixels
    double at = 0;      ///< by how much it is scrolled
    bool wheel = true;  ///< the wheel scrolls here; false: only over `names`, on the bar, and with Ctrl
    bool bar = false;   ///< a scroll bar is painted along the right edge, 10 px wide

    [[nodiscard]] double overhang() const { return content > box.height() ? content - box.height() : 0; }
};
/// The scroll bar of a part whose content is higher than it is; else nothing.
void paintScrollBar(DrawList& list, const Theme& theme, const PictureScroll& part);

/// Where the parts lie that pointer, wheel and keys need to know, in logical pixels.
struct PictureParts {
    double plotLeft = 0; ///< of the axis across, `Viewport::steps`
    double plotRight = 0;
    std::vector<QRectF> strips; ///< one for each of `Viewport::addresses`, whose values grow upwards; with gutter
    QRectF ruler;               ///< a drag in it moves the time cursor
    std::vector<PictureScroll> scrolls;
    bool uniform = false; ///< both axes have one scale: the wheel zooms both

    [[nodiscard]] bool zooms() const { return plotRight > plotLeft; }
    /// The strip under a point; the number of strips when there is none.
    [[nodiscard]] std::size_t stripAt(QPointF at) const;
    /// The scrolled part under a point; the number of them when there is none.
    [[nodiscard]] std::size_t scrollAt(QPointF at) const;
};

/// What is under a point.
struct PictureHit {
    BufferId buffer = none;       ///< hovered in all views while the pointer is here
    std::vector<BufferId> chosen; ///< what a click selects; empty: nothing
    bool keepsSelection = false;  ///< a click selects nothing and deselects nothing
    std::optional<Step> step;     ///< where a click puts the time cursor
    QRectF box;                   ///< of what is meant: the card stays clear of it
    bool holds = false;           ///< a drag moves what is here (see `takeHold`)
    bool acts = false;            ///< a click does something of the picture's own (see `press`)
    std::int32_t kind = 0;        ///< the picture's own
    std::int64_t item = none;     ///< the picture's own

    friend bool operator==(const PictureHit&, const PictureHit&) = default;
};

/// Where to go: to the selection, the peak, a neighbour.
struct PictureAim {
    std::optional<BufferId> select; ///< becomes the selected buffer
    std::optional<Step> cursor;     ///< becomes the time cursor
    std::optional<Interval> across; ///< what it takes up on `Viewport::steps`
    struct Up {
        std::size_t axis = 0; ///< of `Viewport::addresses`
        std::int64_t low = 0;
        std::int64_t high = 0;
    };
    std::vector<Up> up;
    bool fit = false; ///< fitted at once, instead of centred first
};

/// An option of a picture, as the bar above it and the command line offer it.
struct PictureOption {
    QString id;         ///< "iterations": stable, for `render --set` and sessions
    QString label;      ///< in the bar
    QStringList values; ///< to choose from, as shown; {"off", "on"}: a button
    QString value;      ///< the chosen one
    QString tip;        ///< one sentence

    [[nodiscard]] bool toggle() const { return values == QStringList{QStringLiteral("off"), QStringLiteral("on")}; }
};

/// What an option's change asks for.
enum class PictureChange : std::uint8_t {
    unknown, ///< there is no such option, or it has no such value
    nothing,
    paint, ///< layout and painting
    scene, ///< another scene has to be made
};

/// How bodies of many rectangles are painted.
enum class BodyMode {
    given,  ///< from images that are painted in tiles ahead: on the screen
    raster, ///< into one image, here and now: PNG, and when a vector format would have more than `vectorLimit` rectangles
    vector, ///< as commands: SVG, PDF
};
inline constexpr std::size_t vectorLimit = 50000;

/// A picture of one kind, with what it shows now. Belongs to one thread; scenes are made on others.
///
/// Order of calls: `prepare` and `take` for each source; `layOut` for each size, and after `take`, `set` or `scrollTo`; then
/// `paint` and `paintOverlay` as often as needed. All of the third group need a scene without error and a layout.
class Picture {
public:
    virtual ~Picture() = default;

    static constexpr std::size_t sceneAtOnce = 5000; ///< work up to which a scene is made within a frame

    // --- what is shown ---------------------------------------------------------------------------------------------------
    /// How to make the scene of `source` under the options as they are. Requires that the table's `whyNot` has no objection.
    [[nodiscard]] virtual PictureJob prepare(const PictureSource& source) const = 0;
    /// Shows a scene that `prepare` made, or (null) none. Returns true when what is in view before means the same in the new one:
    /// the range and its history are kept then.
    virtual bool take(std::shared_ptr<const PictureScene> scene) = 0;
    /// Another scene has to be made when a run is added to `PictureSource::runs`.
    [[nodiscard]] virtual bool usesAllRuns() const { return false; }
    /// True when a scene that is out of date may still be shown until the next one is there (a search that goes on).
    [[nodiscard]] virtual bool stillOf(const PictureScene& scene, const PictureSource& source) const;
    void setTheme(const Theme& theme) { theme_ = &theme; }
    void setNumbers(const NumberFormat& numbers) { numbers_ = numbers; }
    [[nodiscard]] const Theme& theme() const { return *theme_; }
    [[nodiscard]] const NumberFormat& numbers() const { return numbers_; }
    /// `fromHere`: the change comes from a click in this picture, which needs not scroll to show it. Returns `scene` when the
    /// picture shows something else for another selection.
    virtual PictureChange setMarks(const PictureMarks& marks, bool fromHere) = 0;
    /// Options under the scene as it is; empty: none.
    [[nodiscard]] virtual std::vector<PictureOption> options() const { return {}; }
    virtual PictureChange set(const QString& id, const QString& value);

    // --- layout ----------------------------------------------------------------------------------------------------------
    /// Lays everything out in `size` logical pixels of `ratio` device pixels each; axes keep what they show.
    virtual void layOut(QSizeF size, double ratio) = 0;
    [[nodiscard]] virtual PictureParts parts() const = 0;
    /// The axes of what is in view. The canvas zooms and pans copies of them, keeps history, and shows what comes of it.
    [[nodiscard]] virtual Viewport viewport() const = 0;
    /// Shows another range, clamped as the axes do. `moving`: another change follows within a frame.
    virtual void show(const ViewRange& range, bool moving) = 0;
    virtual void scrollTo(std::size_t part, double y);
    /// A larger size in which everything can be read, for files; else the size itself.
    [[nodiscard]] virtual QSizeF readableSize(QSizeF size, double maxPixels) const;

    // --- painting --------------------------------------------------------------------------------------------------------
    /// Everything but what follows pointer and selection. Returns true when `vector` had to fall back to a raster.
    virtual bool paint(DrawList& list, BodyMode mode) = 0;
    /// What follows pointer and selection: cheap, and on top.
    virtual void paintOverlay(DrawList& list) const = 0;
    /// Legend or scale between `left` and `right` around the height `y`, right-aligned, for the head of a file.
    virtual void paintLegend(DrawList& list, double left, double right, double y) const;
    /// False while parts are painted in the background.
    [[nodiscard]] virtual bool settled() const { return true; }
    /// Called, from any thread, when parts that were painted in the background are there.
    void onReady(std::function<void()> ready) { ready_ = std::move(ready); }

    // --- pointer ---------------------------------------------------------------------------------------------------------
    [[nodiscard]] virtual PictureHit hit(QPointF at) const = 0;
    /// At most five lines about what is under the pointer; nothing: no card.
    [[nodiscard]] virtual std::optional<CardText> card(const PictureHit& hit) const = 0;
    /// Marks what is under the pointer. Returns true when the picture looks another way for it.
    virtual bool hover(const PictureHit& hit);
    /// A click, before it selects: opens a group, chooses a pool. Returns what it asks for; `nothing`.
    virtual PictureChange press(const PictureHit& hit, Qt::KeyboardModifiers modifiers);
    /// An area from `from` to `to` is dragged out; it lies at values, so that it stays in its place under a zoom. Returns the
    /// buffers in it. Nothing: no area begins here.
    virtual std::optional<std::vector<BufferId>> areaTo(QPointF from, QPointF to);
    virtual void clearArea() {}
    /// A drag that moves something: a buffer, a border, a threshold. `takeHold` says whether there is something at `at`; `drop`
    /// returns true when it may stay where it was moved to (the canvas tells the view then), `letGo` takes it back.
    virtual bool takeHold(QPointF at);
    virtual void moveTo(QPointF at);
    virtual bool drop();
    virtual void letGo() {}

    // --- where to go -----------------------------------------------------------------------------------------------------
    [[nodiscard]] virtual std::optional<PictureAim> selectionAim() const { return std::nullopt; }
    [[nodiscard]] virtual std::optional<PictureAim> peakAim() const { return std::nullopt; }
    [[nodiscard]] virtual std::optional<PictureAim> neighbourAim(Direction direction) const;

protected:
    [[nodiscard]] const std::function<void()>& ready() const { return ready_; }

private:
    const Theme* theme_ = &Theme::darkTheme();
    NumberFormat numbers_;
    std::function<void()> ready_;
};

} // namespace stowage
