#include "app/desktop/shell/welcome_page.h"

#include "app/canvas/kit/fonts.h"
#include "app/desktop/look/icons.h"
#include "app/desktop/look/look.h"
#include "app/desktop/look/metrics.h"
#include "app/desktop/shell/action_registry.h"
#include "app/desktop/shell/samples.h"
#include "app/desktop/widgets/chip.h"
#include "app/desktop/widgets/controls.h"
#include "app/desktop/widgets/error_card.h"
#include "app/desktop/widgets/name_fit.h"

#include <QAbstractButton>
#include <QAction>
#include <QDateTime>
#include <QDir>
#include <QEnterEvent>
#include <QFileInfo>
#include <QFocusEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLocale>
#include <QPainter>
#include <QStringList>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <utility>

namespace stowage {

namespace {

constexpr int rightWidth = 520; ///< at most
constexpr int minRight = 420;
constexpr int minLeft = 480;
constexpr int columnGap = 40;
constexpr int cardWidth = 216; ///< at least, where there is room for two
constexpr int maxCardColumns = 6;
constexpr int sectionGap = 28;
constexpr int pageMargin = 32;
constexpr int pageWidth = 1400;
constexpr int recentShown = 6;

/// Logo, name, and what it is for.
class Banner : public QWidget {
public:
    explicit Banner(const Look& look) : look_(look) { setFixedHeight(48); }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        paintLogo(painter, QRectF(2, 5, 36, 36), look_.theme());
        painter.setPen(look_.theme().text);
        painter.setFont(uiFont(metrics::welcome, QFont::DemiBold));
        painter.drawText(QRect(54, 0, width() - 54, 26), Qt::AlignLeft | Qt::AlignVCenter, QStringLiteral("Stowage"));
        painter.setPen(look_.theme().text2);
        painter.setFont(uiFont(metrics::title));
        const QString purpose = WelcomePage::tr("Plan a model’s buffers into memory, and see why every byte is where it is.");
        painter.drawText(QRect(54, 28, width() - 54, 20), Qt::AlignLeft | Qt::AlignVCenter,
                         painter.fontMetrics().elidedText(purpose, Qt::ElideRight, width() - 54));
    }

private:
    const Look& look_;
};

class DropArea : public QWidget {
public:
    explicit DropArea(const Look& look) : look_(look) { setFixedHeight(166); }
    void setHighlight(bool on)
    {
        highlight_ = on;
        update();
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const Theme& theme = look_.theme();
        QPen pen(highlight_ ? theme.accent : theme.line2, highlight_ ? 2 : 1);
        pen.setDashPattern({4, 3});
        painter.setPen(pen);
        painter.setBrush(highlight_ ? theme.accentSoft : theme.panel);
        painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), metrics::cardRadius, metrics::cardRadius);
        paintIcon(painter, QRectF(0, 24, width(), 26), QStringLiteral("drop"), theme.accent, 26);
    }

private:
    const Look& look_;
    bool highlight_ = false;
};

/// Blocks in the place of a thumbnail that is not there yet, hardly brighter or darker than the card.
void paintPlaceholder(QPainter& painter, const QRectF& box, const Theme& theme)
{
    constexpr std::array<QRectF, 5> blocks{QRectF(0, 0.72, 0.42, 0.28), QRectF(0.14, 0.36, 0.24, 0.36),
                                           QRectF(0.42, 0.52, 0.33, 0.48), QRectF(0.56, 0.2, 0.19, 0.32),
                                           QRectF(0.75, 0.64, 0.25, 0.36)}; // shares of the box
    for (const QRectF& block : blocks)
        painter.fillRect(QRectF(box.left() + block.left() * box.width(), box.top() + block.top() * box.height(),
                                block.width() * box.width(), block.height() * box.height())
                             .adjusted(0.5, 0.5, -0.5, -0.5),
                         theme.hover);
}

/// A sample: its picture over its name.
class SampleCard : public QAbstractButton {
public:
    SampleCard(const Samples& samples, std::size_t index, const Look& look) : samples_(samples), index_(index), look_(look)
    {
        setFixedHeight(178);
        setMinimumWidth(180);
        setCursor(Qt::PointingHandCursor);
        setFocusPolicy(Qt::StrongFocus);
        setAccessibleName(samples.all()[index].title);
        refresh();
        setObjectName(QStringLiteral("sample:") + QFileInfo(samples.all()[index].path).completeBaseName());
    }
    /// Shows and describes the sample as it is now: with its plan, when that is there.
    void refresh()
    {
        const Sample& sample = samples_.all()[index_];
        QStringList told{sample.subtitle, sample.note, countOf(sample)};
        told.removeAll(QString());
        setAccessibleDescription(told.join(QStringLiteral(", ")));
        update();
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const Theme& theme = look_.theme();
        const Sample& sample = samples_.all()[index_];
        const bool lit = underMouse() || hasFocus();
        painter.setPen(lit ? theme.accent : theme.line);
        painter.setBrush(isDown() ? theme.hover : theme.raised);
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), metrics::cardRadius, metrics::cardRadius);
        painter.setRenderHint(QPainter::Antialiasing, false);
        const QRectF picture(9, 14, width() - 18, 90);
        painter.fillRect(QRectF(1, 104, width() - 2, 1), theme.line);
        if (sample.run)
            paintThumbnail(painter, picture, *sample.run, theme);
        else
            paintPlaceholder(painter, picture, theme);

        const QRect text = rect().adjusted(12, 112, -12, 0);
        const QString count = countOf(sample);
        painter.setFont(monoFont(metrics::caption));
        painter.setPen(theme.text2);
        painter.drawText(QRect(text.left(), text.top(), text.width(), 18), Qt::AlignRight | Qt::AlignVCenter, count);
        const int used = painter.fontMetrics().horizontalAdvance(count) + 8;
        const auto line = [&](int y, const QString& what, const QFont& font, const QColor& ink, int room) {
            painter.setFont(font);
            painter.setPen(ink);
            painter.drawText(QRect(text.left(), text.top() + y, room, 18), Qt::AlignLeft | Qt::AlignVCenter,
                             painter.fontMetrics().elidedText(what, Qt::ElideRight, room));
        };
        line(0, sample.title, uiFont(metrics::title, QFont::DemiBold), theme.text, text.width() - used);
        line(19, sample.subtitle, uiFont(metrics::body), theme.text2, text.width());
        line(37, sample.note, uiFont(metrics::caption), theme.text2, text.width());
    }
    void enterEvent(QEnterEvent*) override { update(); }
    void leaveEvent(QEvent*) override { update(); }

private:
    /// Empty until the sample is planned.
    static QString countOf(const Sample& sample)
    {
        return sample.run ? countedText(std::int64_t(sample.run->problem().buffers.size()), WelcomePage::tr("buffer"))
                          : QString();
    }

    const Samples& samples_;
    std::size_t index_;
    const Look& look_;
};

/// A recent file: name over folder, verdict, size, when.
class RecentRow : public QAbstractButton {
public:
    /// `names`: of the files that are listed.
    RecentRow(const RecentFile& recent, NameFit names, const NumberFormat& numbers, const Look& look)
        : recent_(recent), names_(std::move(names)), numbers_(numbers), look_(look)
    {
        setFixedHeight(40);
        setCursor(Qt::PointingHandCursor);
        setFocusPolicy(Qt::StrongFocus);
        setAccessibleName(recent.path);
        setToolTip(recent.path);
        describe();
    }

protected:
    void focusInEvent(QFocusEvent* event) override
    {
        describe(); // "just now" does not last
        QAbstractButton::focusInEvent(event);
    }
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        const Theme& theme = look_.theme();
        if (underMouse() || hasFocus()) painter.fillRect(rect(), theme.hover);
        painter.fillRect(QRect(0, height() - 1, width(), 1), theme.line);
        paintIcon(painter, QRectF(0, 0, 18, height()), QStringLiteral("file"), theme.text2);
        const QRect box = rect().adjusted(0, 0, -2, -1);
        painter.setFont(uiFont(metrics::body));
        painter.setPen(theme.text2);
        painter.drawText(box, Qt::AlignRight | Qt::AlignVCenter, when());
        int right = box.right() - 92;
        int sizeWidth = 106;
        if (recent_.size > 0) {
            painter.setFont(monoFont(metrics::body));
            // In a narrow page the short form: no number is cut, and the name keeps most of the row.
            QString size = bytesText(recent_.size, numbers_);
            if (painter.fontMetrics().horizontalAdvance(size) > width() / 4) size = shortBytes(recent_.size, numbers_);
            painter.drawText(QRect(box.left(), box.top(), right, box.height()), Qt::AlignRight | Qt::AlignVCenter, size);
            sizeWidth = std::max(sizeWidth, painter.fontMetrics().horizontalAdvance(size) + 16);
        }
        right -= sizeWidth;
        if (const auto verdict = verdictOf(recent_.verdict.toStdString())) {
            const VerdictLook look = verdictLook(verdict, theme);
            const int width = chipWidth(look.word);
            paintChip(painter, right - width, box.height() / 2.0, look.icon, look.word, look.ink, look.soft);
            right -= width;
        }
        const QRect text(26, 3, right - 38, 18);
        const QFileInfo file(recent_.path);
        painter.setFont(uiFont(metrics::body, QFont::Medium));
        painter.setPen(theme.text);
        painter.drawText(text, Qt::AlignLeft | Qt::AlignVCenter,
                         names_.fit(file.fileName(), painter.fontMetrics(), text.width()));
        QString folder = file.absolutePath();
        if (folder.startsWith(QDir::homePath())) folder.replace(0, QDir::homePath().size(), QStringLiteral("~"));
        painter.setFont(uiFont(metrics::caption));
        painter.setPen(theme.text2);
        painter.drawText(text.translated(0, 16), Qt::AlignLeft | Qt::AlignVCenter,
                         painter.fontMetrics().elidedText(folder, Qt::ElideMiddle, text.width()));
    }
    void enterEvent(QEnterEvent*) override { update(); }
    void leaveEvent(QEvent*) override { update(); }

private:
    void describe()
    {
        QStringList told;
        if (const auto verdict = verdictOf(recent_.verdict.toStdString())) told << verdictLook(verdict, look_.theme()).word;
        if (recent_.size > 0) told << bytesText(recent_.size, numbers_);
        setAccessibleDescription((told << when()).join(QStringLiteral(", ")));
    }
    [[nodiscard]] QString when() const
    {
        const QDateTime then = QDateTime::fromSecsSinceEpoch(recent_.openedAt), now = QDateTime::currentDateTime();
        const qint64 seconds = then.secsTo(now), days = then.date().daysTo(now.date());
        if (seconds < 90) return WelcomePage::tr("just now");
        if (seconds < 3600) return WelcomePage::tr("%1 min ago").arg(seconds / 60);
        if (days == 0) return WelcomePage::tr("%1 h ago").arg(seconds / 3600);
        if (days == 1) return WelcomePage::tr("yesterday");
        const QLocale english(QLocale::English);
        return days < 7 ? english.dayName(then.date().dayOfWeek()) : english.toString(then.date(), QStringLiteral("d MMM"));
    }

    RecentFile recent_;
    NameFit names_;
    NumberFormat numbers_;
    const Look& look_;
};

QHBoxLayout* heading(const QString& title, const QString& caption, QWidget* right)
{
    auto* row = new QHBoxLayout;
    row->setSpacing(10);
    row->addWidget(makeLabel(title, Tone::main, metrics::section, QFont::DemiBold), 0, Qt::AlignBottom);
    if (!caption.isEmpty()) row->addWidget(makeLabel(caption, Tone::secondary), 0, Qt::AlignBottom);
    row->addStretch();
    if (right) row->addWidget(right, 0, Qt::AlignBottom);
    return row;
}

} // namespace

WelcomePage::WelcomePage(Workspace& workspace, const Look& look, const ActionRegistry& actions, QWidget* parent)
    : QScrollArea(parent), workspace_(workspace), look_(look), actions_(actions)
{
    setWidgetResizable(true);
    setFocusPolicy(Qt::NoFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    content_ = new QWidget;
    content_->setProperty("surface", "base");
    content_->setAttribute(Qt::WA_StyledBackground);

    samples_ = new Samples(workspace.session(), this);
    left_ = new QWidget(content_);
    auto* left = new QVBoxLayout(left_);
    left->setContentsMargins(0, 0, 0, 0);
    left->setSpacing(0);
    left->addWidget(new Banner(look));
    left->addSpacing(20);
    left->addWidget(makeDropArea());
    left->addStretch();
    cardBox_ = new QWidget(content_);
    auto* below = new QVBoxLayout(cardBox_);
    below->setContentsMargins(0, 0, 0, 0);
    below->setSpacing(12);
    below->addLayout(heading(tr("Samples"), tr("one for every view"), nullptr));
    auto* grid = new QGridLayout;
    grid->setSpacing(16);
    grid->setObjectName(QStringLiteral("samples"));
    below->addLayout(grid);
    below->addStretch();
    for (std::size_t i = 0; i < samples_->all().size(); ++i) {
        auto* card = new SampleCard(*samples_, i, look);
        card->setParent(cardBox_); // laid out when the page is first shown, if ever
        connect(card, &QAbstractButton::clicked, this, [this, i] {
            const Sample& sample = samples_->all()[i];
            workspace_.open(sample.path, sample.intent);
        });
        connect(samples_, &Samples::planned, card, [card, i](int planned) {
            if (std::size_t(planned) == i) card->refresh();
        });
        cards_.push_back(card);
    }

    right_ = new QWidget(content_);
    auto* right = new QVBoxLayout(right_);
    right->setContentsMargins(0, 0, 0, 0);
    right->setSpacing(0);
    recent_ = new QVBoxLayout;
    recent_->setSpacing(0);
    right->addLayout(recent_);
    right->addLayout(heading(tr("First steps"), {}, nullptr));
    right->addSpacing(10);
    right->addWidget(makeFirstSteps());
    noticeBox_ = new QWidget;
    auto* notice = new QVBoxLayout(noticeBox_);
    notice->setContentsMargins(0, 30, 0, 0);
    notice->setSpacing(10);
    noticeTitle_ = makeLabel(tr("Last import"), Tone::main, metrics::section, QFont::DemiBold);
    notice->addWidget(noticeTitle_);
    card_ = new ErrorCard(look);
    notice->addWidget(card_);
    noticeBox_->hide();
    right->addWidget(noticeBox_);
    right->addStretch();
    connect(card_, &ErrorCard::closed, this, &WelcomePage::noticeClosed);
    connect(card_, &ErrorCard::openRequested, actions_.action(QStringLiteral("file.open")), &QAction::trigger);
    connect(card_, &ErrorCard::listRequested, this, &WelcomePage::listRequested);

    setWidget(content_);
    refreshRecent();
    connect(&workspace_.session(), &Session::recentFilesChanged, this, &WelcomePage::refreshRecent);
    connect(&workspace_, &Workspace::contextChanged, this, [this] {
        if (workspace_.numbers() != recentNumbers_) refreshRecent();
    });
}

QWidget* WelcomePage::makeDropArea()
{
    auto* area = new DropArea(look_);
    drop_ = area;
    auto* column = new QVBoxLayout(area);
    column->setContentsMargins(16, 58, 16, 22);
    column->setSpacing(4);
    column->addWidget(makeLabel(tr("Drop a model here"), Tone::main, metrics::section, QFont::DemiBold), 0, Qt::AlignHCenter);
    QStringList suffixes;
    QStringList all;
    for (const ImporterInfo& importer : workspace_.session().importers())
        for (const std::string& suffix : importer.suffixes) {
            const QString text = u'.' + QString::fromStdString(suffix);
            if (all.contains(text)) continue;
            all << text;
            if (suffix == importer.suffixes.front()) suffixes << text; // one of each format: the line has room for no more
        }
    QLabel* kinds = makeLabel(tr("%1, several at once").arg(suffixes.join(u' ')), Tone::secondary);
    kinds->setAlignment(Qt::AlignHCenter);
    kinds->setToolTip(all.join(u' '));
    column->addWidget(kinds, 0, Qt::AlignHCenter);
    column->addSpacing(8);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addStretch();
    auto* open = makeButton(tr("Open…"), QStringLiteral("open"), ButtonKind::primary);
    connect(open, &QPushButton::clicked, actions_.action(QStringLiteral("file.open")), &QAction::trigger);
    buttons->addWidget(open);
    auto* paste = makeButton(tr("Paste a CSV"), QStringLiteral("copy"));
    connect(paste, &QPushButton::clicked, actions_.action(QStringLiteral("file.paste")), &QAction::trigger);
    buttons->addWidget(paste);
    buttons->addStretch();
    column->addLayout(buttons);
    return area;
}

QWidget* WelcomePage::makeFirstSteps()
{
    auto* card = new QFrame;
    card->setProperty("surface", "card");
    auto* column = new QVBoxLayout(card);
    column->setContentsMargins(14, 12, 14, 14);
    column->setSpacing(8);
    const auto step = [&](const QString& number, const QString& title, const QString& text) {
        auto* row = new QGridLayout;
        row->setHorizontalSpacing(16);
        row->setVerticalSpacing(0);
        row->setColumnStretch(1, 1);
        QLabel* mark = makeLabel(number, Tone::accent, metrics::body, QFont::DemiBold);
        mark->setFixedWidth(9);
        row->addWidget(mark, 0, 0);
        row->addWidget(makeLabel(title, Tone::main, metrics::body, QFont::Medium), 0, 1);
        QLabel* more = makeLabel(text, Tone::secondary);
        more->setWordWrap(true);
        row->addWidget(more, 1, 1);
        column->addLayout(row);
    };
    step(QStringLiteral("1"), tr("Open, choose a target, tick planners"),
         tr("Press Plan. Every result is kept as a run to compare."));
    step(QStringLiteral("2"), tr("Click a buffer in the map"),
         tr("The inspector lists the buffers that it rests on, down to address 0."));
    step(QStringLiteral("3"), tr("It does not fit?"),
         tr("The inspector lists the buffers that are live at the peak, and changes that help."));
    column->addSpacing(2);
    column->addWidget(makeLine(Qt::Horizontal));
    column->addSpacing(2);
    auto* keys = new QGridLayout;
    keys->setHorizontalSpacing(10);
    keys->setVerticalSpacing(8);
    const auto key = [&](int row, int at, const QStringList& caps, const QString& text) {
        auto* box = new QHBoxLayout;
        box->setSpacing(4);
        for (const QString& cap : caps) box->addWidget(new KeyCap(cap));
        box->addStretch();
        keys->addLayout(box, row, at);
        keys->addWidget(makeLabel(text, Tone::secondary), row, at + 1);
    };
    key(0, 0, {QStringLiteral("W"), QStringLiteral("S")}, tr("zoom at the cursor"));
    key(0, 2, {QStringLiteral("/")}, tr("search, or 0x…"));
    key(1, 0, {QStringLiteral("P")}, tr("jump to the peak"));
    key(1, 2, {QStringLiteral("Ctrl"), QStringLiteral("Shift"), QStringLiteral("P")}, tr("all commands"));
    keys->setColumnStretch(1, 1);
    keys->setColumnStretch(3, 1);
    column->addLayout(keys);
    auto* more = new QHBoxLayout;
    more->setContentsMargins(0, 6, 0, 0);
    more->setSpacing(8);
    auto* tour = makeButton(tr("One-minute tour"), QStringLiteral("play"));
    connect(tour, &QPushButton::clicked, actions_.action(QStringLiteral("help.tour")), &QAction::trigger);
    more->addWidget(tour);
    auto* guide = makeButton(tr("Guide"), QStringLiteral("book"));
    connect(guide, &QPushButton::clicked, actions_.action(QStringLiteral("help.guide")), &QAction::trigger);
    more->addWidget(guide);
    more->addStretch();
    column->addLayout(more);
    return card;
}

void WelcomePage::refreshRecent()
{
    clearLayout(*recent_);
    recentNumbers_ = workspace_.numbers();
    const std::vector<RecentFile> files = workspace_.session().recentFiles();
    if (files.empty()) return;
    auto* forget = makeButton(tr("Clear"), {}, ButtonKind::link);
    connect(forget, &QPushButton::clicked, this, [this] { workspace_.session().clearRecentFiles(); });
    recent_->addLayout(heading(tr("Recent"), {}, forget));
    recent_->addSpacing(6);
    recent_->addWidget(makeLine(Qt::Horizontal));
    QStringList names;
    for (const RecentFile& file : files) names << QFileInfo(file.path).fileName();
    const NameFit fit(names, NameCuts::letters);
    for (std::size_t i = 0; i < files.size() && i < recentShown; ++i) {
        auto* row = new RecentRow(files[i], fit, workspace_.numbers(), look_);
        // Later: a session that is opened renews this list at once.
        const auto choose = [this, path = files[i].path] { Q_EMIT fileChosen(path); };
        connect(row, &QAbstractButton::clicked, this, choose, Qt::QueuedConnection);
        recent_->addWidget(row);
    }
    recent_->addSpacing(28);
}

void WelcomePage::setNotice(const std::optional<Notice>& notice)
{
    if (notice) {
        card_->setNotice(*notice);
        noticeTitle_->setVisible(!notice->offer());
    }
    noticeBox_->setVisible(notice.has_value());
    arrange();
}

void WelcomePage::setDropHighlight(bool on)
{
    static_cast<DropArea*>(drop_)->setHighlight(on);
}

void WelcomePage::showEvent(QShowEvent* event)
{
    QScrollArea::showEvent(event);
    arrange();
    // The pictures of the samples come after the first paint, which they must not delay.
    QTimer::singleShot(50, samples_, &Samples::plan);
}

void WelcomePage::resizeEvent(QResizeEvent* event)
{
    QScrollArea::resizeEvent(event);
    arrange();
}

void WelcomePage::arrange()
{
    const int room = std::min(viewport()->width() - 2 * pageMargin, pageWidth);
    const bool two = room >= minRight + columnGap + minLeft;
    const int right = two ? std::clamp(room * 44 / 100, minRight, rightWidth) : room;
    const int leftWidth = two ? room - right - columnGap : room;
    const auto heightOf = [](QWidget* widget, int width) {
        widget->layout()->activate();
        return widget->heightForWidth(width) > 0 ? widget->heightForWidth(width) : widget->sizeHint().height();
    };
    const int leftHeight = heightOf(left_, leftWidth), rightHeight = heightOf(right_, right);
    // The samples go across the page, unless recent files beside them make the right side long.
    const bool across = !two || rightHeight <= leftHeight + 120;
    const int cardsWidth = across ? room : leftWidth;
    // As few columns as that many rows need, so that the last row is about as full as the others.
    const int count = int(std::max<std::size_t>(1, cards_.size())),
              most = std::clamp((cardsWidth + 16) / (cardWidth + 16), 1, maxCardColumns);
    const int rows = (count + most - 1) / most, columns = (count + rows - 1) / rows;
    if (columns != cardColumns_) {
        cardColumns_ = columns;
        auto* grid = cardBox_->findChild<QGridLayout*>(QStringLiteral("samples"));
        for (int column = 0; column < grid->columnCount(); ++column) grid->setColumnStretch(column, column < columns ? 1 : 0);
        for (int column = 0; column < columns; ++column) grid->setColumnStretch(column, 1);
        for (std::size_t i = 0; i < cards_.size(); ++i) grid->addWidget(cards_[i], int(i) / columns, int(i) % columns);
    }
    const int cardsHeight = heightOf(cardBox_, cardsWidth);
    const int x = std::max(pageMargin, (viewport()->width() - room) / 2);
    const int top = two ? (across ? std::max(leftHeight, rightHeight) : leftHeight) : leftHeight;
    const int leftSide = top + sectionGap + cardsHeight;
    const int total = two ? std::max(leftSide, rightHeight) : leftSide + sectionGap + rightHeight;
    const int y = std::clamp((viewport()->height() - total) / 3, 24, 68);
    left_->setGeometry(x, y, leftWidth, leftHeight);
    cardBox_->setGeometry(x, y + top + sectionGap, cardsWidth, cardsHeight);
    if (two)
        right_->setGeometry(x + leftWidth + columnGap, y, right, rightHeight);
    else
        right_->setGeometry(x, y + leftSide + sectionGap, right, rightHeight);
    content_->setMinimumHeight(y + total + 24);
}

} // namespace stowage
