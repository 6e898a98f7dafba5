// How a model's file is read: its import options and the sizes of its free dimensions. An edit of them reads the file again in
// the background. Until that ends the next edit adds to it, and a reading that fails takes its edit back.
#include "app/desktop/workspace/model_edits.h"

#include <QUndoCommand>

#include <algorithm>
#include <utility>

namespace stowage {

class ModelEdits::SetReading : public QUndoCommand {
public:
    SetReading(ModelEdits& edits, OpenOptions before, OpenOptions after, const QString& text)
        : QUndoCommand(text),
          edits_(edits),
          model_(edits.models_.current()),
          edit_(edits.newEdit()),
          before_(std::move(before)),
          after_(std::move(after))
    {
    }
    void redo() override
    {
        if (!std::exchange(inForce_, false)) read(after_);
    }
    void undo() override { read(before_); }
    [[nodiscard]] int edit() const { return edit_; }
    [[nodiscard]] const OpenOptions& before() const { return before_; }
    [[nodiscard]] const OpenOptions& after() const { return after_; }
    /// The options are in force, because undo failed to read the file: the next `redo` only moves the stack.
    void setInForce() { inForce_ = true; }

private:
    void read(const OpenOptions& options) { edits_.models_.read(edits_.models_.successor(model_), options, edit_); }

    ModelEdits& edits_;
    int model_;
    int edit_;
    OpenOptions before_, after_;
    bool inForce_ = false;
};

void ModelEdits::setImportOption(const std::string& name, const std::optional<std::string>& value)
{
    const Model* current = models_.model();
    if (!current || current->path.isEmpty()) return;
    const OpenOptions before = models_.optionsAsked(models_.current());
    OpenOptions after = before;
    assignOption(after.importOptions, name, value);
    if (after == before) return;
    stack().push(new SetReading(*this, before, after, tr("Read again with another %1").arg(QString::fromStdString(name))));
}

void ModelEdits::setBinding(const std::string& name, std::optional<std::int64_t> size)
{
    const Model* current = models_.model();
    if (!current || current->path.isEmpty()) return;
    const OpenOptions before = models_.optionsAsked(models_.current());
    OpenOptions after = before;
    const auto bound = std::ranges::find(after.bindings, name, &std::pair<std::string, std::int64_t>::first);
    if (bound == after.bindings.end()) {
        if (size) after.bindings.emplace_back(name, *size);
    } else if (size) {
        bound->second = *size;
    } else {
        after.bindings.erase(bound);
    }
    if (after == before) return;
    stack().push(new SetReading(*this, before, after, tr("Set free dimension %1").arg(QString::fromStdString(name))));
}

void ModelEdits::readingFailed(int model, int edit)
{
    const auto found = stacks_.find(model);
    const Model* open = session_.model(model);
    if (!edit || !open || found == stacks_.end() || !found->second) return;
    QUndoStack& stack = *found->second;
    // The stack owns its commands and shows them as constant; those that are looked for are of this class.
    const auto step = [&stack](int i) { return const_cast<SetReading*>(dynamic_cast<const SetReading*>(stack.command(i))); };
    int at = 0, below = 0; // `below`: the edit whose options this one began with; 0: none
    for (; at < stack.count() && !(step(at) && step(at)->edit() == edit); ++at)
        if (step(at) && !step(at)->isObsolete()) below = step(at)->edit();
    if (at == stack.count()) return;
    SetReading& failed = *step(at);
    const OpenOptions before = failed.before();
    if (at < stack.index()) {
        if (failed.after() == open->options) return; // as before the reading
        // An obsolete command leaves the stack when it is undone.
        failed.setObsolete(true);
        if (at + 1 == stack.index()) stack.undo();
        // The options of an earlier edit, whose reading this one has cancelled.
        if (before != open->options) models_.read(model, before, below);
    } else if (before != open->options) {
        // The stack comes back to the options in force, and with it all edits that were undone since.
        int last = stack.index();
        while (last < stack.count() && !(step(last) && step(last)->after() == open->options)) ++last;
        if (last == stack.count()) return readingFailed(model, below);
        for (int i = stack.index(); i <= last; ++i)
            if (step(i)) step(i)->setInForce();
        for (int left = last + 1 - stack.index(); left > 0; --left) stack.redo();
    }
    Q_EMIT readingDropped();
}

} // namespace stowage
