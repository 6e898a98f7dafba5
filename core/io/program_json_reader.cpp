// Reads `stowage.program/1`. Additional fields make reading the inverse of writing. "where" of tensors and ops ({"file", "line",
// "column", "byte"}): the position in the original source. "positions": "kept": tensors and ops without "where" have no position;
// without this field they get their position in this file. "index" of tensors and ops: their index in the function, if it differs
// from the order in the file.
#include "core/io/json_reader.h"
#include "core/io/op_kinds.h"
#include "core/io/pool_json.h"
#include "core/io/program_names.h"
#include "core/io/text.h"
#include "core/ir/checked.h"
#include "core/ir/dtype.h"
#include "core/ir/limits.h"
#include "core/ir/verify.h"
#include "core/ir/views.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace stowage::io {

namespace {

/// A name that refers to an object that may come later in the text.
struct NameReference {
    std::string_view name;
    std::size_t offset = 0; ///< position in the text, for messages
};

/// The field of a function that a reference sets after the entire function is read.
enum class Slot : std::uint8_t {
    input,
    output,
    temp,
    inPlaceInput,
    inPlaceOutput,
    carryFrom,
    carryTo,
    regionInput,
    regionOutput,
    alias
};

struct Fixup {
    NameReference what;
    Slot slot;
    Id owner;          ///< op, region or tensor
    std::size_t index; ///< index in the owner's list
};

class ProgramReader {
public:
    ProgramReader(std::string_view text, const std::string& file) : in_(text, file), file_(file) {}

    Expected<Read<Program>> run()
    {
        std::string entry;
        in_.object({"format", "functions"}, [&](std::string_view key) {
            if (key == "format")
                in_.format("stowage.program/1");
            else if (key == "name")
                in_.read(program().name);
            else if (key == "entry") {
                entryAt_ = in_.offset();
                in_.read(entry);
            } else if (key == "pools")
                program().pools = readPools(in_);
            else if (key == "lowering")
                readAttributes(program().lowering);
            else if (key == "positions") {
                const std::size_t at = in_.offset();
                if (in_.string() != "kept")
                    in_.failAt(at, Code::badValue, "'positions' can be 'kept'", "leave it out for the places in this file");
                positionsKept_ = true;
            } else if (key == "functions")
                in_.array([&] { readFunction(); });
        });
        if (!in_.finish()) return in_.error();
        resolveFunctions(entry);
        if (!in_.ok()) return in_.error();
        for (Diagnostic& told : verify(program())) {
            if (told.where.file.empty()) told.where.file = file_;
            if (told.severity == Severity::error) return told;
            result_.diagnostics.push_back(std::move(told));
        }
        if (auto warned = viewPlacesWithoutEffect(program())) {
            if (warned->where.file.empty()) warned->where.file = file_;
            result_.diagnostics.push_back(*std::move(warned));
        }
        placeInSource();
        stateTraits(program());
        return std::move(result_);
    }

private:
    Program& program() { return result_.value; }
    Function& function() { return program().functions.back(); }
    Op& op(OpId id) { return function().ops[static_cast<std::size_t>(id)]; }
    Region& region(RegionId id) { return function().regions[static_cast<std::size_t>(id)]; }
    Tensor& tensor(TensorId id) { return function().tensors[static_cast<std::size_t>(id)]; }

    NameReference readReference()
    {
        const std::size_t offset = in_.offset();
        return {in_.string(), offset};
    }
    Position here() const
    {
        Position position = in_.position();
        position.file = file_;
        return position;
    }

    /// Reads an array of tensor names; appends a placeholder to `list` for each.
    template <typename List>
    void readNames(Slot slot, Id owner, List list)
    {
        in_.array([&] {
            fixups_.push_back({readReference(), slot, owner, list().size()});
            list().push_back(none);
        });
    }

    /// Replaces positions in this file by the given positions in the original source. Called after all errors of the text are
    /// reported.
    void placeInSource()
    {
        if (positionsKept_)
            for (Function& each : program().functions) {
                for (Tensor& tensor : each.tensors) tensor.where = {};
                for (Op& op : each.ops) op.where = {};
            }
        for (GivenPlace& given : given_) {
            Function& home = program().functions[static_cast<std::size_t>(given.function)];
            const auto id = static_cast<std::size_t>(given.id);
            (given.ofOp ? home.ops[id].where : home.tensors[id].where) = std::move(given.where);
        }
    }

    void readFunction()
    {
        program().functions.emplace_back();
        function().regions.emplace_back();
        tensors_.clear();
        fixups_.clear();
        tensorIndices_.clear();
        opIndices_.clear();
        plainKinds_.clear();
        firstCallee_ = callees_.size();
        firstGiven_ = given_.size();
        const std::size_t at = in_.offset();
        in_.object({"name"}, [&](std::string_view key) {
            if (key == "name")
                in_.read(function().name);
            else if (key == "pools")
                in_.array([&] { function().pools.emplace_back(in_.string()); });
            else
                readRegionField(0, key);
        });
        if (!in_.ok()) return;
        if (!functions_.try_emplace(function().name, static_cast<FunctionId>(program().functions.size() - 1)).second)
            in_.failAt(at, Code::duplicateName, fmt::format("there are two functions named '{}'", function().name),
                       "give each its own name");
        resolveTensors();
        // Tensors in the inputs and outputs of a function are of kind input or output, unless their kind is given.
        const auto plain = [&](TensorId id) { return tensor(id).kind == TensorKind::intermediate && !plainKinds_.contains(id); };
        for (const TensorId id : region(0).outputs)
            if (id != none && plain(id)) tensor(id).kind = TensorKind::output;
        for (const TensorId id : region(0).inputs)
            if (id != none && plain(id)) tensor(id).kind = TensorKind::input;
        if (in_.ok()) putInOrder(at);
    }

    /// The new index of each element, from the given indices; empty if none is given.
    std::vector<Id> orderOf(const std::vector<std::pair<Id, std::int64_t>>& indices, std::size_t count, std::size_t at,
                            const char* what)
    {
        if (indices.empty()) return {};
        std::vector<Id> places(count, none);
        std::vector<bool> taken(count, false);
        for (const auto& [id, index] : indices) {
            if (index >= static_cast<std::int64_t>(count) || taken[static_cast<std::size_t>(index)]) break;
            taken[static_cast<std::size_t>(index)] = true;
            places[static_cast<std::size_t>(id)] = static_cast<Id>(index);
        }
        if (std::find(places.begin(), places.end(), none) == places.end()) return places;
        in_.failAt(at, Code::badValue,
                   fmt::format("the 'index' fields of the {} of function '{}' are not the numbers 0 to {}, each once", what,
                               function().name, count - 1),
                   "give every one its own, or none of them");
        return {};
    }

    template <typename T>
    static void permute(std::vector<T>& things, const std::vector<Id>& places)
    {
        std::vector<T> sorted(things.size());
        for (std::size_t i = 0; i < things.size(); ++i) sorted[static_cast<std::size_t>(places[i])] = std::move(things[i]);
        things = std::move(sorted);
    }

    void putInOrder(std::size_t at)
    {
        const std::vector<Id> tensors = orderOf(tensorIndices_, function().tensors.size(), at, "tensors");
        const std::vector<Id> ops = orderOf(opIndices_, function().ops.size(), at, "ops");
        if (!in_.ok() || (tensors.empty() && ops.empty())) return;
        const auto follow = [](const std::vector<Id>& places, Id& id) {
            if (id != none && !places.empty()) id = places[static_cast<std::size_t>(id)];
        };
        const auto followAll = [&](const std::vector<Id>& places, std::vector<Id>& ids) {
            for (Id& id : ids) follow(places, id);
        };
        for (Tensor& each : function().tensors) follow(tensors, each.aliasOf);
        for (Op& each : function().ops) {
            for (auto* list : {&each.inputs, &each.outputs, &each.temps}) followAll(tensors, *list);
            for (InPlace& pair : each.inPlace) {
                follow(tensors, pair.input);
                follow(tensors, pair.output);
            }
            for (Carry& carry : each.carries) {
                follow(tensors, carry.from);
                follow(tensors, carry.to);
            }
        }
        for (Region& each : function().regions) {
            followAll(tensors, each.inputs);
            followAll(tensors, each.outputs);
            followAll(ops, each.ops);
            follow(ops, each.owner);
        }
        for (std::size_t c = firstCallee_; c < callees_.size(); ++c) follow(ops, callees_[c].op);
        for (std::size_t g = firstGiven_; g < given_.size(); ++g) follow(given_[g].ofOp ? ops : tensors, given_[g].id);
        if (!tensors.empty()) permute(function().tensors, tensors);
        if (!ops.empty()) permute(function().ops, ops);
    }

    void readIndex(std::vector<std::pair<Id, std::int64_t>>& indices, Id id)
    {
        indices.emplace_back(id, in_.integer(0, maxBytes));
    }

    void readRegionField(RegionId id, std::string_view key)
    {
        if (key == "inputs")
            readNames(
                Slot::regionInput, id, [&]() -> auto& { return region(id).inputs; });
        else if (key == "outputs")
            readNames(
                Slot::regionOutput, id, [&]() -> auto& { return region(id).outputs; });
        else if (key == "tensors")
            in_.array([&] { readTensor(id); });
        else if (key == "ops")
            in_.array([&] { readOp(id); });
    }

    RegionId readRegion(OpId owner, RegionRole role)
    {
        const auto id = static_cast<RegionId>(function().regions.size());
        function().regions.push_back({role, owner, {}, {}, {}});
        in_.object([&](std::string_view key) { readRegionField(id, key); });
        return id;
    }

    void readAttributes(std::vector<Attribute>& to)
    {
        in_.object([&](std::string_view key) { to.emplace_back(std::string(key), std::string(in_.string())); });
    }

    void readWhere(bool ofOp, Id id)
    {
        Position where;
        in_.object([&](std::string_view key) {
            if (key == "file")
                in_.read(where.file);
            else if (key == "line")
                in_.read(where.line, 0);
            else if (key == "column")
                in_.read(where.column, 0);
            else if (key == "byte")
                in_.read(where.byte, -1);
        });
        given_.push_back({static_cast<FunctionId>(program().functions.size() - 1), ofOp, id, std::move(where)});
    }

    void readTensor(RegionId home)
    {
        const auto id = static_cast<TensorId>(function().tensors.size());
        Tensor made;
        made.region = home;
        made.where = here();
        const std::size_t at = in_.offset();
        bool sized = false;
        in_.object({"name"}, [&](std::string_view key) {
            if (key == "name")
                in_.read(made.name);
            else if (key == "kind") {
                in_.read(made.kind, tensorKindNames);
                if (made.kind == TensorKind::intermediate) plainKinds_.insert(id);
            } else if (key == "available")
                in_.read(made.available, availabilityNames);
            else if (key == "dtype")
                in_.read(made.dtype);
            else if (key == "shape")
                in_.array([&] { made.shape.push_back(in_.integer(-1, maxBytes)); });
            else if (key == "bytes") {
                in_.read(made.bytes, Bytes{0}, maxBytes);
                sized = true;
            } else if (key == "alignment")
                in_.read(made.alignment, 1, maxBytes);
            else if (key == "pools")
                in_.array([&] { made.pools.emplace_back(in_.string()); });
            else if (key == "multi_buffer")
                in_.read(made.multiBuffer, 1, maxSlots);
            else if (key == "alias_of")
                fixups_.push_back({readReference(), Slot::alias, id, 0});
            else if (key == "alias_offset")
                in_.read(made.aliasOffset, 0, maxBytes);
            else if (key == "planned")
                in_.read(made.planned);
            else if (key == "offset")
                in_.read(made.pinnedOffset, Bytes{0}, maxBytes);
            else if (key == "attributes")
                readAttributes(made.attributes);
            else if (key == "index")
                readIndex(tensorIndices_, id);
            else if (key == "where")
                readWhere(false, id);
        });
        if (!in_.ok()) return;
        if (!sized) size(made, at);
        if (!tensors_.try_emplace(made.name, id).second)
            in_.failAt(at, Code::duplicateName,
                       fmt::format("there are two tensors named '{}' in function '{}'", made.name, function().name),
                       "give each its own name, also across nested regions");
        function().tensors.push_back(std::move(made));
    }

    /// Computes the size from dtype and shape, for a tensor without "bytes".
    void size(Tensor& made, std::size_t at)
    {
        if (made.dtype.empty())
            return in_.failAt(at, Code::missingField,
                              fmt::format("tensor '{}' has neither 'bytes' nor 'dtype' and 'shape'", made.name),
                              "say its size; \"bytes\": null where it is not known");
        if (!dtypeBits(made.dtype))
            return in_.failAt(at, Code::badValue,
                              fmt::format("tensor '{}': the element type '{}' is not known", made.name, made.dtype),
                              "use f32, f16, bf16, i8, u8, i32, … or say 'bytes'");
        made.bytes = tensorBytes(made.dtype, made.shape);
        for (const std::int64_t dimension : made.shape)
            if (dimension < 0) return; // dynamic: left out of planning
        if (!made.bytes)
            in_.failAt(at, Code::outOfRange, fmt::format("tensor '{}' is larger than 2^62 bytes", made.name), "check its shape");
    }

    /// Reads the traits of an op whose kind does not determine them.
    void readTraits(OpTraits& traits)
    {
        in_.object({"effect"}, [&](std::string_view key) {
            if (key == "effect")
                in_.read(traits.effect, opEffectNames);
            else if (key == "work")
                in_.read(traits.work, opWorkNames);
            else if (key == "chooses_by_truth")
                in_.read(traits.choosesByTruth);
        });
    }

    void readOp(RegionId home)
    {
        const auto id = static_cast<OpId>(function().ops.size());
        function().ops.emplace_back();
        region(home).ops.push_back(id);
        op(id).parent = home;
        op(id).where = here();
        const std::size_t at = in_.offset();
        std::optional<RegionId> condition, body;
        std::vector<RegionId> branches;
        bool isBranch = false, isCall = false;
        in_.object({"name"}, [&](std::string_view key) {
            if (key == "name")
                in_.read(op(id).name);
            else if (key == "kind")
                in_.read(op(id).kind);
            else if (key == "traits")
                readTraits(op(id).traits);
            else if (key == "inputs")
                readNames(
                    Slot::input, id, [&]() -> auto& { return op(id).inputs; });
            else if (key == "outputs")
                readNames(
                    Slot::output, id, [&]() -> auto& { return op(id).outputs; });
            else if (key == "temps")
                readNames(
                    Slot::temp, id, [&]() -> auto& { return op(id).temps; });
            else if (key == "inplace")
                in_.array([&] { readInPlace(id); });
            else if (key == "inplace_required")
                in_.read(op(id).inPlaceRequired);
            else if (key == "pipe")
                in_.read(op(id).pipe);
            else if (key == "device")
                in_.read(op(id).device);
            else if (key == "cost_us")
                readCost(id);
            else if (key == "attributes")
                readAttributes(op(id).attributes);
            else if (key == "trip_count") {
                std::optional<std::int64_t> count;
                in_.read(count, std::int64_t{0}, maxBytes);
                op(id).tripCount = count;
            } else if (key == "carries")
                in_.array([&] { readCarry(id); });
            else if (key == "cond")
                condition = readRegion(id, RegionRole::condition);
            else if (key == "body")
                body = readRegion(id, RegionRole::body);
            else if (key == "branches") {
                isBranch = true;
                in_.array([&] { branches.push_back(readRegion(id, RegionRole::branch)); });
            } else if (key == "callee") {
                isCall = true;
                callees_.push_back({static_cast<FunctionId>(program().functions.size() - 1), id, std::string(in_.string()), at});
            } else if (key == "index")
                readIndex(opIndices_, id);
            else if (key == "where")
                readWhere(true, id);
        });
        if (!in_.ok()) return;
        if (int(body.has_value()) + int(isBranch) + int(isCall) > 1)
            in_.failAt(at, Code::badValue,
                       fmt::format("op '{}' has more than one of 'body', 'branches' and 'callee'", op(id).name),
                       "an op is a loop, a case or a call");
        // A condition without a body makes the op an exit, in the body of a loop.
        if (condition && !body && (isBranch || isCall || region(home).role != RegionRole::body))
            in_.failAt(at, Code::missingField, fmt::format("op '{}' has a 'cond' and no 'body'", op(id).name),
                       "add the loop's body");
        Op& made = op(id);
        if (body) {
            made.control = Control::loop;
            if (condition) made.regions.push_back(*condition);
            made.regions.push_back(*body);
        } else if (condition && !isBranch && !isCall) {
            made.control = Control::exit;
            made.regions = {*condition};
        } else if (isBranch) {
            made.control = Control::branch;
            made.regions = std::move(branches);
        } else if (isCall) {
            made.control = Control::call;
        }
    }

    /// "[input, output]".
    void readInPlace(OpId id)
    {
        const std::size_t at = in_.offset(), index = op(id).inPlace.size();
        op(id).inPlace.emplace_back();
        std::size_t count = 0;
        in_.array([&] {
            const NameReference name = readReference();
            if (count < 2) fixups_.push_back({name, count == 0 ? Slot::inPlaceInput : Slot::inPlaceOutput, id, index});
            ++count;
        });
        if (in_.ok() && count != 2)
            in_.failAt(at, Code::wrongType, fmt::format("expected [input, output], found {} names", count));
    }

    void readCarry(OpId id)
    {
        const std::size_t index = op(id).carries.size();
        op(id).carries.emplace_back();
        in_.object({"from", "to"}, [&](std::string_view key) {
            if (key == "from")
                fixups_.push_back({readReference(), Slot::carryFrom, id, index});
            else if (key == "to")
                fixups_.push_back({readReference(), Slot::carryTo, id, index});
        });
    }

    /// Reads the cost: a number, or an object by device.
    void readCost(OpId id)
    {
        if (in_.type() != JsonType::object) {
            op(id).cost.push_back({{}, in_.number()});
            return;
        }
        in_.object([&](std::string_view device) {
            std::string name(device);
            op(id).cost.push_back({std::move(name), in_.number()});
        });
    }

    void resolveTensors()
    {
        for (const Fixup& fixup : fixups_) {
            const auto found = tensors_.find(fixup.what.name);
            if (found == tensors_.end())
                return in_.failAt(fixup.what.offset, Code::unknownTensor,
                                  fmt::format("there is no tensor named '{}' in function '{}'", fixup.what.name, function().name),
                                  "declare it under \"tensors\", or correct the name");
            place(fixup) = found->second;
        }
    }
    TensorId& place(const Fixup& fixup)
    {
        switch (fixup.slot) {
        case Slot::input: return op(fixup.owner).inputs[fixup.index];
        case Slot::output: return op(fixup.owner).outputs[fixup.index];
        case Slot::temp: return op(fixup.owner).temps[fixup.index];
        case Slot::inPlaceInput: return op(fixup.owner).inPlace[fixup.index].input;
        case Slot::inPlaceOutput: return op(fixup.owner).inPlace[fixup.index].output;
        case Slot::carryFrom: return op(fixup.owner).carries[fixup.index].from;
        case Slot::carryTo: return op(fixup.owner).carries[fixup.index].to;
        case Slot::regionInput: return region(fixup.owner).inputs[fixup.index];
        case Slot::regionOutput: return region(fixup.owner).outputs[fixup.index];
        case Slot::alias: break;
        }
        return tensor(fixup.owner).aliasOf;
    }

    void resolveFunctions(const std::string& entry)
    {
        if (!in_.ok()) return;
        for (const Callee& callee : callees_) {
            const auto found = functions_.find(callee.name);
            if (found == functions_.end())
                return in_.failAt(callee.offset, Code::unknownFunction,
                                  fmt::format("there is no function named '{}'", callee.name));
            program().functions[static_cast<std::size_t>(callee.function)].ops[static_cast<std::size_t>(callee.op)].callee =
                found->second;
        }
        if (program().functions.empty()) return in_.fail(Code::missingField, "a program needs at least one function");
        const auto found = functions_.find(entry.empty() ? "main" : entry);
        if (found != functions_.end())
            program().entry = found->second;
        else if (!entry.empty())
            in_.failAt(entryAt_, Code::unknownFunction, fmt::format("the entry '{}' is not among the functions", entry));
    }

    /// A given position in the original source.
    struct GivenPlace {
        FunctionId function;
        bool ofOp;
        Id id;
        Position where;
    };

    struct Callee {
        FunctionId function;
        OpId op;
        std::string name;
        std::size_t offset;
    };

    JsonReader in_;
    std::string file_;
    Read<Program> result_;
    std::size_t entryAt_ = 0;
    std::unordered_map<std::string, TensorId, NameHash, std::equal_to<>> tensors_; ///< of the function being read; looked up only
    std::vector<Fixup> fixups_;
    std::unordered_map<std::string, FunctionId, NameHash, std::equal_to<>> functions_; ///< looked up only
    std::vector<Callee> callees_;
    std::vector<GivenPlace> given_;
    bool positionsKept_ = false;
    // State of the function being read.
    std::size_t firstCallee_ = 0;
    std::size_t firstGiven_ = 0;
    std::vector<std::pair<Id, std::int64_t>> tensorIndices_, opIndices_;
    std::unordered_set<TensorId> plainKinds_; ///< tensors with the given kind "intermediate"
};

} // namespace

Expected<Read<Program>> readProgramJson(std::string_view text, const std::string& file)
{
    return ProgramReader(text, file).run();
}

} // namespace stowage::io
