// Two f32 layers. The weights are arguments that stay the same in all runs, and are packed into 32 x 32 tiles in each of them:
// `stowage-cli fold` moves the packing into a function that runs once.
#tiles = affine_map<(m, n, i, j) -> (m, n, i, j)>
#bias = affine_map<(m, n, i, j) -> (n, j)>
#wide = affine_map<(m, n, i, j) -> (n, i, j)>
module {
  func.func @entry(%x: tensor<64x128xf32>, %w1: tensor<128x1024xf32>, %b1: tensor<1024xf32>, %w2: tensor<1024x256xf32>, %b2: tensor<256xf32>)
      -> tensor<64x256xf32> attributes {runtime_const_args_index = [1 : i32, 2 : i32, 3 : i32, 4 : i32]} {
    %zero = arith.constant 0.0 : f32
    %e0 = tensor.empty() : tensor<2x4x32x32xf32>
    %pack_x = tensor.pack %x inner_dims_pos = [0, 1] inner_tiles = [32, 32] into %e0 : tensor<64x128xf32> -> tensor<2x4x32x32xf32>
    %e1 = tensor.empty() : tensor<32x4x32x32xf32>
    %pack_w1 = tensor.pack %w1 outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [32, 32] into %e1 : tensor<128x1024xf32> -> tensor<32x4x32x32xf32>
    %e2 = tensor.empty() : tensor<2x32x32x32xf32>
    %fill_h = linalg.fill ins(%zero : f32) outs(%e2 : tensor<2x32x32x32xf32>) -> tensor<2x32x32x32xf32>
    %h = linalg.mmt4d ins(%pack_x, %pack_w1 : tensor<2x4x32x32xf32>, tensor<32x4x32x32xf32>) outs(%fill_h : tensor<2x32x32x32xf32>) -> tensor<2x32x32x32xf32>
    %expand_b1 = tensor.expand_shape %b1 [[0, 1]] output_shape [32, 32] : tensor<1024xf32> into tensor<32x32xf32>
    %e3 = tensor.empty() : tensor<2x32x32x32xf32>
    %relu = linalg.generic {indexing_maps = [#tiles, #bias, #tiles], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
        ins(%h, %expand_b1 : tensor<2x32x32x32xf32>, tensor<32x32xf32>) outs(%e3 : tensor<2x32x32x32xf32>) {
    ^bb0(%a: f32, %b: f32, %out: f32):
      %s = arith.addf %a, %b : f32
      %r = arith.maximumf %s, %zero : f32
      linalg.yield %r : f32
    } -> tensor<2x32x32x32xf32>
    %e4 = tensor.empty() : tensor<8x32x32x32xf32>
    %pack_w2 = tensor.pack %w2 outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [32, 32] into %e4 : tensor<1024x256xf32> -> tensor<8x32x32x32xf32>
    %e5 = tensor.empty() : tensor<2x8x32x32xf32>
    %fill_y = linalg.fill ins(%zero : f32) outs(%e5 : tensor<2x8x32x32xf32>) -> tensor<2x8x32x32xf32>
    %y = linalg.mmt4d ins(%relu, %pack_w2 : tensor<2x32x32x32xf32>, tensor<8x32x32x32xf32>) outs(%fill_y : tensor<2x8x32x32xf32>) -> tensor<2x8x32x32xf32>
    %expand_b2 = tensor.expand_shape %b2 [[0, 1]] output_shape [8, 32] : tensor<256xf32> into tensor<8x32xf32>
    %e6 = tensor.empty() : tensor<8x32x32xf32>
    %broadcast_b2 = linalg.broadcast ins(%expand_b2 : tensor<8x32xf32>) outs(%e6 : tensor<8x32x32xf32>) dimensions = [1]
    %e7 = tensor.empty() : tensor<2x8x32x32xf32>
    %sum = linalg.generic {indexing_maps = [#tiles, #wide, #tiles], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
        ins(%y, %broadcast_b2 : tensor<2x8x32x32xf32>, tensor<8x32x32xf32>) outs(%e7 : tensor<2x8x32x32xf32>) {
    ^bb0(%a: f32, %b: f32, %out: f32):
      %s = arith.addf %a, %b : f32
      linalg.yield %s : f32
    } -> tensor<2x8x32x32xf32>
    %e8 = tensor.empty() : tensor<64x256xf32>
    %unpack = tensor.unpack %sum inner_dims_pos = [0, 1] inner_tiles = [32, 32] into %e8 : tensor<2x8x32x32xf32> -> tensor<64x256xf32>
    return %unpack : tensor<64x256xf32>
  }
}
