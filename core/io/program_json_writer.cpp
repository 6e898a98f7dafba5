// Writes `stowage.program/1`, such that reading gives the same program. The reader describes the additional fields.
#include "core/io/json_writer.h"
#include "core/io/op_kinds.h"
#include "core/io/pool_json.h"
#include "core/io/program_names.h"
#include "core/io/text.h"
#include "core/ir/dtype.h"

#include <algorithm>
#include <span>
#include <vector>

namespace stowage::io {

namespace {

class ProgramWriter {
public:
    explicit ProgramWriter(const Program& program) : program_(program) {}

    std::string run()
    {
        out_.object([&] {
            out_.field("format", "stowage.program/1");
            out_.field("name", program_.name);
            out_.field("entry", program_.main().name);
            out_.field("positions", "kept");
            if (!program_.pools.empty()) {
                out_.key("pools");
                writePools(out_, program_.pools);
            }
            writeAttributes("lowering", program_.lowering);
            out_.array("functions", [&] {
                for (const Function& function : program_.functions) {
                    function_ = &function;
                    findOrder();
                    out_.object([&] {
                        out_.field("name", function.name);
                        if (!function.pools.empty())
                            out_.array("pools", JsonWriter::compact, [&] {
                                for (const std::string& pool : function.pools) out_.value(pool);
                            });
                        writeRegion(0);
                    });
                }
            });
        });
        return std::move(out_).text();
    }

private:
    /// Tests whether the order of tensors and ops equals the order of writing: the tensors of a region, then its ops one by one,
    /// each with its regions.
    void findOrder()
    {
        tensorsOf_.assign(function_->regions.size(), {});
        for (std::size_t t = 0; t < function_->tensors.size(); ++t)
            tensorsOf_[static_cast<std::size_t>(function_->tensors[t].region)].push_back(static_cast<TensorId>(t));
        const Region& body = function_->body();
        listed_.assign(function_->tensors.size(), false);
        for (const auto* list : {&body.inputs, &body.outputs})
            for (const TensorId id : *list) listed_[static_cast<std::size_t>(id)] = true;
        struct Place {
            RegionId region;
            std::size_t op;
        };
        TensorId nextTensor = 0;
        OpId nextOp = 0;
        tensorsInOrder_ = opsInOrder_ = true;
        const auto enter = [&](RegionId region) {
            for (const TensorId id : tensorsOf_[static_cast<std::size_t>(region)])
                if (id != nextTensor++) tensorsInOrder_ = false;
        };
        std::vector<Place> stack{{0, 0}};
        while (!stack.empty()) {
            Place& place = stack.back();
            const Region& region = function_->regions[static_cast<std::size_t>(place.region)];
            if (place.op == 0) enter(place.region);
            if (place.op >= region.ops.size()) {
                stack.pop_back();
                continue;
            }
            const OpId id = region.ops[place.op++];
            if (id != nextOp++) opsInOrder_ = false;
            const Op& op = function_->ops[static_cast<std::size_t>(id)];
            for (auto inner = op.regions.rbegin(); inner != op.regions.rend(); ++inner) stack.push_back({*inner, 0});
        }
    }

    void writePlace(const Position& where)
    {
        if (where == Position{}) return;
        out_.object("where", JsonWriter::compact, [&] {
            if (!where.file.empty()) out_.field("file", where.file);
            if (where.line != 0) out_.field("line", where.line);
            if (where.column != 0) out_.field("column", where.column);
            if (where.byte != -1) out_.field("byte", where.byte);
        });
    }

    const Tensor& tensor(TensorId id) const { return function_->tensors[static_cast<std::size_t>(id)]; }

    void writeNames(std::string_view key, std::span<const TensorId> ids)
    {
        out_.array(key, JsonWriter::compact, [&] {
            for (const TensorId id : ids) out_.value(tensor(id).name);
        });
    }
    void writeText(std::string_view key, const std::string& value)
    {
        if (!value.empty()) out_.field(key, value);
    }
    void writeRegion(RegionId id)
    {
        const Region& region = function_->regions[static_cast<std::size_t>(id)];
        writeNames("inputs", region.inputs);
        writeNames("outputs", region.outputs);
        out_.array("tensors", [&] {
            for (const TensorId own : tensorsOf_[static_cast<std::size_t>(id)]) writeTensor(tensor(own), own);
        });
        out_.array("ops", [&] {
            for (const OpId op : region.ops) writeOp(function_->ops[static_cast<std::size_t>(op)], op);
        });
    }

    void writeTensor(const Tensor& made, TensorId id)
    {
        out_.object(JsonWriter::compact, [&] {
            out_.field("name", made.name);
            if (!tensorsInOrder_) out_.field("index", id);
            // The reader makes a listed intermediate tensor an input or output, unless its kind is written.
            if (made.kind != TensorKind::intermediate || listed_[static_cast<std::size_t>(id)])
                out_.field("kind", tensorKindNames[static_cast<std::size_t>(made.kind)]);
            if (made.available != Availability::unknown)
                out_.field("available", availabilityNames[static_cast<std::size_t>(made.available)]);
            writeText("dtype", made.dtype);
            if (!made.shape.empty() || !made.dtype.empty())
                out_.array("shape", [&] {
                    for (const std::int64_t dimension : made.shape) out_.value(dimension);
                });
            const bool dynamic = std::any_of(made.shape.begin(), made.shape.end(), [](std::int64_t n) { return n < 0; });
            const bool unclear = !dtypeBits(made.dtype) || (!made.bytes && !dynamic); // type and shape do not determine the size
            if (unclear || made.bytes != tensorBytes(made.dtype, made.shape)) {
                out_.key("bytes");
                if (made.bytes)
                    out_.value(*made.bytes);
                else
                    out_.null();
            }
            if (made.alignment != 1) out_.field("alignment", made.alignment);
            if (!made.pools.empty())
                out_.array("pools", [&] {
                    for (const std::string& pool : made.pools) out_.value(pool);
                });
            if (made.multiBuffer != 1) out_.field("multi_buffer", made.multiBuffer);
            if (made.aliasOf != none) out_.field("alias_of", tensor(made.aliasOf).name);
            if (made.aliasOffset != 0) out_.field("alias_offset", made.aliasOffset);
            if (!made.planned) out_.field("planned", false);
            if (made.pinnedOffset) out_.field("offset", *made.pinnedOffset);
            writeAttributes("attributes", made.attributes);
            writePlace(made.where);
        });
    }

    void writeOp(const Op& op, OpId opId)
    {
        out_.object(op.regions.empty() ? JsonWriter::compact : JsonWriter::indented, [&] {
            out_.field("name", op.name);
            if (!opsInOrder_) out_.field("index", opId);
            writeText("kind", op.kind);
            writeTraits(op);
            writeNames("inputs", op.inputs);
            writeNames("outputs", op.outputs);
            if (!op.temps.empty()) writeNames("temps", op.temps);
            if (!op.inPlace.empty())
                out_.array("inplace", JsonWriter::compact, [&] {
                    for (const InPlace& pair : op.inPlace)
                        out_.array(JsonWriter::compact, [&] {
                            out_.value(tensor(pair.input).name);
                            out_.value(tensor(pair.output).name);
                        });
                });
            if (op.inPlaceRequired) out_.field("inplace_required", true);
            writeText("pipe", op.pipe);
            writeText("device", op.device);
            writeCost(op);
            writeAttributes("attributes", op.attributes);
            if (op.tripCount) out_.field("trip_count", *op.tripCount);
            if (!op.carries.empty())
                out_.array("carries", JsonWriter::compact, [&] {
                    for (const Carry& carry : op.carries)
                        out_.object(JsonWriter::compact, [&] {
                            out_.field("from", tensor(carry.from).name);
                            out_.field("to", tensor(carry.to).name);
                        });
                });
            writePlace(op.where);
            if (op.control == Control::call) out_.field("callee", program_.functions[static_cast<std::size_t>(op.callee)].name);
            if (op.control == Control::loop || op.control == Control::exit)
                for (const RegionId id : op.regions) {
                    const bool isBody = function_->regions[static_cast<std::size_t>(id)].role == RegionRole::body;
                    out_.object(isBody ? "body" : "cond", [&] { writeRegion(id); });
                }
            if (op.control == Control::branch)
                out_.array("branches", [&] {
                    for (const RegionId id : op.regions) out_.object([&] { writeRegion(id); });
                });
        });
    }

    /// Writes the traits of an op whose kind does not determine them.
    void writeTraits(const Op& op)
    {
        if (op.traits.effect == OpEffect::unstated || op.traits == traitsOfKind(op.kind)) return;
        out_.object("traits", JsonWriter::compact, [&] {
            out_.field("effect", opEffectNames[static_cast<std::size_t>(op.traits.effect)]);
            if (op.traits.work != OpWork::elementWise) out_.field("work", opWorkNames[static_cast<std::size_t>(op.traits.work)]);
            if (op.traits.choosesByTruth) out_.field("chooses_by_truth", true);
        });
    }

    void writeAttributes(std::string_view key, const std::vector<Attribute>& attributes)
    {
        if (attributes.empty()) return;
        out_.object(key, JsonWriter::compact, [&] {
            for (const Attribute& each : attributes) out_.field(each.first, each.second);
        });
    }

    void writeCost(const Op& op)
    {
        if (op.cost.size() == 1 && op.cost.front().device.empty())
            out_.field("cost_us", op.cost.front().microseconds);
        else if (!op.cost.empty())
            out_.object("cost_us", JsonWriter::compact, [&] {
                for (const DeviceCost& cost : op.cost) out_.field(cost.device, cost.microseconds);
            });
    }

    const Program& program_;
    const Function* function_ = nullptr;
    // State of the current function.
    std::vector<std::vector<TensorId>> tensorsOf_; ///< by region
    std::vector<bool> listed_;                     ///< by tensor: an input or output of the function
    bool tensorsInOrder_ = true;
    bool opsInOrder_ = true;
    JsonWriter out_;
};

} // namespace

std::string writeProgramJson(const Program& program)
{
    return ProgramWriter(program).run();
}

} // namespace stowage::io
