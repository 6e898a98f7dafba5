// Three packed weights: a literal and an argument that the compiler knows, and one that is known in the first run. With --mode split
// the first two are packed by `compiletime_fold`, the third by `runtime_fold`; by default all three by `runtime_fold`.
module {
  func.func @entry(%feature0: tensor<1x2x16x32xbf16>, %weight1: tensor<64x64xbf16>, %weight2: tensor<64x32xbf16>) -> tensor<1x1x16x32xbf16>
      attributes {compiletime_const_args_index = [1 : i32], runtime_const_args_index = [2 : i32]} {
    %zero = arith.constant 0.0 : bf16
    %weight0 = arith.constant dense<0.5> : tensor<64x64xbf16>
    %p0 = tensor.empty() : tensor<2x2x32x32xbf16>
    %packedWeight0 = tensor.pack %weight0 outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [32, 32] into %p0 : tensor<64x64xbf16> -> tensor<2x2x32x32xbf16>
    %o0 = tensor.empty() : tensor<1x2x16x32xbf16>
    %z0 = linalg.fill ins(%zero : bf16) outs(%o0 : tensor<1x2x16x32xbf16>) -> tensor<1x2x16x32xbf16>
    %feature1 = linalg.mmt4d ins(%feature0, %packedWeight0 : tensor<1x2x16x32xbf16>, tensor<2x2x32x32xbf16>) outs(%z0 : tensor<1x2x16x32xbf16>) -> tensor<1x2x16x32xbf16>
    %p1 = tensor.empty() : tensor<2x2x32x32xbf16>
    %packedWeight1 = tensor.pack %weight1 outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [32, 32] into %p1 : tensor<64x64xbf16> -> tensor<2x2x32x32xbf16>
    %o1 = tensor.empty() : tensor<1x2x16x32xbf16>
    %z1 = linalg.fill ins(%zero : bf16) outs(%o1 : tensor<1x2x16x32xbf16>) -> tensor<1x2x16x32xbf16>
    %feature2 = linalg.mmt4d ins(%feature1, %packedWeight1 : tensor<1x2x16x32xbf16>, tensor<2x2x32x32xbf16>) outs(%z1 : tensor<1x2x16x32xbf16>) -> tensor<1x2x16x32xbf16>
    %p2 = tensor.empty() : tensor<1x2x32x32xbf16>
    %packedWeight2 = tensor.pack %weight2 outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [32, 32] into %p2 : tensor<64x32xbf16> -> tensor<1x2x32x32xbf16>
    %o2 = tensor.empty() : tensor<1x1x16x32xbf16>
    %z2 = linalg.fill ins(%zero : bf16) outs(%o2 : tensor<1x1x16x32xbf16>) -> tensor<1x1x16x32xbf16>
    %feature3 = linalg.mmt4d ins(%feature2, %packedWeight2 : tensor<1x2x16x32xbf16>, tensor<1x2x32x32xbf16>) outs(%z2 : tensor<1x1x16x32xbf16>) -> tensor<1x1x16x32xbf16>
    return %feature3 : tensor<1x1x16x32xbf16>
  }
}
