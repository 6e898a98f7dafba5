// Unpacks a pickle from gzip, or from an HTML page of torch.cuda._memory_viz.
#pragma once

#include "core/ir/expected.h"

#include <string>
#include <string_view>

namespace stowage::pytorch {

[[nodiscard]] bool isGzip(std::string_view bytes);

/// The contents of a gzip file, by zlib. Errors: damaged or cut off, more than 4 GiB unpacked.
Expected<std::string> unzipped(std::string_view bytes, const std::string& file);

/// The begin of the contents of a gzip file, at most 64 KiB, as far as `head`, the begin of the file, can be unpacked. Empty if
/// none of it can.
[[nodiscard]] std::string unzippedHead(std::string_view head);

/// The pickle inside an HTML page, in base64 after the key "base64": in the list of files that the page embeds. The rest of the
/// page is ignored. Errors: no such text, or it is not base64.
Expected<std::string> pickleInPage(std::string_view page, const std::string& file);

} // namespace stowage::pytorch
