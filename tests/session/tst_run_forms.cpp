// The plan of a run in the model's own file: the plan that was chosen, or a warning that it was made again.
#include "app/session/run_forms.h"
#include "tests/support/paths.h"

#include <QTest>

#include <algorithm>
#include <map>
#include <memory>
#include <string>

using namespace stowage;

class TestRunForms : public QObject {
    Q_OBJECT

    Session session_;

    Expected<Model> doorbell(const OpenOptions& options = {}) const
    {
        return session_.read(QStringLiteral(STOWAGE_SOURCE_DIR "/resources/samples/tflite/doorbell.tflite"), options);
    }

    /// Every offset is a multiple of 16, as the runtime requires.
    static PlanRequest requestOf(const std::string& planner)
    {
        PlanRequest request;
        request.planner = planner;
        request.alignment = 16;
        return request;
    }

    std::shared_ptr<const Run> planned(const Model& model) const
    {
        const auto run = session_.planNow(model, requestOf("greedy-by-size"));
        return run ? *run : nullptr;
    }

    /// The same plan with every buffer 1,024 bytes higher: valid, and no planner makes it.
    std::shared_ptr<const Run> raised(const Model& model) const
    {
        const auto below = planned(model);
        if (!below) return nullptr;
        auto run = std::make_shared<Run>(*below);
        run->plan.planner = "by hand";
        for (Placement& placement : run->plan.placements) placement.offset += 1024;
        run->report = evaluate(*run);
        return run;
    }

    /// The same model with an op that the file calls otherwise.
    static Model edited(const Model& model)
    {
        auto program = std::make_shared<Program>(*model.program);
        program->functions.front().ops.front().name += " (edited)";
        Model other = model;
        other.program = std::move(program);
        return other;
    }

    /// The offsets of a plan, by tensor of the file.
    static std::map<TensorId, Bytes> offsetsOf(const Run& run)
    {
        std::map<TensorId, Bytes> offsets;
        const auto& tensors = run.program->functions.front().tensors;
        const auto& bindings = run.lowering->instances.front().bindings;
        for (std::size_t t = 0; t < tensors.size(); ++t)
            if (bindings[t].buffer != none && tensors[t].kind != TensorKind::constant)
                offsets[TensorId(t)] = run.plan.placements[at(bindings[t].buffer)].offset + bindings[t].delta;
        return offsets;
    }

    /// Those in a written file.
    std::map<TensorId, Bytes> offsetsIn(const Expected<Exported>& file) const
    {
        std::map<TensorId, Bytes> offsets;
        if (!file || file->files.empty()) return offsets;
        const auto model = session_.readText(QStringLiteral("back.tflite"), QByteArray::fromStdString(file->files.front().bytes));
        if (!model) return offsets;
        for (const FilePlan& plan : model->filePlans)
            for (const FilePlan::Offset& each : plan.offsets) offsets[each.tensor] = each.offset;
        return offsets;
    }

    static bool saysPlannedAgain(const Exported& file)
    {
        return std::ranges::any_of(file.diagnostics, [](const Diagnostic& told) {
            return told.severity == Severity::warning && told.code == Code::plannedAgain;
        });
    }

    Expected<Exported> written(const Model& model, const std::string& planner, const std::shared_ptr<const Run>& run) const
    {
        return writeRun(session_, model, requestOf(planner), run, "own-file");
    }

private Q_SLOTS:
    void initTestCase() { qunsetenv("STOWAGE_PLUGIN_PATH"); }

    /// Also one that no planner here could make again: of the file, of a log, stopped by the clock.
    void thePlanThatWasChosenGoesIntoTheFile()
    {
        const auto model = doorbell();
        QVERIFY2(bool(model), model ? "" : toText(model.error()).c_str());
        const auto run = raised(*model);
        QVERIFY(run && run->report.verdict.valid());
        const auto forms = runForms(session_, *model, *run);
        QVERIFY(std::ranges::find(forms, std::string("own-file"), &RunForm::id) != forms.end());
        for (const char* planner : {"by hand", "greedy-by-size"}) {
            const auto file = written(*model, planner, run);
            QVERIFY2(bool(file), file ? "" : toText(file.error()).c_str());
            const auto offsets = offsetsIn(file);
            QVERIFY(!offsets.empty());
            QVERIFY(offsets == offsetsOf(*run));
            QVERIFY(!saysPlannedAgain(*file));
        }
    }

    void aRunOfTheFilesOwnOpsIsKeptAlthoughTheOpsWereEditedSince()
    {
        const auto model = doorbell();
        QVERIFY(bool(model));
        const auto run = raised(*model);
        QVERIFY(run);
        const auto file = written(edited(*model), "by hand", run);
        QVERIFY2(bool(file), file ? "" : toText(file.error()).c_str());
        QVERIFY(offsetsIn(file) == offsetsOf(*run));
    }

    /// The file has the ops as they were, so the plan in it is another one: that is said, unless every offset is the same.
    void aRunOfEditedOpsIsPlannedAgainWithAWarning()
    {
        const auto model = doorbell();
        QVERIFY(bool(model));
        const Model other = edited(*model);
        const auto file = written(other, "greedy-by-size", raised(other));
        QVERIFY2(bool(file), file ? "" : toText(file.error()).c_str());
        QVERIFY(offsetsIn(file) == offsetsOf(*planned(*model)));
        QVERIFY(saysPlannedAgain(*file));
        const auto same = written(other, "greedy-by-size", planned(other));
        QVERIFY2(bool(same), same ? "" : toText(same.error()).c_str());
        QVERIFY(!saysPlannedAgain(*same));
    }

    /// The user has chosen the sub-graphs as the runtime reads them, so the file is not read again.
    void aRunOfEditedOpsIsPlannedAgainAlsoForAFileThatIsReadAsItsRuntimeDoes()
    {
        OpenOptions options;
        options.importOptions = {{"subgraphs", "flat"}};
        const auto model = doorbell(options);
        QVERIFY2(bool(model), model ? "" : toText(model.error()).c_str());
        const Model other = withProgram(*model, edited(*model).program);
        const auto again = written(other, "greedy-by-size", raised(other));
        QVERIFY2(bool(again), again ? "" : toText(again.error()).c_str());
        QVERIFY(offsetsIn(again) == offsetsOf(*planned(*model)));
        QVERIFY(saysPlannedAgain(*again));
        // A run of the ops as the file has them is kept.
        const auto run = raised(*model);
        const auto kept = written(other, "by hand", run);
        QVERIFY2(bool(kept), kept ? "" : toText(kept.error()).c_str());
        QVERIFY(offsetsIn(kept) == offsetsOf(*run));
        QVERIFY(!saysPlannedAgain(*kept));
    }

    void aRunThatCannotBePlannedAgainIsRefused()
    {
        const auto model = doorbell();
        QVERIFY(bool(model));
        const Model other = edited(*model);
        auto ofLog = std::make_shared<Run>(*raised(*model)); // laid beside the model with scratch: no part of the program
        auto lowering = std::make_shared<Lowering>(*ofLog->lowering);
        lowering->instances.clear();
        lowering->origins.clear();
        lowering->steps.clear();
        ofLog->lowering = std::move(lowering);
        ofLog->program = nullptr;
        auto totals = std::make_shared<Run>(*raised(*model)); // of a file that says how much, and not where
        totals->plan.placements.assign(totals->plan.placements.size(), {});
        for (const auto& file :
             {written(other, "by hand", raised(other)), written(*model, "by hand", ofLog), written(*model, "by hand", totals)}) {
            QVERIFY(!file);
            QVERIFY2(file.error().code == Code::noPlanner, toText(file.error()).c_str());
            QVERIFY(!file.error().remedy.empty());
            QVERIFY(!file.error().where.file.empty());
        }
    }
};

QTEST_GUILESS_MAIN(TestRunForms)
#include "tst_run_forms.moc"
