#include "app/desktop/panels/target_panel.h"

#include "app/canvas/kit/fonts.h"
#include "app/canvas/kit/number_text.h"
#include "app/desktop/look/look.h"
#include "app/desktop/look/metrics.h"
#include "app/desktop/panels/pool_form.h"
#include "app/desktop/widgets/controls.h"
#include "app/desktop/widgets/name_fit.h"
#include "app/desktop/widgets/section.h"
#include "app/desktop/widgets/spoken_role.h"
#include "app/desktop/workspace.h"
#include "app/session/targets.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMouseEvent>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace stowage {

namespace {

constexpr int rowHeight = 62;
constexpr int padding = metrics::dockPadding;
constexpr int gear = 20; ///< of the button at the right of the name

const PoolReport* reportOf(const Workspace& workspace, std::size_t pool)
{
    const auto run = workspace.run();
    const std::vector<Pool> pools = workspace.pools();
    if (!run || pool >= pools.size()) return nullptr;
    // By name: the run may be of another target.
    for (const PoolReport& report : run->report.pools)
        if (run->problem().pools[std::size_t(report.pool)].name == pools[pool].name) return &report;
    return nullptr;
}

/// That of a memory on an Ascend core ends somewhere, whoever knows where; workspaces and what users make do not.
QString noCapacity(const Pool& pool)
{
    return pool.core != CoreMemory::outside ? PoolRow::tr("size not known") : PoolRow::tr("unbounded");
}

/// The facts with the words for a capacity that is missing.
QString wholeFacts(const Pool& pool)
{
    return pool.capacity ? poolFacts(pool) : PoolRow::tr("%1, %2").arg(noCapacity(pool), poolFacts(pool));
}

/// The facts that have room: what comes last goes first, and as a whole.
QString factsWithin(const QString& facts, const QFontMetrics& letters, int room)
{
    QString shown = facts;
    const QString between = QStringLiteral(", "); // a comma alone may be one of a number
    while (letters.horizontalAdvance(shown) > room && shown.contains(between)) shown.truncate(shown.lastIndexOf(between));
    return elidedWhole(shown, letters, room);
}

} // namespace

QString poolFacts(const Pool& pool)
{
    QStringList facts;
    switch (pool.kind) {
    case PoolKind::workspace: facts << PoolRow::tr("read-write"); break;
    case PoolKind::constant: facts << PoolRow::tr("read-only, constants"); break;
    case PoolKind::persistent: facts << PoolRow::tr("persistent"); break;
    }
    if (pool.clockHz > 0) facts << PoolRow::tr("%1 MHz").arg(double(pool.clockHz) / 1e6, 0, 'g', 4);
    if (pool.alignment > 1) facts << PoolRow::tr("align %1").arg(pool.alignment);
    return facts.join(QStringLiteral(", "));
}

PoolRow::PoolRow(Workspace& workspace, const Look& look, std::size_t pool, QWidget* parent)
    : QWidget(parent), workspace_(workspace), look_(look), pool_(pool)
{
    setFixedHeight(rowHeight);
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    setSpokenRole(*this, QAccessible::Button);
    properties_ = makeIconButton(QStringLiteral("gear"), tr("All properties of this pool"), true);
    properties_->setObjectName(QStringLiteral("poolProperties"));
    properties_->setParent(this);
    properties_->setCheckable(true);
    properties_->setCursor(Qt::ArrowCursor);
    properties_->setFixedSize(gear, gear);
    connect(properties_, &QToolButton::toggled, this, &PoolRow::propertiesRequested);
    connect(&workspace_, &Workspace::contextChanged, this, &PoolRow::refresh);
    refresh();
}

QSize PoolRow::sizeHint() const
{
    return {metrics::sidebar, rowHeight};
}

void PoolRow::refresh()
{
    update();
    const std::vector<Pool> pools = workspace_.pools();
    if (pool_ >= pools.size()) return;
    const Pool& pool = pools[pool_];
    const PoolReport* report = reportOf(workspace_, pool_);
    const NumberFormat& numbers = workspace_.numbers();
    const QString facts = wholeFacts(pool), name = nameText(pool.name);
    setAccessibleName(name);
    setToolTip(tr("%1: %2\nClick to change the capacity").arg(name, facts)); // facts without room are whole here
    setAccessibleDescription(
        !report         ? facts
        : pool.capacity ? tr("%1 of %2 used, %3").arg(bytesText(report->size, numbers), bytesText(*pool.capacity, numbers), facts)
                        : tr("%1 used, %2").arg(bytesText(report->size, numbers), facts));
}

void PoolRow::paintEvent(QPaintEvent*)
{
    const std::vector<Pool> pools = workspace_.pools();
    if (pool_ >= pools.size()) return;
    const Pool& pool = pools[pool_];
    const PoolReport* report = reportOf(workspace_, pool_);
    const Theme& theme = look_.theme();
    const NumberFormat& numbers = workspace_.numbers();
    QPainter painter(this);
    const QRect inner = rect().adjusted(padding, 0, -padding, 0);
    const bool over = report && pool.capacity && report->size > *pool.capacity;

    // size / capacity, from the right
    QString capacity = pool.capacity ? bytesNumber(*pool.capacity, numbers) : QString();
    QRect line(inner.left(), 9, inner.width() - gear - 2, 18);
    QString facts = wholeFacts(pool);
    const QString name = nameText(pool.name);
    // A capacity that would cut the name goes to the line below the bar.
    if (report && pool.capacity) {
        const QString both = bytesNumber(report->size, numbers) + QStringLiteral(" / ") + capacity;
        if (QFontMetrics(monoFont(metrics::body)).horizontalAdvance(both) + 8 +
                QFontMetrics(uiFont(metrics::body, QFont::Medium)).horizontalAdvance(name) >
            line.width()) {
            facts = tr("of %1, %2").arg(bytesText(*pool.capacity, numbers), facts);
            capacity.clear();
        }
    }
    painter.setFont(monoFont(metrics::body));
    painter.setPen(theme.text2);
    painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, capacity);
    int used = painter.fontMetrics().horizontalAdvance(capacity);
    if (report) {
        const QString slash = !capacity.isEmpty() ? QStringLiteral(" / ") : QString(), size = bytesNumber(report->size, numbers);
        painter.setPen(theme.text3);
        painter.drawText(line.adjusted(0, 0, -used, 0), Qt::AlignRight | Qt::AlignVCenter, slash);
        used += painter.fontMetrics().horizontalAdvance(slash);
        painter.setPen(over ? theme.bad : theme.text);
        painter.drawText(line.adjusted(0, 0, -used, 0), Qt::AlignRight | Qt::AlignVCenter, size);
        used += painter.fontMetrics().horizontalAdvance(size);
    }
    painter.setFont(uiFont(metrics::body, QFont::Medium));
    painter.setPen(theme.text);
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(name, Qt::ElideMiddle, line.width() - used - 8));

    // the bar: full scale is the capacity, or the size where there is none or it is exceeded
    const QRectF track(inner.left(), 30, inner.width(), 8);
    painter.fillRect(track, theme.hover);
    QString share = report ? tr("empty") : QString();
    if (report && report->size > 0) {
        const double scale = std::max<double>(double(report->size), pool.capacity ? double(*pool.capacity) : 0.0);
        const auto at = [&](Bytes bytes) { return track.left() + track.width() * double(bytes) / scale; };
        const QColor fill = pool.kind == PoolKind::constant ? theme.text3 : theme.accent;
        painter.fillRect(QRectF(track.left(), track.top(), std::max(1.0, at(report->size) - track.left()), track.height()), fill);
        if (over)
            painter.fillRect(QRectF(at(*pool.capacity), track.top(), track.right() - at(*pool.capacity), track.height()),
                             theme.bad);
        if (report->lowerBound > 0 && report->lowerBound < report->size) {
            const double tick = std::round(at(report->lowerBound));
            painter.fillRect(QRectF(tick - 2, track.top() - 2, 4, track.height() + 4), theme.panel);
            painter.fillRect(QRectF(tick - 1, track.top() - 2, 2, track.height() + 4), theme.ok);
        }
        if (pool.capacity && *pool.capacity > 0)
            share = shareText(double(report->size) / double(*pool.capacity));
        else
            share = report->buffers > 0 ? tr("%1 free at peak").arg(bytesText(report->freeAtPeak, numbers)) : tr("no offsets");
    }
    line = QRect(inner.left(), 40, inner.width(), 16);
    painter.setFont(uiFont(metrics::caption));
    painter.setPen(over ? theme.bad : theme.text2);
    painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, share);
    used = painter.fontMetrics().horizontalAdvance(share);
    painter.setPen(theme.text2);
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, factsWithin(facts, painter.fontMetrics(), line.width() - used - 8));
    if (hasFocus()) {
        painter.setPen(theme.accent);
        painter.drawRect(rect().adjusted(2, 2, -3, -3));
    }
}

void PoolRow::resizeEvent(QResizeEvent*)
{
    properties_->move(width() - padding - gear + 4, 8);
}

void PoolRow::editCapacity()
{
    const std::vector<Pool> pools = workspace_.pools();
    if (editor_ || pool_ >= pools.size()) return;
    editor_ = new QLineEdit(this);
    editor_->setFont(monoFont(metrics::body));
    editor_->setAlignment(Qt::AlignRight);
    editor_->setPlaceholderText(noCapacity(pools[pool_]));
    editor_->setAccessibleName(tr("Capacity of %1").arg(nameText(pools[pool_].name)));
    if (pools[pool_].capacity) editor_->setText(QString::number(*pools[pool_].capacity));
    editor_->setGeometry(width() - padding - gear - 2 - 110, 6, 110, 22);
    editor_->installEventFilter(this);
    editor_->show();
    editor_->selectAll();
    editor_->setFocus();
    connect(editor_, &QLineEdit::returnPressed, this, &PoolRow::commit);
}

void PoolRow::commit()
{
    if (!editor_) return;
    const QString text = editor_->text().trimmed();
    const std::optional<Bytes> capacity = parseBytes(text);
    if (!text.isEmpty() && (!capacity || *capacity == 0)) {
        setLook(editor_, "invalid", true);
        editor_->setToolTip(tr("A size such as 262144, 256K or 1.5M; empty: unbounded"));
        return;
    }
    editor_->removeEventFilter(this);
    editor_->deleteLater();
    editor_ = nullptr;
    setFocus();
    workspace_.edits().setCapacity(pool_, text.isEmpty() ? std::nullopt : capacity);
}

bool PoolRow::eventFilter(QObject* object, QEvent* event)
{
    if (object != editor_) return QWidget::eventFilter(object, event);
    const auto isEscape = [event](QEvent::Type type) {
        return event->type() == type && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape;
    };
    if (isEscape(QEvent::ShortcutOverride)) { // a command of the window, but first of the field
        event->accept();
        return true;
    }
    const bool escape = isEscape(QEvent::KeyPress);
    if (escape || event->type() == QEvent::FocusOut) {
        editor_->removeEventFilter(this);
        editor_->deleteLater();
        editor_ = nullptr;
        if (escape) setFocus();
        update();
        return escape;
    }
    return false;
}

void PoolRow::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton) editCapacity();
}

void PoolRow::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_F2)
        editCapacity();
    else
        QWidget::keyPressEvent(event);
}

namespace {

/// The memories with the forms that are open. Those in which the plan has nothing fold into one line, so that what is below stays
/// in sight: a core has seven. Rows stay while a target is edited, so that a field keeps what is being typed.
class PoolRows : public QWidget {
public:
    PoolRows(Workspace& workspace, const Look& look, Section& section) : workspace_(workspace), look_(look), section_(section)
    {
        column_ = new QVBoxLayout(this);
        column_->setContentsMargins(0, 0, 0, 4);
        column_->setSpacing(0);
        connect(&workspace, &Workspace::targetChanged, this, [this] { refresh(false); });
        connect(&workspace, &Workspace::modelChanged, this, [this] {
            opened_ = false;
            refresh(true);
        });
        connect(&workspace, &Workspace::contextChanged, this, &PoolRows::fold);
        refresh(true);
    }

private:
    void refresh(bool anew)
    {
        const QString chip = workspace_.model() ? namedChip(*workspace_.model()) : QString();
        section_.setCaption(!workspace_.modelId()                 ? QString()
                            : !workspace_.target().name.isEmpty() ? workspace_.target().name
                            : chip.isEmpty()                      ? PoolRow::tr("own pools")
                                                                  : chip);
        const std::vector<Pool> pools = workspace_.pools();
        if (!anew && pools.size() == rows_.size()) {
            for (PoolRow* row : rows_) row->refresh();
            for (PoolForm* form : findChildren<PoolForm*>()) form->refresh();
            fold();
            return;
        }
        clearLayout(*column_);
        rows_.clear();
        for (std::size_t i = 0; i < pools.size(); ++i) {
            auto* row = new PoolRow(workspace_, look_, i);
            column_->addWidget(row);
            rows_.push_back(row);
            connect(row, &PoolRow::propertiesRequested, this, [this, row, i](bool on) {
                if (on) {
                    column_->insertWidget(column_->indexOf(row) + 1, new PoolForm(workspace_, i));
                } else if (auto* form = qobject_cast<PoolForm*>(column_->itemAt(column_->indexOf(row) + 1)->widget())) {
                    form->setParent(nullptr);
                    form->deleteLater();
                }
            });
        }
        more_ = makeButton({}, {}, ButtonKind::link, true);
        more_->setObjectName(QStringLiteral("emptyMemories"));
        connect(more_, &QPushButton::clicked, this, [this] {
            opened_ = !opened_;
            fold();
        });
        auto* last = new QHBoxLayout;
        last->setContentsMargins(padding, 2, padding, 2);
        last->addWidget(more_);
        last->addStretch();
        column_->addLayout(last);
        fold();
    }

    void fold()
    {
        std::vector<bool> empty;
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            const PoolReport* report = reportOf(workspace_, i);
            empty.push_back(workspace_.run() && (!report || report->size == 0));
        }
        const auto count = std::ranges::count(empty, true);
        const bool folds = count >= 2 && count < std::ssize(empty);
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            const QLayoutItem* next = column_->itemAt(column_->indexOf(rows_[i]) + 1);
            const bool edited =
                rows_[i]->hasFocus() || rows_[i]->findChild<QLineEdit*>() || (next && qobject_cast<PoolForm*>(next->widget()));
            rows_[i]->setVisible(!folds || opened_ || !empty[i] || edited);
        }
        more_->setText(opened_ ? PoolRow::tr("Hide %1 empty pools").arg(count) : PoolRow::tr("%1 empty pools").arg(count));
        more_->setVisible(folds);
    }

    Workspace& workspace_;
    const Look& look_;
    Section& section_;
    QVBoxLayout* column_ = nullptr;
    std::vector<PoolRow*> rows_;
    QPushButton* more_ = nullptr; ///< opens and folds the empty ones
    bool opened_ = false;
};

} // namespace

Section* makeTargetSection(Workspace& workspace, const Look& look)
{
    auto* section = new Section(PoolRow::tr("Target"), look);
    section->body()->addWidget(new PoolRows(workspace, look, *section));
    return section;
}

} // namespace stowage
