// A broadcast stands in front of three element-wise ops. Folding moves it after them: they run once, at the small size, and the
// broadcast stays in the entry.
#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
module {
  func.func @entry(%x: tensor<2x8x32x32xbf16>, %arg2: tensor<256xbf16>) -> tensor<2x8x32x32xbf16> attributes {runtime_const_args_index = [1 : i32]} {
    %cst_2 = arith.constant 2.0 : f32
    %15 = tensor.empty() : tensor<8x32xbf16>
    %packed_arg2 = tensor.pack %arg2 outer_dims_perm = [0] inner_dims_pos = [0] inner_tiles = [32] into %15 : tensor<256xbf16> -> tensor<8x32xbf16>
    %bc_arg2_init = tensor.empty() : tensor<2x8x32x32xbf16>
    %bc_arg2 = linalg.broadcast ins(%packed_arg2 : tensor<8x32xbf16>) outs(%bc_arg2_init : tensor<2x8x32x32xbf16>) dimensions = [0, 2]
    %extf32 = arith.extf %bc_arg2 : tensor<2x8x32x32xbf16> to tensor<2x8x32x32xf32>
    %extf32_mul2_init = tensor.empty() : tensor<2x8x32x32xf32>
    %extf32_mul2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
        ins(%extf32 : tensor<2x8x32x32xf32>) outs(%extf32_mul2_init : tensor<2x8x32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %8 = arith.mulf %in, %cst_2 : f32
      linalg.yield %8 : f32
    } -> tensor<2x8x32x32xf32>
    %truncbf16 = arith.truncf %extf32_mul2 : tensor<2x8x32x32xf32> to tensor<2x8x32x32xbf16>
    %o = tensor.empty() : tensor<2x8x32x32xbf16>
    %sum = linalg.add ins(%x, %truncbf16 : tensor<2x8x32x32xbf16>, tensor<2x8x32x32xbf16>) outs(%o : tensor<2x8x32x32xbf16>) -> tensor<2x8x32x32xbf16>
    return %sum : tensor<2x8x32x32xbf16>
  }
}
