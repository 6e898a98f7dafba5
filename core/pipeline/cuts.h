// Places where a program may be cut into stages, and the tensors that cross each cut.
#pragma once

#include "core/ir/expected.h"
#include "core/ir/program.h"

#include <span>
#include <string>
#include <utility>
#include <vector>

namespace stowage::pipeline {

/// True for an op that only makes constants: all its results are known at compile time and are not planned. Examples: ONNX
/// `Constant`, and `ConstantOfShape` of a constant shape, which the importer folds.
[[nodiscard]] bool makesConstant(const Function& function, const Op& op);

/// The cuts of a program's entry function, and the tensors that each of its operators touches. Ops of nested regions count as
/// part of the op that holds the region. Cut p lies in front of operator p; cut 0 and cut `size()` are the two ends.
///
/// Ops that make constants (`makesConstant`) are not operators: each stage gets a copy of those that it needs. All operators that
/// write into one storage (a tensor and its views) have to be in one stage. So have all operators that touch one variable,
/// because a variable keeps its value from frame to frame.
class CutMap {
public:
    /// Requires a verified program. Linear in the program.
    explicit CutMap(const Program& program);

    /// The operators in listed order. Ops that make constants are left out.
    [[nodiscard]] const std::vector<OpId>& ops() const { return ops_; }
    [[nodiscard]] std::size_t size() const { return ops_.size(); }
    [[nodiscard]] bool allowed(std::size_t cut) const { return cut == 0 || cut >= size() || forbidden_[cut] == none; }
    /// The tensor that forbids a cut. Requires a cut that is not allowed.
    [[nodiscard]] TensorId obstacle(std::size_t cut) const { return forbidden_[cut]; }
    /// Bytes of the tensors that are made before the cut and read after it; each tensor counts once. Inputs of the program,
    /// constants and variables do not cross.
    [[nodiscard]] Bytes crossing(std::size_t cut) const { return crossing_[cut]; }
    /// Tensors of unknown size that cross a cut.
    [[nodiscard]] const std::vector<TensorId>& unsized() const { return unsized_; }

    [[nodiscard]] const Function& function() const { return function_; }
    /// Tensors of the function's own region that an operator reads, ascending.
    [[nodiscard]] std::span<const TensorId> reads(std::size_t op) const { return reads_[op]; }
    /// Tensors of the function's own region that an operator writes or uses as scratch, ascending.
    [[nodiscard]] std::span<const TensorId> writes(std::size_t op) const { return writes_[op]; }
    /// The tensor whose storage a view shares; for a tensor that is no view, the tensor itself.
    [[nodiscard]] TensorId root(TensorId tensor) const { return roots_[at(tensor)]; }
    /// The operator that makes a tensor; `none` for a tensor that has its value before the first operator.
    [[nodiscard]] std::int32_t madeBy(TensorId tensor) const { return madeBy_[at(roots_[at(tensor)])]; }
    /// The op that makes a constant; `none` for other tensors, and for constants that no op makes.
    [[nodiscard]] OpId constantOp(TensorId tensor) const { return constantOps_[at(roots_[at(tensor)])]; }
    /// The last operator that reads a tensor; `none` if no operator reads it, and `size()` for an output of the function.
    [[nodiscard]] std::int32_t lastReader(TensorId tensor) const { return lastReader_[at(tensor)]; }
    /// True for a tensor that one stage can hand to another: a tensor of the function's own region that an operator makes and
    /// that is neither a constant nor a variable.
    [[nodiscard]] bool travels(TensorId tensor) const;

private:
    void collect();
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

/// Names an operator that ends a stage: by its kind or its name, and by its number among the operators of that kind or name, from
/// 0.
struct NamedOp {
    std::string name;
    std::int64_t index = 0;
};

/// Cuts after the operators of these indices, as in TVM RFC 14: each index ends a stage, so that n indices make n + 1 stages.
/// Errors: indices that are not ascending, an index beyond the last operator but one, a cut that is not allowed.
Expected<std::vector<std::size_t>> cutsAt(const CutMap& map, std::span<const std::int64_t> indices);
/// Cuts after named operators. Errors: an operator that does not exist, and those of `cutsAt`.
Expected<std::vector<std::size_t>> cutsAtOps(const CutMap& map, std::span<const NamedOp> ops);

} // namespace stowage::pipeline
