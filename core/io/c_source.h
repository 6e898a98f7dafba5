// A plan as C99: a header and a source for each model, as the design document of TVM's memory planner shows them.
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
    Diagnostics diagnostics; ///< names that clashed; what is left to the application
};

/// Writes
///  - `tvm_model.h`: the model object, the context, TVMSetWorkspaces, TVMSetParameters, TVMSetDevices, TVMSetTensors, TVMExecute;
///  - for a model m `m.h`: structs of its workspaces, constant pools, inputs, outputs, devices; macros with the size and
///    alignment of each pool (0 for one that holds nothing), sizes and offsets of every buffer, and sums; what its operators are
///    called;
///  - `m.c`: the model object, whose entry point calls the operators in order, each with the addresses of what it reads and
///    writes; constants whose bytes are known, packed as they lie in their pool, with section and alignment attributes;
///  - with several models `tvm_models.h`: for each workspace pool that more than one uses the largest of their sizes.
///
/// The operators themselves are the application's (or a library's): functions with the pointers to inputs, outputs and
/// temporaries, and the device. Inputs and outputs that are planned lie in their pool; the entry point copies what the
/// application points to, a null pointer means that the data is there already. Constants and variables that are not planned come
/// in through a struct of pointers. Loops become loops and branches become branches; what is handed on between regions and
/// iterations is copied where it does not lie in one place. Where that cannot be written (a loop without a known end, a body that
/// makes inputs of its own or takes slices of others, sizes known only when it runs), and for a problem, which has no ops, the
/// function that calls the operators is the application's too; a note names the op. What rotates with a loop is found in a table
/// by the iteration, what a branch or an exit chose by its number; exits are breaks. Errors: two models of one name, a plan that
/// is not valid, constants of another size than said, an output in changing places where the function that would hand it out
/// cannot be written.
Expected<CSource> writeCSource(std::span<const CSourceModel> models);

} // namespace stowage::io
