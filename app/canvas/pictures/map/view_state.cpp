#include "app/canvas/pictures/map/view_state.h"

#include <algorithm>
#include <utility>

namespace stowage {

ViewState::ViewState(std::shared_ptr<const RunScene> scene, const Theme& theme, ColourBy colourBy)
    : scene_(std::move(scene)),
      colouring_(stowage::colouring(*scene_->run, colourBy)),
      timeline_(*scene_->run, defaultGrouping(*scene_->run))
{
    state_.scene = scene_.get();
    state_.theme = &theme;
    state_.colouring = &colouring_;
    state_.timeline = &timeline_;
    for (std::size_t i = 0; i < scene_->pools.size(); ++i) state_.strips.push_back(std::int32_t(i));
    restyle();
}

void ViewState::setColouring(Colouring colouring)
{
    colouring_ = std::move(colouring);
    hiddenClasses_ = 0;
    restyle();
}

void ViewState::setGrouping(ColourBy by)
{
    timeline_ = Timeline(*scene_->run, by);
    state_.scroll = 0;
}

void ViewState::setHiddenClasses(unsigned classes)
{
    hiddenClasses_ = classes;
    restyle();
}

void ViewState::setShown(std::vector<bool> shown)
{
    shown_ = std::move(shown);
    restyle();
}

void ViewState::setClique(bool on)
{
    state_.clique = on;
    restyle();
}

void ViewState::select(BufferId buffer, SharedBuffers area, bool support)
{
    const auto unknown = [this](BufferId id) { return id < 0 || std::size_t(id) >= scene_->run->problem().buffers.size(); };
    state_.selected = unknown(buffer) ? BufferId(none) : buffer;
    if (std::ranges::any_of(area, unknown)) {
        std::vector<BufferId> known = area.list();
        std::erase_if(known, unknown);
        area = SharedBuffers(std::move(known));
    }
    state_.area = std::move(area);
    state_.support = state_.selected == none || !support ? SupportChain{} : scene_->support().chain(state_.selected);
    findConflicts();
}

void ViewState::setReuse(bool on)
{
    state_.reuse = on ? scene_->pipes().get() : nullptr;
}

void ViewState::setConflicts(bool on)
{
    state_.conflicts = on;
    findConflicts();
}

void ViewState::findConflicts()
{
    state_.conflicting = {};
    if (!state_.conflicts || state_.selected == none) return;
    const Problem& problem = scene_->run->problem();
    std::vector<BufferId> found;
    for (std::size_t i = 0; i < problem.buffers.size(); ++i)
        if (conflict(problem, state_.selected, BufferId(i))) found.push_back(BufferId(i));
    state_.conflicting = SharedBuffers(std::move(found));
}

void ViewState::restyle()
{
    std::vector<BufferId> clique;
    if (state_.clique)
        for (const PoolScene& pool : scene_->pools) clique.insert(clique.end(), pool.clique.begin(), pool.clique.end());
    styles_ = std::make_shared<const std::vector<BufferStyle>>(bufferStyles(colouring_, hiddenClasses_, shown_, clique));
    state_.styles = *styles_;
}

} // namespace stowage
