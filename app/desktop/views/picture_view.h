// A picture of the table as a view of the window: a canvas, a bar made from the picture's options, and a page that says why there
// is no picture. Views that need more than that derive from it.
#pragma once

#include "app/canvas/pictures/table.h"
#include "app/desktop/view.h"
#include "app/desktop/widgets/canvas.h"

#include <QPointer>
#include <QStringList>

#include <map>
#include <memory>

class QHBoxLayout;
class QVBoxLayout;

namespace stowage {

class Look;
class PictureLegend;
class StatePage;
class Workspace;

class PictureView : public View {
    Q_OBJECT

public:
    PictureView(const PictureEntry& entry, Workspace& workspace, const Look& look, QWidget* parent);
    ~PictureView() override;

    void setContext(const ViewContext& context) override;
    void setTheme(const Theme& theme) override;
    QWidget* bar() override { return bar_; }
    [[nodiscard]] Canvas* canvas() override { return canvas_; }
    /// What is said instead of a picture; empty when there is one.
    [[nodiscard]] QString message() const;
    [[nodiscard]] const PictureEntry& entry() const { return entry_; }

    /// The picture, by its own type.
    template <typename Kind>
    [[nodiscard]] Kind& pictureAs()
    {
        return dynamic_cast<Kind&>(canvas_->picture());
    }

protected:
    /// One sentence and the text of the button below it, where a picture would be.
    struct Page {
        QString icon;
        QString sentence;
        QString button; ///< empty: none, while something is under way that cannot be cancelled
    };
    /// For a picture that cannot be made; `why` is null while one is being made.
    [[nodiscard]] virtual Page page(const Error* why) const;
    virtual void pressPage(); ///< the button of the page

    [[nodiscard]] Workspace& workspace() { return workspace_; }
    [[nodiscard]] const Workspace& workspace() const { return workspace_; }
    [[nodiscard]] const std::shared_ptr<const Run>& run() const { return run_; }
    [[nodiscard]] QHBoxLayout& barRow() { return *barRow_; }
    /// Below the canvas, for what a view adds.
    [[nodiscard]] QVBoxLayout& column() { return *column_; }
    virtual void refresh(); ///< bar and page, after another scene or option

private:
    void makeOptions(const std::vector<PictureOption>& options);
    /// Another kind of the picture, which may be drawn where this one cannot; empty: it has one kind.
    [[nodiscard]] QString otherKind() const;
    [[nodiscard]] bool wantsOther(const Error* why) const;

    const PictureEntry& entry_;
    Workspace& workspace_;
    std::shared_ptr<const Run> run_;
    std::optional<Error> whyNot_;
    QVBoxLayout* column_ = nullptr;
    Canvas* canvas_ = nullptr;
    StatePage* page_ = nullptr;
    QPointer<QWidget> bar_;
    QHBoxLayout* barRow_ = nullptr;
    QWidget* options_ = nullptr;
    QStringList shape_; ///< of the options that the bar has controls for
    std::map<QString, std::function<void(const PictureOption&)>> show_;
    PictureLegend* legend_ = nullptr;
};

} // namespace stowage
