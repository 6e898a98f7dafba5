util.func public @residual(%offset: index) -> index {
  %c12288 = arith.constant 12288 : index
  %c16384 = arith.constant 16384 : index
  %c24576 = arith.constant 24576 : index
  %c28672 = arith.constant 28672 : index
  %c32768 = arith.constant 32768 : index
  %t:10 = stream.resource.pack offset(%offset) slices({
    [0, 1] = %c12288,
    [1, 2] = %c32768,
    [2, 5] = %c16384,
    [3, 4] = %c16384,
    [4, 5] = %c24576,
    [5, 8] = %c16384,
    [6, 7] = %c28672,
    [7, 8] = %c16384,
    [8, 8] = %c16384,
  }) : index
  util.return %t#0 : index
}
