#include "tests/core/random_program.h"

#include "tests/core/program_builder.h"
#include "tests/support/seed_shift.h"

#include <algorithm>
#include <random>

namespace stowage::test {

namespace {

class Generator {
public:
    Generator(std::uint64_t seed, const RandomProgramOptions& options)
        : random_(seed + stowage::test::seedShift()), options_(options)
    {
    }

    Program run()
    {
        const int functions = options_.calls ? 1 + below(options_.functions) : 1;
        for (int f = 1; f < functions; ++f) builder_.function("f" + std::to_string(f));
        budget_ = options_.ops;
        for (int f = functions - 1; f >= 0; --f) { // callees first: a caller has to know their inputs
            builder_.use(f);
            current_ = f;
            callees_ = f + 1;
            const int share = std::max(2, budget_ / (f + 1));
            makeFunction(std::max(1, share));
        }
        builder_.program().name = "random";
        return std::move(builder_.program());
    }

private:
    using Tensors = ProgramBuilder::Tensors;

    int below(int n) { return static_cast<int>(random_() % static_cast<std::uint64_t>(std::max(n, 1))); }
    bool chance(int percent) { return below(100) < percent; }
    Bytes size()
    {
        return chance(25) ? 1 + below(std::min(3, static_cast<int>(options_.maxSize)))
                          : 1 + below(static_cast<int>(options_.maxSize));
    }
    std::string name(const char* prefix) { return prefix + std::to_string(next_++); }
    Bytes bytes(TensorId id) { return *builder_.get(id).bytes; }
    TensorId any(const Tensors& from) { return from[static_cast<std::size_t>(below(static_cast<int>(from.size())))]; }

    void makeFunction(int ops)
    {
        next_ = 0;
        Tensors visible;
        const int inputs = 1 + below(3);
        for (int i = 0; i < inputs; ++i) visible.push_back(builder_.input(name("x"), size()));
        if (options_.kept && chance(60)) visible.push_back(builder_.tensor(name("c"), size(), TensorKind::constant));
        if (options_.kept && chance(40)) visible.push_back(builder_.tensor(name("v"), size(), TensorKind::variable));
        makeOps(visible, ops, 0);
        const int outputs = 1 + below(3);
        for (int i = 0; i < outputs; ++i) {
            const TensorId output = chance(85) ? visible.back() : any(visible);
            builder_.output(output);
            if (builder_.get(output).kind == TensorKind::intermediate && current_ == 0 && chance(50))
                builder_.get(output).kind = TensorKind::output;
            if (chance(50) && visible.size() > 1) visible.pop_back();
        }
    }

    /// Adds about `ops` leaf ops to the open region; `visible` grows by what they make.
    void makeOps(Tensors& visible, int ops, int depth)
    {
        while (ops > 0) {
            const int what = below(100);
            const bool nest = depth < options_.depth && ops > 1;
            if (nest && options_.loops && what < 12)
                ops -= makeLoop(visible, ops, depth);
            else if (nest && options_.cases && what < 24)
                ops -= makeCase(visible, ops, depth);
            else if (options_.calls && what < 40 && callees_ < static_cast<int>(builder_.program().functions.size()) &&
                     makeCall(visible))
                --ops;
            else if (options_.views && what < 50)
                makeView(visible), --ops;
            else
                makeLeaf(visible), --ops;
        }
    }

    void makeLeaf(Tensors& visible)
    {
        Tensors inputs;
        const int reads = below(4);
        for (int i = 0; i < reads; ++i) inputs.push_back(any(visible));
        Tensors outputs;
        const int writes = chance(80) ? 1 : 2;
        for (int i = 0; i < writes; ++i)
            outputs.push_back(builder_.tensor(name("t"), !inputs.empty() && chance(40) ? bytes(any(inputs)) : size()));
        Tensors temps;
        if (chance(20)) temps.push_back(builder_.tensor(name("s"), size()));
        const OpId op = builder_.op(name("op"), inputs, outputs, temps);
        if (options_.inPlace)
            for (const TensorId input : inputs)
                for (const TensorId output : outputs)
                    if (chance(40)) builder_.at(op).inPlace.push_back({input, output});
        visible.insert(visible.end(), outputs.begin(), outputs.end());
    }

    /// A reshape into a tensor of its own, or a view of a part.
    void makeView(Tensors& visible)
    {
        const TensorId of = any(visible);
        if (chance(50)) {
            const TensorId made = builder_.tensor(name("r"), bytes(of));
            builder_.at(builder_.op(name("op"), {of}, {made})).kind = chance(50) ? "RESHAPE" : "Squeeze";
            visible.push_back(made);
            return;
        }
        const Bytes offset = below(static_cast<int>(bytes(of)));
        const TensorId made = builder_.view(name("w"), of, 1 + below(static_cast<int>(bytes(of) - offset)), offset);
        if (chance(70))
            builder_.at(builder_.op(name("op"), {of}, {made})).kind = "subview"; // else the view is there without an op
        visible.push_back(made);
    }

    /// A tensor of the open region with exactly `wanted` bytes: one that is there, or a new one.
    TensorId sized(Tensors& visible, Bytes wanted)
    {
        Tensors fitting;
        for (const TensorId id : visible)
            if (bytes(id) == wanted) fitting.push_back(id);
        if (!fitting.empty() && chance(60)) return any(fitting);
        const TensorId made = builder_.tensor(name("t"), wanted);
        builder_.op(name("op"), {any(visible)}, {made});
        visible.push_back(made);
        return made;
    }

    Bytes matching(Bytes of) { return options_.mismatches && chance(10) ? size() : of; }

    int makeLoop(Tensors& visible, int ops, int depth)
    {
        const int count = 1 + below(3);
        Tensors inputs;
        for (int i = 0; i < count; ++i) inputs.push_back(any(visible));
        const OpId loop = builder_.loop(name("loop"), inputs, {});
        if (chance(60)) builder_.at(loop).tripCount = 1 + below(4);
        std::vector<Bytes> carriedSizes;
        for (const TensorId input : inputs) carriedSizes.push_back(matching(bytes(input)));
        if (chance(50)) makeCondition(visible, loop, carriedSizes);

        builder_.begin(loop, RegionRole::body);
        Tensors inside = visible;
        Tensors carriedTo;
        for (const Bytes bytes : carriedSizes) carriedTo.push_back(builder_.input(name("p"), bytes));
        if (chance(15)) carriedTo.push_back(builder_.input(name("i"), size())); // made by the loop itself
        inside.insert(inside.end(), carriedTo.begin(), carriedTo.end());
        const int share = 1 + below(std::max(1, ops - 1));
        makeOps(inside, share, depth + 1);
        Tensors outputs;
        std::vector<Carry> carries;
        for (const TensorId to : carriedTo) {
            if (chance(35)) continue;
            const TensorId from = sized(inside, bytes(to));
            outputs.push_back(from);
            carries.push_back({from, to});
        }
        if (chance(30)) outputs.push_back(any(inside));
        for (const TensorId output : outputs) builder_.output(output);
        std::vector<Bytes> sizes;
        for (const TensorId output : outputs) sizes.push_back(bytes(output));
        builder_.end();
        builder_.at(loop).carries = carries;
        for (const Bytes bytes : sizes) {
            if (chance(15)) break; // results that only serve the next iteration
            const TensorId made = builder_.tensor(name("z"), matching(bytes));
            builder_.at(loop).outputs.push_back(made);
            visible.push_back(made);
        }
        return share + 1;
    }

    void makeCondition(const Tensors& visible, OpId loop, const std::vector<Bytes>& sizes)
    {
        builder_.begin(loop, RegionRole::condition);
        Tensors inside = visible;
        for (const Bytes bytes : sizes) inside.push_back(builder_.input(name("q"), bytes));
        const TensorId test = builder_.tensor(name("test"), 1);
        if (chance(85)) {
            makeLeaf(inside);
            builder_.op(name("op"), {any(inside), inside.back()}, {test});
            builder_.output(test);
        } else {
            builder_.output(any(inside)); // a condition without an op: the value decides by itself
        }
        builder_.end();
    }

    int makeCase(Tensors& visible, int ops, int depth)
    {
        Tensors inputs{any(visible)};
        const int count = below(3);
        for (int i = 0; i < count; ++i) inputs.push_back(any(visible));
        std::vector<Bytes> sizes;
        const int results = below(3);
        for (int i = 0; i < results; ++i) sizes.push_back(size());
        const OpId pick = builder_.pick(name("case"), inputs, {});
        const int branches = 1 + below(3);
        int used = 0;
        for (int b = 0; b < branches; ++b) {
            builder_.begin(pick, RegionRole::branch);
            Tensors inside = visible;
            for (std::size_t i = 1; i < inputs.size(); ++i)
                if (chance(80))
                    inside.push_back(builder_.input(name("b"), matching(bytes(inputs[i]))));
                else
                    break;
            const int share = chance(20) ? 0 : 1 + below(std::max(1, ops / branches));
            makeOps(inside, share, depth + 1);
            used += share;
            for (const Bytes bytes : sizes) builder_.output(chance(90) ? sized(inside, bytes) : any(inside));
            builder_.end();
        }
        for (const Bytes bytes : sizes) {
            const TensorId made = builder_.tensor(name("z"), bytes);
            builder_.at(pick).outputs.push_back(made);
            visible.push_back(made);
        }
        return used + 1;
    }

    bool makeCall(Tensors& visible)
    {
        const int count = static_cast<int>(builder_.program().functions.size());
        const FunctionId id = callees_ + below(count - callees_);
        const Function& callee = builder_.program().functions[static_cast<std::size_t>(id)];
        Tensors inputs;
        for (const TensorId formal : callee.body().inputs) {
            const Bytes wanted = *callee.tensors[static_cast<std::size_t>(formal)].bytes;
            Tensors fitting;
            for (const TensorId tensor : visible)
                if (bytes(tensor) >= wanted) fitting.push_back(tensor);
            if (fitting.empty()) return false;
            inputs.push_back(any(fitting));
        }
        Tensors outputs;
        for (const TensorId formal : callee.body().outputs)
            outputs.push_back(builder_.tensor(name("z"), *callee.tensors[static_cast<std::size_t>(formal)].bytes));
        builder_.call(name("call"), id, inputs, outputs);
        visible.insert(visible.end(), outputs.begin(), outputs.end());
        return true;
    }

    std::mt19937_64 random_;
    RandomProgramOptions options_;
    ProgramBuilder builder_;
    int current_ = 0;
    int callees_ = 0; ///< functions from here on may be called
    int budget_ = 0;
    int next_ = 0;
};

} // namespace

Program randomProgram(std::uint64_t seed, const RandomProgramOptions& options)
{
    return Generator(seed, options).run();
}

} // namespace stowage::test
