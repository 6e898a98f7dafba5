// A bar over the lower left of the window while files are being read, with their names and Cancel.
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
    QTimer* delay_ = nullptr; ///< because most files are read in less time than reading a text takes
};

} // namespace stowage
