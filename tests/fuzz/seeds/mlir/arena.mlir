module {
  func.func @f(%in: memref<8xf32>, %out: memref<8xf32>) {
    %o0 = arith.constant 0 : index
    %o32 = arith.constant 32 : index
    %arena = memref.alloc() {alignment = 64 : i64} : memref<64xi8>
    %a = memref.view %arena[%o0][] : memref<64xi8> to memref<8xf32>
    %b = memref.view %arena[%o32][] : memref<64xi8> to memref<8xf32>
    linalg.exp ins(%in : memref<8xf32>) outs(%a : memref<8xf32>)
    linalg.exp ins(%a : memref<8xf32>) outs(%b : memref<8xf32>)
    linalg.exp ins(%b : memref<8xf32>) outs(%out : memref<8xf32>)
    memref.dealloc %arena : memref<64xi8>
    return
  }
}
