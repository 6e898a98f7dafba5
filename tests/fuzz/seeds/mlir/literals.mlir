#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>
func.func private @twice(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %y = arith.addf %x, %x : tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}
func.func @entry(%x: tensor<4x4xf32>, %w: tensor<4xf32>, %k: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<2x2x2x2xf32>)
    attributes {compiletime_const_args_index = [2 : i32], runtime_const_args_index = [1 : i32]} {
  %q = arith.constant dense<[[1, -2, 3, 4], [5, 6, 7, 8], [-9, 10, 11, 12], [13, 14, 15, 16]]> : tensor<4x4xi8>
  %d = arith.constant dense<3> : tensor<4x4xi32>
  %wide = arith.extsi %q : tensor<4x4xi8> to tensor<4x4xi32>
  %sub = arith.divsi %wide, %d : tensor<4x4xi32>
  %f = arith.sitofp %sub : tensor<4x4xi32> to tensor<4x4xf32>
  %e = tensor.empty() : tensor<4x4xf32>
  %g = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%f, %w : tensor<4x4xf32>, tensor<4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %c = arith.cmpf ogt, %m, %b : f32
    %s = arith.select %c, %m, %b : f32
    linalg.yield %s : f32
  } -> tensor<4x4xf32>
  %h = func.call @twice(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %r = arith.addf %h, %g : tensor<4x4xf32>
  %zero = arith.constant 0.0 : f32
  %p0 = tensor.empty() : tensor<2x2x2x2xf32>
  %p = tensor.pack %k padding_value(%zero : f32) inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %p0
      : tensor<4x4xf32> -> tensor<2x2x2x2xf32>
  %half = arith.constant dense<"0x0000003F"> : tensor<2x2x2x2xf32>
  %n = arith.mulf %p, %half : tensor<2x2x2x2xf32>
  return %r, %n : tensor<4x4xf32>, tensor<2x2x2x2xf32>
}
