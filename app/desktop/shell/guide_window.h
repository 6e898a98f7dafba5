// The user guide: the Markdown pages of resources/guide with the pictures that the build renders, a list of the pages, and a
// search through all of them.
#pragma once

#include <QDialog>
#include <QString>
#include <QStringList>
#include <QTextBrowser>

class QLineEdit;
class QListWidget;

namespace stowage {

class Look;

/// Shows a page of the guide; pictures are no wider than the text.
class GuideText : public QTextBrowser {
    Q_OBJECT

public:
    explicit GuideText(QWidget* parent = nullptr);
    /// Sets the folders that are searched for pages and pictures, in this order.
    void setFolders(const QStringList& folders);
    /// Reads the page again, after a change of theme.
    void renew();

protected:
    void doSetSource(const QUrl& url, QTextDocument::ResourceType type) override;
    QVariant loadResource(int type, const QUrl& name) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void dress();

    int pictureWidth_ = 0;
};

class GuideWindow : public QDialog {
    Q_OBJECT

public:
    explicit GuideWindow(const Look& look, QWidget* parent = nullptr);

    /// Opens a page by its name without suffix ("two-memories"), at the heading or term `text` if there is one; false if there is
    /// no such page.
    bool openPage(const QString& page, const QString& text = {});
    [[nodiscard]] QString page() const; ///< the shown page
    [[nodiscard]] GuideText& text() { return *text_; }
    /// The names of all pages, in the order of the index; those not in the index come last.
    [[nodiscard]] const QStringList& pages() const { return pages_; }

    /// The page that explains a view of the window, by the view's id; the index for a view without one.
    [[nodiscard]] static QString pageOfView(const QString& view);
    /// The page that the widget or one of its parents names (`guidePageProperty`); empty without one.
    [[nodiscard]] static QString pageOf(const QWidget* widget);
    /// Opens `page` on F1 in `dialog`, and on the Help button that its box of buttons gets. The window is the dialog's own: a
    /// modal dialog keeps the others from scrolling. No effect the second time. `look` must live as long as the dialog.
    static void helpIn(QDialog& dialog, const QString& page, const Look& look);

private:
    void find(const QString& words);

    QStringList folders_;
    QStringList pages_;
    GuideText* text_ = nullptr;
    QListWidget* list_ = nullptr;
    QLineEdit* search_ = nullptr;
};

/// The folders of the guide: of its pages, and of the pictures that the build renders.
[[nodiscard]] QStringList guideFolders();

} // namespace stowage
