// A view of one picture of the table: a canvas, a bar made from the picture's options, and a page with the reason if there is no
// picture. Views that need more derive from it.
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
    /// The text shown instead of a picture; empty if there is one.
    [[nodiscard]] QString message() const;
    [[nodiscard]] const PictureEntry& entry() const { return entry_; }

    /// The picture, by its own type.
    template <typename Kind>
    [[nodiscard]] Kind& pictureAs()
    {
        return dynamic_cast<Kind&>(canvas_->picture());
    }

protected:
    /// A page instead of a picture: one sentence, and the text of the button below it.
    struct Page {
        QString icon;
        QString sentence;
        QString button; ///< empty: no button
    };
    /// The page for a picture that cannot be made; `why` is null while it is being made.
    [[nodiscard]] virtual Page page(const Error* why) const;
    virtual void pressPage(); ///< called by the button of the page

    [[nodiscard]] Workspace& workspace() { return workspace_; }
    [[nodiscard]] const Workspace& workspace() const { return workspace_; }
    [[nodiscard]] const std::shared_ptr<const Run>& run() const { return run_; }
    [[nodiscard]] QHBoxLayout& barRow() { return *barRow_; }
    /// The layout below the canvas, for additions of a derived view.
    [[nodiscard]] QVBoxLayout& column() { return *column_; }
    virtual void refresh(); ///< updates bar and page after a change of scene or option

private:
    void makeOptions(const std::vector<PictureOption>& options);
    /// Another kind of the picture, which may be possible if this one is not; empty: it has one kind.
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
    QStringList shape_; ///< ids of the options that have controls in the bar
    std::map<QString, std::function<void(const PictureOption&)>> show_;
    PictureLegend* legend_ = nullptr;
};

} // namespace stowage
