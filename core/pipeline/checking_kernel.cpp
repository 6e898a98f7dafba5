#include "core/pipeline/checking_kernel.h"

#include "core/exec/program_run.h"

#include <fmt/format.h>

namespace stowage::pipeline {

namespace {

using namespace executing;

class CheckingKernel final : public StageKernel {
public:
    explicit CheckingKernel(StagePlan stage) : stage_(std::move(stage))
    {
        for (const char c : stage_.program->name) name_ = mixed(name_, static_cast<unsigned char>(c));
    }

    std::optional<Error> prepare()
    {
        Diagnostics diagnostics;
        auto memory = ArenaMemory::create(stage_.lowering->problem, stage_.plan, 1, options_.maxArena, diagnostics);
        if (!memory) return std::move(memory).error();
        if (!memory->whole())
            return failure(Code::arenaTooLarge,
                           fmt::format("the arena of '{}' is larger than {} bytes", stage_.program->name, options_.maxArena), {},
                           "run smaller stages, or without checking bytes");
        memory_.emplace(*std::move(memory));
        state_.emplace(*stage_.program, *stage_.lowering, stage_.plan, *memory_, options_, std::nullopt);
        run_.emplace(*state_, options_);
        state_->continueFrom(mixed(name_, 1));
        run_->fillKept();
        return std::nullopt;
    }

    Expected<std::vector<Payload>> run(std::int64_t frame, std::span<const Payload> inputs) override
    {
        const auto& wanted = stage_.program->main().body().inputs;
        if (inputs.size() != wanted.size())
            return failure(Code::wrongInputs,
                           fmt::format("frame {} has {} inputs, and there are {}", frame, inputs.size(), wanted.size()));
        std::uint64_t digest = name_;
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            state_->give({0, wanted[i]}, inputs[i].contents,
                         inputs[i].bytes ? std::span<const std::byte>(*inputs[i].bytes) : std::span<const std::byte>{});
            digest = mixed(digest, inputs[i].digest());
        }
        state_->continueFrom(digest);
        if (!run_->runGiven()) {
            if (run_->cancelled()) return failure(Code::cancelled, fmt::format("frame {} was cancelled", frame));
            if (!state_->corruption()) return failure(Code::incomplete, fmt::format("frame {} ran too many ops", frame));
            return failure(Code::corrupted, describe(stage_.lowering->problem, *state_->corruption()));
        }
        std::vector<Payload> outputs;
        for (const TensorId id : stage_.program->main().body().outputs) {
            Payload& output = outputs.emplace_back();
            output.contents = state_->expected({0, id}).segments();
            if (auto bytes = state_->copy({0, id}))
                output.bytes = std::make_shared<const std::vector<std::byte>>(*std::move(bytes));
        }
        return outputs;
    }

    void setCancel(const std::stop_token& cancel) override { options_.cancel = cancel; }

private:
    StagePlan stage_;
    ExecuteOptions options_{
        .iterations = 2, .maxOps = std::numeric_limits<std::int64_t>::max(), .maxBytes = std::numeric_limits<Bytes>::max()};
    std::uint64_t name_ = 0;
    std::optional<ArenaMemory> memory_;
    std::optional<ProgramState> state_;
    std::optional<ProgramRun> run_;
};

} // namespace

Expected<std::unique_ptr<StageKernel>> checkingKernel(StagePlan stage)
{
    auto kernel = std::make_unique<CheckingKernel>(std::move(stage));
    if (auto error = kernel->prepare()) return *std::move(error);
    return std::unique_ptr<StageKernel>(std::move(kernel));
}

} // namespace stowage::pipeline
