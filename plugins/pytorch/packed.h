// What a pickle may be wrapped in: gzip, or a page of torch.cuda._memory_viz.
#pragma once

#include "core/ir/expected.h"

#include <string>
#include <string_view>

namespace stowage::pytorch {

[[nodiscard]] bool isGzip(std::string_view bytes);

/// The contents of a gzip file (zlib). Errors: damaged or cut off, more than 4 GiB.
Expected<std::string> unzipped(std::string_view bytes, const std::string& file);

/// The pickle inside an HTML page: the text after "base64": in the list of files that the page embeds. Errors: there is none, it
/// is no base64. Ignores what stands around it.
Expected<std::string> pickleInPage(std::string_view page, const std::string& file);

} // namespace stowage::pytorch
