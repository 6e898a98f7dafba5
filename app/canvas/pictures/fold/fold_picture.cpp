#include "app/canvas/pictures/fold/fold_picture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

namespace stowage {

namespace {

constexpr double foldRoom = 16;
constexpr double foldHeads = 52;     ///< the summary and the heads of the columns
constexpr double maxFoldScale = 1.1; ///< logical pixels for each unit of the layout, when fitted
constexpr double closestFoldScale = 4;
constexpr double readableFoldScale = 0.9;
constexpr double otherFoldAspect = 1.25;                 ///< by so much a window changes before the graphs are arranged anew
constexpr double namedBoxWidth = 110;                    ///< logical pixels of a box of the graphs that has room for most names
constexpr double lowestRow = 12.5, narrowestRowBox = 64; ///< likewise of a box in a row
constexpr double scrolledScale = 16 / foldRowHeight;     ///< logical pixels for each unit, of rows that are scrolled
constexpr double highestRows = 12'800;                   ///< units of the layout: more rows are drawn as graphs
constexpr double panelsFrom = 330;                       ///< height from which there are panels below the graphs
constexpr double highestPanels = 480;                    ///< height of the panels together
constexpr double twoRowsFrom = 600;                      ///< height from which they stand in two rows
constexpr double fourFrom = 1200;                        ///< width from which all of them stand in one row
constexpr double rootsFrom = 900;                        ///< width from which there is a list of roots

const QStringList& foldModes()
{
    static const QStringList names{QStringLiteral("run-time"), QStringLiteral("split"), QStringLiteral("evaluate")};
    return names;
}

QString thresholdText(double threshold)
{
    return QString::number(threshold);
}

const QStringList& thresholdNames()
{
    static const QStringList names = [] {
        QStringList all;
        for (const double threshold : foldThresholds) all << thresholdText(threshold);
        return all;
    }();
    return names;
}

/// Capacities of the constant cache, as shares of the persistent bytes.
struct CacheShare {
    const char* name;
    double share;
};
constexpr std::array cacheShares{CacheShare{"unbounded", 0}, CacheShare{"3/4", 0.75}, CacheShare{"1/2", 0.5},
                                 CacheShare{"1/4", 0.25}, CacheShare{"1/8", 0.125}};

QStringList cacheNames()
{
    QStringList names;
    for (const CacheShare& each : cacheShares) names << QLatin1String(each.name);
    return names;
}

const QStringList& offOn()
{
    static const QStringList names{QStringLiteral("off"), QStringLiteral("on")};
    return names;
}

/// Some op reads a constant tensor, and nothing but constant tensors and literals. Without one, the analysis of folding finds
/// nothing either. O(operands).
bool readsConstantsOnly(const Function& function)
{
    const auto root = [&](TensorId id) {
        const Tensor& tensor = function.tensors[std::size_t(id)];
        return tensor.kind == TensorKind::constant || tensor.available != Availability::unknown;
    };
    std::vector<bool> literal(function.tensors.size());
    return std::ranges::any_of(function.ops, [&](const Op& op) {
        if (op.control != Control::leaf) return false;
        if (op.inputs.empty())
            for (const TensorId id : op.outputs) literal[std::size_t(id)] = true;
        return std::ranges::all_of(op.inputs, [&](TensorId id) { return root(id) || literal[std::size_t(id)]; }) &&
               std::ranges::any_of(op.inputs, root);
    });
}

} // namespace

// --- what is shown -------------------------------------------------------------------------------------------------------

std::optional<Error> FoldPicture::whyNot(const PictureSource& source)
{
    const Program* program = source.run ? source.run->program.get() : source.program.get();
    if (!program && source.run)
        return failure(Code::noProgram, "The input is a list of buffers: it has no ops that could be folded.", {},
                       "draw another view");
    if (program &&
        !readsConstantsOnly(source.run ? program->functions[std::size_t(source.run->lowering->instances.front().function)]
                                       : program->main()))
        return failure(Code::emptyGraph, "No op works on constant tensors only: there is nothing to fold.", {},
                       "draw another view");
    return whyNoRun(source);
}

PictureJob FoldPicture::prepare(const PictureSource& source) const
{
    return {sceneAtOnce + 1, [run = source.run, options = asked_](const std::stop_token& stop) {
                auto made = std::make_shared<Scene>();
                made->run = run;
                auto sheet = makeFoldSheet(*run, options, stop);
                if (!sheet) {
                    made->error = sheet.error();
                    return made;
                }
                made->sheet = *std::move(sheet);
                std::vector<std::string_view> names;
                for (const Op& op : made->sheet.function().ops) names.push_back(op.name);
                made->names = NamesApart(names);
                std::vector<std::string_view> values;
                for (const auto* arena : {&made->sheet.arenaBefore, &made->sheet.arenaAfter})
                    if (*arena)
                        for (const FoldPlaceBox& box : (*arena)->boxes) values.push_back(box.name);
                for (const FoldedTensor& tensor : made->sheet.split().fold.folded) values.push_back(tensor.name);
                for (const FoldRoot& root : made->sheet.roots) values.push_back(root.name);
                made->valueNames = NamesApart(values);
                return made;
            }};
}

bool FoldPicture::take(std::shared_ptr<const PictureScene> scene)
{
    const std::shared_ptr<const Scene> before = std::move(scene_);
    scene_ = std::static_pointer_cast<const Scene>(std::move(scene));
    hovered_ = none;
    const auto sizes = [](const Scene& of) {
        const FoldColumns& all = of.sheet.columns;
        return std::array{all.before.layout.width, all.before.layout.height, all.once.layout.width,
                          all.once.layout.height,  all.after.layout.width,   all.after.layout.height};
    };
    const bool same = before && scene_ && sizes(*before) == sizes(*scene_);
    if (!same) across_ = down_ = {};
    columns_ = scene_ ? scene_->sheet.columns : FoldColumns();
    if (same && aspect_ > 0) {
        const bool rowsShown = start_ && viewport().range() == *start_;
        arrange();
        if (rowsShown && scrolled_)
            start_ = viewport().range();
        else if (rowsShown)
            across_ = down_ = {};
    } else {
        aspect_ = 0;
    }
    return same;
}

PictureChange FoldPicture::setMarks(const PictureMarks& marks, bool)
{
    marks_ = marks;
    return PictureChange::nothing;
}

std::vector<PictureOption> FoldPicture::options() const
{
    QString cache;
    for (const CacheShare& each : cacheShares)
        if (each.share == asked_.cacheShare) cache = QLatin1String(each.name);
    return {{QStringLiteral("threshold"), QStringLiteral("Threshold"), thresholdNames(), thresholdText(asked_.options.threshold),
             QStringLiteral("A value is folded when it has at most this many times the bytes of its constant tensors")},
            {QStringLiteral("mode"), QStringLiteral("Mode"), foldModes(), foldModes()[int(asked_.options.mode)],
             QStringLiteral("One function in the first run; one at compile time as well; or literals computed now")},
            {QStringLiteral("postpone"), QStringLiteral("Postpone broadcasts"), offOn(), offOn()[asked_.options.postpone ? 1 : 0],
             QStringLiteral("Moves a broadcast after its element-wise users, so that these fold at the small size")},
            {QStringLiteral("cache"), QStringLiteral("Cache"), cacheNames(), cache,
             QStringLiteral("Capacity of the constant cache, as a share of the persistent bytes: what it does not take is folded "
                            "again in each run")}};
}

PictureChange FoldPicture::set(const QString& id, const QString& value)
{
    const FoldAsked before = asked_;
    if (id == u"threshold") {
        if (!thresholdNames().contains(value)) return PictureChange::unknown;
        asked_.options.threshold = value.toDouble();
    } else if (id == u"mode") {
        if (!foldModes().contains(value)) return PictureChange::unknown;
        asked_.options.mode = FoldMode(foldModes().indexOf(value));
    } else if (id == u"postpone") {
        if (!offOn().contains(value)) return PictureChange::unknown;
        asked_.options.postpone = value == offOn().back();
    } else if (id == u"cache") {
        const auto at = cacheNames().indexOf(value);
        if (at < 0) return PictureChange::unknown;
        asked_.cacheShare = cacheShares[std::size_t(at)].share;
    } else {
        return PictureChange::unknown;
    }
    return asked_ == before ? PictureChange::nothing : PictureChange::scene;
}

// --- layout --------------------------------------------------------------------------------------------------------------

double FoldPicture::panelHeight() const
{
    const double high = size_.height();
    if (high < panelsFrom) return 0;
    return std::floor(high < twoRowsFrom ? std::clamp(high * 0.34, 150.0, 300.0) : std::clamp(high * 0.47, 300.0, highestPanels));
}

double FoldPicture::rootsWidth() const
{
    return size_.width() < rootsFrom || size_.height() < panelsFrom ? 0
                                                                    : std::floor(std::clamp(size_.width() * 0.14, 150.0, 230.0));
}

QRectF FoldPicture::canvas() const
{
    const double left = rootsWidth();
    return {left, foldHeads, size_.width() - left, std::max(1.0, size_.height() - foldHeads - panelHeight())};
}

QRectF FoldPicture::panel(Panel which) const
{
    const double wide = size_.width(), top = size_.height() - panelHeight();
    const auto part = [&](double from, double to, double above, double below) {
        const double left = std::floor(wide * from), up = std::floor(top + panelHeight() * above);
        return QRectF(left, up, std::floor(wide * to) - left, std::floor(top + panelHeight() * below) - up);
    };
    if (panelHeight() <= 0) return {};
    if (size_.height() >= twoRowsFrom) {
        constexpr double upper = 0.55;
        switch (which) {
        case thresholds: return part(0, 0.38, 0, upper);
        case memory: return part(0.38, 1, 0, upper);
        case runs: return part(0, 0.5, upper, 1);
        case tensors: return part(0.5, 1, upper, 1);
        }
    }
    if (wide >= fourFrom) return part(double(which) * 0.25, double(which + 1) * 0.25, 0, 1);
    constexpr std::array shares{0.0, 0.34, 0.67, 1.0};
    return which == tensors ? QRectF() : part(shares[std::size_t(which)], shares[std::size_t(which) + 1], 0, 1);
}

QRectF FoldPicture::curveBox() const
{
    return panel(thresholds).adjusted(16, 56, -16, -24);
}

double FoldPicture::fitScale() const
{
    const QRectF room = canvas().adjusted(foldRoom, foldRoom, -foldRoom, -foldRoom);
    return std::max(0.01, std::min({room.width() / std::max(1.0, columns_.width), room.height() / std::max(1.0, columns_.height),
                                    maxFoldScale}));
}

void FoldPicture::layOut(QSizeF size, double ratio)
{
    const bool resized = size != size_;
    const auto all = [](const PixelAxis& axis) { return axis.range().span >= axis.maximumSpan() * (1 - 1e-9); };
    const bool rowsShown = start_ && viewport().range() == *start_;
    const bool whole = across_.high() <= 1 || rowsShown || (!start_ && all(across_) && all(down_));
    const double at = rowsShown ? rows().at : 0;
    size_ = size;
    ratio_ = ratio;
    const double now = canvas().width() / canvas().height();
    const bool other = aspect_ == 0 || (whole && (now > aspect_ * otherFoldAspect || now * otherFoldAspect < aspect_));
    if (other) aspect_ = now;
    if (other || (whole && resized)) {
        arrange();
        across_ = down_ = {};
    }
    fitAxes();
    if (whole && (other || resized || !rowsShown)) {
        showStart();
        if (scrolled_) scrollTo(0, at);
        return;
    }
    // One scale for both, around the same middle.
    const double span = down_.pixels() / across_.scale();
    down_.show({down_.range().begin.plus((down_.range().span - span) / 2), span});
    if (rowsShown) start_ = viewport().range();
}

void FoldPicture::arrange()
{
    columns_.arrange(aspect_);
    scrolled_ = false;
    start_.reset();
    if (!scene_ || fitScale() * foldBoxWidth >= namedBoxWidth) return;
    FoldColumns graphs = std::exchange(columns_, scene_->sheet.columns);
    const QRectF room = canvas().adjusted(foldRoom, foldRoom, -foldRoom, -foldRoom);
    columns_.arrangeInRows(std::max(1.0, room.width()) / std::max(1.0, room.height()));
    if (fitScale() * columns_.boxHeight >= lowestRow && fitScale() * columns_.boxWidth >= narrowestRowBox) return;
    scrolled_ = columns_.height <= highestRows;
    if (scrolled_)
        columns_.arrangeInRows(std::max(1.0, room.width()) / scrolledScale / columns_.height);
    else
        columns_ = std::move(graphs);
}

void FoldPicture::showStart()
{
    across_.fit();
    down_.fit();
    start_.reset();
    if (!scrolled_) return;
    // From the first row on; columns in the middle, or from the first one on.
    const double wide = canvas().width() / scrolledScale, high = canvas().height() / scrolledScale,
                 margin = foldRoom / scrolledScale;
    const double left = offset_.x() + std::min((columns_.width - wide) / 2, -margin), top = offset_.y() - margin;
    const auto show = [](PixelAxis& axis, double from, double units) {
        axis.show({AxisPoint{0, 0.0}.plus(from * axisGrid), units * axisGrid});
    };
    show(across_, left, wide);
    show(down_, double(down_.high()) / axisGrid - top - high, high);
    start_ = viewport().range();
}

PictureScroll FoldPicture::rows() const
{
    PictureScroll part;
    part.box = canvas();
    part.content = columns_.height * scale() + 2 * foldRoom;
    part.at = std::clamp(canvas().top() + foldRoom - place(0, 0).y(), 0.0, part.overhang());
    part.wheel = false; // it zooms
    part.bar = true;
    return part;
}

std::size_t FoldPicture::rowsOutOfView() const
{
    std::set<double> hidden; // upper edges, in units of the layout
    if (!scrolled_) return 0;
    for (const FoldColumn* column : {&columns_.before, &columns_.once, &columns_.after})
        for (const FoldNode& node : column->nodes)
            if (const double middle = box(node).center().y(); middle < canvas().top() || middle > canvas().bottom())
                hidden.insert(node.y);
    return hidden.size();
}

void FoldPicture::scrollTo(std::size_t, double y)
{
    const bool atStart = start_ && viewport().range() == *start_;
    const PictureScroll part = rows();
    down_.pan(int(std::lround((part.at - std::clamp(y, 0.0, part.overhang())) * ratio_)));
    if (atStart) start_ = viewport().range();
}

void FoldPicture::fitAxes()
{
    const double fitted = fitScale();
    const QRectF all = canvas();
    const double wide = all.width() / fitted, high = all.height() / fitted;
    offset_ = {(wide - columns_.width) / 2, (high - columns_.height) / 2};
    const auto fit = [&](PixelAxis& axis, double units, double pixels) {
        const auto limit = std::max<std::int64_t>(1, std::llround(units * axisGrid));
        const int device = std::max(1, int(std::lround(pixels * ratio_)));
        const double least = pixels * axisGrid / closestFoldScale;
        if (axis.high() <= 1)
            axis = PixelAxis(0, limit, least, device);
        else if (axis.high() != limit)
            axis.setLimits(0, limit, least);
        if (axis.pixels() != device) axis.resize(device);
    };
    fit(across_, wide, all.width());
    fit(down_, high, all.height());
}

PictureParts FoldPicture::parts() const
{
    PictureParts parts;
    parts.plotLeft = canvas().left();
    parts.plotRight = canvas().right();
    parts.strips = {canvas()};
    parts.uniform = true;
    if (scrolled_ && rows().overhang() > 1) parts.scrolls = {rows()};
    return parts;
}

void FoldPicture::show(const ViewRange& range, bool)
{
    across_.show(range.steps);
    if (!range.addresses.empty()) down_.show(range.addresses.front());
}

QSizeF FoldPicture::readableSize(QSizeF size, double maxPixels) const
{
    const double fitted = fitScale();
    if (fitted >= readableFoldScale) return size;
    if (scrolled_) { // all rows, none smaller than here
        const double high = foldHeads + columns_.height * scrolledScale + 2 * foldRoom + highestPanels;
        if (size.width() * high <= maxPixels) return {size.width(), std::ceil(std::max(size.height(), high))};
    }
    const double larger = std::clamp(readableFoldScale / fitted, 1.0,
                                     std::sqrt(std::max(1.0, maxPixels / std::max(1.0, size.width() * size.height()))));
    return {std::floor(canvas().width() * larger + rootsWidth()),
            std::floor(canvas().height() * larger + foldHeads + panelHeight())};
}

double FoldPicture::scale() const
{
    return across_.scale() * axisGrid / ratio_;
}

QPointF FoldPicture::place(double x, double y) const
{
    const double left = canvas().left() + across_.toPixel(std::int64_t(0)) / ratio_ + offset_.x() * scale();
    const double top = canvas().bottom() - down_.toPixel(down_.high()) / ratio_ + offset_.y() * scale();
    return {left + x * scale(), top + y * scale()};
}

QRectF FoldPicture::box(const FoldNode& node) const
{
    const bool pill = node.op == none && !columns_.inRows;
    return {place(node.x, node.y), QSizeF(columns_.boxWidth, pill ? foldPillHeight : columns_.boxHeight) * scale()};
}

QString FoldPicture::spoken() const
{
    const FoldCosts& costs = scene_->sheet.split().costs;
    return QStringLiteral("each run saves %1 and %2 moved; %3 are kept between runs")
        .arg(countedText(costs.savedOps(), QStringLiteral("op")), bytesText(costs.savedBytes(), numbers()),
             bytesText(scene_->sheet.split().fold.persistentBytes, numbers()));
}

} // namespace stowage
