// The search field of the toolbar: lists hits while the user types; Enter makes the text the filter of all views, or selects the
// buffer at an address.
#pragma once

#include "app/desktop/buffer_filter.h"
#include "app/desktop/widgets/name_fit.h"

#include <QLineEdit>

#include <memory>
#include <vector>

class QFrame;
class QLabel;
class QListWidget;
class QTimer;

namespace stowage {

class Look;
class Workspace;

class SearchField : public QLineEdit {
    Q_OBJECT

public:
    SearchField(Workspace& workspace, const Look& look, QWidget* parent = nullptr);
    /// The buffers that match the current text, at most `limit`, with the count of all.
    struct Hits : SearchHits {
        QString error;
        bool atAddress = false; ///< the text has an address: Enter selects a buffer instead of filtering
    };
    [[nodiscard]] Hits hits(std::size_t limit) const;

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void showHits();
    void apply();
    void chooseRow(int row);

    Workspace& workspace_;
    const Look& look_;
    NameFit names_; ///< of the buffers of `namesOf_`
    std::shared_ptr<const Run> namesOf_;
    QFrame* popup_ = nullptr;
    QListWidget* list_ = nullptr;
    QLabel* summary_ = nullptr;
    QTimer* delay_ = nullptr;
};

} // namespace stowage
