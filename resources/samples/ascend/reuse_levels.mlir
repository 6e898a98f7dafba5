// The example of PlanMemory's document, once for each level of reuse: A and D are double-buffered and loaded, B and C belong to the vector pipe.
// The sizes decide at which level C is placed in the 192 KB of an Ascend910B1; everything end to end would never fit.
module attributes {hacc.target = #hacc.target<"Ascend910B1">} {
  // A and D take 2 x 32 KB, B 48 KB, and C, 48 KB, lies on B: the same pipe, nothing waits.
  func.func @level3(%in : memref<8192xf32, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0.000000e+00 : f32
    scf.for %i = %c0 to %c16 step %c1 {
      %A = memref.alloc() : memref<8192xf32, #hivm.address_space<ub>>
      annotation.mark %A {hivm.multi_buffer = 2 : i32} : memref<8192xf32, #hivm.address_space<ub>>
      hivm.hir.load ins(%in : memref<8192xf32, #hivm.address_space<gm>>) outs(%A : memref<8192xf32, #hivm.address_space<ub>>)
      %B = memref.alloc() : memref<12288xf32, #hivm.address_space<ub>>
      hivm.hir.vbrc ins(%zero : f32) outs(%B : memref<12288xf32, #hivm.address_space<ub>>)
      %C = memref.alloc() : memref<12288xf32, #hivm.address_space<ub>>
      hivm.hir.vbrc ins(%zero : f32) outs(%C : memref<12288xf32, #hivm.address_space<ub>>)
      %D = memref.alloc() : memref<8192xf32, #hivm.address_space<ub>>
      annotation.mark %D {hivm.multi_buffer = 2 : i32} : memref<8192xf32, #hivm.address_space<ub>>
      hivm.hir.load ins(%in : memref<8192xf32, #hivm.address_space<gm>>) outs(%D : memref<8192xf32, #hivm.address_space<ub>>)
    }
    return
  }
  // A, 2 x 64 KB, belongs to another loop than B and C, 64 KB each: C lies on A across pipes, and the second loop waits for the first.
  func.func @level2(%in : memref<16384xf32, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0.000000e+00 : f32
    scf.for %i = %c0 to %c16 step %c1 {
      %A = memref.alloc() : memref<16384xf32, #hivm.address_space<ub>>
      annotation.mark %A {hivm.multi_buffer = 2 : i32} : memref<16384xf32, #hivm.address_space<ub>>
      hivm.hir.load ins(%in : memref<16384xf32, #hivm.address_space<gm>>) outs(%A : memref<16384xf32, #hivm.address_space<ub>>)
    }
    scf.for %k = %c0 to %c16 step %c1 {
      %B = memref.alloc() : memref<16384xf32, #hivm.address_space<ub>>
      hivm.hir.vbrc ins(%zero : f32) outs(%B : memref<16384xf32, #hivm.address_space<ub>>)
      %C = memref.alloc() : memref<16384xf32, #hivm.address_space<ub>>
      hivm.hir.vbrc ins(%zero : f32) outs(%C : memref<16384xf32, #hivm.address_space<ub>>)
      hivm.hir.vadd ins(%B, %C : memref<16384xf32, #hivm.address_space<ub>>, memref<16384xf32, #hivm.address_space<ub>>) outs(%B : memref<16384xf32, #hivm.address_space<ub>>)
    }
    return
  }
  // A and D take 2 x 40 KB, B 24 KB: C, 36 KB, lies on A, and is given both of its slots, in turn with it.
  func.func @level1(%in : memref<10240xf32, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0.000000e+00 : f32
    scf.for %i = %c0 to %c16 step %c1 {
      %A = memref.alloc() : memref<10240xf32, #hivm.address_space<ub>>
      annotation.mark %A {hivm.multi_buffer = 2 : i32} : memref<10240xf32, #hivm.address_space<ub>>
      hivm.hir.load ins(%in : memref<10240xf32, #hivm.address_space<gm>>) outs(%A : memref<10240xf32, #hivm.address_space<ub>>)
      %B = memref.alloc() : memref<6144xf32, #hivm.address_space<ub>>
      hivm.hir.vbrc ins(%zero : f32) outs(%B : memref<6144xf32, #hivm.address_space<ub>>)
      %C = memref.alloc() : memref<9216xf32, #hivm.address_space<ub>>
      hivm.hir.vbrc ins(%zero : f32) outs(%C : memref<9216xf32, #hivm.address_space<ub>>)
      %D = memref.alloc() : memref<10240xf32, #hivm.address_space<ub>>
      annotation.mark %D {hivm.multi_buffer = 2 : i32} : memref<10240xf32, #hivm.address_space<ub>>
      hivm.hir.load ins(%in : memref<10240xf32, #hivm.address_space<gm>>) outs(%D : memref<10240xf32, #hivm.address_space<ub>>)
    }
    return
  }
  // As before, but C, 48 KB, is larger than a slot: it lies on one of A and on part of the other, and the double buffer is broken.
  func.func @level0(%in : memref<10240xf32, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0.000000e+00 : f32
    scf.for %i = %c0 to %c16 step %c1 {
      %A = memref.alloc() : memref<10240xf32, #hivm.address_space<ub>>
      annotation.mark %A {hivm.multi_buffer = 2 : i32} : memref<10240xf32, #hivm.address_space<ub>>
      hivm.hir.load ins(%in : memref<10240xf32, #hivm.address_space<gm>>) outs(%A : memref<10240xf32, #hivm.address_space<ub>>)
      %B = memref.alloc() : memref<6144xf32, #hivm.address_space<ub>>
      hivm.hir.vbrc ins(%zero : f32) outs(%B : memref<6144xf32, #hivm.address_space<ub>>)
      %C = memref.alloc() : memref<12288xf32, #hivm.address_space<ub>>
      hivm.hir.vbrc ins(%zero : f32) outs(%C : memref<12288xf32, #hivm.address_space<ub>>)
      %D = memref.alloc() : memref<10240xf32, #hivm.address_space<ub>>
      annotation.mark %D {hivm.multi_buffer = 2 : i32} : memref<10240xf32, #hivm.address_space<ub>>
      hivm.hir.load ins(%in : memref<10240xf32, #hivm.address_space<gm>>) outs(%D : memref<10240xf32, #hivm.address_space<ub>>)
    }
    return
  }
}
