#include "app/desktop/panels/distributions_panel.h"

#include "app/canvas/kit/fonts.h"
#include "app/canvas/kit/number_text.h"
#include "app/charts/histogram.h"
#include "app/desktop/buffer_colours.h"
#include "app/desktop/look/icons.h"
#include "app/desktop/look/look.h"
#include "app/desktop/look/metrics.h"
#include "app/desktop/widgets/controls.h"
#include "app/desktop/widgets/name_fit.h"
#include "app/desktop/widgets/spoken_role.h"

#include <QAbstractButton>
#include <QFontMetrics>
#include <QHBoxLayout>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

namespace stowage {

namespace {

constexpr std::size_t maxClasses = 9;
constexpr std::size_t maxListed = 9;
constexpr int maxNameWidth = 128;

/// What rows below each other have in common, so that their bars can be compared: the widths of their columns.
struct BarColumns {
    int name = 0, middle = 0, right = 0;

    void add(const QString& nameText, const QString& middleText, const QString& rightText)
    {
        const QFontMetrics words(uiFont(metrics::body)), numbers(monoFont(metrics::body));
        name = std::max(name, std::min(maxNameWidth, words.horizontalAdvance(nameText)));
        middle = std::max(middle, numbers.horizontalAdvance(middleText));
        right = std::max(right, numbers.horizontalAdvance(rightText));
    }
};

/// A row that paints itself: text, a bar, numbers.
class BarRow : public QAbstractButton {
public:
    BarRow(const Look& look, NameFit names, const BarColumns& columns, QString name, QString middle, QString right, double share,
           QColor colour)
        : look_(look),
          names_(std::move(names)),
          columns_(columns),
          name_(std::move(name)),
          middle_(std::move(middle)),
          right_(std::move(right)),
          share_(share),
          colour_(colour)
    {
        setFixedHeight(metrics::tableRow);
        setAccessibleName(name_);
        setToolTip(name_);
        setCursor(Qt::PointingHandCursor);
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        const Theme& theme = look_.theme();
        if (underMouse()) painter.fillRect(rect(), theme.hover);
        if (hasFocus()) {
            painter.setPen(theme.accent);
            painter.drawRect(rect().adjusted(2, 0, -3, -1));
        }
        painter.setFont(uiFont(metrics::body));
        painter.setPen(theme.text);
        painter.drawText(QRect(12, 0, columns_.name, height()), Qt::AlignLeft | Qt::AlignVCenter,
                         names_.fit(name_, painter.fontMetrics(), columns_.name));
        painter.setFont(monoFont(metrics::body));
        painter.drawText(QRect(0, 0, width() - 12, height()), Qt::AlignRight | Qt::AlignVCenter, right_);
        const int right = width() - 12 - columns_.right - 12;
        painter.drawText(QRect(0, 0, right, height()), Qt::AlignRight | Qt::AlignVCenter, middle_);
        const int left = 12 + columns_.name + 8;
        // The bars go before a digit would.
        const int room = right - columns_.middle - 8 - left;
        if (room < 8) return;
        const QRectF track(left, height() / 2.0 - 4, room, 8);
        painter.fillRect(track, theme.hover);
        painter.fillRect(QRectF(track.left(), track.top(), std::max(1.0, track.width() * share_), track.height()), colour_);
    }
    void enterEvent(QEnterEvent*) override { update(); }
    void leaveEvent(QEvent*) override { update(); }

private:
    const Look& look_;
    NameFit names_;
    BarColumns columns_;
    QString name_, middle_, right_;
    double share_;
    QColor colour_;
};

/// A part of the filter, with a cross to be rid of it.
QPushButton* filterChip(const QString& text)
{
    auto* chip = makeButton(text, QStringLiteral("cross"), ButtonKind::normal, true);
    chip->setIconSize({12, 12});
    return chip;
}

/// The unit of the window if it states both limits of the size exactly, else bytes: a rounded limit is another limit.
NumberFormat limitFormat(const BufferFilter& filter, NumberFormat numbers)
{
    constexpr Bytes exactKibibytes = 256; // multiples of a quarter have two decimals at most
    const auto rounded = [](const std::optional<Bytes>& limit) { return limit && *limit % exactKibibytes != 0; };
    if (numbers.unit == NumberFormat::Unit::kibibytes && (rounded(filter.minimumSize) || rounded(filter.maximumSize)))
        numbers.unit = NumberFormat::Unit::bytes;
    return numbers;
}

} // namespace

QString stepsLabel(const Bucket& bucket, bool last)
{
    if (bucket.high <= bucket.low) return countText(bucket.low);
    return last ? countText(bucket.low) + u'+' : QStringLiteral("%1–%2").arg(countText(bucket.low), countText(bucket.high));
}

DistributionsPanel::DistributionsPanel(Workspace& workspace, const Look& look, QWidget* parent)
    : QScrollArea(parent), workspace_(workspace), look_(look)
{
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::NoFocus);
    auto* content = new QWidget;
    content->setProperty("surface", "panel");
    content->setAttribute(Qt::WA_StyledBackground);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 8, 0, 8);
    column->setSpacing(2);
    const auto heading = [&](const QString& title, const QString& caption) {
        auto* row = new QHBoxLayout;
        row->setContentsMargins(12, 2, 12, 2);
        row->addWidget(makeLabel(title, Tone::main, metrics::body, QFont::DemiBold));
        row->addStretch();
        QLabel* label = makeLabel(caption, Tone::secondary);
        row->addWidget(label);
        column->addLayout(row);
        return label;
    };
    const auto line = [&] {
        column->addSpacing(6);
        column->addWidget(makeLine(Qt::Horizontal));
        column->addSpacing(6);
    };
    const auto add = [&](Histogram* histogram) {
        auto* row = new QHBoxLayout;
        row->setContentsMargins(12, 0, 12, 0);
        row->addWidget(histogram);
        column->addLayout(row);
    };
    sizeCaption_ = heading(tr("Size"), {});
    sizes_ = new Histogram;
    setSpokenRole(*sizes_, QAccessible::Canvas);
    sizes_->setAccessibleName(tr("Buffers by size"));
    add(sizes_);
    line();
    heading(tr("Lifetime"), tr("steps"));
    lifetimes_ = new Histogram;
    setSpokenRole(*lifetimes_, QAccessible::Canvas);
    lifetimes_->setAccessibleName(tr("Buffers by lifetime"));
    add(lifetimes_);
    line();
    poolCount_ = heading(tr("Pools"), {});
    pools_ = new QVBoxLayout;
    pools_->setSpacing(0);
    column->addLayout(pools_);
    line();
    auto* filterHead = new QHBoxLayout;
    filterHead->setContentsMargins(12, 2, 12, 2);
    filterHead->addWidget(makeLabel(tr("Filter"), Tone::main, metrics::body, QFont::DemiBold));
    filterHead->addStretch();
    clear_ = makeButton(tr("Clear"), {}, ButtonKind::link);
    clear_->setObjectName(QStringLiteral("clearDistributions"));
    connect(clear_, &QPushButton::clicked, this, [this] { workspace_.selection().setFilter({}); });
    filterHead->addWidget(clear_);
    column->addLayout(filterHead);
    filter_ = new QVBoxLayout;
    filter_->setContentsMargins(12, 2, 12, 2);
    filter_->setSpacing(4);
    column->addLayout(filter_);
    kept_ = makeLabel({}, Tone::secondary);
    kept_->setContentsMargins(12, 2, 12, 0);
    column->addWidget(kept_);
    line();
    largestCount_ = heading(tr("Largest by bytes × steps"), {});
    largest_ = new QVBoxLayout;
    largest_->setSpacing(0);
    column->addLayout(largest_);
    column->addStretch();
    setWidget(content);

    const auto keep = [this](const Histogram& histogram, int first, int last, bool size) {
        BufferFilter filter = workspace_.selection().filter();
        const Bucket &low = histogram.buckets()[std::size_t(first)], &high = histogram.buckets()[std::size_t(last)];
        const bool open = last + 1 == int(histogram.buckets().size());
        auto& minimum = size ? filter.minimumSize : filter.minimumLifetime;
        auto& maximum = size ? filter.maximumSize : filter.maximumLifetime;
        minimum = low.low;
        maximum = open ? std::nullopt : std::optional(high.high);
        workspace_.selection().setFilter(filter);
    };
    const auto release_ = [this](bool size) {
        BufferFilter filter = workspace_.selection().filter();
        (size ? filter.minimumSize : filter.minimumLifetime).reset();
        (size ? filter.maximumSize : filter.maximumLifetime).reset();
        workspace_.selection().setFilter(filter);
    };
    connect(sizes_, &Histogram::kept, this, [this, keep](int first, int last) { keep(*sizes_, first, last, true); });
    connect(sizes_, &Histogram::released, this, [release_] { release_(true); });
    connect(lifetimes_, &Histogram::kept, this, [this, keep](int first, int last) { keep(*lifetimes_, first, last, false); });
    connect(lifetimes_, &Histogram::released, this, [release_] { release_(false); });

    connect(&workspace_, &Workspace::contextChanged, this, &DistributionsPanel::refresh);
    connect(&workspace_.selection(), &SelectionModel::filterChanged, this, &DistributionsPanel::showFilter);
    connect(&workspace_.selection(), &SelectionModel::maskChanged, this, [this] {
        showFilter();
        refresh();
    });
    connect(&look_, &Look::themeChanged, this, [this] {
        run_.reset();
        refresh();
    });
}

QSize DistributionsPanel::sizeHint() const
{
    return {metrics::inspector + 40, 600};
}

void DistributionsPanel::showEvent(QShowEvent* event)
{
    QScrollArea::showEvent(event);
    refresh();
}

void DistributionsPanel::refresh()
{
    if (!isVisible()) return; // worked out when it is opened
    const auto run = workspace_.run();
    if (run == run_ && workspace_.numbers() == numbers_) {
        if (run_ && listedOf_ != workspace_.selection().mask()) { // it may have changed while the panel was closed
            clearLayout(*largest_);
            showLargest(*run_);
        }
        return;
    }
    run_ = run;
    numbers_ = workspace_.numbers();
    sizes_->setTheme(look_.theme());
    lifetimes_->setTheme(look_.theme());
    std::vector<std::int64_t> sizes, steps;
    if (run) {
        for (const Buffer& buffer : run->problem().buffers) {
            sizes.push_back(buffer.size);
            steps.push_back(lifetime(buffer));
        }
    }
    sizes_->setBuckets(logarithmicBuckets(sizes, maxClasses), [this](const Bucket& bucket, bool last) {
        const Bytes low = Bytes{1} << (std::bit_width(std::uint64_t(std::max<std::int64_t>(bucket.high, 1))) - 1);
        const auto label = [this](Bytes bytes) { return shortBytes(bytes, numbers_).remove(u' '); };
        return bucket.low < low ? u'<' + label(bucket.high + 1) : last ? label(low) + u'+' : label(low);
    });
    lifetimes_->setBuckets(logarithmicBuckets(steps, maxClasses), stepsLabel);
    sizeCaption_->setText(numbers_.unit == NumberFormat::Unit::words ? tr("in words, click to filter")
                                                                     : tr("in bytes, click to filter"));
    clearLayout(*pools_);
    clearLayout(*largest_);
    poolCount_->setText(run ? countedText(std::int64_t(run->problem().buffers.size()), tr("buffer")) : QString());
    if (run) {
        showPools(*run);
        showLargest(*run);
    } else {
        largestCount_->setText({});
    }
    showFilter();
}

void DistributionsPanel::showPools(const Run& run)
{
    std::size_t all = 1;
    for (const PoolReport& pool : run.report.pools) all = std::max(all, pool.buffers);
    BarColumns columns;
    for (const PoolReport& pool : run.report.pools)
        columns.add(nameText(run.problem().pools[std::size_t(pool.pool)].name), countText(std::int64_t(pool.buffers)),
                    bytesNumber(pool.size, numbers_));
    std::size_t index = 0;
    for (const PoolReport& pool : run.report.pools) {
        const QColor colour = look_.theme().buffers[std::min(index++, look_.theme().buffers.size() - 1)];
        auto* row = new BarRow(look_, {}, columns, nameText(run.problem().pools[std::size_t(pool.pool)].name),
                               countText(std::int64_t(pool.buffers)), bytesNumber(pool.size, numbers_),
                               double(pool.buffers) / double(all), colour);
        row->setAccessibleDescription(
            QStringLiteral("%1, %2").arg(countedText(std::int64_t(pool.buffers), tr("buffer")), bytesText(pool.size, numbers_)));
        connect(row, &QAbstractButton::clicked, this, [this, id = pool.pool] {
            std::vector<BufferId> inside;
            for (std::size_t i = 0; i < run_->plan.placements.size(); ++i)
                if (run_->plan.placements[i].pool == id) inside.push_back(BufferId(i));
            workspace_.selection().selectMany(std::move(inside));
        });
        pools_->addWidget(row);
    }
    QLabel* note = makeLabel(tr("Number of buffers, then size of the pool in %1.").arg(unitText(numbers_)), Tone::secondary,
                             metrics::caption);
    note->setContentsMargins(12, 2, 12, 0);
    pools_->addWidget(note);
}

void DistributionsPanel::showLargest(const Run& run)
{
    listedOf_ = workspace_.selection().mask();
    const auto& buffers = run.problem().buffers;
    std::vector<BufferId> order;
    order.reserve(buffers.size());
    for (std::size_t i = 0; i < buffers.size(); ++i)
        if (workspace_.selection().passes(BufferId(i))) order.push_back(BufferId(i));
    const auto area = [&](BufferId id) {
        return double(buffers[std::size_t(id)].size) * double(lifetime(buffers[std::size_t(id)]));
    };
    const std::size_t listed = std::min(order.size(), maxListed);
    std::ranges::partial_sort(order, order.begin() + std::ptrdiff_t(listed),
                              [&](BufferId a, BufferId b) { return std::pair(-area(a), a) < std::pair(-area(b), b); });
    largestCount_->setText(tr("%1 of %2").arg(listed).arg(countText(std::int64_t(order.size()))));
    BufferColours colours;
    colours.setRun(run_);
    const NameFit names(run.problem());
    BarColumns columns;
    for (std::size_t i = 0; i < listed; ++i) {
        const Buffer& buffer = buffers[std::size_t(order[i])];
        columns.add(nameText(buffer.name), countText(lifetime(buffer)), bytesNumber(buffer.size, numbers_));
    }
    for (std::size_t i = 0; i < listed; ++i) {
        const Buffer& buffer = buffers[std::size_t(order[i])];
        auto* row = new BarRow(look_, names, columns, nameText(buffer.name), countText(lifetime(buffer)),
                               bytesNumber(buffer.size, numbers_), area(order[i]) / std::max(1.0, area(order[0])),
                               colours.fill(order[i], look_.theme()));
        row->setAccessibleDescription(
            QStringLiteral("%1, %2").arg(countedText(lifetime(buffer), tr("step")), bytesText(buffer.size, numbers_)));
        connect(row, &QAbstractButton::clicked, this, [this, id = order[i]] { workspace_.selection().select(id); });
        largest_->addWidget(row);
    }
}

void DistributionsPanel::showFilter()
{
    if (!isVisible()) return;
    clearLayout(*filter_);
    const BufferFilter& filter = workspace_.selection().filter();
    const auto chip = [&](const QString& text, auto drop) {
        auto* row = new QHBoxLayout;
        QPushButton* button = filterChip(text);
        connect(button, &QPushButton::clicked, this, [this, drop] {
            BufferFilter next = workspace_.selection().filter();
            drop(next);
            workspace_.selection().setFilter(next);
        });
        row->addWidget(button);
        row->addStretch();
        filter_->addLayout(row);
    };
    const auto range = [&](const QString& what, const auto& minimum, const auto& maximum, auto write) {
        if (minimum && minimum == maximum) return QStringLiteral("%1 %2").arg(what, write(*minimum));
        if (minimum && maximum) return tr("%1 %2 to %3").arg(what, write(*minimum), write(*maximum));
        return minimum ? tr("%1 ≥ %2").arg(what, write(*minimum)) : tr("%1 ≤ %2").arg(what, write(*maximum));
    };
    if (!filter.text.isEmpty()) chip(tr("name %1").arg(filter.text), [](BufferFilter& next) { next.text.clear(); });
    if (filter.minimumSize || filter.maximumSize) {
        const NumberFormat numbers = limitFormat(filter, numbers_);
        chip(range(tr("size"), filter.minimumSize, filter.maximumSize, [&](Bytes bytes) { return bytesText(bytes, numbers); }),
             [](BufferFilter& next) { next.minimumSize.reset(), next.maximumSize.reset(); });
    }
    if (filter.minimumLifetime || filter.maximumLifetime)
        chip(range(tr("life"), filter.minimumLifetime, filter.maximumLifetime, [](Step steps) { return countText(steps); }),
             [](BufferFilter& next) { next.minimumLifetime.reset(), next.maximumLifetime.reset(); });
    if (filter.steps)
        chip(tr("step %1 to %2").arg(filter.steps->begin).arg(filter.steps->end - 1),
             [](BufferFilter& next) { next.steps.reset(); });
    const auto& mask = workspace_.selection().mask();
    clear_->setVisible(mask != nullptr);
    kept_->setText(
        mask ? tr("Shows %1 of %2 in every view.")
                   .arg(countText(std::int64_t(mask->count)), countedText(std::int64_t(mask->shown.size()), tr("buffer")))
             : tr("No filter: every buffer is shown."));

    // The bars say what the filter keeps, also when it was typed.
    const auto mark = [](Histogram& histogram, const std::optional<std::int64_t>& minimum,
                         const std::optional<std::int64_t>& maximum) {
        if (!minimum && !maximum) {
            histogram.setKept(std::nullopt);
            return;
        }
        int first = -1, last = -1;
        for (int i = 0; i < int(histogram.buckets().size()); ++i) {
            const Bucket& bucket = histogram.buckets()[std::size_t(i)];
            if ((minimum && bucket.high < *minimum) || (maximum && bucket.low > *maximum)) continue;
            if (first < 0) first = i;
            last = i;
        }
        histogram.setKept(first < 0 ? std::optional(std::pair(-1, -1)) : std::optional(std::pair(first, last)));
    };
    mark(*sizes_, filter.minimumSize, filter.maximumSize);
    mark(*lifetimes_, filter.minimumLifetime, filter.maximumLifetime);
}

} // namespace stowage
