#include "app/desktop/shell/settings_dialog.h"

#include "app/desktop/file_watch.h"
#include "app/desktop/look/look.h"
#include "app/desktop/look/metrics.h"
#include "app/desktop/widgets/controls.h"
#include "app/desktop/workspace.h"
#include "app/session/build_id.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QLabel>
#include <QSettings>
#include <QSignalBlocker>
#include <QVBoxLayout>

namespace stowage {

SettingsDialog::SettingsDialog(Workspace& workspace, Look& look, FileWatch& watch, QWidget* parent)
    : QDialog(parent), workspace_(workspace), look_(look), watch_(watch)
{
    setWindowTitle(tr("Settings"));
    setObjectName(QStringLiteral("settingsDialog"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(20, 16, 20, 16);
    column->setSpacing(8);
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(16);
    grid->setVerticalSpacing(8);
    grid->setColumnStretch(1, 1);
    column->addLayout(grid);
    column->addStretch();

    const auto choice = [](const QStringList& texts) {
        auto* box = new QComboBox;
        box->addItems(texts);
        return box;
    };
    theme_ = choice({tr("Dark"), tr("Light"), tr("As the system")});
    // In a low dialog the layout would take height from the combo boxes, but not from the field of the time limit.
    theme_->ensurePolished();
    const int editorHeight = theme_->sizeHint().height();

    int row = 0;
    const auto head = [&](const QString& title) {
        QLabel* label = makeLabel(title, Tone::main, metrics::title, QFont::DemiBold);
        if (row > 0) label->setContentsMargins(0, 10, 0, 0);
        grid->addWidget(label, row++, 0, 1, 2);
    };
    const auto add = [&](const QString& name, const QString& tip, const char* id, QWidget* editor) {
        QLabel* label = makeLabel(name, Tone::secondary);
        label->setBuddy(editor);
        label->setToolTip(tip);
        editor->setToolTip(tip);
        editor->setObjectName(QLatin1String(id));
        editor->setAccessibleName(name);
        grid->addWidget(label, row, 0);
        grid->setRowMinimumHeight(row, editorHeight);
        grid->addWidget(editor, row++, 1);
    };
    const auto check = [&](const QString& text, const QString& tip, const char* id) {
        auto* box = new QCheckBox(text);
        box->setToolTip(tip);
        box->setObjectName(QLatin1String(id));
        grid->addWidget(box, row++, 0, 1, 2);
        return box;
    };

    head(tr("Look"));
    add(tr("Theme"), tr("Colours of the window and of every picture in it"), "settingTheme", theme_);
    connect(theme_, &QComboBox::activated, this, [this](int index) { look_.setMode(ThemeMode(index)); });

    head(tr("Numbers"));
    unit_ = choice({tr("Bytes"), tr("KiB"), tr("Words of 4 bytes")});
    add(tr("Sizes in"), tr("Unit of sizes in tables, axes and panels"), "settingUnit", unit_);
    base_ = choice({tr("Decimal"), tr("Hexadecimal")});
    add(tr("Addresses"), tr("Base of addresses"), "settingBase", base_);
    const auto numbers = [this] {
        workspace_.setNumbers({NumberFormat::Unit(unit_->currentIndex()), base_->currentIndex() == 1});
    };
    connect(unit_, &QComboBox::activated, this, numbers);
    connect(base_, &QComboBox::activated, this, numbers);

    head(tr("Planning"));
    limit_ = new QDoubleSpinBox;
    limit_->setRange(0, 86'400);
    limit_->setDecimals(1);
    limit_->setSuffix(tr(" s"));
    limit_->setSpecialValueText(tr("none"));
    limit_->setButtonSymbols(QAbstractSpinBox::NoButtons); // the arrow keys and the wheel do it
    limit_->setFixedHeight(editorHeight);
    add(tr("Time limit"), tr("After this time a planner stops with the best plan it has found; 0: no limit"), "settingTimeLimit",
        limit_);
    connect(limit_, &QDoubleSpinBox::valueChanged, &workspace_.planners(), &PlannerChoice::setTimeLimitSeconds);

    head(tr("Files"));
    reload_ =
        check(tr("Reload changed files by themselves"), tr("When this is off, a card offers to reload them"), "settingReload");
    connect(reload_, &QCheckBox::toggled, this, [this](bool on) { watch_.setReloads(on); });
    reopen_ = check(tr("Reopen the last session at the start"), tr("Applies when the program is started without a file"),
                    "settingReopen");
    connect(reopen_, &QCheckBox::toggled, this, [](bool on) { QSettings().setValue(QLatin1String(settings::reopenLast), on); });

    head(tr("About"));
    QLabel* about = makeLabel(
        tr("Stowage %1, core %2").arg(QString::fromLatin1(programVersion()), QString::fromStdString(buildId())), Tone::secondary);
    about->setTextInteractionFlags(Qt::TextSelectableByMouse); // for whoever reports something
    grid->addWidget(about, row++, 0, 1, 2);

    auto* buttons = new QHBoxLayout;
    buttons->setContentsMargins(0, 14, 0, 0);
    buttons->setSpacing(8);
    auto* panels = makeButton(tr("Reset panels"), {});
    panels->setObjectName(QStringLiteral("resetPanels"));
    connect(panels, &QPushButton::clicked, this, &SettingsDialog::panelsReset);
    auto* tour = makeButton(tr("Take the tour"), {});
    tour->setObjectName(QStringLiteral("takeTour"));
    connect(tour, &QPushButton::clicked, this, &SettingsDialog::tourRequested);
    auto* close = makeButton(tr("Close"), {}, ButtonKind::primary);
    connect(close, &QPushButton::clicked, this, &QDialog::close);
    buttons->addWidget(panels);
    buttons->addWidget(tour);
    buttons->addStretch();
    buttons->addSpacing(24);
    buttons->addWidget(close);
    column->addLayout(buttons);

    connect(&look_, &Look::modeChanged, this, &SettingsDialog::refresh);
    connect(&workspace_, &Workspace::contextChanged, this, &SettingsDialog::refresh);
    connect(&workspace_, &Workspace::planningChanged, this, &SettingsDialog::refresh);
    refresh();
}

void SettingsDialog::refresh()
{
    const QSignalBlocker limit(limit_), reload(reload_), reopen(reopen_);
    theme_->setCurrentIndex(int(look_.mode()));
    unit_->setCurrentIndex(int(workspace_.numbers().unit));
    base_->setCurrentIndex(workspace_.numbers().hexAddresses ? 1 : 0);
    // Setting a value writes its text anew, also while it is being typed.
    if (const double seconds = workspace_.planners().timeLimitSeconds(); seconds != limit_->value()) limit_->setValue(seconds);
    reload_->setChecked(watch_.reloads());
    reopen_->setChecked(QSettings().value(QLatin1String(settings::reopenLast), true).toBool());
}

} // namespace stowage
