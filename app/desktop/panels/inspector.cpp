#include "app/desktop/panels/inspector.h"

#include "app/canvas/axis/run_scene.h"
#include "app/canvas/kit/fonts.h"
#include "app/canvas/kit/number_text.h"
#include "app/canvas/pictures/loops/loop_picture.h"
#include "app/desktop/glossary.h"
#include "app/desktop/look/icons.h"
#include "app/desktop/look/look.h"
#include "app/desktop/look/metrics.h"
#include "app/desktop/panels/buffer_facts.h"
#include "app/desktop/panels/changes_list.h"
#include "app/desktop/panels/fact_rows.h"
#include "app/desktop/panels/kernel_changes.h"
#include "app/desktop/panels/overflow_page.h"
#include "app/desktop/panels/support_pile.h"
#include "app/desktop/panels/tried_changes.h"
#include "app/desktop/widgets/chip.h"
#include "app/desktop/widgets/controls.h"
#include "app/desktop/widgets/name_fit.h"
#include "app/desktop/widgets/overflow_card.h"
#include "app/desktop/workspace.h"
#include "app/session/number_words.h"

#include <QApplication>
#include <QFontMetrics>
#include <QHBoxLayout>
#include <QPainter>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <memory>
#include <numeric>
#include <tuple>
#include <utility>

namespace stowage {

namespace {

/// What a buffer is that no op makes.
QString madeOutside(BufferKind kind)
{
    switch (kind) {
    case BufferKind::input: return Inspector::tr("an input");
    case BufferKind::constant: return Inspector::tr("a constant");
    case BufferKind::variable: return Inspector::tr("a variable");
    case BufferKind::intermediate:
    case BufferKind::output: break;
    }
    return {};
}

/// The names of the first ops of a run with a program, to shorten one of them.
NameFit opNames(const Run& run)
{
    constexpr qsizetype most = 2000;
    QStringList names;
    for (const Function& function : run.program->functions)
        for (const Op& op : function.ops)
            if (names.size() < most) names << nameText(op.name);
    return NameFit(names);
}

constexpr std::size_t maxUses = 6;
constexpr std::size_t maxRanges = 3;

} // namespace

Inspector::Inspector(Workspace& workspace, const Look& look, QWidget* parent)
    : QScrollArea(parent), workspace_(workspace), look_(look)
{
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::NoFocus);
    setProperty("surface", "panel");
    // Several changes in one turn of the event loop (another run, and the selection that goes with it) are one rebuild.
    const auto later = [this] {
        if (std::exchange(pending_, true)) return;
        QTimer::singleShot(0, this, [this] {
            pending_ = false;
            refresh();
        });
    };
    connect(&workspace_, &Workspace::contextChanged, this, later);
    connect(&workspace_, &Workspace::modelChanged, this, later);
    connect(&workspace_, &Workspace::targetChanged, this, later);
    connect(&workspace_.selection(), &SelectionModel::selectionChanged, this, later);
    connect(&workspace_.pipeline(), &PipelineFocus::changed, this, later);
    connect(&workspace_.pipeline(), &PipelineFocus::selectionChanged, this, later);
    connect(&look_, &Look::themeChanged, this, later);
    refresh();
}

QSize Inspector::sizeHint() const
{
    return {metrics::inspector, 400};
}

void Inspector::refresh()
{
    const QWidget* const focused = QApplication::focusWidget();
    const bool inPile =
        (qobject_cast<const SupportPile*>(focused) && isAncestorOf(focused)) || (waitsForPile_ && focused == this);
    // They outlive the page that they are on: what they have worked out is not worked out again.
    std::vector<QWidget*> kept(overflows_.begin(), overflows_.end());
    kept.insert(kept.end(), {changes_, ofBuffer_, whatIf_});
    for (QWidget* widget : kept)
        if (widget) {
            widget->hide();
            widget->setParent(this);
        }
    auto* content = new QWidget;
    content->setProperty("surface", "panel");
    content->setAttribute(Qt::WA_StyledBackground);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 10, 0, 12);
    column->setSpacing(4);
    const auto run = workspace_.run();
    colours_.setRun(run);
    if (sceneRun_ != run) {
        sceneJobs_.drop();
        sceneRun_ = run;
        scene_.reset();
        made_ = asked_ = {};
    }
    const SelectionModel& selection = workspace_.selection();
    for (ChangesList* list : {changes_, ofBuffer_})
        if (list && !run) list->setRun(nullptr, none);
    const bool whole = !run || showsLitOverflow();
    if (workspace_.pipeline().active() && workspace_.pipeline().content().data)
        showPipeline(*column);
    else if (!run)
        showNothing(*column);
    else if (!whole && selection.buffers().size() > 1)
        showMany(*column);
    else if (!whole && selection.buffer() != none && std::size_t(selection.buffer()) < run->problem().buffers.size())
        showBuffer(*column, selection.buffer());
    else
        showRun(*column);
    column->addStretch();
    setWidget(content);
    // Who walks down a pile with the keys goes on in that of the buffer below, or here until that one is found.
    auto* pile = inPile ? content->findChild<SupportPile*>() : nullptr;
    waitsForPile_ = inPile && !pile;
    if (pile)
        pile->setFocus(Qt::OtherFocusReason);
    else if (inPile)
        setFocus(Qt::OtherFocusReason);
}

void Inspector::showNothing(QVBoxLayout& column)
{
    QLabel* text = makeLabel(workspace_.modelId() ? tr("Nothing is planned yet.") : tr("No model is open."), Tone::secondary);
    text->setContentsMargins(12, 0, 12, 0);
    column.addWidget(text);
    if (!workspace_.modelId()) return;
    auto* row = new QHBoxLayout;
    row->setContentsMargins(12, 4, 12, 0);
    auto* plan = makeButton(tr("Plan"), QStringLiteral("plan"), ButtonKind::primary);
    connect(plan, &QPushButton::clicked, &workspace_, &Workspace::plan);
    row->addWidget(plan);
    row->addStretch();
    column.addLayout(row);
}

void Inspector::showRun(QVBoxLayout& column)
{
    const auto run = workspace_.run();
    const Report& report = run->report;
    const NumberFormat& numbers = workspace_.numbers();

    auto* head = new QHBoxLayout;
    head->setContentsMargins(12, 0, 12, 0);
    head->addWidget(makeLabel(QString::fromStdString(run->plan.planner), Tone::main, metrics::title, QFont::DemiBold));
    head->addStretch();
    column.addLayout(head);
    auto* chip = new Chip(look_);
    head->addWidget(chip); // it would be a window of its own before
    chip->setVerdict(verdictKind(*run), workspace_.showsPart() ? tr("Planning…") : QString());
    const auto planner = workspace_.session().planners().find(run->plan.planner);
    if (planner) {
        QLabel* summary = makeLabel(QString::fromStdString(planner->info().summary), Tone::secondary);
        summary->setWordWrap(true);
        summary->setContentsMargins(12, 0, 12, 2);
        column.addWidget(summary);
    }
    const bool ascend = run->problem().axis == Axis::hivm;
    for (const PoolReport& pool : report.pools) {
        if (pool.excess <= 0) continue;
        if (ascend && report.verdict.valid()) {
            auto known = std::ranges::find(overflows_, pool.pool, &OverflowPage::pool);
            if (known == overflows_.end()) known = overflows_.insert(known, new OverflowPage(workspace_, look_, this));
            (*known)->setRun(run, pool.pool);
            column.addWidget(*known);
            (*known)->show();
            continue;
        }
        auto* box = new QHBoxLayout;
        box->setContentsMargins(8, 4, 8, 4);
        box->addWidget(new OverflowCard(workspace_, look_, run, pool.pool));
        column.addLayout(box);
    }
    const bool partial = verdictKind(*run) == VerdictKind::partial; // what is left out adds to the sizes
    for (const PoolReport& pool : report.pools) {
        if (pool.size == 0) continue;
        addFactLine(column);
        addFactHeading(column, {nameText(run->problem().pools[std::size_t(pool.pool)].name), QString()},
                       countedText(std::int64_t(pool.buffers), tr("buffer")));
        addFact(column, tr("size"),
                partial ? tr("at least %1").arg(bytesText(pool.size, numbers)) : bytesText(pool.size, numbers),
                pool.capacity ? tr("of %1").arg(bytesText(*pool.capacity, numbers)) : QString());
        addFact(column, tr("bound"), bytesText(pool.lowerBound, numbers),
                pool.size > pool.lowerBound ? tr("gap %1").arg(shareText(pool.gap()))
                : partial                   ? tr("without what is left out")
                                            : tr("reached"));
        if (pool.peakStep >= 0)
            addFact(column, tr("peak"), bytesText(pool.liveAtPeak, numbers), tr("at step %1").arg(countText(pool.peakStep)));
        if (pool.buffers > 0) { // else only its size is known
            addFact(column, tr("free at peak"), bytesText(pool.freeAtPeak, numbers));
            addFact(column, tr("padding"), bytesText(pool.padding, numbers));
        }
        auto* why = new QHBoxLayout;
        why->setContentsMargins(12, 0, 12, 0);
        why->setSpacing(14);
        auto* high = makeButton(tr("Why this high"), {}, ButtonKind::link);
        high->setObjectName(QStringLiteral("whyThisHigh"));
        high->setToolTip(tr("Selects the buffer at the top, and shows what it rests on down to address 0"));
        connect(high, &QPushButton::clicked, this, [this, id = pool.pool] { workspace_.shown().selectTop(id); });
        why->addWidget(high);
        if (!pool.certificate.buffers.empty()) {
            auto* bound = makeButton(tr("Why not lower"), {}, ButtonKind::link);
            bound->setObjectName(QStringLiteral("whyNotLower"));
            bound->setToolTip(tr("Selects the buffers that prove the lower bound, and goes to their step"));
            connect(bound, &QPushButton::clicked, this, [this, clique = pool.certificate.buffers, step = pool.certificate.step] {
                workspace_.selection().selectMany(clique);
                if (step >= 0) workspace_.selection().setCursor(step);
            });
            why->addWidget(bound);
        }
        why->addStretch();
        column.addLayout(why);
    }
    addPipes(column);
    if (!ascend || !report.verdict.overCapacity) addChanges(column); // else the overflow page has them
    addFactLine(column);
    addFact(column, tr("planned in"), planningTimeText(run->elapsedMs),
            run->plan.work ? tr("%1 placements tried").arg(countText(std::int64_t(run->plan.work))) : QString());
    auto* lowering = new QHBoxLayout;
    lowering->setContentsMargins(12, 0, 12, 0);
    lowering->setSpacing(6);
    QLabel* key = makeLabel(tr("lowering"), Tone::secondary);
    key->setFixedWidth(factKeyWidth);
    lowering->addWidget(key, 0, Qt::AlignTop);
    QLabel* fingerprint = makeLabel({});
    setBreakableText(*fingerprint, QString::fromStdString(run->lowering->fingerprint.text()).replace(u' ', u'\n'));
    fingerprint->setWordWrap(true); // names of changed buffers are in it
    fingerprint->setMinimumWidth(1);
    fingerprint->setTextInteractionFlags(Qt::TextSelectableByMouse);
    lowering->addWidget(fingerprint, 1);
    column.addLayout(lowering);
    if (!run->lowering->leftOut.empty()) {
        const Bytes bytes = std::accumulate(run->lowering->leftOut.begin(), run->lowering->leftOut.end(), Bytes{0},
                                            [](Bytes sum, const LeftOut& part) { return sum + part.bytes; });
        addFact(column, tr("left out"), bytesText(bytes, numbers),
                countedText(std::int64_t(run->lowering->leftOut.size()), tr("tensor")));
    }
    if (const auto unknown = unknownSizeNames(*run); !unknown.empty())
        addFact(column, tr("no size"), nameText(unknown.front()),
                unknown.size() > 1 ? tr("and %1 more").arg(unknown.size() - 1) : QString(), false);
}

/// What would help most, in the pool that is short, else in the largest.
void Inspector::addChanges(QVBoxLayout& column)
{
    const auto run = workspace_.run();
    const auto& pools = run->report.pools;
    const auto worst = std::ranges::max_element(pools, {}, [&](const PoolReport& pool) {
        const bool workspace = pool.size > 0 && run->problem().pools[std::size_t(pool.pool)].kind == PoolKind::workspace;
        return std::tuple(pool.excess, workspace, pool.size);
    });
    if (worst == pools.end() || worst->size == 0 || !run->report.verdict.valid()) return;
    addFactLine(column);
    const auto used = std::ranges::count_if(pools, [](const PoolReport& pool) { return pool.size > 0; });
    addFactHeading(column, worst->excess > 0 ? tr("What would help") : tr("What if"),
                   used > 1 ? tr("single changes, %1").arg(nameText(run->problem().pools[std::size_t(worst->pool)].name))
                            : tr("single changes, best first"));
    if (!changes_) changes_ = new ChangesList(workspace_, look_);
    changes_->setRun(run, worst->pool);
    column.addWidget(changes_);
    changes_->show();
}

bool Inspector::showsLitOverflow() const
{
    const auto run = workspace_.run();
    std::vector<BufferId> lit = workspace_.selection().buffers();
    if (!run || lit.empty()) return false;
    std::ranges::sort(lit);
    return std::ranges::any_of(run->report.pools, [&](const PoolReport& pool) {
        return pool.excess > 0 && std::ranges::any_of(overflows_, [&](const OverflowPage* page) {
                   return page->pool() == pool.pool && page->live() == lit;
               });
    });
}

/// Another size, life or place of the buffer; for one of a kernel other numbers of slots, other sizes, other tiles.
void Inspector::addWhatIf(QVBoxLayout& column, BufferId id)
{
    const auto run = workspace_.run();
    const Placement& placement = run->plan.placements[std::size_t(id)];
    if (!placement.placed() || run->problem().buffers[std::size_t(id)].size == 0 || !run->report.verdict.valid()) return;
    addFactLine(column);
    if (run->problem().axis != Axis::hivm) {
        addFactHeading(column, tr("What if"), tr("changes of this buffer, best first"));
        if (!ofBuffer_) ofBuffer_ = new ChangesList(workspace_, look_);
        ofBuffer_->setBuffer(run, id);
        column.addWidget(ofBuffer_);
        ofBuffer_->show();
        return;
    }
    addFactHeading(column, tr("What if"), tr("each change is planned"));
    auto* tried = new QVBoxLayout;
    tried->setContentsMargins(12, 0, 12, 0);
    addTriedChanges(*tried, workspace_);
    column.addLayout(tried);
    if (!whatIf_) whatIf_ = new KernelChanges(workspace_, this);
    whatIf_->setChanges(run, placement.pool, changesOf(run->problem(), id));
    column.addWidget(whatIf_);
    whatIf_->show();
}

void Inspector::showBuffer(QVBoxLayout& column, BufferId id)
{
    const auto run = workspace_.run();
    const BufferFacts facts = factsOf(*run, id);
    const NumberFormat& numbers = workspace_.numbers();

    auto* head = new QHBoxLayout;
    head->setContentsMargins(12, 0, 12, 0);
    head->setSpacing(8);
    auto* swatch = new QFrame;
    swatch->setFixedSize(12, 12);
    QPalette palette = swatch->palette();
    palette.setColor(QPalette::Window, colours_.fill(id, look_.theme()));
    swatch->setPalette(palette);
    swatch->setAutoFillBackground(true);
    head->addWidget(swatch, 0, Qt::AlignTop);
    head->setAlignment(swatch, Qt::AlignVCenter);
    auto* name = makeLabel({}, Tone::main, metrics::title, QFont::DemiBold);
    setBreakableText(*name, facts.name);
    name->setWordWrap(true);
    name->setTextInteractionFlags(Qt::TextSelectableByMouse);
    head->addWidget(name, 1);
    column.addLayout(head);
    QStringList under;
    if (!facts.type.isEmpty()) under << facts.type;
    under << tr("buffer %1").arg(id);
    if (!facts.source.isEmpty()) under << facts.source;
    QLabel* type = makeLabel({}, Tone::secondary);
    setBreakableText(*type, under.join(QStringLiteral(", ")));
    type->setWordWrap(true);
    type->setContentsMargins(32, 0, 12, 4);
    column.addWidget(type);

    if (facts.placement.placed()) {
        NumberFormat hex = numbers, decimal = numbers;
        hex.hexAddresses = true;
        decimal.hexAddresses = false;
        addFact(column, tr("offset"), addressText(facts.placement.offset, hex), addressText(facts.placement.offset, decimal));
    }
    addFact(column, tr("size"), bytesText(facts.size, numbers), tr("padding %1").arg(bytesText(facts.padding, numbers)));
    addFact(column, {tr("live"), explained(QStringLiteral("live range"))},
            QString::fromStdString(intervalsText(facts.live, maxRanges)),
            tr("%1, half-open").arg(countedText(facts.steps, tr("step"))));
    addFact(column, tr("pool"), facts.pool.isEmpty() ? tr("not placed") : facts.pool,
            facts.choices > 1 ? tr("candidate %1 of %2").arg(facts.choice).arg(facts.choices) : QString(), false);
    if (run->problem().buffers[std::size_t(id)].scope != none)
        addFact(column, tr("inside"),
                nameText(run->problem().scopes[std::size_t(run->problem().buffers[std::size_t(id)].scope)].name),
                tr("its operator"), false);
    addFallback(column, id);
    addReuse(column, id);
    if (facts.placement.rotating()) addSlots(column, facts.placement);
    addFactLine(column);

    const QFontMetrics words(uiFont(metrics::body)), digits(monoFont(metrics::body));
    std::shared_ptr<const NameFit> names; // made for the first name that has no room
    const auto use = [&](const QString& key, const OpUse& op) {
        const QString own = op.name == op.kind ? QString() : op.name;
        const QString step = op.step >= 0 ? countText(op.step) : QString();
        const int room = metrics::inspector - 2 * 12 - factKeyWidth - 3 * 6 - digits.horizontalAdvance(step);
        const bool beside = words.horizontalAdvance(op.kind) + words.horizontalAdvance(own) <= room;
        addFact(column, key, op.kind, beside ? own : QString(), false, step);
        if (beside || own.isEmpty()) return;
        if (!names) names = std::make_shared<const NameFit>(opNames(*run));
        addFactName(column, own, names);
    };
    for (const OpUse& op : facts.producers) use(tr("made by"), op);
    if (facts.producers.empty() && run->program)
        addFact(column, tr("made by"), tr("no op"), madeOutside(run->problem().buffers[std::size_t(id)].kind), false);
    for (std::size_t i = 0; i < facts.consumers.size() && i < maxUses; ++i)
        use(i == 0 ? tr("read by") : QString(), facts.consumers[i]);
    if (facts.consumers.size() > maxUses) addFact(column, {}, tr("%1 more").arg(facts.consumers.size() - maxUses), {}, false);
    for (std::size_t i = 0; i < facts.sharedWith.size() && i < maxUses; ++i)
        addFact(column, i == 0 ? tr("also holds") : QString(), facts.sharedWith[i], {}, false);

    auto* row = new QHBoxLayout;
    row->setContentsMargins(12, 0, 12, 0);
    row->setSpacing(6);
    QLabel* key = makeLabel(tr("conflicts"), Tone::secondary);
    key->setFixedWidth(factKeyWidth);
    row->addWidget(key);
    row->addWidget(
        makeLabel(countedText(std::int64_t(facts.conflicts.size()), tr("buffer")), Tone::main, metrics::body, QFont::Medium));
    if (facts.placement.placed() && run->report.pools.size() > 1) {
        const auto inPool = std::ranges::count_if(facts.conflicts, [&](BufferId other) {
            return run->plan.placements[std::size_t(other)].pool == facts.placement.pool;
        });
        row->addWidget(makeLabel(tr("%1 in its pool").arg(countText(inPool)), Tone::secondary));
    }
    row->addStretch();
    if (!facts.conflicts.empty()) {
        auto* show = makeButton(tr("Show"), {}, ButtonKind::link);
        connect(show, &QPushButton::clicked, this, [this, id, conflicts = facts.conflicts]() mutable {
            conflicts.insert(conflicts.begin(), id);
            workspace_.selection().selectMany(std::move(conflicts));
        });
        row->addWidget(show);
    }
    column.addLayout(row);
    addChain(column, id);
    addWhatIf(column, id);
    addCallStack(column, id);
}

/// The places of a rotating buffer, and which iteration uses which.
void Inspector::addSlots(QVBoxLayout& column, const Placement& placement)
{
    const NumberFormat& numbers = workspace_.numbers();
    const std::size_t shown = std::min(placement.offsets.size(), maxFactLines);
    addFactLine(column);
    addFactHeading(column, tr("Slots"), tr("in the order of the iterations"));
    for (const std::string& rule : rotationRules(workspace_.run()->problem(), placement)) {
        QLabel* text = makeLabel(QString::fromStdString(rule), Tone::secondary);
        text->setObjectName(QStringLiteral("rotationRule"));
        text->setWordWrap(true);
        text->setContentsMargins(12, 0, 12, 2);
        column.addWidget(text);
    }
    for (std::size_t k = 0; k < shown; ++k) {
        // Of several loops: the position in each rotation, the outermost first.
        QStringList digits;
        std::size_t rest = k;
        for (std::size_t r = placement.rotations.size(); r-- > 0;) {
            const auto extent = std::size_t(placement.rotations[r].extent());
            digits.prepend(QString::number(rest % extent));
            rest /= extent;
        }
        addFact(column, tr("slot %1").arg(digits.join(u'.')), addressText(placement.offsets[k], numbers));
    }
    if (shown < placement.offsets.size()) addFact(column, {}, tr("%1 more").arg(placement.offsets.size() - shown), {}, false);
}

void Inspector::addBufferLink(QVBoxLayout& column, BufferId id, const QString& right)
{
    auto* row = new QHBoxLayout;
    row->setContentsMargins(12, 0, 12, 0);
    const QString name = nameText(workspace_.run()->problem().buffers[std::size_t(id)].name);
    auto* link = makeButton({}, {}, ButtonKind::link);
    link->setText(NameFit(workspace_.run()->problem())
                      .fit(name, link->fontMetrics(), metrics::inspector - 130)
                      .replace(u'&', QStringLiteral("&&")));
    link->setToolTip(name);
    connect(link, &QPushButton::clicked, this, [this, id] { workspace_.selection().select(id); });
    row->addWidget(link);
    row->addStretch();
    row->addWidget(makeNumber(right, Tone::secondary));
    column.addLayout(row);
}

void Inspector::showMany(QVBoxLayout& column)
{
    const auto run = workspace_.run();
    const NumberFormat& numbers = workspace_.numbers();
    std::vector<BufferId> chosen = workspace_.selection().buffers();
    std::erase_if(chosen, [&run](BufferId id) { return id < 0 || std::size_t(id) >= run->problem().buffers.size(); });
    if (chosen.empty()) return showRun(column);
    Bytes sum = 0;
    Interval hull{run->problem().horizon(), 0};
    for (const BufferId id : chosen) {
        const Buffer& buffer = run->problem().buffers[std::size_t(id)];
        sum += buffer.size;
        hull.begin = std::min(hull.begin, buffer.hull().begin);
        hull.end = std::max(hull.end, buffer.hull().end);
    }
    QLabel* head = makeLabel(tr("%1 selected").arg(countedText(std::int64_t(chosen.size()), tr("buffer"))), Tone::main,
                             metrics::title, QFont::DemiBold);
    head->setContentsMargins(12, 0, 12, 4);
    column.addWidget(head);
    addFact(column, tr("together"), bytesText(sum, numbers));
    addFact(column, tr("live in"), QString::fromStdString(intervalText(hull)), countedText(hull.length(), tr("step")));
    addFactLine(column);
    const std::size_t listed = std::min(chosen.size(), maxFactLines);
    addFactHeading(column, tr("Largest"), tr("%1 of %2").arg(listed).arg(chosen.size()));
    std::ranges::partial_sort(chosen, chosen.begin() + std::ptrdiff_t(listed), [&](BufferId a, BufferId b) {
        return std::pair(-run->problem().buffers[std::size_t(a)].size, a) <
               std::pair(-run->problem().buffers[std::size_t(b)].size, b);
    });
    for (std::size_t i = 0; i < listed; ++i)
        addBufferLink(column, chosen[i], bytesText(run->problem().buffers[std::size_t(chosen[i])].size, numbers));
}

void Inspector::addChain(QVBoxLayout& column, BufferId id)
{
    const auto run = workspace_.run();
    if (!run->plan.placements[std::size_t(id)].placed()) return;
    const auto scene = sceneWith(Part::support);
    addFactLine(column);
    if (!scene) {
        addFactHeading(column, tr("Why here"), tr("finding…"));
        return;
    }
    const SupportChain chain = scene->support().chain(id);
    const QString end =
        chain.end == SupportEnd::ground   ? tr("%1 to address 0").arg(countedText(std::int64_t(chain.links.size()), tr("level")))
        : chain.end == SupportEnd::pinned ? tr("%1 to a pin").arg(countedText(std::int64_t(chain.links.size()), tr("level")))
                                          : tr("could move down");
    const Bytes top = run->plan.placements[std::size_t(id)].offset + run->problem().buffers[std::size_t(id)].size;
    const PoolId pool = run->plan.placements[std::size_t(id)].pool;
    const bool highest = std::size_t(pool) < run->report.pools.size() && top == run->report.pools[std::size_t(pool)].size;
    addFactHeading(column, highest ? tr("Why this high") : tr("Why here"), end);
    column.addWidget(new SupportPile(run, chain, workspace_.numbers(), colours_, workspace_.selection(), look_));
}

} // namespace stowage
