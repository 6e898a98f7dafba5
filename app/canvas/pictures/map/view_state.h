// What painting a run needs besides the run, made ready for one way of looking at it. The window and the pictures of the command
// line share it.
#pragma once

#include "app/canvas/pictures/map/stack.h"

#include <memory>
#include <vector>

namespace stowage {

/// A scene with colours, styles, rows and strips: owns what a `StackState` refers to.
class ViewState {
public:
    ViewState(std::shared_ptr<const RunScene> scene, const Theme& theme, ColourBy colourBy);

    [[nodiscard]] const RunScene& scene() const { return *scene_; }
    [[nodiscard]] const std::shared_ptr<const RunScene>& sharedScene() const { return scene_; }
    [[nodiscard]] const Colouring& colouring() const { return colouring_; }
    [[nodiscard]] Timeline& timeline() { return timeline_; }
    [[nodiscard]] StackState& state() { return state_; }
    [[nodiscard]] const StackState& state() const { return state_; }
    [[nodiscard]] unsigned hiddenClasses() const { return hiddenClasses_; }
    /// The styles as they are now; tiles painted in the background keep theirs alive.
    [[nodiscard]] const std::shared_ptr<const std::vector<BufferStyle>>& styles() const { return styles_; }

    void setTheme(const Theme& theme) { state_.theme = &theme; }
    void setColouring(Colouring colouring);
    void setGrouping(ColourBy by); ///< op kind, kind or pool
    void setHiddenClasses(unsigned classes);
    /// Which buffers a filter leaves, by buffer; empty: all.
    void setShown(std::vector<bool> shown);
    void setClique(bool on);
    /// Selects, and finds what it rests on and conflicts with as far as that is shown. The first is O(what lies below), the
    /// second O(buffers). Without `support` what it rests on is left out: the first question of a scene takes half a second for a
    /// million buffers.
    void select(BufferId buffer, std::vector<BufferId> area, bool support = true);
    void setConflicts(bool on);
    void setReuse(bool on); ///< the first time simulates the run on its pipes, where it has some

private:
    void restyle();
    void findConflicts();

    std::shared_ptr<const RunScene> scene_;
    Colouring colouring_;
    Timeline timeline_;
    unsigned hiddenClasses_ = 0;
    std::vector<bool> shown_;
    std::shared_ptr<const std::vector<BufferStyle>> styles_;
    StackState state_;
};

} // namespace stowage
