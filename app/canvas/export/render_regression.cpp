#include "app/canvas/export/render_regression.h"

#include "app/canvas/export/picture_file.h"
#include "app/canvas/pictures/regression/regression_picture.h"

namespace stowage {

Expected<Diagnostics> renderRegressionToFile(const std::shared_ptr<const Regression>& regression, const RenderOptions& options,
                                             const QString& file)
{
    RegressionPicture picture;
    picture.setTheme(options.dark ? Theme::darkTheme() : Theme::lightTheme());
    auto subject = std::make_shared<RegressionSubject>();
    subject->regression = regression;
    PictureSource source;
    source.subject = std::move(subject);
    const auto renew = [&] { picture.take(picture.prepare(source).make({})); };
    renew();
    for (const auto& [id, value] : options.set) {
        const PictureChange change = picture.set(id, value);
        if (change == PictureChange::unknown)
            return failure(Code::unknownOption, "regression has no option " + (id + u'=' + value).toStdString(), {},
                           "it has show=all|different|regressions, maps=side by side|difference, and row=KEY of a listed row");
        if (change == PictureChange::scene) renew(); // large maps are made with the scene
    }
    return writePicture(picture, source, QString::fromStdString(regression->suite.name), {options.size, options.scale, false},
                        file);
}

} // namespace stowage
