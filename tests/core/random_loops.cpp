#include "tests/core/random_loops.h"

#include "tests/core/program_builder.h"
#include "tests/support/seed_shift.h"

#include <algorithm>
#include <random>

namespace stowage::test {

namespace {

class Generator {
public:
    Generator(std::uint64_t seed, const RandomLoopOptions& options)
        : random_(seed + stowage::test::seedShift()), options_(options)
    {
    }

    Program run()
    {
        if (options_.calls && chance(40)) {
            const FunctionId f = builder_.function("f");
            Tensors inside{builder_.input("fx", 8), builder_.input("fy", 16)};
            makeLoop(inside, 1);
            makeLeaf(inside, 8);
            builder_.output(inside.back());
            called_ = f;
            builder_.use(0);
        }
        Tensors visible;
        const int inputs = 2 + below(3);
        for (int i = 0; i < inputs; ++i) visible.push_back(builder_.input(name("x"), sizes_[below(3)]));
        visible.push_back(builder_.tensor(name("w"), 16, TensorKind::constant));
        for (const Bytes size : sizes_) makeLeaf(visible, size);
        const int things = 1 + below(4);
        for (int i = 0; i < things; ++i) makeThing(visible, options_.depth);
        for (int i = 0, n = 1 + below(2); i < n; ++i) {
            TensorId last = any(visible);
            while (builder_.get(last).kind == TensorKind::constant) last = any(visible);
            if (std::count(builder_.region().outputs.begin(), builder_.region().outputs.end(), last) == 0) builder_.output(last);
        }
        return std::move(builder_.program());
    }

private:
    using Tensors = ProgramBuilder::Tensors;

    int below(int n) { return static_cast<int>(random_() % static_cast<std::uint64_t>(n)); }
    bool chance(int percent) { return below(100) < percent; }
    std::string name(const char* prefix) { return prefix + std::to_string(next_++); }
    Bytes bytes(TensorId id) { return *builder_.get(id).bytes; }
    TensorId any(const Tensors& from) { return from[static_cast<std::size_t>(below(static_cast<int>(from.size())))]; }

    TensorId makeLeaf(Tensors& visible, Bytes size)
    {
        Tensors inputs;
        const int reads = 1 + below(3);
        for (int i = 0; i < reads; ++i)
            inputs.push_back(chance(60)
                                 ? visible[visible.size() - 1 -
                                           static_cast<std::size_t>(below(std::min<int>(4, static_cast<int>(visible.size()))))]
                                 : any(visible));
        const TensorId made = builder_.tensor(name("t"), size);
        Tensors temps;
        if (chance(15)) temps.push_back(builder_.tensor(name("s"), sizes_[below(3)]));
        const OpId op = builder_.op(name("op"), inputs, {made}, temps);
        if (chance(30))
            for (const TensorId input : inputs)
                if (bytes(input) == size) builder_.at(op).inPlace.push_back({input, made});
        visible.push_back(made);
        return made;
    }

    void makeThing(Tensors& visible, int depth)
    {
        const int what = below(100);
        if (depth > 0 && what < 45)
            makeLoop(visible, depth - 1);
        else if (options_.cases && what < 60)
            makeCase(visible, depth);
        else if (called_ != none && what < 70 && builder_.region().owner == none) {
            TensorId eight = none, sixteen = none;
            for (const TensorId t : visible) (bytes(t) == 8 ? eight : bytes(t) == 16 ? sixteen : eight) = t;
            if (eight == none || sixteen == none || bytes(eight) != 8) return;
            const TensorId made = builder_.tensor(name("z"), 8);
            builder_.call(name("call"), called_, {eight, sixteen}, {made});
            visible.push_back(made);
        } else
            makeLeaf(visible, sizes_[below(3)]);
    }

    /// A value of that size that the open region makes itself.
    TensorId fresh(Tensors& inside, Bytes size) { return makeLeaf(inside, size); }

    void makeLoop(Tensors& visible, int depth)
    {
        struct Line {
            Bytes size;
            Tensors inputs; ///< oldest first
        };
        std::vector<Line> lines;
        Tensors given;
        const int states = 1 + below(3);
        for (int s = 0; s < states; ++s) {
            Line line{sizes_[below(3)], {}};
            const int length = chance(30) ? 2 + below(4) : 1;
            for (int i = 0; i < length; ++i) {
                Tensors fitting;
                for (const TensorId id : visible)
                    if (bytes(id) == line.size && (chance(50) || builder_.get(id).kind != TensorKind::constant))
                        fitting.push_back(id);
                given.push_back(fitting.empty() ? makeLeaf(visible, line.size) : any(fitting));
                line.inputs.push_back(static_cast<TensorId>(given.size()) -
                                      1); // its place in `given`: the parameter is made with the body
            }
            lines.push_back(line);
        }
        const OpId loop = builder_.loop(name("loop"), given, {});
        const bool tested = options_.conditions && chance(40);
        if (!options_.conditions || chance(50)) builder_.at(loop).tripCount = 1 + below(7);
        if (tested) {
            builder_.begin(loop, RegionRole::condition);
            Tensors inside = visible;
            for (const TensorId g : given) inside.push_back(builder_.input(name("q"), bytes(g)));
            if (chance(50)) makeLeaf(inside, sizes_[below(3)]);
            const TensorId test = builder_.tensor(name("test"), 1);
            builder_.op(name("op"), {any(inside), inside.back()}, {test});
            builder_.output(test);
            builder_.end();
        }
        builder_.begin(loop, RegionRole::body);
        Tensors inside = visible;
        Tensors params;
        for (const TensorId g : given) params.push_back(builder_.input(name("p"), bytes(g)));
        inside.insert(inside.end(), params.begin(), params.end());
        const int things = 1 + below(3);
        std::vector<std::pair<OpId, Tensors>> exits; // with what there is to be seen
        if (options_.exits && chance(20)) makeExit(inside, exits);
        for (int i = 0; i < things; ++i) {
            makeThing(inside, depth);
            if (options_.exits && chance(50)) makeExit(inside, exits);
        }
        std::vector<Carry> carries;
        Tensors outputs;
        for (Line& line : lines) {
            for (TensorId& id : line.inputs) id = params[static_cast<std::size_t>(id)];
            for (std::size_t i = 0; i + 1 < line.inputs.size(); ++i) carries.push_back({line.inputs[i + 1], line.inputs[i]});
            TensorId made = none; // what was made here and has the size, or something new
            for (const TensorId id : inside)
                if (bytes(id) == line.size && builder_.get(id).region == builder_.get(params.front()).region &&
                    builder_.get(id).aliasOf == none && std::find(params.begin(), params.end(), id) == params.end() && chance(40))
                    made = id;
            if (made == none) made = fresh(inside, line.size);
            if (options_.exchanges && chance(5)) made = line.inputs.front();
            carries.push_back({made, line.inputs.back()});
        }
        // What is made comes first: the inputs that are only handed on need not be results.
        const bool all = options_.allResults && chance(40);
        std::size_t givenOut = 0;
        for (const bool handedOn : {false, true})
            for (const Carry& carry : carries) {
                const bool isInput = std::find(params.begin(), params.end(), carry.from) != params.end();
                if (isInput != handedOn || std::find(outputs.begin(), outputs.end(), carry.from) != outputs.end()) continue;
                outputs.push_back(carry.from);
                if (all || (!isInput && givenOut + 1 == outputs.size() && chance(80))) givenOut = outputs.size();
            }
        for (const TensorId output : outputs) builder_.output(output);
        std::vector<Bytes> sizes;
        for (std::size_t i = 0; i < givenOut; ++i) sizes.push_back(bytes(outputs[i]));
        builder_.end();
        builder_.at(loop).carries = carries;
        for (const Bytes size : sizes) {
            const TensorId made = builder_.tensor(name("z"), size);
            builder_.at(loop).outputs.push_back(made);
            visible.push_back(made);
            for (const auto& [exit, seen] : exits) {
                Tensors fitting;
                for (const TensorId id : seen)
                    if (bytes(id) == size) fitting.push_back(id); // an input of the body at least
                builder_.at(exit).carries.push_back({any(fitting), made});
            }
        }
    }

    void makeExit(Tensors& inside, std::vector<std::pair<OpId, Tensors>>& exits)
    {
        const TensorId given = any(inside);
        const OpId exit = builder_.leave(name("exit"), {given}, {});
        builder_.begin(exit, RegionRole::condition);
        const TensorId seen = chance(50) ? builder_.input(name("q"), bytes(given)) : given;
        const TensorId test = builder_.tensor(name("test"), 1);
        builder_.op(name("op"), {any(inside), seen}, {test});
        builder_.output(test);
        builder_.end();
        exits.emplace_back(exit, inside);
    }

    void makeCase(Tensors& visible, int depth)
    {
        Tensors inputs{any(visible)};
        if (chance(60)) inputs.push_back(any(visible));
        const Bytes size = sizes_[below(3)];
        const OpId pick = builder_.pick(name("case"), inputs, {});
        const int branches = 2 + below(2);
        if (options_.handsOn) return makeChoice(visible, inputs, pick, branches, depth);
        for (int b = 0; b < branches; ++b) {
            builder_.begin(pick, RegionRole::branch);
            Tensors inside = visible;
            for (std::size_t i = 1; i < inputs.size(); ++i) inside.push_back(builder_.input(name("b"), bytes(inputs[i])));
            if (chance(50)) makeThing(inside, depth - 1);
            builder_.output(fresh(inside, size));
            builder_.end();
        }
        const TensorId made = builder_.tensor(name("z"), size);
        builder_.at(pick).outputs.push_back(made);
        visible.push_back(made);
    }

    /// Branches that give out what they find, or make it.
    void makeChoice(Tensors& visible, const Tensors& inputs, OpId pick, int branches, int depth)
    {
        const Bytes sizes[2] = {sizes_[below(3)], sizes_[below(3)]};
        const int outputs = 1 + below(2);
        for (int b = 0; b < branches; ++b) {
            builder_.begin(pick, RegionRole::branch);
            Tensors inside = visible;
            for (std::size_t i = 1; i < inputs.size(); ++i) inside.push_back(builder_.input(name("b"), bytes(inputs[i])));
            if (chance(60)) makeThing(inside, depth - 1);
            for (int o = 0; o < outputs; ++o) {
                Tensors fitting;
                for (std::size_t i = inside.size(); i-- > 0;)
                    if (bytes(inside[i]) == sizes[o] && builder_.get(inside[i]).kind != TensorKind::constant)
                        fitting.push_back(inside[i]);
                const bool handsOn = !fitting.empty() && chance(60);
                builder_.output(handsOn ? (chance(40) ? fitting.front() : any(fitting)) : fresh(inside, sizes[o]));
            }
            builder_.end();
        }
        for (int o = 0; o < outputs; ++o) {
            const TensorId made = builder_.tensor(name("z"), sizes[o]);
            builder_.at(pick).outputs.push_back(made);
            visible.push_back(made);
        }
    }

    std::mt19937_64 random_;
    RandomLoopOptions options_;
    ProgramBuilder builder_;
    FunctionId called_ = none;
    int next_ = 0;
    static constexpr Bytes sizes_[3] = {8, 16, 24};
};

} // namespace

Program randomLoops(std::uint64_t seed, const RandomLoopOptions& options)
{
    return Generator(seed, options).run();
}

} // namespace stowage::test
