#include "app/desktop/pipeline_focus.h"

#include <utility>

namespace stowage {

PipelineFocus::Selected PipelineFocus::known(Selected selected) const
{
    const PipelineData* data = content_.data.get();
    if (!data) return {};
    const auto& stages = data->predicted.stages;
    if (selected.stage != none && std::size_t(selected.stage) >= stages.size()) selected.stage = none;
    if (selected.stage == none ||
        (selected.frame != none && std::size_t(selected.frame) >= stages[std::size_t(selected.stage)].frames.size()))
        selected.frame = none;
    if (selected.connection != none && std::size_t(selected.connection) >= data->model.connections.size())
        selected.connection = none;
    return selected;
}

void PipelineFocus::setContent(Content content)
{
    if (content == content_) return;
    content_ = std::move(content);
    const Selected now = known(selected_);
    const bool other = !(now == selected_);
    selected_ = now;
    Q_EMIT changed();
    if (other) Q_EMIT selectionChanged();
}

void PipelineFocus::select(Selected selected)
{
    selected = known(selected);
    if (selected == selected_) return;
    selected_ = selected;
    Q_EMIT selectionChanged();
}

} // namespace stowage
