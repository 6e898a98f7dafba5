// render INPUT --view V -o FILE: writes a picture as in the window.
#include "app/canvas/export/render.h"
#include "app/canvas/export/render_fit.h"
#include "app/canvas/export/render_pipeline.h"
#include "app/canvas/export/render_regression.h"
#include "app/canvas/pictures/table.h"
#include "app/cli/commands.h"
#include "app/cli/fitting.h"
#include "app/cli/planned.h"
#include "app/session/comparison_limit.h"
#include "app/session/native_path.h"
#include "core/io/input_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

namespace stowage::cli {

namespace {

class RenderCommand final : public Command {
public:
    [[nodiscard]] std::string name() const override { return "render"; }
    [[nodiscard]] std::string summary() const override { return "draw a view into a PNG, SVG or PDF file"; }
    [[nodiscard]] bool draws() const override { return true; }
    [[nodiscard]] std::vector<std::string> examples() const override
    {
        return {"render model.tflite --view memory-map --planner greedy-by-size -o map.png",
                "render problem.csv --view compare --planners auto,greedy-by-size -o compare.svg"};
    }

    void declare(Arguments& app) override
    {
        std::vector<std::string> views;
        for (const QString& view :
             renderableViews() + pipelineViews() + QStringList{QString::fromLatin1(fitView), QString::fromLatin1(regressionView)})
            if (std::find(views.begin(), views.end(), view.toStdString()) == views.end()) views.push_back(view.toStdString());
        input_.declare(app);
        app.option("--view", view_, "what to draw").required().oneOf(views);
        app.option("--size", size_, "logical pixels (default: graphs are as large as readable names need)")
            .typeName("WxH")
            .showDefault();
        app.option("--scale", scale_, "device pixels for each logical pixel (PNG)").between(0.25, 8.0).showDefault().rare();
        app.option("--theme", theme_, "colours of the picture").oneOf({"dark", "light"}).showDefault();
        app.option("--colour-by", colourBy_, "kind, op kind, pool, size, lifetime or slack")
            .oneOf({"kind", "op kind", "pool", "size", "lifetime", "slack"})
            .showDefault()
            .rare();
        app.option("--memory", pool_, "the pool that heatmap and compare show (default: the workspace with the most buffers)")
            .typeName("NAME");
        app.option("-o,--output", file_, "a name ending in .png, .svg or .pdf").required().typeName("FILE").notEmpty();
        app.option("--loop", loop_, "the loop that loops shows (default: the first)").typeName("NAME").rare();
        app.option("--iteration", iteration_, "the iteration that loops shows, from 0").typeName("N").showDefault().rare();
        app.option("--set", set_, "an option of the view, as in the bar above it in the window").typeName("NAME=VALUE").rare();
        app.option("--log", log_, "fit: log of the runtime with this model, for scratch and tail").typeName("FILE").rare();
        app.option("--around", around_, "graphs: show only buffers near this one").typeName("NAME").rare();
        app.option("--hops", hops_, "graphs: maximum distance from the buffer of --around, in edges")
            .typeName("N")
            .between(1, 64)
            .showDefault()
            .rare()
            .whenGiven([this] { hopsGiven_ = true; });
        planning_.declare(app, PlanningOptions::oneOrManyPlanners);
    }

    int run(const Environment& environment) override
    {
        if (const auto unused = unusedOption()) return environment.fail(*unused);
        RenderOptions options;
        const auto size = sizeOf(size_);
        if (!size) return environment.fail(size.error());
        options.size = *size;
        options.readable = size_ == usualSize;
        options.scale = scale_;
        options.dark = theme_ == "dark";
        options.colourBy = QString::fromStdString(colourBy_);
        options.pool = QString::fromStdString(pool_);
        if (!loop_.empty()) options.set.emplace_back(QStringLiteral("loop"), QString::fromStdString(loop_));
        if (iteration_ != 0) options.set.emplace_back(QStringLiteral("iteration"), QString::number(iteration_));
        for (const std::string& word : set_) {
            const auto at = word.find('=');
            if (at == std::string::npos || at == 0)
                return environment.fail(
                    failure(Code::usage, fmt::format("--set {}: the value is missing", word), {}, "write --set NAME=VALUE"));
            options.set.emplace_back(QString::fromStdString(word.substr(0, at)), QString::fromStdString(word.substr(at + 1)));
        }

        // For all other views the stages are joined to one program.
        const bool stages = view_ == "stages" || view_ == "pipeline";
        if (stages && isPipelineFile(input_.inputs().front())) return renderPipeline(environment, options);
        if (view_ == "stages")
            return environment.fail(failure(Code::usage, "the view needs the configuration of a pipeline",
                                            {input_.inputs().front(), 0, 0, -1}, "'pipeline split' makes one"));
        if (view_ == fitView) return renderFit(environment, options);
        if (view_ == regressionView) return renderRegression(environment, options);
        if (view_ == "fold") { // the arena in its title is the one before folding
            planning_.setDefaultLowering("views", "merged");
            planning_.setDefaultLowering("inplace", "allowed");
        }
        const auto model = input_.read(environment);
        if (!model) return badInput;
        if (view_ == "pipeline")
            environment.note(
                "note: a kernel's pipes are the view 'pipes'; 'pipeline' draws the stages of a pipeline's configuration");
        if (const PictureEntry* entry = pictureEntry(QString::fromStdString(view_)); entry && entry->steps) planning_.keepSteps();
        std::vector<FunctionRun> runs;
        std::optional<Error> failedRun;
        if (view_ == "compare") {
            if (const auto wrong = comparison(environment, *model, runs)) return environment.fail(*wrong);
        } else {
            runs = planFunctions(environment, *model, planning_, &failedRun);
        }
        if (runs.empty()) return failedRun ? answerIsNo : badInput;
        if (runs.size() > 1 && view_ != "compare")
            return environment.fail(failure(Code::severalFunctions, fmt::format("the input has {} functions", runs.size()), {},
                                            "choose one with --function NAME"));
        std::vector<std::shared_ptr<const Run>> shown;
        for (const FunctionRun& planned : runs) shown.push_back(planned.run);
        if (!around_.empty()) {
            const auto& buffers = shown.front()->problem().buffers;
            const auto found =
                std::find_if(buffers.begin(), buffers.end(), [&](const Buffer& buffer) { return buffer.name == around_; });
            if (found == buffers.end())
                return environment.fail(failure(Code::noBuffer, fmt::format("there is no buffer named '{}'", around_), {},
                                                "plan --rows 0 lists all"));
            options.around = static_cast<BufferId>(found - buffers.begin());
            options.hops = hops_;
        }
        const auto notes = renderToFile(shown, QString::fromStdString(view_), options, pathFromNative(file_));
        if (!notes) return environment.fail(notes.error());
        environment.say(*notes);
        // One planner with a plan is enough for success.
        if (view_ == "compare" &&
            std::any_of(runs.begin(), runs.end(), [](const FunctionRun& planned) { return isYes(verdictKind(*planned.run)); }))
            return done;
        return exitStatusOf(runs);
    }

private:
    /// The error for an option that has no effect on the view; no value if there is none.
    [[nodiscard]] std::optional<Error> unusedOption() const
    {
        if (!log_.empty() && view_ != fitView) return usage("--log is for --view fit", "leave it out");
        if (hopsGiven_ && around_.empty())
            return usage("--hops counts from the buffer of --around", "name a buffer with --around, or leave it out");
        if (view_ != "compare" && planning_.namesPlanners())
            return usage("--planners is for --view compare", "name one with --planner");
        if (view_ == "compare" && planning_.namesPlanner())
            return usage("--planner is for views of one plan", "name those to compare with --planners A,B,…");
        if (view_ == regressionView && !planning_.given().empty())
            return usage(
                fmt::format("{} has no effect on --view regression: the suite says how its rows are planned", planning_.given()),
                "leave it out");
        return std::nullopt;
    }

    /// A run of each planner that supports the input, in the order given; reports the others.
    std::optional<Error> comparison(const Environment& environment, const Model& model, std::vector<FunctionRun>& runs) const
    {
        const auto planners = planning_.planners(environment.session);
        if (!planners) return planners.error();
        const auto functions = Session::functions(model);
        if (functions.size() > 1)
            return failure(Code::severalFunctions, fmt::format("the input has {} functions", functions.size()), {},
                           "choose one with --function NAME");
        const auto base = planning_.request(environment, model, functions.front());
        if (!base) return base.error();
        std::optional<Error> last;
        for (const std::string& name : *planners) {
            if (environment.interrupt.stop_requested()) break;
            PlanRequest request = *base;
            request.planner = PlanningOptions::nameIn(name);
            request.options =
                planning_.optionsOf(environment.session.planners().find(PlanningOptions::nameIn(name))->info(), name);
            const auto run = environment.session.planNow(
                model, limitedForComparison(environment.session, model, std::move(request)), environment.interrupt);
            if (run) {
                runs.push_back({functions.front(), *run});
            } else {
                last = run.error();
                environment.note(fmt::format("{} is left out: {}", name, run.error().message));
            }
        }
        if (runs.empty()) return last ? last : std::optional<Error>(failure(Code::nothingToDraw, "there is no run to draw"));
        return std::nullopt;
    }

    /// True for a configuration of a pipeline, in either form, by the begin of the file.
    static bool isPipelineFile(const std::string& path)
    {
        constexpr std::size_t head = 65536;
        const auto file = io::InputFile::open(path);
        if (!file || file->isStream()) return false; // a pipe is read only once
        const auto text = file->head(head);
        return text && isPipelineText(*text);
    }

    int renderPipeline(const Environment& environment, const RenderOptions& options) const
    {
        if (!planning_.given().empty())
            return environment.fail(
                usage(fmt::format("{} has no effect: a configuration says how its stages are planned", planning_.given()),
                      "leave it out"));
        const auto file = readPipeline(pathFromNative(input_.inputs().front()),
                                       [stop = environment.interrupt] { return stop.stop_requested(); });
        if (!file) return environment.fail(file.error());
        constexpr std::int64_t frames = 8; // the number of distinct colours; includes a steady period
        const auto data = pipelineData(*file, frames, 1);
        if (!data) return environment.fail(data.error());
        const auto notes = renderPipelineToFile(*data, QString::fromStdString(view_), options, pathFromNative(file_));
        if (!notes) return environment.fail(notes.error());
        environment.say(*notes);
        return done;
    }

    int renderFit(const Environment& environment, const RenderOptions& options) const
    {
        const auto result = fitInput(environment, input_, planning_, log_);
        if (const int* status = std::get_if<int>(&result)) return *status;
        const auto& fitted = std::get<Fitted>(result);
        const auto notes = renderFitToFile(fitted.fit, fitted.model.name, options, pathFromNative(file_));
        if (!notes) return environment.fail(notes.error());
        environment.say(*notes);
        return fitted.fit.best().fits.value_or(true) ? done : answerIsNo;
    }

    /// Plans all rows of a suite and draws them.
    int renderRegression(const Environment& environment, const RenderOptions& options) const
    {
        RegressionOptions run;
        run.cancel = environment.interrupt;
        auto regression = runRegression(environment.session, pathFromNative(input_.inputs().front()), run);
        if (!regression) return environment.fail(regression.error());
        const auto shared = std::make_shared<const Regression>(*std::move(regression));
        environment.say(shared->suite.warnings);
        const auto notes = renderRegressionToFile(shared, options, pathFromNative(file_));
        if (!notes) return environment.fail(notes.error());
        environment.say(*notes);
        const bool worse = std::any_of(shared->rows.begin(), shared->rows.end(),
                                       [](const RegressionRow& row) { return isRegression(row.result.verdict); });
        return worse ? answerIsNo : done;
    }

    static Expected<QSize> sizeOf(const std::string& text)
    {
        int width = 0;
        int height = 0;
        const char* const end = text.data() + text.size();
        const auto first = std::from_chars(text.data(), end, width);
        if (first.ec == std::errc() && first.ptr != end && *first.ptr == 'x') {
            const auto second = std::from_chars(first.ptr + 1, end, height);
            if (second.ec == std::errc() && second.ptr == end && width >= 64 && height >= 64 && width <= 16384 && height <= 16384)
                return QSize(width, height);
        }
        return failure(Code::usage, fmt::format("--size {}: not a size", text), {},
                       "sizes are written 1600x1000, from 64 to 16384 pixels");
    }

    InputOptions input_;
    PlanningOptions planning_;
    std::string view_;
    static constexpr const char* usualSize = "1600x1000";
    std::string size_ = usualSize;
    double scale_ = 1;
    std::string theme_ = "light";
    std::string colourBy_ = "op kind";
    std::string pool_;
    std::string loop_;
    std::int64_t iteration_ = 0;
    std::vector<std::string> set_;
    std::string around_;
    std::string log_;
    int hops_ = 2;
    bool hopsGiven_ = false;
    std::string file_;
};

} // namespace

std::unique_ptr<Command> renderCommand()
{
    return std::make_unique<RenderCommand>();
}

} // namespace stowage::cli
