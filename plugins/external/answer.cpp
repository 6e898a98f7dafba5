#include "plugins/external/answer.h"

#include "core/io/csv_reader.h"
#include "core/io/problem_columns.h"
#include "core/ir/checked.h"
#include "core/plan/check.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <utility>

namespace stowage::external {

Error answerNotUnderstood(const std::string& message)
{
    return runFailed(RunFailure::notUnderstood, "its answer cannot be understood: " + message,
                     "'plugin-check' shows what the answer has to be");
}

AnsweredOffset parseOffset(std::string_view text)
{
    Bytes value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (end != text.data() + text.size() || code == std::errc::invalid_argument) return {};
    if (code == std::errc::result_out_of_range) return {AnsweredOffset::Kind::outOfRange, 0};
    return {AnsweredOffset::Kind::value, value};
}

Answer::Answer(const Problem& problem) : problem_(problem), placements_(problem.buffers.size())
{
    buffers_.reserve(problem.buffers.size());
    for (std::size_t b = 0; b < problem.buffers.size(); ++b) buffers_.emplace(problem.buffers[b].name, static_cast<BufferId>(b));
    for (std::size_t p = 0; p < problem.pools.size(); ++p) pools_.emplace(problem.pools[p].name, static_cast<PoolId>(p));
}

void Answer::fail(Error error)
{
    if (!error_) error_ = std::move(error);
}

void Answer::place(std::string_view buffer, std::string_view pool, const std::vector<AnsweredOffset>& offsets)
{
    if (error_) return;
    const auto found = buffers_.find(buffer);
    if (found == buffers_.end())
        return fail(runFailed(RunFailure::unknownBuffer,
                              fmt::format("it places a buffer '{}', which the problem does not have", buffer.substr(0, 80)),
                              "names have to be the same to the letter"));
    const Buffer& subject = problem_.buffers[at(found->second)];
    Placement& placement = placements_[at(found->second)];
    if (placement.placed()) return fail(answerNotUnderstood(fmt::format("it places '{}' twice", subject.name)));
    if (offsets.empty()) return fail(answerNotUnderstood(fmt::format("it gives '{}' no offset", subject.name)));
    PoolId where = 0;
    if (!pool.empty() || problem_.pools.size() != 1) {
        const auto known = pools_.find(pool);
        if (known == pools_.end())
            return fail(answerNotUnderstood(
                fmt::format("it places '{}' in a pool '{}', which the problem does not have", subject.name, pool.substr(0, 80))));
        where = known->second;
    }
    for (const AnsweredOffset& offset : offsets) {
        if (offset.kind == AnsweredOffset::Kind::notANumber)
            return fail(answerNotUnderstood(fmt::format("the offset of '{}' is no whole number", subject.name)));
        if (offset.kind == AnsweredOffset::Kind::outOfRange || offset.value < 0 || offset.value > maxBytes - subject.size)
            return fail(runFailed(RunFailure::outOfRange,
                                  offset.kind == AnsweredOffset::Kind::outOfRange
                                      ? fmt::format("the offset of '{}' is far out of range", subject.name)
                                      : fmt::format("the offset of '{}' is {}", subject.name, offset.value),
                                  "offsets count bytes from 0, and end at 2^62 at most"));
    }
    placement.pool = where;
    placement.offset = offsets.front().value;
    if (offsets.size() == 1) return;
    for (const AnsweredOffset& offset : offsets) placement.offsets.push_back(offset.value);
    placement.rotations = {{.loop = subject.loop, .period = static_cast<std::int32_t>(offsets.size())}};
}

namespace {

std::optional<Error> overlapOf(const Problem& problem, const Plan& plan)
{
    for (const Violation& violation : check(problem, plan).violations)
        if (violation.kind == ViolationKind::overlap)
            return runFailed(RunFailure::overlap, "its plan is not valid: " + describe(problem, violation));
    return std::nullopt;
}

} // namespace

std::optional<Error> judged(const Problem& problem, const Plan& plan)
{
    std::size_t missing = 0;
    std::string_view first;
    for (std::size_t b = 0; b < plan.placements.size(); ++b)
        if (!plan.placements[b].placed() && problem.buffers[b].size > 0 && missing++ == 0) first = problem.buffers[b].name;
    if (missing > 0)
        return runFailed(RunFailure::missingBuffer, missing == 1
                                                        ? fmt::format("it does not place '{}'", first)
                                                        : fmt::format("it does not place '{}' and {} more", first, missing - 1));
    return overlapOf(problem, plan);
}

Expected<Plan> Answer::plan(bool partial) const
{
    if (error_) return *error_;
    Plan plan;
    plan.placements = placements_;
    if (auto error = partial ? overlapOf(problem_, plan) : judged(problem_, plan)) return *std::move(error);
    return plan;
}

Expected<Plan> readCsvAnswer(std::string_view text, const Problem& problem)
{
    if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
        return runFailed(RunFailure::exitedEarly, "it ended without an answer");
    io::CsvReader table(text, "answer");
    if (!table.ok()) return answerNotUnderstood(toText(table.error()));
    const auto columns = io::ProblemColumns::ofPlan(table);
    if (!columns) return answerNotUnderstood(toText(columns.error()));
    Answer answer(problem);
    while (table.next() && !answer.error())
        answer.place(table.field(columns->id), {}, {parseOffset(table.field(*columns->offset))});
    if (!table.ok()) return answerNotUnderstood(toText(table.error()));
    return answer.plan(false);
}

} // namespace stowage::external
