func.func private @same(%x: memref<8xf32>) -> memref<8xf32> {
  return %x : memref<8xf32>
}
func.func @f(%in: memref<8xf32>, %out: memref<8xf32>, %c: i1, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  linalg.exp ins(%in : memref<8xf32>) outs(%a : memref<8xf32>)
  %s = arith.select %c, %a, %b : memref<8xf32>
  %k = func.call @same(%s) : (memref<8xf32>) -> memref<8xf32>
  %i = scf.if %c -> (memref<8xf32>) {
    %t = memref.alloc() : memref<8xf32>
    linalg.exp ins(%k : memref<8xf32>) outs(%t : memref<8xf32>)
    scf.yield %t : memref<8xf32>
  } else {
    scf.yield %k : memref<8xf32>
  }
  %l:2 = scf.for %j = %c0 to %c4 step %c1 iter_args(%x = %i, %y = %b) -> (memref<8xf32>, memref<8xf32>) {
    %t = memref.alloc() : memref<8xf32>
    linalg.exp ins(%x : memref<8xf32>) outs(%t : memref<8xf32>)
    scf.yield %y, %t : memref<8xf32>, memref<8xf32>
  }
  %w = scf.while (%x = %l#0) : (memref<8xf32>) -> memref<8xf32> {
    scf.condition(%c) %x : memref<8xf32>
  } do {
  ^bb0(%x: memref<8xf32>):
    scf.yield %x : memref<8xf32>
  }
  %e = scf.execute_region -> memref<8xf32> {
    %t = memref.alloc() : memref<8xf32>
    cf.cond_br %c, ^bb1(%t : memref<8xf32>), ^bb1(%w : memref<8xf32>)
  ^bb1(%x: memref<8xf32>):
    scf.yield %x : memref<8xf32>
  }
  %base, %offset, %size, %stride = memref.extract_strided_metadata %e : memref<8xf32> -> memref<f32>, index, index, index
  %u = "test.make"(%base) : (memref<f32>) -> memref<8xf32>
  scf.parallel (%j) = (%c0) to (%c4) step (%c1) {
    %t = memref.alloc() : memref<8xf32, 1>
    linalg.exp ins(%u : memref<8xf32>) outs(%t : memref<8xf32, 1>)
    linalg.exp ins(%t : memref<8xf32, 1>) outs(%out : memref<8xf32>)
  }
  %p = memref.extract_aligned_pointer_as_index %b : memref<8xf32> -> index
  memref.dealloc %l#1 : memref<8xf32>
  return
}
