// Vector half of a flash-attention tile with 48 query rows. Running maximum, sum and accumulator live over the whole loop; scores and probabilities are
// double-buffered. It fits an Ascend910B1 only with reuse across pipes, at levels 3 to 1 and with rollbacks; one double buffer is broken.
module attributes {hacc.target = #hacc.target<"Ascend910B1">} {
  func.func @flash_attention_vector(%arg0 : memref<48x256xf32, #hivm.address_space<gm>>,
                  %arg1 : memref<48x256xf16, #hivm.address_space<gm>>,
                  %arg2 : memref<48x128xf32, #hivm.address_space<gm>>,
                  %arg3 : memref<48x128xf16, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c1 = arith.constant 1 : index
    %ninf = arith.constant 0xFF800000 : f32
    %zero = arith.constant 0.000000e+00 : f32
    %scale = arith.constant 0.0883883461 : f32
    %m_run = memref.alloc() : memref<48x1xf32, #hivm.address_space<ub>>
    hivm.hir.vbrc ins(%ninf : f32) outs(%m_run : memref<48x1xf32, #hivm.address_space<ub>>)
    %l_run = memref.alloc() : memref<48x1xf32, #hivm.address_space<ub>>
    hivm.hir.vbrc ins(%zero : f32) outs(%l_run : memref<48x1xf32, #hivm.address_space<ub>>)
    %acc = memref.alloc() : memref<48x128xf32, #hivm.address_space<ub>>
    hivm.hir.vbrc ins(%zero : f32) outs(%acc : memref<48x128xf32, #hivm.address_space<ub>>)
    scf.for %j = %c0 to %c16 step %c1 {
      %s = memref.alloc() : memref<48x256xf32, #hivm.address_space<ub>>
      annotation.mark %s {hivm.multi_buffer = 2 : i32} : memref<48x256xf32, #hivm.address_space<ub>>
      hivm.hir.load ins(%arg0 : memref<48x256xf32, #hivm.address_space<gm>>) outs(%s : memref<48x256xf32, #hivm.address_space<ub>>)
      %s_scaled = memref.alloc() : memref<48x256xf32, #hivm.address_space<ub>>
      hivm.hir.vmul ins(%s, %scale : memref<48x256xf32, #hivm.address_space<ub>>, f32) outs(%s_scaled : memref<48x256xf32, #hivm.address_space<ub>>)
      %m_cur = memref.alloc() : memref<48x1xf32, #hivm.address_space<ub>>
      %red0 = memref.alloc() : memref<6144xf32, #hivm.address_space<ub>>
      hivm.hir.vreduce <max> ins(%s_scaled : memref<48x256xf32, #hivm.address_space<ub>>) outs(%m_cur : memref<48x1xf32, #hivm.address_space<ub>>) temp_buffer(%red0 : memref<6144xf32, #hivm.address_space<ub>>) reduce_dims = [1]
      %m_new = memref.alloc() : memref<48x1xf32, #hivm.address_space<ub>>
      hivm.hir.vmax ins(%m_run, %m_cur : memref<48x1xf32, #hivm.address_space<ub>>, memref<48x1xf32, #hivm.address_space<ub>>) outs(%m_new : memref<48x1xf32, #hivm.address_space<ub>>)
      %s_shift = memref.alloc() : memref<48x256xf32, #hivm.address_space<ub>>
      %brc0 = memref.alloc() : memref<384xf32, #hivm.address_space<ub>>
      hivm.hir.vsub ins(%s_scaled, %m_new : memref<48x256xf32, #hivm.address_space<ub>>, memref<48x1xf32, #hivm.address_space<ub>>) outs(%s_shift : memref<48x256xf32, #hivm.address_space<ub>>) temp_buffer(%brc0 : memref<384xf32, #hivm.address_space<ub>>) broadcast = [1]
      %p = memref.alloc() : memref<48x256xf32, #hivm.address_space<ub>>
      hivm.hir.vexp ins(%s_shift : memref<48x256xf32, #hivm.address_space<ub>>) outs(%p : memref<48x256xf32, #hivm.address_space<ub>>)
      %p16 = memref.alloc() : memref<48x256xf16, #hivm.address_space<ub>>
      annotation.mark %p16 {hivm.multi_buffer = 2 : i32} : memref<48x256xf16, #hivm.address_space<ub>>
      hivm.hir.vcast ins(%p : memref<48x256xf32, #hivm.address_space<ub>>) outs(%p16 : memref<48x256xf16, #hivm.address_space<ub>>) round_mode = <rint>
      hivm.hir.store ins(%p16 : memref<48x256xf16, #hivm.address_space<ub>>) outs(%arg1 : memref<48x256xf16, #hivm.address_space<gm>>)
      %l_cur = memref.alloc() : memref<48x1xf32, #hivm.address_space<ub>>
      %red1 = memref.alloc() : memref<6144xf32, #hivm.address_space<ub>>
      hivm.hir.vreduce <sum> ins(%p : memref<48x256xf32, #hivm.address_space<ub>>) outs(%l_cur : memref<48x1xf32, #hivm.address_space<ub>>) temp_buffer(%red1 : memref<6144xf32, #hivm.address_space<ub>>) reduce_dims = [1]
      %m_diff = memref.alloc() : memref<48x1xf32, #hivm.address_space<ub>>
      hivm.hir.vsub ins(%m_run, %m_new : memref<48x1xf32, #hivm.address_space<ub>>, memref<48x1xf32, #hivm.address_space<ub>>) outs(%m_diff : memref<48x1xf32, #hivm.address_space<ub>>)
      %alpha = memref.alloc() : memref<48x1xf32, #hivm.address_space<ub>>
      hivm.hir.vexp ins(%m_diff : memref<48x1xf32, #hivm.address_space<ub>>) outs(%alpha : memref<48x1xf32, #hivm.address_space<ub>>)
      %l_scaled = memref.alloc() : memref<48x1xf32, #hivm.address_space<ub>>
      hivm.hir.vmul ins(%l_run, %alpha : memref<48x1xf32, #hivm.address_space<ub>>, memref<48x1xf32, #hivm.address_space<ub>>) outs(%l_scaled : memref<48x1xf32, #hivm.address_space<ub>>)
      %l_next = memref.alloc() : memref<48x1xf32, #hivm.address_space<ub>>
      hivm.hir.vadd ins(%l_scaled, %l_cur : memref<48x1xf32, #hivm.address_space<ub>>, memref<48x1xf32, #hivm.address_space<ub>>) outs(%l_next : memref<48x1xf32, #hivm.address_space<ub>>)
      hivm.hir.copy ins(%l_next : memref<48x1xf32, #hivm.address_space<ub>>) outs(%l_run : memref<48x1xf32, #hivm.address_space<ub>>)
      hivm.hir.copy ins(%m_new : memref<48x1xf32, #hivm.address_space<ub>>) outs(%m_run : memref<48x1xf32, #hivm.address_space<ub>>)
      %pv = memref.alloc() : memref<48x128xf32, #hivm.address_space<ub>>
      annotation.mark %pv {hivm.multi_buffer = 2 : i32} : memref<48x128xf32, #hivm.address_space<ub>>
      hivm.hir.load ins(%arg2 : memref<48x128xf32, #hivm.address_space<gm>>) outs(%pv : memref<48x128xf32, #hivm.address_space<ub>>)
      %acc_scaled = memref.alloc() : memref<48x128xf32, #hivm.address_space<ub>>
      %brc1 = memref.alloc() : memref<384xf32, #hivm.address_space<ub>>
      hivm.hir.vmul ins(%acc, %alpha : memref<48x128xf32, #hivm.address_space<ub>>, memref<48x1xf32, #hivm.address_space<ub>>) outs(%acc_scaled : memref<48x128xf32, #hivm.address_space<ub>>) temp_buffer(%brc1 : memref<384xf32, #hivm.address_space<ub>>) broadcast = [1]
      hivm.hir.vadd ins(%acc_scaled, %pv : memref<48x128xf32, #hivm.address_space<ub>>, memref<48x128xf32, #hivm.address_space<ub>>) outs(%acc : memref<48x128xf32, #hivm.address_space<ub>>)
    }
    %out32 = memref.alloc() : memref<48x128xf32, #hivm.address_space<ub>>
    %brc2 = memref.alloc() : memref<384xf32, #hivm.address_space<ub>>
    hivm.hir.vdiv ins(%acc, %l_run : memref<48x128xf32, #hivm.address_space<ub>>, memref<48x1xf32, #hivm.address_space<ub>>) outs(%out32 : memref<48x128xf32, #hivm.address_space<ub>>) temp_buffer(%brc2 : memref<384xf32, #hivm.address_space<ub>>) broadcast = [1]
    %out16 = memref.alloc() : memref<48x128xf16, #hivm.address_space<ub>>
    hivm.hir.vcast ins(%out32 : memref<48x128xf32, #hivm.address_space<ub>>) outs(%out16 : memref<48x128xf16, #hivm.address_space<ub>>) round_mode = <rint>
    hivm.hir.store ins(%out16 : memref<48x128xf16, #hivm.address_space<ub>>) outs(%arg3 : memref<48x128xf16, #hivm.address_space<gm>>)
    return
  }
}
