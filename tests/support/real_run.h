// Runs of the bundled samples: read, lowered and planned by the real thing.
#pragma once

#include "core/io/text.h"
#include "core/lower/lower.h"
#include "core/plan/run.h"
#include "core/planners/registry.h"
#include "tests/support/paths.h"

#include <QFile>
#include <QString>

#include <memory>

namespace stowage::test {

/// `resources/samples/NAME.json` planned by `planner`, or null when any step fails.
inline std::shared_ptr<const Run> realRun(const char* name, const char* planner = "greedy-by-size")
{
    QFile file(QStringLiteral(STOWAGE_SOURCE_DIR "/resources/samples/%1.json").arg(QLatin1String(name)));
    if (!file.open(QIODevice::ReadOnly)) return nullptr;
    const QByteArray text = file.readAll();
    auto read = io::readProgramJson({text.constData(), std::size_t(text.size())}, file.fileName().toStdString());
    if (!read) return nullptr;
    auto run = std::make_shared<Run>();
    auto program = std::make_shared<const Program>(std::move(read->value));
    run->program = program;
    auto lowering = lower(*program, {});
    if (!lowering) return nullptr;
    run->lowering = std::make_shared<const Lowering>(*std::move(lowering));
    const auto found = PlannerRegistry::builtIn().find(planner);
    auto plan = found ? found->plan(run->problem(), {}, {}) : Expected<Plan>(failure(Code::noPlanner, planner));
    if (!plan) return nullptr;
    run->plan = *std::move(plan);
    run->report = evaluate(run->problem(), run->plan);
    return run;
}

} // namespace stowage::test
