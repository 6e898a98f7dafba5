// Writes plans as C99: a header and a source for each model, in the form of the design document of TVM's Unified Static Memory
// Planner.
#pragma once

#include "core/io/c_source_model.h"
#include "core/ir/expected.h"

#include <span>
#include <string>
#include <vector>

namespace stowage::io {

struct CSourceFile {
    std::string name;
    std::string text;
};

struct CSource {
    std::vector<CSourceFile> files;
    Diagnostics diagnostics; ///< names that were changed because they clashed; functions that the application must write
};

/// The generated files:
///  - `tvm_model.h`: the model object, the context, TVMSetWorkspaces, TVMSetParameters, TVMSetDevices, TVMSetTensors, TVMExecute;
///  - for a model m `m.h`: structs of its workspaces, constant pools, inputs, outputs, devices; macros with the size and
///    alignment of each pool (0 for an empty pool), sizes and offsets of every buffer, and totals; declarations of its operators;
///  - `m.c`: the model object, whose entry point calls the operators in order, each with the addresses of what it reads and
///    writes; constants with known bytes, packed as in their pool, with section and alignment attributes;
///  - for several models `tvm_models.h`: for each workspace pool of more than one model the largest of its sizes.
///
/// A model that is called like a function, a macro or a header of C's standard library gets the suffix "_" (`main_`).
///
/// The application or a library defines the operators: functions that take pointers to inputs, outputs and temporaries, and the
/// device. Planned inputs and outputs lie in their pool; the entry point copies them from and to the pointers of the application,
/// and does not copy for a null pointer. Constants and variables that are not planned are passed by a struct of pointers.
///
/// Loops become C loops, branches become C branches, and exits become breaks. A value that is passed between regions or
/// iterations is copied if it has different addresses there. The iteration selects the offset of a rotating buffer in a table;
/// the number of a branch or an exit selects the address of a value that it chose.
///
/// The application must also write the function that calls the operators if it cannot be generated: for a problem, which has no
/// ops, and for the cases of `CObstacle`. A diagnostic names the op.
///
/// Errors: two models with one name; a plan that is not valid; constants of another size than in the model; an internal constant
/// pool with unknown bytes; an array whose alignment is not a power of two; an output without a fixed address, if the function
/// that calls the operators cannot be generated.
Expected<CSource> writeCSource(std::span<const CSourceModel> models);

} // namespace stowage::io
