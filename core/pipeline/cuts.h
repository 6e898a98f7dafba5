// Places where a program may be cut into stages, and the tensors that cross each cut.
#pragma once

#include "core/ir/expected.h"
#include "core/ir/program.h"

#include <span>
#include <string>
#include <utility>
#include <vector>

namespace stowage::pipeline {

/// An op that only makes a constant: no operator of its own. ONNX `Constant`, and what the importer folds (`ConstantOfShape` of a
/// constant shape): all its results are known at compile time and not planned.
[[nodiscard]] bool makesConstant(const Function& function, const Op& op);

/// What the ops of a program's entry touch, seen from outside: nested regions belong to their op. Cut p lies in front of op p.
///
/// Ops that make constants (`makesConstant`) are no operators: each stage gets those that it needs. Everything that is written
/// into one storage (a tensor with its views) has to be in one stage, and so has everything that touches a variable, which keeps
/// its value from frame to frame.
class CutMap {
public:
    /// Requires a verified program. Linear in the program.
    explicit CutMap(const Program& program);

    /// The operators in listed order, without those that make constants.
    [[nodiscard]] const std::vector<OpId>& ops() const { return ops_; }
    [[nodiscard]] std::size_t size() const { return ops_.size(); }
    [[nodiscard]] bool allowed(std::size_t cut) const { return cut == 0 || cut >= size() || forbidden_[cut] == none; }
    /// The tensor that keeps a cut from being allowed.
    [[nodiscard]] TensorId obstacle(std::size_t cut) const { return forbidden_[cut]; }
    /// Bytes that are made before the cut and read after it, each tensor once; tensors from the application, constants and
    /// variables do not cross.
    [[nodiscard]] Bytes crossing(std::size_t cut) const { return crossing_[cut]; }
    /// Tensors that cross some cut and have no known size.
    [[nodiscard]] const std::vector<TensorId>& unsized() const { return unsized_; }

    [[nodiscard]] const Function& function() const { return function_; }
    /// Tensors of the function's own region that an operator reads, ascending.
    [[nodiscard]] std::span<const TensorId> reads(std::size_t op) const { return reads_[op]; }
    /// Those that it writes or uses as scratch.
    [[nodiscard]] std::span<const TensorId> writes(std::size_t op) const { return writes_[op]; }
    /// The tensor that a view looks at, or the tensor itself.
    [[nodiscard]] TensorId root(TensorId tensor) const { return roots_[at(tensor)]; }
    /// The operator after which a tensor has its value; none: before the first one.
    [[nodiscard]] std::int32_t madeBy(TensorId tensor) const { return madeBy_[at(roots_[at(tensor)])]; }
    /// The op that makes a constant, where one does.
    [[nodiscard]] OpId constantOp(TensorId tensor) const { return constantOps_[at(roots_[at(tensor)])]; }
    /// The last operator that reads a tensor; none when none does, the number of operators for an output of the function.
    [[nodiscard]] std::int32_t lastReader(TensorId tensor) const { return lastReader_[at(tensor)]; }
    /// True for a tensor of the function's own region that stages hand on: made by an operator, no constant, no variable.
    [[nodiscard]] bool travels(TensorId tensor) const;

private:
    void collect(const Program& program);
    void findOwners();
    void findForbidden();
    void sumCrossings();

    const Function& function_;
    std::vector<OpId> ops_;
    std::vector<std::vector<TensorId>> reads_;
    std::vector<std::vector<TensorId>> writes_;
    std::vector<TensorId> roots_;
    std::vector<std::int32_t> madeBy_;
    std::vector<std::int32_t> lastReader_;
    std::vector<OpId> constantOps_;
    std::vector<TensorId> forbidden_;
    std::vector<Bytes> crossing_;
    std::vector<TensorId> unsized_;
};

/// An operator by its kind (or its name) and its number among the operators of that kind, from 0: the last one of a stage.
struct NamedOp {
    std::string name;
    std::int64_t index = 0;
};

/// Cuts from the indices of operators that end a stage, as the design document has it: n indices make n + 1 stages. Errors: an
/// index out of order or past the last operator but one, a cut that is not allowed.
Expected<std::vector<std::size_t>> cutsAt(const CutMap& map, std::span<const std::int64_t> indices);
/// Cuts from named operators.
Expected<std::vector<std::size_t>> cutsAtOps(const CutMap& map, std::span<const NamedOp> ops);

} // namespace stowage::pipeline
