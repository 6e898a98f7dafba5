// The section of the sidebar for the Pipeline view: each device with the bytes of its stage.
#pragma once

#include <cstddef>

namespace stowage {

class Look;
class Section;
class Workspace;

/// Hidden unless the Pipeline view is shown. A click on a device selects its stage.
[[nodiscard]] Section* makeDevicesSection(Workspace& workspace, const Look& look);

} // namespace stowage
