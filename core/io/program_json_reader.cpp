// `stowage.program/1`, read.
#include "core/io/json_reader.h"
#include "core/io/pool_json.h"
#include "core/io/program_names.h"
#include "core/io/text.h"
#include "core/ir/checked.h"
#include "core/ir/dtype.h"
#include "core/ir/verify.h"

#include <fmt/format.h>

#include <unordered_map>

namespace stowage::io {

namespace {

/// A name that stands for a thing which may come later in the text.
struct Reference {
    std::string_view name;
    std::size_t offset = 0; ///< in the text, for messages
};

/// The place in a function that a reference leads to once all of the function has been read.
enum class Slot : std::uint8_t { input, output, temp, inPlaceInput, inPlaceOutput, carryFrom, carryTo, regionInput, regionOutput, alias };

struct Fixup {
    Reference what;
    Slot slot;
    Id owner;          ///< op, region or tensor
    std::size_t index; ///< in the owner's list
};

class Reader {
public:
    Reader(std::string_view text, const std::string& file) : in_(text, file), file_(file) {}

    Expected<Read<Program>> run()
    {
        std::string entry;
        in_.object({"format", "functions"}, [&](std::string_view key) {
            if (key == "format") in_.format("stowage.program/1");
            else if (key == "name") in_.read(program().name);
            else if (key == "entry") {
                entryAt_ = in_.offset();
                in_.read(entry);
            } else if (key == "pools") program().pools = readPools(in_);
            else if (key == "functions") in_.array([&] { readFunction(); });
        });
        if (!in_.finish()) return in_.error();
        resolveFunctions(entry);
        if (!in_.ok()) return in_.error();
        for (Diagnostic& told : verify(program())) {
            if (told.where.file.empty()) told.where.file = file_;
            if (told.severity == Severity::error) return told;
            result_.diagnostics.push_back(std::move(told));
        }
        return std::move(result_);
    }

private:
    Program& program() { return result_.value; }
    Function& function() { return program().functions.back(); }
    Op& op(OpId id) { return function().ops[static_cast<std::size_t>(id)]; }
    Region& region(RegionId id) { return function().regions[static_cast<std::size_t>(id)]; }
    Tensor& tensor(TensorId id) { return function().tensors[static_cast<std::size_t>(id)]; }

    Reference readReference()
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

    /// An array of tensor names; `list` grows by a hole for each.
    template <typename List>
    void readNames(Slot slot, Id owner, List list)
    {
        in_.array([&] {
            fixups_.push_back({readReference(), slot, owner, list().size()});
            list().push_back(none);
        });
    }

    void readFunction()
    {
        program().functions.emplace_back();
        function().regions.emplace_back();
        tensors_.clear();
        fixups_.clear();
        const std::size_t at = in_.offset();
        in_.object({"name"}, [&](std::string_view key) {
            if (key == "name") in_.read(function().name);
            else readRegionField(0, key);
        });
        if (!in_.ok()) return;
        if (!functions_.try_emplace(function().name, static_cast<FunctionId>(program().functions.size() - 1)).second)
            in_.failAt(at, "duplicate-name", fmt::format("there are two functions named '{}'", function().name), "give each its own name");
        resolveTensors();
        // What a function's own lists name is an input or an output, whatever its kind says.
        for (const TensorId id : region(0).outputs)
            if (id != none && tensor(id).kind == TensorKind::intermediate) tensor(id).kind = TensorKind::output;
        for (const TensorId id : region(0).inputs)
            if (id != none && tensor(id).kind == TensorKind::intermediate) tensor(id).kind = TensorKind::input;
    }

    void readRegionField(RegionId id, std::string_view key)
    {
        if (key == "inputs") readNames(Slot::regionInput, id, [&]() -> auto& { return region(id).inputs; });
        else if (key == "outputs") readNames(Slot::regionOutput, id, [&]() -> auto& { return region(id).outputs; });
        else if (key == "tensors") in_.array([&] { readTensor(id); });
        else if (key == "ops") in_.array([&] { readOp(id); });
    }

    RegionId readRegion(OpId owner, RegionRole role)
    {
        const auto id = static_cast<RegionId>(function().regions.size());
        function().regions.push_back({role, owner, {}, {}, {}});
        in_.object([&](std::string_view key) { readRegionField(id, key); });
        return id;
    }

    void readWhere(Position& where)
    {
        in_.object([&](std::string_view key) {
            if (key == "file") in_.read(where.file);
            else if (key == "line") in_.read(where.line, 0);
            else if (key == "column") in_.read(where.column, 0);
            else if (key == "byte") in_.read(where.byte, -1);
        });
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
            if (key == "name") in_.read(made.name);
            else if (key == "kind") in_.read(made.kind, tensorKindNames);
            else if (key == "available") in_.read(made.available, availabilityNames);
            else if (key == "dtype") in_.read(made.dtype);
            else if (key == "shape") in_.array([&] { made.shape.push_back(in_.integer(-1, maxBytes)); });
            else if (key == "bytes") {
                in_.read(made.bytes, Bytes{0}, maxBytes);
                sized = true;
            } else if (key == "alignment") in_.read(made.alignment, 1, maxBytes);
            else if (key == "pools") in_.array([&] { made.pools.emplace_back(in_.string()); });
            else if (key == "multi_buffer") in_.read(made.multiBuffer, 1, 1 << 20);
            else if (key == "alias_of") fixups_.push_back({readReference(), Slot::alias, id, 0});
            else if (key == "alias_offset") in_.read(made.aliasOffset, 0, maxBytes);
            else if (key == "planned") in_.read(made.planned);
            else if (key == "offset") in_.read(made.pinnedOffset, Bytes{0}, maxBytes);
            else if (key == "where") readWhere(made.where);
        });
        if (!in_.ok()) return;
        if (!sized) size(made, at);
        if (!tensors_.try_emplace(made.name, id).second)
            in_.failAt(at, "duplicate-name", fmt::format("there are two tensors named '{}' in function '{}'", made.name, function().name),
                       "give each its own name, also across nested regions");
        function().tensors.push_back(std::move(made));
    }

    /// dtype times shape, for a tensor that does not say its bytes.
    void size(Tensor& made, std::size_t at)
    {
        if (made.dtype.empty())
            return in_.failAt(at, "missing-field", fmt::format("tensor '{}' has neither 'bytes' nor 'dtype' and 'shape'", made.name),
                              "say its size; \"bytes\": null where it is not known");
        if (!dtypeBits(made.dtype))
            return in_.failAt(at, "bad-value", fmt::format("tensor '{}': the element type '{}' is not known", made.name, made.dtype),
                              "use f32, f16, bf16, i8, u8, i32, … or say 'bytes'");
        made.bytes = tensorBytes(made.dtype, made.shape);
        for (const std::int64_t dimension : made.shape)
            if (dimension < 0) return; // dynamic: left out of planning
        if (!made.bytes)
            in_.failAt(at, "out-of-range", fmt::format("tensor '{}' is larger than 2^62 bytes", made.name), "check its shape");
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
            if (key == "name") in_.read(op(id).name);
            else if (key == "kind") in_.read(op(id).kind);
            else if (key == "inputs") readNames(Slot::input, id, [&]() -> auto& { return op(id).inputs; });
            else if (key == "outputs") readNames(Slot::output, id, [&]() -> auto& { return op(id).outputs; });
            else if (key == "temps") readNames(Slot::temp, id, [&]() -> auto& { return op(id).temps; });
            else if (key == "inplace") in_.array([&] { readInPlace(id); });
            else if (key == "inplace_required") in_.read(op(id).inPlaceRequired);
            else if (key == "pipe") in_.read(op(id).pipe);
            else if (key == "device") in_.read(op(id).device);
            else if (key == "cost_us") readCost(id);
            else if (key == "trip_count") {
                std::optional<std::int64_t> count;
                in_.read(count, std::int64_t{0}, maxBytes);
                op(id).tripCount = count;
            } else if (key == "carries") in_.array([&] { readCarry(id); });
            else if (key == "cond") condition = readRegion(id, RegionRole::condition);
            else if (key == "body") body = readRegion(id, RegionRole::body);
            else if (key == "branches") {
                isBranch = true;
                in_.array([&] { branches.push_back(readRegion(id, RegionRole::branch)); });
            } else if (key == "callee") {
                isCall = true;
                callees_.push_back({static_cast<FunctionId>(program().functions.size() - 1), id, std::string(in_.string()), at});
            } else if (key == "where") readWhere(op(id).where);
        });
        if (!in_.ok()) return;
        if (int(body.has_value()) + int(isBranch) + int(isCall) > 1)
            in_.failAt(at, "bad-value", fmt::format("op '{}' has more than one of 'body', 'branches' and 'callee'", op(id).name),
                       "an op is a loop, a case or a call");
        if (condition && !body)
            in_.failAt(at, "missing-field", fmt::format("op '{}' has a 'cond' and no 'body'", op(id).name), "add the loop's body");
        Op& made = op(id);
        if (body) {
            made.control = Control::loop;
            if (condition) made.regions.push_back(*condition);
            made.regions.push_back(*body);
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
            const Reference name = readReference();
            if (count < 2) fixups_.push_back({name, count == 0 ? Slot::inPlaceInput : Slot::inPlaceOutput, id, index});
            ++count;
        });
        if (in_.ok() && count != 2)
            in_.failAt(at, "wrong-type", fmt::format("expected [input, output], found {} names", count));
    }

    void readCarry(OpId id)
    {
        const std::size_t index = op(id).carries.size();
        op(id).carries.emplace_back();
        in_.object({"from", "to"}, [&](std::string_view key) {
            if (key == "from") fixups_.push_back({readReference(), Slot::carryFrom, id, index});
            else if (key == "to") fixups_.push_back({readReference(), Slot::carryTo, id, index});
        });
    }

    /// A number, or an object by device.
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
                return in_.failAt(fixup.what.offset, "unknown-tensor",
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
                return in_.failAt(callee.offset, "unknown-function", fmt::format("there is no function named '{}'", callee.name));
            program().functions[static_cast<std::size_t>(callee.function)].ops[static_cast<std::size_t>(callee.op)].callee = found->second;
        }
        if (program().functions.empty()) return in_.fail("missing-field", "a program needs at least one function");
        const auto found = functions_.find(entry.empty() ? "main" : entry);
        if (found != functions_.end()) program().entry = found->second;
        else if (!entry.empty()) in_.failAt(entryAt_, "unknown-function", fmt::format("the entry '{}' is not among the functions", entry));
    }

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
};

} // namespace

Expected<Read<Program>> readProgramJson(std::string_view text, const std::string& file) { return Reader(text, file).run(); }

} // namespace stowage::io
