func.func @f(%in: memref<8xf32>, %out: memref<8xf32>, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
  %b = memref.alloca() : memref<16xf32>
  linalg.exp ins(%in : memref<8xf32>) outs(%a : memref<8xf32>)
  %v = memref.subview %b[4] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1], offset: 4>>
  memref.copy %a, %v : memref<8xf32> to memref<8xf32, strided<[1], offset: 4>>
  scf.for %i = %c0 to %c4 step %c1 {
    %t = memref.alloc() : memref<8xf32>
    linalg.exp ins(%a : memref<8xf32>) outs(%t : memref<8xf32>)
    linalg.exp ins(%t : memref<8xf32>) outs(%out : memref<8xf32>)
    memref.dealloc %t : memref<8xf32>
  }
  scf.if %c {
    %t = memref.alloc() : memref<8xf32, 1>
    linalg.exp ins(%a : memref<8xf32>) outs(%t : memref<8xf32, 1>)
  } else {
    %x = memref.load %a[%c0] : memref<8xf32>
    memref.store %x, %out[%c1] : memref<8xf32>
  }
  %r = scf.while (%i = %c0) : (index) -> index {
    %p = arith.cmpi slt, %i, %c4 : index
    scf.condition(%p) %i : index
  } do {
  ^bb0(%i: index):
    %j = arith.addi %i, %c1 : index
    scf.yield %j : index
  }
  affine.for %i = 0 to 8 {
    %x = affine.load %a[%i] : memref<8xf32>
    affine.store %x, %out[%i] : memref<8xf32>
  }
  memref.dealloc %a : memref<8xf32>
  return
}
