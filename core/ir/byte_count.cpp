#include "core/ir/byte_count.h"

#include "core/ir/checked.h"
#include "core/ir/parsed_number.h"

#include <algorithm>
#include <cmath>

namespace stowage {

std::optional<Bytes> parseBytes(std::string_view text)
{
    if (text.starts_with("0x") || text.starts_with("0X")) {
        const auto value = parsedNumber<Bytes>(text.substr(2), 16);
        return value && *value >= 0 && *value <= maxBytes ? value : std::nullopt;
    }
    const auto digits = std::min(text.find_first_not_of("0123456789."), text.size());
    const std::string_view unit = text.substr(digits);
    int shift = 0;
    if (!unit.empty() && unit != "B") {
        constexpr std::string_view prefixes = "KMGT";
        const auto prefix = prefixes.find(unit[0] == 'k' ? 'K' : unit[0]);
        if (prefix == std::string_view::npos || (unit.size() > 1 && unit.substr(1) != "iB" && unit.substr(1) != "B"))
            return std::nullopt;
        shift = 10 * (static_cast<int>(prefix) + 1);
    }
    const std::string_view number = text.substr(0, digits);
    if (number.find('.') == std::string_view::npos) {
        const auto value = parsedNumber<Bytes>(number);
        if (!value) return std::nullopt;
        const auto bytes = checkedMultiply(*value, Bytes{1} << shift);
        return bytes && *bytes <= maxBytes ? bytes : std::nullopt;
    }
    const auto fraction = parsedNumber<double>(number);
    if (!fraction) return std::nullopt;
    const double value = std::ldexp(*fraction, shift);
    if (value != std::floor(value) || value > std::ldexp(1.0, 52)) return std::nullopt; // "1.5" bytes are a mistake
    return static_cast<Bytes>(value);
}

} // namespace stowage
