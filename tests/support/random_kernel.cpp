#include "tests/support/random_kernel.h"
#include "tests/support/seed_shift.h"

#include <fmt/format.h>

#include <random>
#include <vector>

namespace stowage::test {

namespace {

/// A buffer that holds something; all have 1, 2 or 4 tiles of one width.
struct Held {
    std::string name;
    std::string type;    ///< of the whole
    std::string element; ///< "f32"
    int count = 0;       ///< elements
    bool keep = false;   ///< of an outer region: not to be overwritten
};

class Generator {
public:
    Generator(std::uint32_t seed, int size) : random_(seed + stowage::test::seedShift()), left_(size) {}

    std::string run()
    {
        text_ = "module attributes {hacc.target = #hacc.target<\"Ascend910B1\">} {\n"
                "  func.func @random(%in : memref<8192xf32, #hivm.address_space<gm>>, %out : memref<8192xf32, "
                "#hivm.address_space<gm>>) {\n";
        line("%c0 = arith.constant 0 : index");
        line("%c1 = arith.constant 1 : index");
        line("%c3 = arith.constant 3 : index");
        line("%n = arith.constant 7 : index");
        line("%flag = arith.constant true");
        line("%scale = arith.constant 0.5 : f32");
        load(false);
        body(0);
        store();
        line("return");
        text_ += "  }\n}\n";
        return text_;
    }

private:
    int below(int n) { return static_cast<int>(random_() % static_cast<std::uint32_t>(n)); }
    bool chance(int percent) { return below(100) < percent; }
    void line(const std::string& statement)
    {
        text_ += std::string(4 + 2 * static_cast<std::size_t>(depth_), ' ') + statement + "\n";
    }
    static std::string typeOf(const std::string& element, int count)
    {
        return fmt::format("memref<{}x{}, #hivm.address_space<ub>>", count, element);
    }

    Held alloc(const std::string& element, int count)
    {
        Held made{fmt::format("%b{}", next_++), typeOf(element, count), element, count};
        line(fmt::format("{} = memref.alloc() : {}", made.name, made.type));
        return made;
    }

    const Held& pick() { return held_[static_cast<std::size_t>(below(static_cast<int>(held_.size())))]; }
    /// One of those that hold f32; the first always does.
    const Held& pickFloat()
    {
        for (int tries = 0; tries < 8; ++tries)
            if (const Held& found = pick(); found.element == "f32") return found;
        return held_.front();
    }

    void mark(const Held& buffer, int copies)
    {
        line(fmt::format("annotation.mark {} {{hivm.multi_buffer = {} : i32}} : {}", buffer.name, copies, buffer.type));
    }

    void load(bool copies)
    {
        const int count = 256 << below(3);
        Held tile = alloc("f32", count);
        if (copies) mark(tile, 2 + below(2));
        const std::string view = fmt::format("%g{}", next_++);
        line(fmt::format("{} = memref.subview %in[0] [{}] [1] : memref<8192xf32, #hivm.address_space<gm>> to memref<{}xf32, "
                         "strided<[1]>, #hivm.address_space<gm>>",
                         view, count, count));
        line(fmt::format("hivm.hir.load ins({} : memref<{}xf32, strided<[1]>, #hivm.address_space<gm>>) outs({} : {})", view,
                         count, tile.name, tile.type));
        held_.push_back(std::move(tile));
    }

    void store()
    {
        const Held from = pickFloat();
        const std::string view = fmt::format("%g{}", next_++);
        line(fmt::format("{} = memref.subview %out[0] [{}] [1] : memref<8192xf32, #hivm.address_space<gm>> to memref<{}xf32, "
                         "strided<[1]>, #hivm.address_space<gm>>",
                         view, from.count, from.count));
        line(fmt::format("hivm.hir.store ins({} : {}) outs({} : memref<{}xf32, strided<[1]>, #hivm.address_space<gm>>)",
                         from.name, from.type, view, from.count));
    }

    void vector(bool loops)
    {
        const Held a = pickFloat();
        Held result = alloc("f32", a.count);
        if (loops && chance(25)) mark(result, 2);
        switch (below(5)) {
        case 0:
            line(fmt::format("hivm.hir.vadd ins({}, {} : {}, {}) outs({} : {})", a.name, a.name, a.type, a.type, result.name,
                             result.type));
            break;
        case 1: line(fmt::format("hivm.hir.vexp ins({} : {}) outs({} : {})", a.name, a.type, result.name, result.type)); break;
        case 2:
            line(fmt::format("hivm.hir.vmul ins({}, %scale : {}, f32) outs({} : {})", a.name, a.type, result.name, result.type));
            break;
        case 3: {
            const Held scratch = alloc("f32", 64 << below(4));
            line(fmt::format("hivm.hir.vdiv ins({}, {} : {}, {}) outs({} : {}) temp_buffer({} : {}) broadcast = [0]", a.name,
                             a.name, a.type, a.type, result.name, result.type, scratch.name, scratch.type));
            break;
        }
        default: {
            const Held scratch = alloc("f32", 128);
            line(fmt::format("hivm.hir.vreduce <max> ins({} : {}) outs({} : {}) temp_buffer({} : {}) reduce_dims = [0]", a.name,
                             a.type, result.name, result.type, scratch.name, scratch.type));
        }
        }
        held_.push_back(std::move(result));
    }

    void cast()
    {
        const Held from = pick();
        const std::string to = from.element == "f32" ? "f16" : "f32";
        Held result = alloc(to, from.count);
        line(fmt::format("hivm.hir.vcast ins({} : {}) outs({} : {}) round_mode = <rint>", from.name, from.type, result.name,
                         result.type));
        held_.push_back(std::move(result));
    }

    /// Onto something that holds something already: an accumulator.
    void accumulate()
    {
        const Held a = pickFloat();
        for (std::size_t tries = 0; tries < 6; ++tries) {
            const Held& to = pickFloat();
            if (to.name == a.name || to.count != a.count) continue;
            line(fmt::format("hivm.hir.vadd ins({}, {} : {}, {}) outs({} : {})", to.name, a.name, to.type, a.type, to.name,
                             to.type));
            return;
        }
    }

    void scalar()
    {
        const Held& of = pickFloat();
        const std::string value = fmt::format("%s{}", next_++);
        line(fmt::format("{} = memref.load {}[%c0] : {}", value, of.name, of.type));
        line(fmt::format("memref.store {}, {}[%c1] : {}", value, of.name, of.type));
    }

    void part()
    {
        const Held of = pickFloat();
        Held result = alloc("f32", of.count / 2);
        const std::string view = fmt::format("%v{}", next_++);
        const std::string type = fmt::format("memref<{}xf32, strided<[1], offset: 8>, #hivm.address_space<ub>>", of.count / 2);
        line(fmt::format("{} = memref.subview {}[8] [{}] [1] : {} to {}", view, of.name, of.count / 2, of.type, type));
        line(fmt::format("hivm.hir.vexp ins({} : {}) outs({} : {})", view, type, result.name, result.type));
        held_.push_back(std::move(result));
    }

    void select()
    {
        const Held a = pickFloat();
        for (int tries = 0; tries < 6; ++tries) {
            const Held b = pickFloat();
            if (b.name == a.name || b.type != a.type) continue;
            const std::string either = fmt::format("%e{}", next_++);
            Held result = alloc("f32", a.count);
            line(fmt::format("{} = arith.select %flag, {}, {} : {}", either, a.name, b.name, a.type));
            line(fmt::format("hivm.hir.vexp ins({} : {}) outs({} : {})", either, a.type, result.name, result.type));
            held_.push_back(std::move(result));
            return;
        }
    }

    /// A buffer that is written inside first, though it was allocated outside.
    void loop()
    {
        const bool carried = chance(40);
        const bool turns = carried && chance(50); // round two allocations
        const Held init = pickFloat();
        Held late = alloc("f32", 256);
        const std::string inner = fmt::format("%a{}", next_++);
        const std::string result = fmt::format("%r{}", next_++);
        // What is carried round is overwritten: only a fresh one may be, or what others see later would change.
        Held start = init;
        if (carried) {
            start = alloc("f32", init.count);
            line(fmt::format("hivm.hir.vexp ins({} : {}) outs({} : {})", init.name, init.type, start.name, start.type));
        }
        const std::string head = fmt::format("scf.for %i{} = %c0 to {} step %c1", next_++, chance(50) ? "%c3" : "%n");
        if (carried)
            line(fmt::format("{} = {} iter_args({} = {}) -> ({}) {{", result, head, inner, start.name, start.type));
        else
            line(head + " {");
        const std::vector<Held> outside = held_;
        ++depth_;
        ++loops_;
        if (carried) held_.push_back({inner, start.type, "f32", start.count});
        line(fmt::format("hivm.hir.vexp ins({} : {}) outs({} : {})", held_.front().name, held_.front().type, late.name,
                         late.type));
        load(chance(60));
        body(2);
        if (carried && turns) {
            const Held turned = alloc("f32", start.count);
            line(fmt::format("hivm.hir.vmul ins({}, %scale : {}, f32) outs({} : {})", inner, start.type, turned.name,
                             turned.type));
            line(fmt::format("scf.yield {} : {}", turned.name, turned.type));
        } else if (carried) {
            line(fmt::format("hivm.hir.vmul ins({}, %scale : {}, f32) outs({} : {})", inner, start.type, inner, start.type));
            line(fmt::format("scf.yield {} : {}", inner, start.type));
        } else if (chance(50)) {
            store();
        }
        --loops_;
        --depth_;
        line("}");
        held_ = outside;
        if (carried) held_.push_back({result, start.type, "f32", start.count});
    }

    void branch()
    {
        line("scf.if %flag {");
        const std::vector<Held> outside = held_;
        ++depth_;
        body(3);
        --depth_;
        held_ = outside;
        if (chance(50)) {
            line("} else {");
            ++depth_;
            body(3);
            --depth_;
            held_ = outside;
        }
        line("}");
    }

    void body(int least)
    {
        const int most = 3 + below(6);
        for (int i = 0; i < most && (left_-- > 0 || i < least); ++i) {
            const int kind = below(100);
            if (kind < 12)
                load(loops_ > 0 && chance(50));
            else if (kind < 40)
                vector(loops_ > 0);
            else if (kind < 50)
                cast();
            else if (kind < 60)
                accumulate();
            else if (kind < 66)
                scalar();
            else if (kind < 72)
                part();
            else if (kind < 76)
                select();
            else if (kind < 88 && depth_ < 3)
                loop();
            else if (depth_ < 3)
                branch();
            else
                store();
        }
        if (depth_ == 0 && left_ > 0) body(least);
    }

    std::mt19937 random_;
    int left_;
    int depth_ = 0;
    int loops_ = 0;
    int next_ = 0;
    std::vector<Held> held_;
    std::string text_;
};

} // namespace

std::string randomKernel(std::uint32_t seed, int size)
{
    return Generator(seed, size).run();
}

} // namespace stowage::test
