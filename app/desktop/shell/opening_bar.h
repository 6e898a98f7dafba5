// Over the lower left of the window while files are being read: which ones, and Cancel.
#pragma once

#include <QFrame>

class QTimer;
class QVBoxLayout;

namespace stowage {

class Workspace;

class OpeningBar : public QFrame {
    Q_OBJECT

public:
    OpeningBar(Workspace& workspace, QWidget* parent);

Q_SIGNALS:
    void resized();

private:
    void refresh();

    Workspace& workspace_;
    QVBoxLayout* rows_ = nullptr;
    QTimer* delay_ = nullptr; ///< most files are there before one could read a word
};

} // namespace stowage
