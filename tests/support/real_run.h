// Runs of the bundled samples: read, lowered and planned by the real thing.
#pragma once

#include "core/io/text.h"
#include "core/lower/lower.h"
#include "core/plan/recorder.h"
#include "core/plan/run.h"
#include "core/planners/registry.h"
#include "tests/support/paths.h"

#include <QFile>
#include <QString>

#include <memory>
#include <utility>
#include <vector>

namespace stowage::test {

/// A program, lowered with the options and planned by `planner`; null when any step fails. `recorded`: with the planner's steps.
inline std::shared_ptr<const Run> runOfProgram(Program read, const char* planner = "greedy-by-size",
                                               const std::vector<std::pair<const char*, const char*>>& lowering = {},
                                               bool recorded = false)
{
    auto run = std::make_shared<Run>();
    auto program = std::make_shared<const Program>(std::move(read));
    run->program = program;
    LowerOptions options;
    for (const auto& [id, value] : lowering)
        if (options.set(id, value)) return nullptr;
    auto lowered = lower(*program, options);
    if (!lowered) return nullptr;
    run->lowering = std::make_shared<const Lowering>(*std::move(lowered));
    const auto found = PlannerRegistry::builtIn().find(planner);
    auto steps = recorded ? std::make_shared<StepRecorder>() : nullptr;
    PlanContext context;
    context.recorder = steps.get();
    auto plan = found ? found->plan(run->problem(), {}, context) : Expected<Plan>(failure(Code::noPlanner, planner));
    if (!plan) return nullptr;
    run->plan = *std::move(plan);
    run->steps = std::move(steps);
    run->report = evaluate(run->problem(), run->plan);
    return run;
}

/// `runOfProgram` of `resources/samples/NAME.json`; null also when it cannot be read.
inline std::shared_ptr<const Run> realRun(const char* name, const char* planner = "greedy-by-size",
                                          const std::vector<std::pair<const char*, const char*>>& lowering = {},
                                          bool recorded = false)
{
    QFile file(QStringLiteral(STOWAGE_SOURCE_DIR "/resources/samples/%1.json").arg(QLatin1String(name)));
    if (!file.open(QIODevice::ReadOnly)) return nullptr;
    const QByteArray text = file.readAll();
    auto read = io::readProgramJson({text.constData(), std::size_t(text.size())}, file.fileName().toStdString());
    return read ? runOfProgram(std::move(read->value), planner, lowering, recorded) : nullptr;
}

} // namespace stowage::test
