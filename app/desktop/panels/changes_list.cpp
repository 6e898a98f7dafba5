#include "app/desktop/panels/changes_list.h"

#include "app/canvas/kit/number_text.h"
#include "app/desktop/look/look.h"
#include "app/desktop/look/metrics.h"
#include "app/desktop/panels/tried_changes.h"
#include "app/desktop/widgets/controls.h"
#include "app/desktop/widgets/name_fit.h"
#include "app/desktop/workspace.h"
#include "app/session/number_words.h"

#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>
#include <functional>

namespace stowage {

namespace {

constexpr std::size_t maxListedChanges = 8;
constexpr std::size_t maxUseless = 4;       ///< named of those that save nothing
constexpr std::size_t maxBuffers = 200'000; ///< beyond it one candidate takes too long to try 48 of them

/// How much of the pool a change takes away, as a bar.
class ShareBar : public QWidget {
public:
    ShareBar(double share, const Look& look) : share_(std::clamp(share, 0.0, 1.0)), look_(look) { setFixedHeight(4); }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.fillRect(rect(), look_.theme().hover);
        painter.fillRect(QRectF(0, 0, width() * share_, height()), look_.theme().ok);
    }

private:
    double share_;
    const Look& look_;
};

/// What becomes of the buffer, in a few words.
QString whatOf(const Problem& problem, const Change& change, const NumberFormat& numbers)
{
    switch (change.kind) {
    case Change::Kind::size:
        if (isHalf(problem, change)) return ChangesList::tr("halve its size");
        return ChangesList::tr("make it %1").arg(bytesText(change.size, numbers));
    case Change::Kind::inPlace:
        return ChangesList::tr("write it over %1").arg(nameText(problem.buffers[std::size_t(change.other)].name));
    case Change::Kind::slots:
        return change.slots == 1 ? ChangesList::tr("one slot") : ChangesList::tr("%1 slots").arg(change.slots);
    case Change::Kind::scale: return ChangesList::tr("times %1/%2").arg(change.numerator).arg(change.denominator);
    case Change::Kind::tile: return ChangesList::tr("with another tile");
    case Change::Kind::live: break;
    }
    return ChangesList::tr("shorten to %1").arg(QString::fromStdString(stepWords(change.live)));
}

/// A change in a list under the heading `heading`, a buffer or none: the text names every buffer but that one.
QString uselessText(const Problem& problem, const Change& change, BufferId heading, const NumberFormat& numbers)
{
    QString what = whatOf(problem, change, numbers);
    if (change.buffer == none || change.buffer == heading) return what; // a loop's tile has no buffer
    const QString name = nameText(problem.buffers[std::size_t(change.buffer)].name);
    if (change.kind != Change::Kind::inPlace) return QStringLiteral("%1 (%2)").arg(what, name);
    if (change.other == heading) return ChangesList::tr("write %1 over it").arg(name);
    return ChangesList::tr("write %1 over %2").arg(name, nameText(problem.buffers[std::size_t(change.other)].name));
}

/// The names in `text` shortened until all of it fits, else without its last part: the number is worth more than ", proved".
QString fitRemark(const NameFit& names, const QString& text, const QStringList& quoted, const QFontMetrics& letters, int room)
{
    const QString whole = names.fitSentence(text, quoted, letters, room);
    const qsizetype part = text.lastIndexOf(u", ");
    return part > 0 && whole.endsWith(u'…') ? names.fitSentence(text.left(part), quoted, letters, room) : whole;
}

/// The buffer that the change is about, and what the plan takes then: "conv_3: 718,848 B in all, proved".
QString outcomeOf(const Lever& lever, const NumberFormat& numbers)
{
    QString text = ChangesList::tr("%1 in all").arg(bytesText(lever.size, numbers));
    if (lever.smallest) text += ChangesList::tr(", proved");
    return lever.buffer.empty() ? text : ChangesList::tr("%1: %2").arg(nameText(lever.buffer), text);
}

/// A change of the whole model in two or three words; its tooltip says it whole.
QString titleOf(LeverKind kind)
{
    switch (kind) {
    case LeverKind::order: return ChangesList::tr("Another order");
    case LeverKind::inPlace: return ChangesList::tr("Results in place");
    case LeverKind::views: return ChangesList::tr("Merged views");
    case LeverKind::loops: return ChangesList::tr("Loops without copies");
    case LeverKind::secondMemory: return ChangesList::tr("A second pool");
    case LeverKind::spill: return ChangesList::tr("Spill a tensor");
    case LeverKind::recompute: return ChangesList::tr("Compute twice");
    case LeverKind::alignment: break;
    }
    return ChangesList::tr("No alignment");
}

/// The window can make it; for the others the model or the target has to be written anew.
bool canTry(LeverKind kind)
{
    return kind != LeverKind::secondMemory && kind != LeverKind::alignment;
}

} // namespace

/// The names of the buffers of a list of changes.
struct ChangesList::ChangeNames {
    ChangeNames(const Problem& problem, const QStringList& names) : all(problem), apart(names), listed(names) {}
    /// A form that no other buffer of the problem has, or at least none of the list.
    [[nodiscard]] QString fit(const QString& name, const QFontMetrics& letters, int room) const
    {
        QString form = all.fit(name, letters, room);
        const bool alike = std::ranges::any_of(
            listed, [&](const QString& other) { return other != name && all.fit(other, letters, room) == form; });
        return alike ? apart.fit(name, letters, room) : form;
    }

    NameFit all, apart;
    QStringList listed;
};

ChangesList::ChangesList(Workspace& workspace, const Look& look, QWidget* parent)
    : QWidget(parent), workspace_(workspace), look_(look)
{
    setObjectName(QStringLiteral("changesList"));
    column_ = new QVBoxLayout(this);
    column_->setContentsMargins(12, 2, 12, 2);
    column_->setSpacing(3);
}

void ChangesList::setBuffer(std::shared_ptr<const Run> run, BufferId buffer)
{
    const PoolId pool = run->plan.placements[std::size_t(buffer)].pool;
    ask(std::move(run), pool, buffer);
}

void ChangesList::ask(std::shared_ptr<const Run> run, PoolId pool, BufferId buffer)
{
    setObjectName(buffer == none ? QStringLiteral("changesList") : QStringLiteral("changesOfBuffer"));
    if (run == run_ && pool == pool_ && buffer == buffer_) {
        fill(); // units may differ
        return;
    }
    job_.drop();
    leversJob_.drop();
    levers_.reset();
    run_ = std::move(run);
    pool_ = pool;
    buffer_ = buffer;
    known_ = false;
    ranked_ = {};
    fill();
    if (isVisible()) start();
}

void ChangesList::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    start();
}

void ChangesList::start()
{
    // An incumbent is gone before an answer would be there.
    if (!run_ || known_ || busy() || workspace_.shown().showsIncumbent()) return;
    if (run_->problem().buffers.size() > maxBuffers) return;
    job_.start(
        [run = run_, pool = pool_, buffer = buffer_](const std::stop_token& token) {
            CounterfactualLimits limits;
            limits.cancel = token;
            limits.run = run.get();
            return buffer == none ? bestSingleChanges(run->problem(), run->plan, pool, limits)
                                  : changesOfBuffer(run->problem(), run->plan, buffer, limits);
        },
        [this](RankedChanges ranked) {
            known_ = true;
            ranked_ = std::move(ranked);
            startLevers();
            fill();
            Q_EMIT changed();
        });
    fill();
}

void ChangesList::startLevers()
{
    const Model* model = workspace_.model();
    if (buffer_ != none || !model || levers_) return;
    leversJob_.start([&session = workspace_.session(), model = *model,
                      request = workspace_.plannings().request(run_->plan.planner),
                      run = run_](const std::stop_token& token) { return findLevers(session, model, request, *run, token); },
                     [this](Levers levers) {
                         levers_ = std::move(levers);
                         fill();
                         Q_EMIT changed();
                     });
}

/// Of all rows: their bars share one scale. At least 1.
Bytes ChangesList::maxSaved() const
{
    Bytes most = 1;
    for (const Counterfactual& found : ranked_.changes) most = std::max(most, ranked_.unchanged - found.size);
    if (levers_)
        for (const Lever& lever : levers_->found) most = std::max(most, levers_->unchanged - lever.size);
    return most;
}

/// Buffers and the whole model in one list, best first.
void ChangesList::addChanges()
{
    struct Entry {
        Bytes saved = 0;
        std::size_t index = 0; ///< into `ranked_`, or into `levers_`
        bool lever = false;
    };
    const Problem& problem = run_->problem();
    std::vector<Entry> entries;
    QStringList useless, listed;
    for (std::size_t i = 0; i < ranked_.changes.size(); ++i) {
        const Counterfactual& found = ranked_.changes[i];
        const BufferId buffer = found.change.buffer; // of a loop's tile: none
        if (!helps(found)) {
            useless << uselessText(problem, found.change, buffer_, workspace_.numbers());
        } else if (entries.size() < maxListedChanges) {
            entries.push_back({ranked_.unchanged - found.size, i, false});
            listed << (buffer == none ? QString() : nameText(problem.buffers[std::size_t(buffer)].name));
        }
    }
    if (levers_)
        for (std::size_t i = 0; i < levers_->found.size(); ++i)
            entries.push_back({levers_->unchanged - levers_->found[i].size, i, true});
    std::ranges::stable_sort(entries, std::greater(), &Entry::saved);
    const auto names = std::make_shared<const ChangeNames>(problem, listed);
    for (const Entry& entry : entries)
        if (entry.lever)
            addLever(levers_->found[entry.index], entry.index, names);
        else
            addRow(ranked_.changes[entry.index], entry.index, names);
    if (!useless.isEmpty()) addUseless(useless);
}

/// Which changes of the whole model were tried, or why none was.
void ChangesList::sayTried()
{
    if (buffer_ != none || !workspace_.model()) return;
    const auto say = [this](const QString& text) {
        QLabel* label = makeLabel(text, Tone::secondary);
        label->setWordWrap(true);
        column_->addWidget(label);
    };
    if (!levers_) {
        if (leversJob_.running()) say(tr("Trying changes of the whole model…"));
        return;
    }
    QStringList tried;
    for (const LeverKind kind : levers_->tried) {
        const std::string_view words = nameOf(kind);
        tried << QString::fromUtf8(words.data(), qsizetype(words.size()));
    }
    if (!tried.isEmpty())
        say(tr("Tried on the whole model: %1.").arg(tried.join(QStringLiteral(", "))));
    else if (const std::string why = whyNotTried(*run_); !why.empty())
        say(tr("No change of the whole model was tried: %1.").arg(QString::fromStdString(why)));
}

void ChangesList::addLever(const Lever& lever, std::size_t index, const SharedNames& names)
{
    const NumberFormat& numbers = workspace_.numbers();
    const QString whole = breakable(asSentence(describe(lever)));
    const Bytes saved = levers_->unchanged - lever.size;
    auto* row = new QHBoxLayout;
    row->setSpacing(6);
    auto* title = new ElidedLabel;
    title->setFullText(titleOf(lever.kind));
    title->setToolTip(whole);
    row->addWidget(title, 1);
    row->addWidget(makeNumber(QStringLiteral("-%1").arg(bytesText(saved, numbers)), Tone::ok));
    QPushButton* button = makeTry(QStringLiteral("tryLever:%1").arg(index));
    if (canTry(lever.kind))
        connect(button, &QPushButton::clicked, this, [this, index] { applyLever(index); });
    else
        button->setToolTip(tr("To try it, edit the pools in the section Target."));
    button->setEnabled(canTry(lever.kind));
    row->addWidget(button);
    column_->addLayout(row);
    auto* caption = new ElidedLabel;
    caption->setFitter(
        [names, quoted = QStringList{nameText(lever.buffer)}](const QString& full, const QFontMetrics& letters, int room) {
            return fitRemark(names->all, full, quoted, letters, room);
        });
    caption->setFullText(outcomeOf(lever, numbers));
    caption->setToolTip(whole);
    caption->setProperty("tone", "caption");
    column_->addWidget(caption);
    column_->addWidget(new ShareBar(double(saved) / double(maxSaved()), look_));
    column_->addSpacing(2);
}

void ChangesList::applyLever(std::size_t index)
{
    if (!levers_ || index >= levers_->found.size()) return;
    const Lever lever = levers_->found[index]; // `levers_` goes with the run
    const QString text = tr("Try: %1").arg(QString::fromStdString(describe(lever)));
    switch (lever.kind) {
    case LeverKind::order:
    case LeverKind::spill:
    case LeverKind::recompute: workspace_.edits().setProgram(lever.program, text); break;
    case LeverKind::inPlace: workspace_.edits().setLowering("inplace", "allowed"); break;
    case LeverKind::views: workspace_.edits().setLowering("views", "merged"); break;
    case LeverKind::loops: workspace_.edits().setLowering("loops", "precise"); break;
    case LeverKind::secondMemory:
    case LeverKind::alignment: break;
    }
}

void ChangesList::apply(std::size_t index)
{
    if (!run_ || index >= ranked_.changes.size()) return;
    const Change change = ranked_.changes[index].change; // `ranked_` goes with the run
    workspace_.edits().addChange(withNames(run_->problem(), change),
                                 tr("Try: %1").arg(QString::fromStdString(describe(run_->problem(), change))));
}

void ChangesList::fill()
{
    clearLayout(*column_);
    if (run_) addRows();
    showContents(*column_);
}

void ChangesList::addRows()
{
    const NumberFormat& numbers = workspace_.numbers();
    const Problem& problem = run_->problem();
    addTriedChanges(*column_, workspace_);
    const auto say = [this](const QString& text) {
        QLabel* label = makeLabel(text, Tone::secondary);
        label->setWordWrap(true);
        column_->addWidget(label);
    };
    if (problem.buffers.size() > maxBuffers) {
        say(tr("Too many buffers to try changes one by one."));
        return;
    }
    if (!known_) {
        say(workspace_.shown().showsIncumbent() ? tr("Waiting for the search to end.") : tr("Trying single changes…"));
        return;
    }
    const Bytes size = run_->report.pools[std::size_t(pool_)].size;
    if (ranked_.unchanged > 0 && ranked_.unchanged < size)
        say(tr("Without any change, a better plan takes %1%2. Savings are counted from that size.")
                .arg(bytesText(ranked_.unchanged, numbers),
                     ranked_.unchangedSmallest ? tr(", which is proved to be the smallest") : QString()));
    if (ranked_.changes.empty())
        say(buffer_ == none ? tr("No single change of a buffer makes the pool smaller.")
                            : tr("No property of this buffer can be changed."));
    addChanges();
    sayTried();
}

bool ChangesList::helps(const Counterfactual& found) const
{
    return found.size < ranked_.unchanged || found.bound < run_->report.pools[std::size_t(pool_)].lowerBound;
}

/// What was tried and saves nothing is said, so that nobody tries it again, but not offered.
void ChangesList::addUseless(const QStringList& changes)
{
    QStringList named = changes.mid(0, qsizetype(maxUseless));
    if (named.size() < changes.size()) named << tr("%1 more").arg(changes.size() - named.size());
    QLabel* label = makeLabel({}, Tone::secondary);
    setBreakableText(*label, tr("These would save nothing: %1.").arg(named.join(QStringLiteral("; "))));
    label->setObjectName(QStringLiteral("uselessChanges"));
    label->setToolTip(changes.join(u'\n'));
    label->setWordWrap(true);
    column_->addWidget(label);
}

QPushButton* ChangesList::makeTry(const QString& name)
{
    QPushButton* button = makeButton(tr("Try"), {}, ButtonKind::normal, true);
    button->setObjectName(name);
    button->setToolTip(tr("Makes this change and plans again. Undo takes it back."));
    return button;
}

void ChangesList::addRow(const Counterfactual& found, std::size_t index, const SharedNames& names)
{
    const NumberFormat& numbers = workspace_.numbers();
    const Problem& problem = run_->problem();
    const PoolReport& pool = run_->report.pools[std::size_t(pool_)];
    auto* row = new QHBoxLayout;
    row->setSpacing(6);
    // Of one buffer, its name stands above all rows: they begin with what becomes of it.
    const bool own = found.change.buffer == buffer_;
    const QString what = whatOf(problem, found.change, numbers);
    auto* name = new ElidedLabel;
    if (own) {
        name->setFullText(asSentence(what.toStdString()));
    } else {
        name->setFitter(
            [names](const QString& full, const QFontMetrics& letters, int room) { return names->fit(full, letters, room); });
        name->setFullText(nameText(problem.buffers[std::size_t(found.change.buffer)].name));
    }
    name->setToolTip(QString::fromStdString(describe(problem, found.change)));
    row->addWidget(name, 1);
    const Bytes saved = ranked_.unchanged - found.size;
    if (saved > 0)
        row->addWidget(makeNumber(QStringLiteral("-%1").arg(bytesText(saved, numbers)), Tone::ok));
    else
        row->addWidget(makeNumber(tr("bound %1").arg(bytesText(found.bound, numbers)), Tone::secondary));
    QPushButton* button = makeTry(QStringLiteral("tryChange:%1").arg(index));
    connect(button, &QPushButton::clicked, this, [this, index] { apply(index); });
    row->addWidget(button);
    column_->addLayout(row);
    QString under =
        own ? tr("pool %1").arg(bytesText(found.size, numbers)) : what + QStringLiteral(": ") + bytesText(found.size, numbers);
    if (pool.capacity && pool.size > *pool.capacity)
        under +=
            found.size <= *pool.capacity ? tr(", fits") : tr(", %1 short").arg(bytesText(found.size - *pool.capacity, numbers));
    else if (found.smallest)
        under += tr(", proved");
    auto* caption = new ElidedLabel;
    if (found.change.kind == Change::Kind::inPlace)
        caption->setFitter([names, quoted = QStringList{nameText(problem.buffers[std::size_t(found.change.other)].name)}](
                               const QString& full, const QFontMetrics& letters, int room) {
            return fitRemark(names->all, full, quoted, letters, room);
        });
    else
        caption->setFitter(captionWhole);
    caption->setFullText(under);
    caption->setToolTip(name->toolTip());
    caption->setProperty("tone", "caption");
    column_->addWidget(caption);
    column_->addWidget(new ShareBar(double(saved) / double(maxSaved()), look_));
    column_->addSpacing(2);
}

} // namespace stowage
