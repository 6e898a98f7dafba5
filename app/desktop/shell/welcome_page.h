// The page without open models: a place to drop a model, samples, recent files, first steps, the last failed import.
#pragma once

#include "app/desktop/workspace.h"

#include <QScrollArea>

#include <optional>
#include <vector>

class QVBoxLayout;

namespace stowage {

class ActionRegistry;
class ErrorCard;
class Look;
class Samples;

class WelcomePage : public QScrollArea {
    Q_OBJECT

public:
    WelcomePage(Workspace& workspace, const Look& look, const ActionRegistry& actions, QWidget* parent = nullptr);
    void setNotice(const std::optional<Notice>& notice);
    /// Highlights the drop area while a file is dragged over the window.
    void setDropHighlight(bool on);

Q_SIGNALS:
    void noticeClosed();
    void listRequested();
    void fileChosen(const QString& path); ///< a recent file: a model or a session

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void refreshRecent();
    void arrange();
    QWidget* makeDropArea();
    QWidget* makeFirstSteps();

    Workspace& workspace_;
    const Look& look_;
    const ActionRegistry& actions_;
    Samples* samples_ = nullptr;
    QWidget* content_ = nullptr;
    QWidget* left_ = nullptr;
    QWidget* right_ = nullptr;
    QWidget* cardBox_ = nullptr; ///< the samples
    QWidget* drop_ = nullptr;
    std::vector<QWidget*> cards_;
    QVBoxLayout* recent_ = nullptr;
    NumberFormat recentNumbers_; ///< of the sizes in `recent_`
    QWidget* noticeBox_ = nullptr;
    QWidget* noticeTitle_ = nullptr;
    ErrorCard* card_ = nullptr;
    int cardColumns_ = 0;
};

} // namespace stowage
