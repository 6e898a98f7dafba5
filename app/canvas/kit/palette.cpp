#include "app/canvas/kit/palette.h"

#include "app/canvas/axis/run_scene.h"

#include <algorithm>

namespace stowage {

Palette paletteOf(const Theme& theme, ColourBy by)
{
    Palette palette;
    if (by == ColourBy::difference) {
        const auto& [up, same, down] = theme.difference;
        palette.fills = {down,
                         mix(same, down, 0.7),
                         mix(same, down, 0.42),
                         same,
                         mix(same, up, 0.42),
                         mix(same, up, 0.7),
                         up,
                         theme.buffers[5],
                         theme.buffers[2],
                         theme.buffers[9]};
        for (std::size_t i = 0; i < colourClasses; ++i) palette.inks[i] = theme.inkOn(palette.fills[i]);
        return palette;
    }
    if (!ordered(by)) {
        palette.fills = theme.buffers;
        palette.inks = theme.bufferInks;
        return palette;
    }
    for (std::size_t i = 0; i < colourClasses; ++i) {
        const double t = 0.2 + 0.6 * double(std::min(i, orderedClasses - 1)) / double(orderedClasses - 1);
        palette.fills[i] = theme.rampAt(t);
        palette.inks[i] = theme.inkOn(palette.fills[i]);
    }
    return palette;
}

OpColours opColours(const Theme& theme, const OpTrack& track, std::size_t kind)
{
    if (!track.named[kind]) return {theme.line2, theme.text};
    const Palette palette = paletteOf(theme, ColourBy::opKind);
    return {palette.fills[track.colours[kind]], palette.inks[track.colours[kind]]};
}

MapColours mapColours(const Theme& theme, const Palette& palette)
{
    MapColours colours;
    for (std::size_t i = 0; i < palette.fills.size(); ++i) {
        colours.fill[i] = palette.fills[i].rgb();
        colours.ink[i] = palette.inks[i].rgb();
    }
    colours.well = theme.well.rgb();
    colours.free = theme.free.rgb();
    colours.hatch = theme.line.rgb();
    colours.bad = theme.bad.rgb();
    colours.warn = theme.warn.rgb();
    colours.grid = theme.grid.rgb();
    return colours;
}

std::vector<BufferStyle> bufferStyles(const Colouring& colouring, unsigned hiddenClasses, const std::vector<bool>& shown,
                                      std::span<const BufferId> clique)
{
    std::vector<BufferStyle> styles(colouring.of.begin(), colouring.of.end());
    for (std::size_t i = 0; i < styles.size(); ++i) {
        const std::size_t of = styles[i];
        if (of < colouring.classes.size() && colouring.classes[of].hatched) styles[i] |= styleHatch;
        if (hiddenClasses >> of & 1U) styles[i] |= styleHidden;
        if (i < shown.size() && !shown[i]) styles[i] |= styleDim;
    }
    for (const BufferId member : clique)
        if (member >= 0 && std::size_t(member) < styles.size()) styles[std::size_t(member)] |= styleClique;
    return styles;
}

} // namespace stowage
