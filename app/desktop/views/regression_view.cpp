#include "app/desktop/views/regression_view.h"

#include "app/desktop/look/look.h"
#include "app/desktop/widgets/controls.h"
#include "app/desktop/widgets/open_dialog.h"
#include "app/desktop/workspace.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPointer>
#include <QPushButton>

#include <array>
#include <utility>

namespace stowage {

RegressionView::RegressionView(Workspace& workspace, const Look& look, QWidget* parent)
    : PictureView(*pictureEntry(QStringLiteral("regression")), workspace, look, parent), desk_(workspace)
{
    makeControls();
    const auto takeSuite = [this] {
        const bool other = this->workspace().suite() != desk_.suite();
        if (this->workspace().suiteAsked() && (other || desk_.held()))
            desk_.run();
        else if (other)
            desk_.hold();
    };
    connect(&workspace, &Workspace::suiteChanged, this, takeSuite);
    connect(&workspace, &Workspace::suiteWanted, this, [this] {
        if (!desk_.held()) desk_.run(); // else the file is read when the user asks
    });
    connect(&desk_, &SuiteDesk::changed, this, [this] {
        showRegression(desk_.regression());
        refresh();
        if (!desk_.running()) asksAgain_.clear(); // the baseline was not written: no results follow
    });
    connect(&desk_, &SuiteDesk::answered, this, [this] {
        const bool planned = desk_.regression() && desk_.regression() != shown_; // and neither cancelled nor failed
        if (std::exchange(asksAgain_, {}) == desk_.suite() && planned) askToUpdate();
    });
    connect(canvas(), &Canvas::clicked, this, [this] { refresh(); });
    takeSuite();
    refresh();
}

bool RegressionView::applies(const Workspace& workspace)
{
    return !workspace.suite().isEmpty();
}

void RegressionView::makeControls()
{
    auto* controls = new QWidget;
    auto* row = new QHBoxLayout(controls);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    suiteChoice_ = new ChoiceButton(QStringLiteral("list"), true);
    suiteChoice_->setObjectName(QStringLiteral("regressionSuite"));
    suiteChoice_->setAccessibleName(tr("Suite"));
    suiteChoice_->setToolTip(tr("The suite of models that is compared with its baseline"));
    suiteChoice_->setMenuFiller([this](QMenu& menu) { menu.addAction(tr("Open a suite…"), this, &RegressionView::openSuite); });
    row->addWidget(suiteChoice_);
    said_ = makeLabel({}, Tone::secondary);
    said_->setObjectName(QStringLiteral("regressionSaid"));
    row->addWidget(said_, 1);
    const auto button = [&](const char* name, const QString& text, const QString& icon, const QString& tip, auto slot) {
        QPushButton* made = makeButton(text, icon, ButtonKind::normal, true);
        made->setObjectName(QLatin1String(name));
        made->setToolTip(tip);
        connect(made, &QPushButton::clicked, this, slot);
        row->addWidget(made);
        return made;
    };
    both_ = button("regressionBoth", tr("Open both maps"), QStringLiteral("compare"),
                   tr("Opens the model of the row with its plan, and the baseline's beside it"), [this] {
                       if (const RegressionRow* chosen = chosenRow()) desk_.openBothMaps(*chosen);
                   });
    acceptRow_ =
        button("regressionAccept", tr("Accept row"), QStringLiteral("check"), tr("Writes this row into the baseline"), [this] {
            const RegressionRow* chosen = chosenRow();
            if (!chosen) return;
            const std::array key{chosen->result.key};
            desk_.accept(key);
        });
    again_ =
        button("regressionAgain", tr("Run again"), QStringLiteral("refresh"), tr("Plans every row of the suite again"), [this] {
            if (desk_.running())
                desk_.cancel();
            else
                desk_.run();
        });
    update_ = button("regressionUpdate", tr("Update baseline…"), QStringLiteral("flag"),
                     tr("Writes all results into the baseline beside the suite"), [this] { askToUpdate(); });
    barRow().insertWidget(0, controls, 1);
}

void RegressionView::openSuite()
{
    OpenDialog dialog(workspace().session().importers(), tr("Open a suite"), {tr("Suites (*.json)")},
                      QStringLiteral("regression-suites"), QFileInfo(desk_.suite()).absolutePath(), window());
    const QString file = dialog.ask();
    if (!file.isEmpty()) workspace().openSuite(file);
}

void RegressionView::askToUpdate()
{
    if (!desk_.regression()) return;
    Notice notice{tr("Write the baseline of %1?").arg(QString::fromStdString(desk_.regression()->suite.name)), {}, {}, {}, {}};
    notice.what.severity = Severity::note;
    notice.what.message =
        tr("The results of this run replace the baseline of every row that did not fail. The baseline has %1 rows now.")
            .arg(desk_.regression()->baselineRows)
            .toStdString();
    const auto holds = [desk = QPointer(&desk_), asked = desk_.regression()] {
        return desk && !desk->running() && desk->regression() == asked;
    };
    notice.holds = holds;
    notice.choices = {{tr("Write it"), [this, desk = QPointer(&desk_), holds] {
                           if (holds())
                               desk->accept({});
                           else if (desk && desk->running())
                               asksAgain_ = desk->suite(); // its next results are asked about
                           else if (desk)
                               askToUpdate(); // other results are shown by now
                       }}};
    workspace().report(notice);
}

const RegressionRow* RegressionView::chosenRow()
{
    return canvas()->scene() ? regressionPicture().row() : nullptr;
}

void RegressionView::showRegression(const std::shared_ptr<const Regression>& regression)
{
    if (regression == shown_) return;
    shown_ = regression;
    PictureSource source;
    if (shown_) {
        auto subject = std::make_shared<RegressionSubject>();
        subject->regression = shown_;
        source.subject = std::move(subject);
        source.scenes = workspace().scenes();
    }
    canvas()->setFileTitle(shown_ ? QString::fromStdString(shown_->suite.name) : QString());
    canvas()->setSource(std::move(source));
}

QString RegressionView::said() const
{
    return said_->text();
}

void RegressionView::setContext(const ViewContext& context)
{
    canvas()->setNumbers(context.numbers);
    refresh();
}

PictureView::Page RegressionView::page(const Error*) const
{
    if (workspace().suite().isEmpty())
        return {QStringLiteral("regression"), tr("Open a suite of models to compare it with its baseline."), tr("Open a suite…")};
    if (const auto& failure = desk_.failure(); failure && !desk_.running()) {
        const QString text = QString::fromStdString(failure->code == Code::cancelled ? failure->message : toText(*failure));
        return {QStringLiteral("warning"), text, tr("Run again")};
    }
    if (desk_.held())
        return {QStringLiteral("regression"), tr("This suite comes from a session, and is planned when you ask."),
                tr("Plan the suite")};
    if (desk_.total() > 0)
        return {QStringLiteral("clock"), tr("Planned %1 of %2 rows…").arg(desk_.done()).arg(desk_.total()), tr("Cancel")};
    return {QStringLiteral("clock"), tr("Planning the suite…"), tr("Cancel")};
}

void RegressionView::pressPage()
{
    if (workspace().suite().isEmpty())
        openSuite();
    else if (desk_.running())
        desk_.cancel();
    else
        desk_.run();
}

void RegressionView::refresh()
{
    PictureView::refresh();
    if (!update_ || !bar()) return; // still being made, or gone
    bar()->setEnabled(true);
    const QString& suite = desk_.suite();
    suiteChoice_->setChoice(suite.isEmpty() ? tr("Open a suite") : QFileInfo(suite).fileName());
    const RegressionRow* chosen = chosenRow();
    both_->setEnabled(chosen && (chosen->current || chosen->baseline));
    acceptRow_->setEnabled(chosen && chosen->result.verdict != RowVerdict::same && chosen->result.verdict != RowVerdict::failed &&
                           !desk_.running());
    again_->setText(desk_.running() ? tr("Cancel") : tr("Run again"));
    again_->setEnabled(!suite.isEmpty());
    update_->setEnabled(desk_.regression() && !desk_.running());
    said_->setText(desk_.told());
}

} // namespace stowage
