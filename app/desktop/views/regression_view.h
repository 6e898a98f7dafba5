// The comparison of a suite with its baseline (see app/desktop/workspace/suite_desk.h), with both maps, and buttons that accept
// rows as the new baseline.
#pragma once

#include "app/canvas/pictures/regression/regression_picture.h"
#include "app/desktop/views/picture_view.h"
#include "app/desktop/workspace/suite_desk.h"

#include <QString>

#include <memory>
#include <string>

class QLabel;
class QPushButton;

namespace stowage {

class ChoiceButton;

class RegressionView : public PictureView {
    Q_OBJECT

public:
    RegressionView(Workspace& workspace, const Look& look, QWidget* parent);

    /// Whether a suite is open.
    static bool applies(const Workspace& workspace);

    void setContext(const ViewContext& context) override;

    [[nodiscard]] SuiteDesk& desk() { return desk_; }
    [[nodiscard]] RegressionPicture& regressionPicture() { return pictureAs<RegressionPicture>(); }
    /// The text beside the controls.
    [[nodiscard]] QString said() const;

protected:
    [[nodiscard]] Page page(const Error* why) const override;
    void pressPage() override;
    void refresh() override;

private:
    void makeControls();
    void openSuite();
    void askToUpdate();
    [[nodiscard]] const RegressionRow* chosenRow();
    void showRegression(const std::shared_ptr<const Regression>& regression);

    SuiteDesk desk_;
    std::shared_ptr<const Regression> shown_; ///< the regression in the picture
    QString asksAgain_;                       ///< suite for which `askToUpdate` follows when it is planned; empty: none

    ChoiceButton* suiteChoice_ = nullptr;
    QLabel* said_ = nullptr;
    QPushButton* both_ = nullptr;
    QPushButton* acceptRow_ = nullptr;
    QPushButton* again_ = nullptr;
    QPushButton* update_ = nullptr;
};

} // namespace stowage
