// What the pointer does in a picture or on a header, asked for in words: the address of a pin, a step, the column to sort by.
#include "app/desktop/shell/main_window.h"

#include "app/canvas/axis/move_check.h"
#include "app/canvas/kit/number_text.h"
#include "app/desktop/panels/run_panel.h"
#include "app/desktop/shell/ask_dialog.h"
#include "app/desktop/shell/guide_window.h"
#include "app/desktop/shell/view_area.h"
#include "app/desktop/widgets/canvas.h"
#include "app/desktop/widgets/table.h"
#include "core/ir/byte_count.h"
#include "core/ir/checked.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stowage {

namespace {

/// Reads "4096", "4,096", "0x1000" or "4K".
std::optional<Bytes> parseAddress(const QString& text)
{
    if (text.startsWith(QStringLiteral("0x"), Qt::CaseInsensitive)) return parseBytes(std::string_view(text.toStdString()));
    return parseBytes(text);
}

/// The buffer of a run by its name; `none` if it has none.
BufferId bufferNamed(const Run& run, const std::string& name)
{
    const auto& buffers = run.problem().buffers;
    const auto found = std::ranges::find(buffers, name, &Buffer::name);
    return found == buffers.end() ? BufferId(none) : BufferId(found - buffers.begin());
}

/// Why a buffer cannot be pinned at an address of a pool; empty: it can.
QString whyNotAt(const Run& run, BufferId buffer, PoolId pool, Bytes address, const NumberFormat& numbers)
{
    if (const auto why = whyFixed(run, buffer, pool)) return QString::fromStdString(fixedText(*why, run, buffer));
    const Problem& problem = run.problem();
    const Buffer& pinned = problem.buffers[std::size_t(buffer)];
    const Bytes alignment = problem.effectiveAlignment(pinned, pool);
    const MoveCheck check(run, buffer, pool);
    if (address > maxBytes - pinned.size) return MainWindow::tr("The buffer would end above 2^62 bytes.");
    if (address % alignment != 0)
        return MainWindow::tr("Not a multiple of the alignment, %1. The nearest one is %2.")
            .arg(countText(alignment), addressText(check.snapped(address, -1), numbers));
    const MoveVerdict verdict = check.at(address);
    if (verdict.kind == MoveVerdict::Kind::collides)
        return MainWindow::tr("The pinned buffer %1 is there. Release it first, or choose another address.")
            .arg(nameText(problem.buffers[std::size_t(verdict.inTheWay.front())].name));
    if (verdict.kind != MoveVerdict::Kind::outside) return {};
    const Bytes capacity = problem.pools[std::size_t(pool)].capacity.value_or(maxBytes);
    const Bytes highest = capacity - pinned.size;
    if (highest < 0) return MainWindow::tr("The buffer is larger than the capacity, %1.").arg(bytesText(capacity, numbers));
    return MainWindow::tr("The buffer would end above the capacity, %1. The highest address for it is %2.")
        .arg(bytesText(capacity, numbers), addressText(highest - highest % alignment, numbers));
}

} // namespace

void MainWindow::openQuestion(Question question)
{
    auto* dialog = new AskDialog(std::move(question), this);
    GuideWindow::helpIn(*dialog, QStringLiteral("reading-the-pictures"), look_);
    dialog->open();
}

void MainWindow::pinSelected()
{
    const auto run = workspace_.run();
    if (!run) return;
    const BufferId buffer = workspace_.selection().buffer();
    if (buffer < 0 || std::size_t(buffer) >= run->plan.placements.size()) return workspace_.refusePin(*run, none);
    const std::string& called = run->problem().buffers[std::size_t(buffer)].name;
    const Placement& placement = run->plan.placements[std::size_t(buffer)];
    if (workspace_.edits().pinOf(called))
        workspace_.edits().clearPin(called);
    else if (!whyFixed(*run, buffer, placement.pool))
        workspace_.setPin({called, run->problem().pools[std::size_t(placement.pool)].name, placement.offset});
    else
        workspace_.refusePin(*run, buffer);
}

void MainWindow::askPinAddress()
{
    const auto run = workspace_.run();
    if (!run) return;
    const BufferId buffer = workspace_.selection().buffer();
    if (buffer < 0 || std::size_t(buffer) >= run->plan.placements.size()) return workspace_.refusePin(*run, none);
    const Placement& placement = run->plan.placements[std::size_t(buffer)];
    if (whyFixed(*run, buffer, placement.pool)) return workspace_.refusePin(*run, buffer);
    const Problem& problem = run->problem();
    const Buffer& pinned = problem.buffers[std::size_t(buffer)];
    std::vector<std::string> pools;
    Question question;
    for (const PoolId pool : problem.candidates(pinned)) {
        if (pool == placement.pool) question.choice = int(pools.size());
        pools.push_back(problem.pools[std::size_t(pool)].name);
        question.choices << nameText(pools.back());
    }
    question.title = tr("Pin %1 at an address").arg(nameText(pinned.name));
    question.label = tr("Address in bytes, such as 4096, 0x1000 or 4K");
    // A pin leaves one candidate; memories of constants hold no activations.
    if (workspace_.edits().pinOf(pinned.name) && pinned.pin && pools.size() == 1 &&
        std::ranges::count(problem.pools, PoolKind::workspace, &Pool::kind) > 1)
        question.label += u'\n' + tr("The buffer is pinned: to choose another pool, release it first (Ctrl+P)");
    question.text = addressText(placement.offset, workspace_.numbers());
    question.button = tr("Pin");
    question.choiceLabel = tr("Pool");
    question.take = [this, name = pinned.name, pools](const QString& text, int choice) {
        const auto address = parseAddress(text);
        if (!address) return tr("Not an address: type bytes such as 4096, 0x1000 or 4K.");
        // Another run may be shown since the dialog was opened.
        const auto now = workspace_.run();
        const BufferId found = now ? bufferNamed(*now, name) : BufferId(none);
        const std::string& pool = pools[std::size_t(std::clamp(choice, 0, int(pools.size()) - 1))];
        if (found == none) return tr("The shown plan has no such buffer any more.");
        const auto& all = now->problem().pools;
        const auto there = std::ranges::find(all, pool, &Pool::name);
        if (there == all.end()) return tr("The shown plan has no such pool any more.");
        QString why = whyNotAt(*now, found, PoolId(there - all.begin()), *address, workspace_.numbers());
        if (why.isEmpty()) workspace_.setPin({name, pool, *address});
        return why;
    };
    openQuestion(std::move(question));
}

void MainWindow::askStep()
{
    const auto run = workspace_.run();
    if (!run) return;
    const Step last = std::max<Step>({1, run->problem().horizon(), Step(run->lowering->steps.size())}) - 1;
    const auto cursor = workspace_.selection().cursor();
    Question question;
    question.title = tr("Go to a step");
    question.label = tr("Step, from 0 to %1").arg(countText(last));
    question.text = cursor ? countText(*cursor) : QString();
    question.button = tr("Go");
    question.take = [this, last](const QString& text, int) {
        bool isNumber = false;
        const Step step = QString(text).remove(u',').toLongLong(&isNumber);
        if (!isNumber || step < 0 || step > last) return tr("Not a step: type a whole number from 0 to %1.").arg(countText(last));
        View* view = views_->currentView();
        if (Canvas* canvas = view ? view->canvas() : nullptr)
            canvas->goToStep(step);
        else
            workspace_.selection().setCursor(step);
        return QString();
    };
    openQuestion(std::move(question));
}

Table* MainWindow::tableToSort() const
{
    const auto sorts = [](const Table* table) { return table && table->isVisible() && table->isSortingEnabled(); };
    if (auto* focused = qobject_cast<Table*>(focusWidget()); sorts(focused)) return focused;
    std::vector<const QWidget*> places{runs_};
    if (const View* view = views_->currentView(); view && view->isVisible()) places.insert(places.begin(), view);
    for (const QWidget* place : places)
        for (Table* table : place->findChildren<Table*>())
            if (sorts(table)) return table;
    return nullptr;
}

void MainWindow::sortTable()
{
    if (!tableToSort()) views_->setCurrent(QStringLiteral("tables"));
    if (Table* table = tableToSort()) {
        table->setFocus(Qt::ShortcutFocusReason);
        table->openSortMenu(table->mapToGlobal(QPoint(0, table->horizontalHeader()->height())));
    }
}

} // namespace stowage
