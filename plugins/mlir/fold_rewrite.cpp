#include "plugins/mlir/fold_rewrite.h"

#include "core/ir/parsed_number.h"
#include "core/passes/fold.h"
#include "plugins/mlir/evaluation.h"
#include "plugins/mlir/op_facts.h"

#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/Linalg/IR/Linalg.h>
#include <mlir/Dialect/Tensor/IR/Tensor.h>
#include <mlir/IR/Builders.h>
#include <mlir/IR/IRMapping.h>
#include <mlir/IR/Matchers.h>
#include <mlir/Interfaces/SideEffectInterfaces.h>

#include <fmt/format.h>

#include <llvm/ADT/SmallPtrSet.h>

#include <cmath>

namespace stowage::mlirfile {

namespace {

/// Folds one function of a module.
class FunctionFolder {
public:
    FunctionFolder(const Function& function, const ReadFunction& read, const FunctionFold& fold)
        : function_(function), fold_(fold), ops_(read.ops), values_(read.values), original_(read.function)
    {
    }

    /// Adds the fold functions and changes the function into the new entry. An error when a value cannot be computed.
    std::optional<Error> run(const std::string& prefix, const std::string& path)
    {
        prefix_ = prefix;
        if (auto error = evaluateAll(path)) return error;
        addFoldFunction(FoldPlace::compileTimeFold, compileTimeFoldName);
        addFoldFunction(FoldPlace::runTimeFold, runTimeFoldName);
        makeEntry();
        return std::nullopt;
    }

private:
    mlir::Value valueOf(TensorId id) const { return values_[at(id)]; }
    mlir::Operation* opOf(OpId id) const { return ops_[at(id)]; }
    const Postponed& moveOf(OpId id) const { return fold_.postponed[at(fold_.ops[at(id)].move)]; }

    mlir::Type typeOf(const FoldedTensor& kept) const
    {
        auto type = llvm::cast<mlir::RankedTensorType>(valueOf(kept.tensor).getType());
        return mlir::RankedTensorType::get(kept.shape, type.getElementType(), type.getEncoding());
    }
    static mlir::RankedTensorType shapedAs(mlir::Type type, const std::vector<std::int64_t>& shape)
    {
        return mlir::RankedTensorType::get(shape, llvm::cast<mlir::RankedTensorType>(type).getElementType());
    }

    // --- values that are computed now ------------------------------------------------------------------------------------------

    std::optional<Error> evaluateAll(const std::string& path)
    {
        llvm::DenseMap<mlir::Value, mlir::ElementsAttr> known;
        for (const OpId id : opsIn(function_, fold_, FoldPlace::evaluated)) {
            mlir::Operation* op = opOf(id);
            llvm::SmallVector<std::int64_t> shape;
            const bool chained = fold_.ops[at(id)].chained();
            if (chained) shape.assign(moveOf(id).shape.begin(), moveOf(id).shape.end());
            const mlir::Value skipped = chained ? opOf(moveOf(id).expanding)->getResult(0) : mlir::Value();
            const mlir::Value instead = chained ? valueOf(function_.ops[at(moveOf(id).expanding)].inputs.front()) : mlir::Value();
            const auto attributeOf = [&](mlir::Value value) -> mlir::Attribute {
                if (value == skipped) value = instead;
                if (const auto found = known.find(value); found != known.end()) return found->second;
                mlir::Attribute constant;
                mlir::matchPattern(value, mlir::m_Constant(&constant));
                return constant;
            };
            auto computed = evaluate(op, attributeOf, chained ? &shape : nullptr);
            if (!computed) {
                Error error = std::move(computed).error();
                if (!error.where.known()) error.where = positionOf(op->getLoc(), path);
                return error;
            }
            known[op->getResult(0)] = *computed;
        }
        for (const FoldedTensor& kept : fold_.folded)
            if (kept.madeIn == FoldPlace::evaluated) literals_[valueOf(kept.tensor)] = known[valueOf(kept.tensor)];
        return std::nullopt;
    }

    // --- functions that run once -----------------------------------------------------------------------------------------------

    void addFoldFunction(FoldPlace place, std::string_view suffix)
    {
        llvm::SmallVector<mlir::Type> inputs, results;
        llvm::SmallVector<const FoldedTensor*> made, taken;
        for (const FoldedTensor& kept : fold_.folded) {
            if (kept.madeIn == place) made.push_back(&kept), results.push_back(typeOf(kept));
            if (place == FoldPlace::runTimeFold && kept.madeIn == FoldPlace::compileTimeFold && kept.runTimeFoldReads)
                taken.push_back(&kept);
        }
        if (made.empty()) return;
        const auto& arguments = place == FoldPlace::runTimeFold ? fold_.runTimeArguments : fold_.compileTimeArguments;
        for (const TensorId id : arguments) inputs.push_back(valueOf(id).getType());
        for (const FoldedTensor* kept : taken) inputs.push_back(typeOf(*kept));
        mlir::OpBuilder builder(original_.getContext());
        builder.setInsertionPointAfter(lastAdded_ ? lastAdded_ : original_.getOperation());
        auto function =
            builder.create<mlir::func::FuncOp>(original_.getLoc(), freshName(suffix), builder.getFunctionType(inputs, results));
        lastAdded_ = function;
        mlir::Block* block = function.addEntryBlock();
        builder.setInsertionPointToStart(block);
        mlir::IRMapping map;
        unsigned next = 0;
        for (const TensorId id : arguments) map.map(valueOf(id), block->getArgument(next++));
        for (const FoldedTensor* kept : taken) map.map(valueOf(kept->tensor), block->getArgument(next++));
        for (const OpId id : opsIn(function_, fold_, place)) copyOp(builder, id, map);
        llvm::SmallVector<mlir::Value> returned;
        for (const FoldedTensor* kept : made) returned.push_back(map.lookup(valueOf(kept->tensor)));
        builder.create<mlir::func::ReturnOp>(original_.getLoc(), returned);
    }

    std::string freshName(std::string_view suffix) const
    {
        std::string name = prefix_ + std::string(suffix);
        auto module = original_->getParentOfType<mlir::ModuleOp>();
        while (module.lookupSymbol(name)) name += '_';
        return name;
    }

    void copyOp(mlir::OpBuilder& builder, OpId id, mlir::IRMapping& map)
    {
        mlir::Operation* op = opOf(id);
        if (fold_.ops[at(id)].chained()) return copyChained(builder, id, map);
        for (const mlir::Value operand : readValues(op)) bring(builder, operand, map);
        copyWithEmpties(builder, op, map);
    }

    /// Makes sure that `map` has the value: literals and what is made of scalars come along.
    void bring(mlir::OpBuilder& builder, mlir::Value value, mlir::IRMapping& map)
    {
        if (map.contains(value)) return;
        if (const auto literal = literals_.find(value); literal != literals_.end()) {
            map.map(value, builder.create<mlir::arith::ConstantOp>(value.getLoc(), literal->second));
            return;
        }
        mlir::Operation* op = value.getDefiningOp();
        if (!op) return; // an argument of a region that is cloned with its op
        for (const mlir::Value operand : readValues(op)) bring(builder, operand, map);
        copyWithEmpties(builder, op, map);
    }

    static mlir::Value makeEmpty(mlir::OpBuilder& builder, mlir::Location location, mlir::RankedTensorType type)
    {
        return builder.create<mlir::tensor::EmptyOp>(location, type.getShape(), type.getElementType(), type.getEncoding());
    }

    /// A copy of an op; `map` has the values that the op reads, and gets its results. Each unread destination becomes an empty
    /// tensor, of the shape `small` if that is given. The empty tensors are not in `map`: this op or a later one may read the
    /// value that was the destination.
    static mlir::Operation* copyWithEmpties(mlir::OpBuilder& builder, mlir::Operation* op, mlir::IRMapping& map,
                                            const std::vector<std::int64_t>* small = nullptr)
    {
        llvm::SmallVector<std::pair<unsigned, mlir::Value>> destinations;
        for (mlir::OpOperand& operand : op->getOpOperands()) {
            if (!isUnreadDestination(operand)) continue;
            auto type = llvm::cast<mlir::RankedTensorType>(operand.get().getType());
            if (small) type = shapedAs(type, *small);
            destinations.emplace_back(operand.getOperandNumber(), makeEmpty(builder, op->getLoc(), type));
        }
        mlir::Operation* copy = builder.clone(*op, map);
        for (const auto& [number, empty] : destinations) copy->setOperand(number, empty);
        return copy;
    }

    /// An op of a chain, at the small shape.
    void copyChained(mlir::OpBuilder& builder, OpId id, mlir::IRMapping& map)
    {
        mlir::Operation* op = opOf(id);
        const Postponed& move = moveOf(id);
        const mlir::Value wide = opOf(move.expanding)->getResult(0);
        if (id == move.chain.front()) {
            const mlir::Value operand = valueOf(function_.ops[at(move.expanding)].inputs.front());
            bring(builder, operand, map);
            map.map(wide, map.lookup(operand));
        }
        mlir::IRMapping own = map;
        for (const mlir::Value operand : readValues(op)) {
            mlir::DenseElementsAttr splat;
            const bool tensor = llvm::isa<mlir::RankedTensorType>(operand.getType());
            if (tensor && mlir::matchPattern(operand, mlir::m_Constant(&splat)) && splat.isSplat()) {
                // Also when `map` has the literal: there it has the wide shape.
                own.map(operand, builder.create<mlir::arith::ConstantOp>(
                                     op->getLoc(), splat.resizeSplat(shapedAs(operand.getType(), move.shape))));
            } else if (!own.contains(operand)) {
                bring(builder, operand, map);
                if (map.contains(operand)) own.map(operand, map.lookup(operand));
            }
        }
        mlir::Operation* copy = copyWithEmpties(builder, op, own, &move.shape);
        copy->getResult(0).setType(shapedAs(op->getResult(0).getType(), move.shape));
        if (auto generic = llvm::dyn_cast<mlir::linalg::GenericOp>(copy)) {
            const auto rank = static_cast<unsigned>(move.shape.size());
            const llvm::SmallVector<mlir::AffineMap> maps(generic.getIndexingMapsArray().size(),
                                                          builder.getMultiDimIdentityMap(rank));
            const llvm::SmallVector<mlir::Attribute> iterators(
                rank, mlir::linalg::IteratorTypeAttr::get(builder.getContext(), mlir::utils::IteratorType::parallel));
            generic.setIndexingMapsAttr(builder.getAffineMapArrayAttr(maps));
            generic.setIteratorTypesAttr(builder.getArrayAttr(iterators));
        }
        map.map(op->getResult(0), copy->getResult(0));
    }

    // --- the new entry
    // -----------------------------------------------------------------------------------------------------------

    void makeEntry()
    {
        mlir::Block& block = original_.getBody().front();
        mlir::OpBuilder builder(original_.getContext());
        llvm::DenseMap<mlir::Value, mlir::Value> small; // last value of a chain: the folded tensor of the small shape
        for (const FoldedTensor& kept : fold_.folded) {
            if (!kept.entryReads) continue;
            mlir::Value old = valueOf(kept.tensor);
            mlir::Value now;
            if (kept.madeIn == FoldPlace::evaluated) {
                builder.setInsertionPointToStart(&block);
                now = builder.create<mlir::arith::ConstantOp>(old.getLoc(), literals_[old]);
            } else {
                now = block.addArgument(typeOf(kept), old.getLoc());
            }
            const OpId maker = makerOf(kept.tensor);
            if (fold_.ops[at(maker)].chained())
                small[old] = now;
            else
                old.replaceAllUsesWith(now);
        }
        for (const Postponed& move : fold_.postponed) moveExpanding(builder, move, small);
        eraseFolded();
        dropArguments(block);
    }

    OpId makerOf(TensorId tensor)
    {
        if (makers_.empty()) {
            makers_.assign(function_.tensors.size(), none);
            for (std::size_t i = 0; i < function_.ops.size(); ++i)
                for (const TensorId output : function_.ops[i].outputs) makers_[at(output)] = static_cast<OpId>(i);
        }
        return makers_[at(tensor)];
    }

    /// The expanding op again, in the place of the last op of its chain.
    void moveExpanding(mlir::OpBuilder& builder, const Postponed& move, const llvm::DenseMap<mlir::Value, mlir::Value>& small)
    {
        mlir::Operation* last = opOf(move.chain.back());
        const auto dimensions = broadcastDimensions(opOf(move.expanding));
        builder.setInsertionPoint(last);
        auto type = llvm::cast<mlir::RankedTensorType>(last->getResult(0).getType());
        const mlir::Value init = makeEmpty(builder, last->getLoc(), type);
        auto wide = builder.create<mlir::linalg::BroadcastOp>(opOf(move.expanding)->getLoc(), small.lookup(last->getResult(0)),
                                                              init, *dimensions);
        last->getResult(0).replaceAllUsesWith(wide->getResult(0));
    }

    void eraseFolded()
    {
        llvm::SmallVector<mlir::Operation*> gone;
        for (std::size_t i = 0; i < ops_.size(); ++i) {
            const OpFold& fold = fold_.ops[i];
            if (fold.folded() || fold.reason == FoldReason::postponed) gone.push_back(ops_[i]);
        }
        const llvm::SmallPtrSet<mlir::Operation*, 32> going(gone.begin(), gone.end());
        for (mlir::Operation* op : gone)
            for (mlir::Value result : op->getResults())
                freeDestinations(result, [&](mlir::Operation* user) { return !going.contains(user); });
        for (mlir::Operation* op : gone) op->dropAllUses(); // users of a folded op that is still used are folded, too
        for (mlir::Operation* op : gone) op->erase();
        // What only folded ops have read: empty tensors, literals, scalars.
        for (;;) {
            llvm::SmallVector<mlir::Operation*> bare;
            original_.walk([&](mlir::Operation* op) {
                if (isEmptyConstant(op) && op->use_empty()) bare.push_back(op);
            });
            if (bare.empty()) return;
            for (mlir::Operation* op : bare) op->erase();
        }
    }

    /// Uses as a destination whose old value nobody reads: an empty tensor does as well.
    static void freeDestinations(mlir::Value value, llvm::function_ref<bool(mlir::Operation*)> stays)
    {
        for (mlir::OpOperand& use : llvm::make_early_inc_range(value.getUses())) {
            if (!isUnreadDestination(use) || !stays(use.getOwner())) continue;
            mlir::OpBuilder builder(use.getOwner());
            use.set(makeEmpty(builder, value.getLoc(), llvm::cast<mlir::RankedTensorType>(value.getType())));
        }
    }

    static bool isEmptyConstant(mlir::Operation* op)
    {
        return op->hasTrait<mlir::OpTrait::ConstantLike>() || llvm::isa<mlir::tensor::EmptyOp>(op);
    }

    void dropArguments(mlir::Block& block)
    {
        const unsigned before = original_.getFunctionType().getNumInputs();
        llvm::BitVector dropped(before);
        for (unsigned i = 0; i < before; ++i) dropped[i] = !llvm::is_contained(fold_.entryArguments, function_.body().inputs[i]);
        llvm::SmallVector<mlir::Type> inputs;
        llvm::SmallVector<mlir::Attribute> attributes;
        llvm::SmallVector<int> now(before, -1);
        for (unsigned i = 0; i < before; ++i)
            if (!dropped[i]) now[i] = static_cast<int>(attributes.size()), attributes.push_back(original_.getArgAttrDict(i));
        for (unsigned i = 0; i < before; ++i)
            if (dropped[i]) freeDestinations(block.getArgument(i), [](mlir::Operation*) { return true; });
        block.eraseArguments(
            [&](mlir::BlockArgument argument) { return argument.getArgNumber() < before && dropped[argument.getArgNumber()]; });
        const mlir::Attribute empty = mlir::DictionaryAttr::get(original_.getContext());
        while (attributes.size() < block.getNumArguments()) attributes.push_back(empty);
        for (auto& attribute : attributes)
            if (!attribute) attribute = empty;
        const auto results = original_.getFunctionType().getResults();
        original_.removeArgAttrsAttr();
        original_.setFunctionType(mlir::FunctionType::get(original_.getContext(), block.getArgumentTypes(), results));
        original_.setAllArgAttrs(attributes);
        for (const char* name : {"compiletime_const_args_index", "runtime_const_args_index"}) renumber(name, now);
    }

    void renumber(const char* name, llvm::ArrayRef<int> now)
    {
        auto list = original_->getAttrOfType<mlir::ArrayAttr>(name);
        if (!list) return;
        llvm::SmallVector<mlir::Attribute> left;
        for (const mlir::Attribute each : list) {
            auto number = llvm::dyn_cast<mlir::IntegerAttr>(each);
            if (!number || number.getInt() < 0 || number.getInt() >= static_cast<std::int64_t>(now.size())) continue;
            if (const int index = now[static_cast<std::size_t>(number.getInt())]; index >= 0)
                left.push_back(mlir::IntegerAttr::get(number.getType(), index));
        }
        if (left.empty())
            original_->removeAttr(name);
        else
            original_->setAttr(name, mlir::ArrayAttr::get(original_.getContext(), left));
    }

    const Function& function_;
    const FunctionFold& fold_;
    const std::vector<mlir::Operation*>& ops_;
    const std::vector<mlir::Value>& values_;
    mlir::func::FuncOp original_;
    mlir::Operation* lastAdded_ = nullptr;
    std::string prefix_;
    llvm::DenseMap<mlir::Value, mlir::ElementsAttr> literals_;
    std::vector<OpId> makers_;
};

Expected<std::vector<std::int32_t>> indices(const std::string& text)
{
    std::vector<std::int32_t> values;
    for (std::size_t begin = 0; begin < text.size();) {
        const auto end = std::min(text.find(',', begin), text.size());
        const auto value = parsedNumber<std::int32_t>(std::string_view(text).substr(begin, end - begin));
        if (!value) return failure(Code::badOption, fmt::format("\"{}\" is no list of positions", text), {}, "write 0,2,3");
        values.push_back(*value);
        begin = end + 1;
    }
    return values;
}

struct PassOptions {
    FoldOptions fold;
    std::string function; ///< empty: all that may be folded
};

Expected<PassOptions> readOptions(const std::vector<std::pair<std::string, std::string>>& given)
{
    PassOptions options;
    for (const auto& [key, value] : given) {
        if (key == "mode")
            options.fold.mode = foldMode(value).value_or(FoldMode::runTime);
        else if (key == "postpone")
            options.fold.postpone = value != "off";
        else if (key == "function")
            options.function = value;
        else if (key == "threshold") {
            const auto threshold = parsedNumber<double>(value);
            if (!threshold)
                return failure(Code::badOption, fmt::format("the threshold is \"{}\"", value), {}, "give a number above 0");
            options.fold.threshold = *threshold;
        } else {
            auto list = indices(value);
            if (!list) return std::move(list).error();
            (key == "compiletime-args" ? options.fold.compileTimeArguments : options.fold.runTimeArguments) = *std::move(list);
        }
    }
    return options;
}

} // namespace

Expected<Rewritten> rewriteFolded(const RewriteRequest& request)
{
    auto options = readOptions(request.passOptions);
    if (!options) return std::move(options).error();
    auto parsed = parseModule(request.text, request.path);
    if (!parsed) return std::move(parsed).error();
    auto read = readModule(*parsed, request.path, true);
    if (!read) return std::move(read).error();
    std::vector<FunctionId> functions = foldableFunctions(request.program);
    if (!options->function.empty())
        std::erase_if(functions, [&](FunctionId f) { return read->program.functions[at(f)].name != options->function; });
    std::vector<FunctionFold> folds;
    for (const FunctionId id : functions) {
        FoldOptions own = options->fold;
        if (id != request.program.entry) own.compileTimeArguments.clear(), own.runTimeArguments.clear();
        auto fold = decideFolds(request.program, id, own);
        if (!fold) return std::move(fold).error();
        if (fold->any()) folds.push_back(*std::move(fold));
    }
    for (const FunctionFold& fold : folds) {
        const Function& function = request.program.functions[at(fold.function)];
        FunctionFolder folder(function, read->functions[at(fold.function)], fold);
        if (auto error = folder.run(folds.size() > 1 ? function.name + '_' : std::string(), request.path))
            return *std::move(error);
    }
    auto text = printModule(*parsed->module, request.path);
    if (!text) return std::move(text).error();
    return Rewritten{*std::move(text), {}};
}

} // namespace stowage::mlirfile
