// Writes programs for tests, in the order in which one would read them aloud.
//
//     ProgramBuilder b;
//     const auto x = b.input("x", 64), y = b.tensor("y", 32);
//     b.op("a", {x}, {y});
//     b.output(y);
//     lower(b.program(), {});
#pragma once

#include "core/io/op_kinds.h"
#include "core/ir/program.h"

#include <initializer_list>
#include <string>
#include <vector>

namespace stowage::test {

class ProgramBuilder {
public:
    using Tensors = std::vector<TensorId>;

    ProgramBuilder() { function("main"); }

    /// Begins another function; what follows goes into it.
    FunctionId function(const std::string& name)
    {
        const auto id = static_cast<FunctionId>(program_.functions.size());
        program_.functions.emplace_back().name = name;
        program_.functions.back().regions.emplace_back();
        use(id);
        return id;
    }
    /// Goes on with a function begun before.
    void use(FunctionId id)
    {
        current_ = id;
        regions_ = {0};
    }

    TensorId tensor(const std::string& name, Bytes bytes, TensorKind kind = TensorKind::intermediate)
    {
        Tensor made;
        made.name = name;
        made.bytes = bytes;
        made.kind = kind;
        made.region = regions_.back();
        here().tensors.push_back(std::move(made));
        return static_cast<TensorId>(here().tensors.size()) - 1;
    }
    TensorId view(const std::string& name, TensorId of, Bytes bytes, Bytes offset = 0)
    {
        const TensorId made = tensor(name, bytes);
        get(made).aliasOf = of;
        get(made).aliasOffset = offset;
        return made;
    }
    /// An input of the innermost open region.
    TensorId input(const std::string& name, Bytes bytes)
    {
        const TensorId made = tensor(name, bytes, regions_.back() == 0 ? TensorKind::input : TensorKind::intermediate);
        region().inputs.push_back(made);
        return made;
    }
    void output(TensorId id) { region().outputs.push_back(id); }

    OpId op(const std::string& name, Tensors inputs, Tensors outputs, Tensors temps = {})
    {
        Op made;
        made.name = name;
        made.kind = "op";
        made.inputs = std::move(inputs);
        made.outputs = std::move(outputs);
        made.temps = std::move(temps);
        return add(std::move(made));
    }
    OpId call(const std::string& name, FunctionId callee, Tensors inputs, Tensors outputs)
    {
        const OpId id = op(name, std::move(inputs), std::move(outputs));
        get(id, Control::call).callee = callee;
        return id;
    }
    OpId loop(const std::string& name, Tensors inputs, Tensors outputs)
    {
        const OpId id = op(name, std::move(inputs), std::move(outputs));
        get(id, Control::loop);
        return id;
    }
    /// An exit of the loop whose body is open; its condition is the region that is opened next.
    OpId leave(const std::string& name, Tensors inputs, std::vector<Carry> values)
    {
        const OpId id = op(name, std::move(inputs), {});
        get(id, Control::exit).carries = std::move(values);
        return id;
    }
    /// A case; the selector comes first among the inputs.
    OpId pick(const std::string& name, Tensors inputs, Tensors outputs)
    {
        const OpId id = op(name, std::move(inputs), std::move(outputs));
        get(id, Control::branch);
        return id;
    }
    /// Opens the next region of an op; what follows goes into it until `end`.
    RegionId begin(OpId owner, RegionRole role)
    {
        const auto id = static_cast<RegionId>(here().regions.size());
        Region made;
        made.role = role;
        made.owner = owner;
        here().regions.push_back(std::move(made));
        here().ops[static_cast<std::size_t>(owner)].regions.push_back(id);
        regions_.push_back(id);
        return id;
    }
    void end() { regions_.pop_back(); }

    Tensor& get(TensorId id) { return here().tensors[static_cast<std::size_t>(id)]; }
    Op& at(OpId id) { return here().ops[static_cast<std::size_t>(id)]; }
    Region& region() { return here().regions[static_cast<std::size_t>(regions_.back())]; }
    Function& here() { return program_.functions[static_cast<std::size_t>(current_)]; }
    /// The program so far. What its ops do is stated by their kinds.
    Program& program()
    {
        io::stateTraits(program_);
        return program_;
    }

private:
    OpId add(Op made)
    {
        made.parent = regions_.back();
        const auto id = static_cast<OpId>(here().ops.size());
        region().ops.push_back(id);
        here().ops.push_back(std::move(made));
        return id;
    }
    Op& get(OpId id, Control control)
    {
        at(id).control = control;
        at(id).kind = control == Control::loop     ? "while"
                      : control == Control::branch ? "case"
                      : control == Control::exit   ? "exit"
                                                   : "call";
        return at(id);
    }

    Program program_;
    FunctionId current_ = 0;
    std::vector<RegionId> regions_;
};

} // namespace stowage::test
