// Builds one function of a kernel, op by op.
#pragma once

#include "plugins/api/importer.h"
#include "plugins/hivm/operands.h"
#include "plugins/hivm/ops.h"
#include "plugins/hivm/syntax.h"

#include <map>
#include <optional>
#include <unordered_map>
#include <unordered_set>

namespace stowage::hivm {

/// The value of a name of the text.
struct Value {
    TensorId tensor = none; ///< `none`: a scalar, or another value without memory
    Type type;
    std::optional<std::int64_t> constant; ///< value of an integer constant
};

class FunctionBuilder {
public:
    FunctionBuilder(std::string_view text, const std::string& file, Function& function, Diagnostics& diagnostics)
        : text_(text), file_(file), function_(function), diagnostics_(diagnostics)
    {
    }

    /// Builds the function that `op` (a func.func with a body) defines. False after an error.
    bool build(const Operation& op);

    [[nodiscard]] Error& error() { return *error_; }
    /// Offsets of the buffers that the text places; the caller fills in the function's id.
    [[nodiscard]] std::vector<FilePlan::Offset>& offsets() { return offsets_; }

private:
    // --- names (value_builder.cpp) ---
    bool fail(std::uint32_t offset, Code code, std::string message, std::string remedy = {});
    Position placeOf(std::uint32_t offset);
    Tensor& tensor(TensorId id) { return function_.tensors[static_cast<std::size_t>(id)]; }
    Op& op(OpId id) { return function_.ops[static_cast<std::size_t>(id)]; }
    TensorId addTensor(std::string_view name, const Type& type, std::uint32_t offset);
    TensorId addView(std::string_view name, TensorId of, const Type& type, std::uint32_t offset, bool part);
    OpId addOp(const Operation& source, Control control = Control::leaf);
    RegionId addRegion(OpId owner, RegionRole role);
    void define(std::string_view name, Value value);
    const Value* lookUp(std::string_view name) const;
    TensorId rootOf(TensorId id) const;
    TensorId tensorOf(std::string_view name) const;
    static std::string resultName(const Operation& source, std::size_t index);

    // --- reading and writing (value_builder.cpp) ---
    static void addMark(Op& op, std::string_view mark);
    bool mayBe(TensorId chosen, TensorId source, std::uint32_t offset);
    void read(OpId op, TensorId id);
    void readOne(OpId op, TensorId id);
    TensorId write(OpId op, TensorId id);
    TensorId writeOne(OpId op, TensorId id);
    void makeResults(const Operation& source, const Header& header, OpId id);

    // --- ops (function_builder.cpp) ---
    bool visit(const Operation& source);
    bool leavesAlone(const Operation& source, const Operation& inner);
    bool visitBlocks(const SyntaxRegion& region);
    Value declare(const Operation& source, const Header& header);
    bool alloc(const Operation& source, const Header& header);
    bool workspace(const Operation& source, const Header& header);
    bool pointerCast(const Operation& source, const Header& header);
    void place(TensorId id, const std::vector<std::int64_t>& offsets);
    void mark(const Operation& source, const Header& header);
    void markCore(Tensor& coupled) const;
    void view(const Operation& source, const Header& header);
    bool select(const Operation& source, const Header& header);
    bool destination(const Operation& source, const Header& header);
    bool access(const Operation& source, const Header& header, OpRole role);
    bool unknown(const Operation& source, const Header& header);
    const Tensor* localBuffer(const Token& token);
    void constant(const Operation& source, const Header& header);
    bool jump(const Operation& source, const Header& header);
    void noteUses(const Operation& source);

    // --- regions (region_builder.cpp) ---
    struct Ends { ///< results of a region, by position; `none`: a scalar
        std::vector<TensorId> values;
    };
    void giveUndefined(const Operation& source, const Header& header);
    bool loop(const Operation& source, const Header& header);
    bool whileLoop(const Operation& source, const Header& header);
    bool branch(const Operation& source, const Header& header);
    bool once(const Operation& source, const Header& header);
    bool body(const SyntaxRegion& region, RegionId id, Ends& ends, const Operation& source);
    void endRegion(const SyntaxRegion& region, std::string_view kind);
    void handOut(const Operation& source, OpId id, const std::vector<RegionId>& regions, const std::vector<Ends>& ends);
    /// The value that a value of `region` is, or is a part of, through views, in-place ops and regions: an argument of the
    /// region, a value from outside, or empty.
    std::string_view resolve(const SyntaxRegion& region, std::string_view name, int depth);
    bool staysInPlace(const Operation& source, std::string_view inner, std::string_view init, std::size_t position, int depth);
    [[nodiscard]] std::pair<const Operation*, std::size_t> definition(const SyntaxRegion& region, std::string_view name);
    [[nodiscard]] std::string_view handedOut(const SyntaxRegion& region, std::size_t position) const;
    [[nodiscard]] bool isVisible(TensorId id) const;
    void resultOf(const Operation& source, std::size_t index, Value value);
    [[nodiscard]] std::optional<std::int64_t> tripCount(const Header& header) const;
    TensorId wholeOf(TensorId id) const;
    TensorId selector();

    std::string_view text_;
    const std::string& file_;
    Function& function_;
    Diagnostics& diagnostics_;
    std::optional<Error> error_;
    std::vector<std::unordered_map<std::string_view, Value>> scopes_;
    std::unordered_map<std::string, std::int32_t> tensorNames_; ///< count of tensors with a name
    std::unordered_map<std::string, std::int32_t> opNames_;
    std::unordered_map<std::string, std::int32_t> versions_; ///< latest version by name
    std::vector<bool> output_;                               ///< by tensor: an op has it as its output (or a region as its input)
    std::unordered_set<TensorId> written_;                   ///< roots that were written
    std::unordered_map<TensorId, std::vector<TensorId>> choices_; ///< roots that a chosen value may be, by its root
    RegionId region_ = 0;                                         ///< the region that is being filled
    TensorId selector_ = none;
    std::string_view vfMode_;   ///< `hivm.vf_mode` of the function: "SIMD", "SIMT", "MIX"; empty: none
    std::string_view coreType_; ///< `hivm.func_core_type` of the function: "AIC", "AIV"; empty: none
    Ends ends_;                 ///< results of the last ended region
    std::vector<FilePlan::Offset> offsets_;
    std::unordered_set<std::string> unread_; ///< names that are read before they are written and were already reported
    std::int64_t work_ = 0;                  ///< count of values visited while following values through regions and selects
    std::unordered_set<std::string> names_;  ///< names of results that the text does not contain literally: "%0#1"
    std::unordered_set<TensorId> temps_;     ///< scratch of ops
    std::unordered_set<std::string_view> notScratch_; ///< names that occur elsewhere than after temp_buffer
    std::vector<TensorId> log_;                       ///< roots in the order in which they were first written
    using Definitions = std::unordered_map<std::string_view, std::pair<const Operation*, std::size_t>>;
    std::unordered_map<const SyntaxRegion*, Definitions> definitions_;
    const SyntaxRegion* blocks_ = nullptr; ///< region whose blocks are being visited
    std::size_t block_ = 0;
};

} // namespace stowage::hivm
