// ExecuTorch programs made to measure.
#pragma once

#include "program_generated.h"

#include <QByteArray>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace stowage::test {

/// A program with one method, made value by value.
class MadeProgram {
public:
    struct Place {
        std::uint32_t memory = 1;
        std::uint32_t offset = 0;
    };

    std::int32_t tensor(std::vector<std::int32_t> sizes, std::optional<Place> place, int type = 6, std::uint32_t data = 0,
                        const char* name = nullptr)
    {
        const auto extra = name != nullptr ? executorch::fb::CreateExtraTensorInfoDirect(builder_, name)
                                           : flatbuffers::Offset<executorch::fb::ExtraTensorInfo>();
        const auto allocation = place ? executorch::fb::CreateAllocationDetails(builder_, place->memory, place->offset, 0)
                                      : flatbuffers::Offset<executorch::fb::AllocationDetails>();
        const auto extents = builder_.CreateVector(sizes);
        executorch::fb::TensorBuilder tensor(builder_);
        tensor.add_scalar_type(static_cast<std::int8_t>(type));
        tensor.add_sizes(extents);
        tensor.add_data_buffer(data);
        if (place) tensor.add_allocation(allocation);
        if (name != nullptr) tensor.add_extra(extra);
        return value(executorch::fb::Value::Tensor, tensor.Finish().Union());
    }
    std::int32_t list(const std::vector<std::int32_t>& items)
    {
        return value(executorch::fb::Value::TensorList, executorch::fb::CreateTensorListDirect(builder_, &items).Union());
    }
    /// An operator, for `call`; 0 is one that writes its last operand.
    int addOperator(const char* name)
    {
        operators_.push_back(name);
        return int(operators_.size()) - 1;
    }
    void call(const std::vector<std::int32_t>& args, int op = 0)
    {
        const auto call = executorch::fb::CreateKernelCallDirect(builder_, op, &args);
        instructions_.push_back(executorch::fb::CreateInstruction(builder_, executorch::fb::Arguments::KernelCall, call.Union()));
    }
    void delegate(const std::vector<std::int32_t>& args)
    {
        const auto call = executorch::fb::CreateDelegateCallDirect(builder_, 0, &args);
        instructions_.push_back(
            executorch::fb::CreateInstruction(builder_, executorch::fb::Arguments::DelegateCall, call.Union()));
    }
    void jumpFalse(std::int32_t condition, std::int32_t to)
    {
        const auto jump = executorch::fb::CreateJumpFalseCall(builder_, condition, to);
        instructions_.push_back(
            executorch::fb::CreateInstruction(builder_, executorch::fb::Arguments::JumpFalseCall, jump.Union()));
    }
    void move(std::int32_t from, std::int32_t to)
    {
        const auto moved = executorch::fb::CreateMoveCall(builder_, from, to);
        instructions_.push_back(executorch::fb::CreateInstruction(builder_, executorch::fb::Arguments::MoveCall, moved.Union()));
    }
    QByteArray finish(std::vector<std::int32_t> inputs, std::vector<std::int32_t> outputs,
                      std::vector<std::int64_t> arenas = {0, 64}, int methods = 1)
    {
        const auto chain = executorch::fb::CreateChainDirect(builder_, &instructions_);
        const std::vector chains{chain};
        std::vector<flatbuffers::Offset<executorch::fb::Operator>> operators;
        for (const std::string& name : operators_)
            operators.push_back(executorch::fb::CreateOperatorDirect(builder_, name.c_str(), "out"));
        std::vector<flatbuffers::Offset<executorch::fb::ExecutionPlan>> plans;
        for (int m = 0; m < methods; ++m)
            plans.push_back(executorch::fb::CreateExecutionPlanDirect(builder_, "forward", &values_, &inputs, &outputs, &chains,
                                                                      &operators, &arenas));
        builder_.Finish(executorch::fb::CreateProgramDirect(builder_, &plans), "ET12");
        return {reinterpret_cast<const char*>(builder_.GetBufferPointer()), qsizetype(builder_.GetSize())};
    }

private:
    std::int32_t value(executorch::fb::Value type, flatbuffers::Offset<void> of)
    {
        values_.push_back(executorch::fb::CreateEValue(builder_, type, of));
        return std::int32_t(values_.size()) - 1;
    }

    flatbuffers::FlatBufferBuilder builder_;
    std::vector<flatbuffers::Offset<executorch::fb::EValue>> values_;
    std::vector<flatbuffers::Offset<executorch::fb::Instruction>> instructions_;
    std::vector<std::string> operators_{"aten::any"};
};

} // namespace stowage::test
