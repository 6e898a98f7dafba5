#include "plugins/mlir/execution.h"

#include "plugins/mlir/evaluation.h"
#include "plugins/mlir/module_text.h"
#include "plugins/mlir/scalar_body.h"

#include <mlir/Dialect/Func/IR/FuncOps.h>
#include <mlir/Dialect/Tensor/IR/Tensor.h>
#include <mlir/IR/Matchers.h>
#include <mlir/IR/SymbolTable.h>

#include <fmt/format.h>

#include <cstring>
#include <memory>

namespace stowage::mlirfile {

namespace {

using Held = std::shared_ptr<const ConstantTensor>;

/// Calls inside each other.
constexpr int maxCalls = 64;

/// Runs functions of one block, op by op.
class ModuleRun {
public:
    ModuleRun(mlir::ModuleOp module, const std::string& path) : symbols_(module), path_(path) {}

    Expected<std::vector<Held>> call(mlir::func::FuncOp function, const std::vector<Held>& arguments)
    {
        if (++calls_ > maxCalls) return fail(function, "calls nest too deep in");
        llvm::DenseMap<mlir::Value, Held> values;
        for (std::size_t i = 0; i < arguments.size(); ++i) values[function.getArgument(static_cast<unsigned>(i))] = arguments[i];
        if (!llvm::hasSingleElement(function.getBody())) return fail(function, "there are several blocks in");
        for (mlir::Operation& op : function.getBody().front()) {
            if (llvm::isa<mlir::func::ReturnOp>(op)) {
                --calls_;
                return operandsOf(op, values);
            }
            if (auto error = run(op, values)) return *std::move(error);
        }
        return fail(function, "there is no return in");
    }
    [[nodiscard]] mlir::func::FuncOp find(llvm::StringRef name) { return symbols_.lookup<mlir::func::FuncOp>(name); }
    [[nodiscard]] std::string printed() && { return std::move(printed_); }

private:
    using Values = llvm::DenseMap<mlir::Value, Held>;

    [[nodiscard]] Error fail(mlir::Operation* op, std::string_view what) const
    {
        return failure(Code::notSupported, fmt::format("{} {}", what, op->getName().getStringRef().str()),
                       positionOf(op->getLoc(), path_), "the interpreter runs what constant folding works on");
    }

    static std::vector<Held> operandsOf(mlir::Operation& op, const Values& values)
    {
        std::vector<Held> operands;
        for (const mlir::Value operand : op.getOperands()) operands.push_back(values.lookup(operand));
        return operands;
    }

    std::optional<Error> run(mlir::Operation& op, Values& values)
    {
        if (auto call = llvm::dyn_cast<mlir::func::CallOp>(op)) return runCall(call, values);
        if (llvm::isa<mlir::tensor::EmptyOp>(op)) return makeEmpty(op, values);
        if (llvm::isa<mlir::tensor::CastOp>(op)) { // to a type that says less: the value is the same
            values[op.getResult(0)] = values.lookup(op.getOperand(0));
            return std::nullopt;
        }
        mlir::Attribute literal;
        if (op.hasTrait<mlir::OpTrait::ConstantLike>() && mlir::matchPattern(op.getResult(0), mlir::m_Constant(&literal))) {
            auto tensor = tensorOf(literal);
            if (!tensor) return fail(&op, "the value is not known of");
            values[op.getResult(0)] = std::make_shared<const ConstantTensor>(*std::move(tensor));
            return std::nullopt;
        }
        return compute(op, values);
    }

    /// What nobody has written reads as zero here, and must not matter.
    std::optional<Error> makeEmpty(mlir::Operation& op, Values& values) const
    {
        auto type = llvm::cast<mlir::RankedTensorType>(op.getResult(0).getType());
        const auto element = elementOf(type.getElementType());
        if (!element || !type.hasStaticShape()) return fail(&op, "the type is not known of");
        ConstantTensor tensor{*element, shapeOf(type), {}};
        tensor.bytes.resize(static_cast<std::size_t>(type.getNumElements() * bytesOf(*element)));
        values[op.getResult(0)] = std::make_shared<const ConstantTensor>(std::move(tensor));
        return std::nullopt;
    }

    std::optional<Error> runCall(mlir::func::CallOp call, Values& values)
    {
        mlir::func::FuncOp callee = find(call.getCallee());
        if (!callee) return fail(call, "there is no function for");
        const std::vector<Held> arguments = operandsOf(*call, values);
        if (callee.isExternal()) {
            for (const Held& argument : arguments) print(*argument);
            return std::nullopt;
        }
        auto results = this->call(callee, arguments);
        if (!results) return std::move(results).error();
        for (unsigned i = 0; i < call->getNumResults(); ++i) values[call->getResult(i)] = (*results)[i];
        return std::nullopt;
    }

    std::optional<Error> compute(mlir::Operation& op, Values& values) const
    {
        for (unsigned i = 0; i < op.getNumResults(); ++i) {
            const auto computation = computationOf(&op, i, true);
            if (!computation) return fail(&op, "the interpreter does not know");
            std::vector<const ConstantTensor*> operands;
            for (const mlir::Value operand : computation->operands) operands.push_back(values.lookup(operand).get());
            if (llvm::is_contained(operands, nullptr)) return fail(&op, "an operand has no value in");
            if (computation->copies) {
                ConstantTensor copy = *operands.front();
                copy.shape = computation->nest.shape;
                values[op.getResult(i)] = std::make_shared<const ConstantTensor>(std::move(copy));
                continue;
            }
            auto result = runNest(computation->nest, operands);
            if (!result) return fail(&op, result.error().message + " in");
            values[op.getResult(i)] = std::make_shared<const ConstantTensor>(*std::move(result));
        }
        return std::nullopt;
    }

    void print(const ConstantTensor& tensor)
    {
        const auto width = static_cast<std::size_t>(bytesOf(tensor.element));
        for (std::size_t at = 0; at + width <= tensor.bytes.size(); at += width) {
            std::uint64_t bits = 0;
            std::memcpy(&bits, tensor.bytes.data() + at, width);
            const auto shift = static_cast<int>(64 - 8 * width);
            printed_ += fmt::format("{}{}", at == 0 ? "" : " ", static_cast<std::int64_t>(bits << shift) >> shift);
        }
        printed_ += '\n';
    }

    mlir::SymbolTable symbols_;
    const std::string& path_;
    std::string printed_;
    int calls_ = 0;
};

} // namespace

Expected<std::string> runMain(std::string_view text, const std::string& path)
{
    auto parsed = parseModule(text, path);
    if (!parsed) return std::move(parsed).error();
    ModuleRun run(*parsed->module, path);
    mlir::func::FuncOp function = run.find("main");
    if (!function || function.isExternal() || function.getNumArguments() > 0)
        return failure(Code::noFunctions, "there is no function main without arguments", {path},
                       "write one that calls the others");
    auto results = run.call(function, {});
    if (!results) return std::move(results).error();
    return std::move(run).printed();
}

} // namespace stowage::mlirfile
