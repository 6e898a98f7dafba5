// A canvas that shows one run as a stack of bands, with notes: used by the memory map, the liveness timeline, the map of a replay
// and the compared maps.
#pragma once

#include "app/canvas/pictures/map/stack_picture.h"
#include "app/desktop/widgets/canvas.h"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace stowage {

class NoteEditor;

class MapWidget : public Canvas {
    Q_OBJECT

public:
    /// `bands`: combination of `MapBand`.
    MapWidget(SelectionModel& selection, std::shared_ptr<SceneCache> scenes, unsigned bands, QWidget* parent = nullptr);

    /// Shows another run, or none. The visible range stays if the problem is the same.
    void setRun(std::shared_ptr<const Run> run);
    [[nodiscard]] const std::shared_ptr<const Run>& run() const { return source().run; }
    [[nodiscard]] StackPicture& stack() { return stack_; }
    /// Null without a run.
    [[nodiscard]] const ViewState* state() const { return stack_.view(); }
    [[nodiscard]] const StackLayout& bands() const { return stack_.bands(); }

    void setColourBy(std::optional<ColourBy> by) { apply(stack_.setColourBy(by)); }
    [[nodiscard]] ColourBy colourBy() const { return stack_.colourBy(); }
    void setHiddenClasses(unsigned classes) { apply(stack_.setHiddenClasses(classes)); }
    void setGrouping(ColourBy by) { apply(stack_.setGrouping(by)); }
    [[nodiscard]] ColourBy grouping() const { return stack_.grouping(); }
    void setAllOpen(bool open) { apply(stack_.setAllOpen(open)); }
    void setPool(PoolId pool);
    void setScale(Bytes top, double gutter) { apply(stack_.setScale(top, gutter)); }
    void setOwnColouring(std::shared_ptr<const Colouring> colouring) { apply(stack_.setOwnColouring(std::move(colouring))); }
    void setRemark(std::function<QString(BufferId)> remark) { stack_.setRemark(std::move(remark)); }
    void setEditable(bool on) { stack_.setEditable(on); }
    void setNotes(std::vector<MapNote> notes);
    /// Sets a toggle of the picture: "clique", "chain", "conflicts", "reuse".
    void setToggle(const char* id, bool on);

    // --- what is where, in the widget's coordinates -----------------------------------------------------------------
    [[nodiscard]] BufferId bufferAt(const QPointF& point) const { return stack_.bufferAt(point); }
    [[nodiscard]] std::optional<Step> stepAt(const QPointF& point) const { return stack_.stepAt(point); }
    [[nodiscard]] QRectF boxOf(BufferId buffer) const { return stack_.boxOf(buffer); }
    [[nodiscard]] const AreaSums* areaSums() const { return stack_.areaSums(); }
    [[nodiscard]] std::vector<QRectF> areaBoxes() const { return stack_.areaBoxes(); }
    [[nodiscard]] const MoveVerdict* moveVerdict() const { return stack_.moveVerdict(); }
    [[nodiscard]] std::size_t areasPainted() const { return stack_.areasPainted(); }

    /// Opens the note at the pointer, or a new note there.
    void noteAtPointer();
    /// Widens the gutter by `by` logical pixels, within the limits of a drag of its edge. No effect without a run.
    void widenGutter(double by);

Q_SIGNALS:
    void moveRequested(stowage::BufferId buffer, stowage::PoolId pool,
                       stowage::Bytes offset);     ///< a buffer was dropped at an allowed offset
    void noteEdited(const stowage::MapNote& note); ///< a new note (id 0), a changed text, or (without text) a note to remove

private:
    MapWidget(SelectionModel& selection, std::shared_ptr<SceneCache> scenes, std::unique_ptr<StackPicture> picture,
              const QString& name, QWidget* parent);
    void editNote(MapNote note);

    std::shared_ptr<SceneCache> scenes_;
    StackPicture& stack_;
    NoteEditor* notes_;
};

} // namespace stowage
