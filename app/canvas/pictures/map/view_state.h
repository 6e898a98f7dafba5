// The data for painting a run, for one choice of colours, rows and strips. Shared by the window and the pictures of the command
// line.
#pragma once

#include "app/canvas/pictures/map/stack.h"

#include <memory>
#include <vector>

namespace stowage {

/// A scene with colours, styles, rows and strips. Owns the objects that a `StackState` refers to.
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
    /// The current styles; tiles painted in the background keep theirs alive.
    [[nodiscard]] const std::shared_ptr<const std::vector<BufferStyle>>& styles() const { return styles_; }

    void setTheme(const Theme& theme) { state_.theme = &theme; }
    void setColouring(Colouring colouring);
    void setGrouping(ColourBy by); ///< op kind, kind or pool
    void setHiddenClasses(unsigned classes);
    /// Sets, by buffer, whether the filter includes it; empty: all.
    void setShown(std::vector<bool> shown);
    void setClique(bool on);
    /// Selects, and finds the buffers on which the selected one rests and those that conflict with it, if they are shown. The
    /// former is O(buffers below it), the latter O(buffers). `support` false: without the former, because its first computation
    /// in a scene takes half a second for a million buffers.
    void select(BufferId buffer, SharedBuffers area, bool support = true);
    void setConflicts(bool on);
    void setReuse(bool on); ///< the first call simulates the run on its pipes, if it has some

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
