// TIR for tests: in the older way of writing, with published figures, and in the newer one.
#pragma once

namespace stowage::test {

// A convolution with padding and products of its own between two operators that are somewhere else: the subgraph of MobileNet
// whose memory pressure is published, 1117718 bytes with liveness inside operators, 1418774 without.
inline constexpr const char* mobilenet = R"(# from tvm.script import ir as I
from tvm.script import tir as T

@tvm.script.ir_module
class Module:
    @T.prim_func
    def conv(placeholder: T.handle, out: T.handle) -> None:
        # function attr dict
        T.func_attr({"global_symbol": "tvmgen_conv", "tir.noalias": True})
        src = T.match_buffer(placeholder, [301056], dtype="int8", elem_offset=0, align=128, offset_factor=1)
        dst = T.match_buffer(out, [802816], dtype="int8")
        # body
        PaddedInput_7 = T.allocate([314646], "int8", "global")
        for i0, i1 in T.grid(229, 229):
            T.store(PaddedInput_7, i0 * 229 + i1, T.if_then_else(2 <= i0 and i0 < 226, T.load("int8", src.data, i0 - 2), )"
                                         R"(T.int8(0), dtype="int8"), True)
        for ax in T.serial(0, 12544):
            Conv2dOutput_7 = T.allocate([64], "int32", "global")
            for ff in T.serial(0, 64):
                T.store(Conv2dOutput_7, ff, 0, True)
                for ry, rx in T.grid(7, 7):
                    T.store(Conv2dOutput_7, ff, (T.load("int32", Conv2dOutput_7, ff) +
                        T.cast(T.load("int8", PaddedInput_7, ry * 229 + rx), "int32")), True)
            for ax3 in T.serial(0, 64):
                T.store(dst.data, ax * 64 + ax3, T.cast(T.load("int32", Conv2dOutput_7, ax3), "int8"), True)

    @T.prim_func
    def run_model(input: T.handle, output: T.handle) -> None:
        T.func_attr({"global_symbol": "tvmgen_default_run_model", "runner_function": True})
        # body
        T.attr("default", "device_id", 0)
        sid_9 = T.allocate([301056], "int8", "global")
        sid_8 = T.allocate([802816], "int8", "global")
        T.evaluate(T.call_extern("tvmgen_cast", input, T.lookup_param("p0", dtype="handle"), sid_9, dtype="int32"))
        T.evaluate(T.call_extern("tvmgen_conv", sid_9, sid_8, dtype="int32"))
        T.evaluate(T.call_extern("tvmgen_pool", sid_8, output, dtype="int32"))
)";

// The newer way of writing: buffers by subscript, allocations by `with`, a function called directly and twice, memories by name.
inline constexpr const char* newer = R"(
from tvm.script import ir as I
from tvm.script import tir as T
@I.ir_module
class Module:
    @T.prim_func
    def add(a: T.Buffer((4, 25), "float32"), b: T.Buffer((4, 25), "float32"), n: T.int32):
        with T.allocate([100], "float32", "global", annotations={"candidate_memory_pools": ["dtcm", "sram"]}) as t_1:
            t = T.decl_buffer((100,), data=t_1)
            for i in range(100):
                t[i] = a[i // 25, i % 25] * T.float32(2)
            for i in T.parallel(100):
                b[i // 25, i % 25] = t[i]
    @T.prim_func
    def main(x: T.Buffer((4, 25), "float32"), y: T.Buffer((4, 25), "float32"), m: T.int32):
        T.func_attr({"tir.noalias": T.bool(True)})
        w = T.allocate_const([1.0, 2.0], "float32", [2])
        h = T.allocate([m * 4], "uint8", "global")
        mid = T.allocate([100], "float32", "global", pinned_memory=["sram"])
        Module.add(x, mid, 25)
        for k in T.serial(3):
            scratch = T.allocate([16], "float16x4", "global")
            for j in T.unroll(16):
                scratch[j] = mid[j] * w[0]
            mid[k] = scratch[k]
        for p in T.parallel(2):
            lost = T.allocate([8], "int8", "global")
            lost[0] = T.int8(1)
            mid[p] = lost[0]
        h[0] = T.uint8(3)
        Module.add(mid, y, 25)
)";

} // namespace stowage::test
