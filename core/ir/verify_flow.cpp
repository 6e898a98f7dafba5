#include "core/ir/verify_parts.h"
#include "core/ir/views.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace stowage::verifying {

namespace {

using Tick = std::int64_t; ///< a value of the counter of `RegionTree`

constexpr Tick never = std::numeric_limits<Tick>::max();

/// The storage of each tensor: for a view, the tensor at the end of its chain of views.
std::vector<TensorId> storageOf(const Function& function)
{
    std::vector<TensorId> storage;
    storage.reserve(function.tensors.size());
    for (const ViewOrigin& origin : viewOrigins(function)) storage.push_back(origin.root);
    return storage;
}

class FlowCheck {
public:
    FlowCheck(const Function& function, const RegionTree& tree, Findings& findings)
        : function_(function),
          tree_(tree),
          findings_(findings),
          storage_(storageOf(function)),
          use_(function.tensors.size()),
          availableFrom_(function.tensors.size(), never),
          writers_(function.tensors.size(), 0),
          lastWriter_(function.tensors.size(), none)
    {
    }

    void run()
    {
        declareInputs();
        for (const OpId op : tree_.order) write(op);
        checkViewsOfScratch();
        for (const OpId op : tree_.order) read(op);
        for (const Region& region : function_.regions) readOutputs(region);
    }

private:
    const Tensor& tensor(TensorId id) const { return function_.tensors[at(id)]; }

    void wrong(Code code, const std::string& message, const Position& where, const char* remedy = "")
    {
        findings_.error(code, message, where, remedy);
    }

    /// Declares what holds data without being written by an op: constants, variables, and inputs of regions from their begin on.
    void declareInputs()
    {
        for (std::size_t t = 0; t < function_.tensors.size(); ++t)
            if (function_.tensors[t].kind == TensorKind::constant || function_.tensors[t].kind == TensorKind::variable)
                makeAvailable(static_cast<TensorId>(t), 0);
        for (std::size_t r = 0; r < function_.regions.size(); ++r) {
            const Region& region = function_.regions[r];
            const Position where = r == 0 ? Position{} : function_.ops[at(region.owner)].where;
            for (const TensorId input : region.inputs) {
                if (at(tensor(input).region) != r)
                    wrong(Code::notVisible,
                          fmt::format("{} is an input of {}, and is declared elsewhere", describe(function_, tensor(input)),
                                      describe(function_, region)),
                          where, "a region reads outer tensors by name; its inputs are its own");
                if (tensor(input).aliasOf != none)
                    wrong(Code::viewInput,
                          fmt::format("{} is an input of {} and a view of '{}'", describe(function_, tensor(input)),
                                      describe(function_, region), tensor(tensor(input).aliasOf).name),
                          where, "make the viewed tensor the input");
                if (use_[at(input)] == Use::regionInput)
                    wrong(Code::writtenTwice, fmt::format("{} is listed twice as an input", describe(function_, tensor(input))),
                          where);
                use_[at(input)] = Use::regionInput;
                makeAvailable(input, tree_.regions[r].begin);
            }
        }
    }

    void makeAvailable(TensorId id, Tick tick)
    {
        Tick& from = availableFrom_[at(storage_[at(id)])];
        from = std::min(from, tick);
    }

    void write(OpId opId)
    {
        const Op& op = function_.ops[at(opId)];
        for (const TensorId id : op.outputs) {
            const Tensor& written = tensor(id);
            checkVisible(op, written);
            const bool constant = tensor(storage_[at(id)]).kind == TensorKind::constant && !looksAt(op, id);
            if (constant || use_[at(id)] == Use::regionInput)
                wrong(Code::writtenInput,
                      fmt::format("{} writes '{}', which is {}", describe(function_, op), written.name,
                                  constant ? "a constant" : "an input"),
                      op.where, "give the result a tensor of its own, a view of the input when it shares its bytes");
            else if (use_[at(id)] == Use::written && written.kind != TensorKind::variable)
                wrong(Code::writtenTwice, fmt::format("{} writes '{}' again", describe(function_, op), written.name), op.where,
                      "give each write a tensor of its own, views of one when they share bytes");
            use_[at(id)] = Use::written;
            const std::size_t storage = at(storage_[at(id)]);
            ++writers_[storage];
            lastWriter_[storage] = opId;
            makeAvailable(id, tree_.ops[at(opId)].end);
        }
        for (const TensorId id : op.temps) {
            const Tensor& scratch = tensor(id);
            checkVisible(op, scratch);
            const bool plain = scratch.kind == TensorKind::intermediate && scratch.aliasOf == none;
            if (!plain || (use_[at(id)] != Use::unused && use_[at(id)] != Use::scratch))
                wrong(Code::notScratch,
                      fmt::format("'{}' is scratch of {}, and cannot be an input, an output, a constant or a view as well",
                                  scratch.name, describe(function_, op)),
                      op.where);
            use_[at(id)] = Use::scratch;
        }
    }

    /// True if the op makes a view: it reads the storage that contains its output.
    bool looksAt(const Op& op, TensorId output) const
    {
        return tensor(output).aliasOf != none && std::any_of(op.inputs.begin(), op.inputs.end(), [&](TensorId input) {
                   return storage_[at(input)] == storage_[at(output)];
               });
    }

    void checkViewsOfScratch()
    {
        for (std::size_t t = 0; t < storage_.size(); ++t)
            if (at(storage_[t]) != t && use_[at(storage_[t])] == Use::scratch)
                wrong(Code::notScratch,
                      fmt::format("{} views '{}', which is scratch of an op", describe(function_, function_.tensors[t]),
                                  tensor(storage_[t]).name),
                      function_.tensors[t].where, "make it an output of the op");
    }

    void read(OpId opId)
    {
        const Op& op = function_.ops[at(opId)];
        for (const TensorId id : op.inputs) {
            checkVisible(op, tensor(id));
            checkWritten(id, op.parent, tree_.ops[at(opId)].begin, op.where, [&] { return describe(function_, op); });
        }
        if (op.control != Control::exit) return;
        for (const Carry& carry : op.carries) {
            checkVisible(op, tensor(carry.from));
            checkWritten(carry.from, op.parent, tree_.ops[at(opId)].begin, op.where, [&] { return describe(function_, op); });
        }
    }

    void readOutputs(const Region& region)
    {
        const auto id = static_cast<RegionId>(&region - function_.regions.data());
        const Position where = id == 0 ? Position{} : function_.ops[at(region.owner)].where;
        for (const TensorId output : region.outputs) {
            if (!tree_.inside(id, tensor(output).region)) {
                wrong(Code::notVisible,
                      fmt::format("{} is an output of {}, and is declared inside it or beside it",
                                  describe(function_, tensor(output)), describe(function_, region)),
                      where);
                continue;
            }
            checkWritten(output, id, tree_.regions[at(id)].end - 1, where, [&] { return describe(function_, region); });
        }
    }

    void checkVisible(const Op& op, const Tensor& used)
    {
        if (!tree_.inside(op.parent, used.region))
            wrong(Code::notVisible,
                  fmt::format("{} uses '{}', which is declared in {}", describe(function_, op), used.name,
                              describe(function_, function_.regions[at(used.region)])),
                  op.where, "declare it in a region around both");
    }

    void checkWritten(TensorId id, RegionId readerRegion, Tick readAt, const Position& where, const auto& reader)
    {
        const std::size_t storage = at(storage_[at(id)]);
        if (use_[storage] == Use::scratch) {
            wrong(Code::notScratch, fmt::format("{} reads '{}', which is scratch of an op", reader(), tensor(id).name), where);
            return;
        }
        if (availableFrom_[storage] == never)
            wrong(Code::neverWritten, fmt::format("{} reads '{}', which nothing writes", reader(), tensor(id).name), where,
                  "make it an input or a constant");
        else if (availableFrom_[storage] > readAt)
            wrong(Code::readEarly, fmt::format("{} reads '{}' before it is written", reader(), tensor(id).name), where,
                  "list the op that writes it first");
        else if (writers_[storage] == 1 && availableFrom_[storage] == tree_.ops[at(lastWriter_[storage])].end &&
                 onOtherBranch(lastWriter_[storage], readerRegion))
            wrong(Code::otherBranch,
                  fmt::format("{} reads '{}', which is written on another branch only", reader(), tensor(id).name), where);
    }

    /// True if writer and reader are on different branches of the same case.
    bool onOtherBranch(OpId writer, RegionId reader) const
    {
        RegionId region = function_.ops[at(writer)].parent;
        if (tree_.inside(reader, region)) return false;
        while (!tree_.inside(reader, tree_.parents[at(region)])) region = tree_.parents[at(region)];
        const Region& branch = function_.regions[at(region)];
        return branch.role == RegionRole::branch && tree_.ops[at(branch.owner)].contains(tree_.regions[at(reader)]);
    }

    enum class Use : std::uint8_t { unused, regionInput, written, scratch };

    const Function& function_;
    const RegionTree& tree_;
    Findings& findings_;
    std::vector<TensorId> storage_;
    std::vector<Use> use_;              ///< by tensor
    std::vector<Tick> availableFrom_;   ///< by storage: tick at which its first bytes are written
    std::vector<std::int64_t> writers_; ///< by storage: ops that write it or a view of it
    std::vector<OpId> lastWriter_;      ///< by storage
};

} // namespace

void checkDataFlow(const Function& function, const RegionTree& tree, Findings& findings)
{
    FlowCheck(function, tree, findings).run();
}

} // namespace stowage::verifying
