func.func @entry(%x: tensor<?x8xf32>, %w: tensor<8x2xf32> {x.constant = "run-time"}) -> (tensor<6xf32>, tensor<?x8xf32>) {
  %t0 = tensor.empty() : tensor<2x8xf32>
  %t = linalg.transpose ins(%w : tensor<8x2xf32>) outs(%t0 : tensor<2x8xf32>) permutation = [1, 0]
  %s = tensor.extract_slice %t[0, 2] [2, 3] [1, 2] : tensor<2x8xf32> to tensor<2x3xf32>
  %c = tensor.collapse_shape %s [[0, 1]] : tensor<2x3xf32> into tensor<6xf32>
  %e = tensor.expand_shape %c [[0, 1]] output_shape [3, 2] : tensor<6xf32> into tensor<3x2xf32>
  %b0 = tensor.empty() : tensor<4x3x2xf32>
  %b = linalg.broadcast ins(%e : tensor<3x2xf32>) outs(%b0 : tensor<4x3x2xf32>) dimensions = [0]
  %n = math.exp %b : tensor<4x3x2xf32>
  %v = tensor.extract_slice %n[1, 0, 0] [1, 3, 2] [1, 1, 1] : tensor<4x3x2xf32> to tensor<3x2xf32>
  %r = tensor.collapse_shape %v [[0, 1]] : tensor<3x2xf32> into tensor<6xf32>
  %c0 = arith.constant 0 : index
  %dim = tensor.dim %x, %c0 : tensor<?x8xf32>
  %y0 = tensor.empty(%dim) : tensor<?x8xf32>
  %y = linalg.map {math.absf} ins(%x : tensor<?x8xf32>) outs(%y0 : tensor<?x8xf32>)
  "test.unknown"(%y) {a = 1 : i32} : (tensor<?x8xf32>) -> ()
  return %r, %y : tensor<6xf32>, tensor<?x8xf32>
}
