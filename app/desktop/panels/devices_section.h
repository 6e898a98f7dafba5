// The section of the sidebar beside the Pipeline view: each device with what its stage takes of its memory.
#pragma once

#include <cstddef>

namespace stowage {

class Look;
class Section;
class Workspace;

/// Hidden while another view is in front. A click on a device selects its stage.
[[nodiscard]] Section* makeDevicesSection(Workspace& workspace, const Look& look);

} // namespace stowage
