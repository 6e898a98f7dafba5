#include "app/canvas/report/style_sheet.h"

#include "app/canvas/axis/colouring.h"
#include "app/canvas/kit/theme.h"
#include "app/canvas/report/markup.h"

#include <fmt/format.h>

namespace stowage::report {

namespace {

constexpr const char* rules = R"css(
*{box-sizing:border-box}
body{margin:0;background:var(--base);color:var(--text);font:12px/16px Inter,"DejaVu Sans",system-ui,sans-serif}
main{max-width:1056px;margin:0 auto;padding:24px 0 32px}
header,footer{display:flex;justify-content:space-between;gap:24px;align-items:center;margin-bottom:16px}
header svg.logo{width:24px;height:24px;margin-right:12px;flex:none}
header .who{display:flex;align-items:center;flex:1;min-width:0}
header h1{font-size:15px;line-height:20px;margin:0;font-weight:600}
footer{margin:16px 0 0;color:var(--text3);font-size:11px}
.side{text-align:right;color:var(--text2)}
.mono,td.n,.num{font-family:"JetBrains Mono","DejaVu Sans Mono",monospace}
.quiet{color:var(--text2)} .small{font-size:11px;line-height:14px;color:var(--text3)}
.model{font-size:15px;line-height:22px;font-weight:600;margin:24px 0 12px;overflow-wrap:anywhere}
section{background:var(--raised);border:1px solid var(--line);border-radius:6px;padding:20px 22px;margin-bottom:16px;
break-inside:avoid}
section.verdict{border-left:4px solid var(--ok)} section.verdict.no{border-left-color:var(--bad)}
section.verdict.part{border-left-color:var(--warn)}
section h2{font-size:14px;line-height:20px;font-weight:600;margin:0 0 12px;display:flex;gap:12px;align-items:baseline;
flex-wrap:wrap}
section h2 .quiet{font-weight:400;font-size:12px} section h2 .right{margin-left:auto;font-weight:400;font-size:12px}
.sentence{font-size:20px;line-height:28px;font-weight:600;overflow-wrap:anywhere}
.head{display:flex;gap:16px;align-items:flex-start;margin-bottom:8px}
.mark{width:42px;height:42px;border-radius:6px;display:flex;align-items:center;justify-content:center;flex:none;
background:var(--ok-soft);color:var(--ok)}
.no .mark{background:var(--bad-soft);color:var(--bad)} .part .mark{background:var(--warn-soft);color:var(--warn)}
.no .word{color:var(--bad)} .part .word{color:var(--warn)} .word{color:var(--ok)}
.mark .icon{width:22px;height:22px}
.icon{width:14px;height:14px;fill:none;stroke:currentColor;stroke-width:1.4;stroke-linecap:round;stroke-linejoin:round;
vertical-align:-2px}
.facts{display:flex;gap:16px 32px;flex-wrap:wrap;border-top:1px solid var(--line);padding-top:10px;margin-top:10px}
.facts div{min-width:110px} .facts span{display:block;color:var(--text2)} .facts b{font-weight:500}
table{border-collapse:collapse;width:100%} tr{break-inside:avoid}
th{font-weight:400;color:var(--text2);text-align:left;padding:0 16px 6px 0;vertical-align:bottom}
td{padding:5px 16px 5px 0;border-top:1px solid var(--line);vertical-align:middle;overflow-wrap:anywhere}
td.n,th.n{text-align:right;white-space:nowrap;overflow-wrap:normal} td.w{white-space:nowrap} tr>:last-child{padding-right:8px}
tr>:first-child{padding-left:8px}
tr.shown td{background:var(--accent-soft)} tr.sum td{font-weight:500;border-top:1px solid var(--line2)}
tr.group td{color:var(--text2);padding-top:12px}
.chip{display:inline-block;border-radius:4px;padding:2px 8px 2px 6px;white-space:nowrap}
.chip.ok{background:var(--ok-soft);color:var(--ok)} .chip.bad{background:var(--bad-soft);color:var(--bad)}
.chip.warn{background:var(--warn-soft);color:var(--warn)}
.ok{color:var(--ok)} .warn{color:var(--warn)} .bad{color:var(--bad)}
.two{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);gap:32px;align-items:start}
.legend{display:flex;gap:4px 14px;flex-wrap:wrap} .swatch{width:10px;height:10px;margin-right:6px}
.meter{height:10px;background:var(--hover);width:120px} .meter i{display:block;height:10px;background:var(--c)}
svg.picture{width:100%;height:auto;display:block;overflow:visible} svg.tablebar{width:200px;height:16px;display:block}
.patterns{position:absolute}
a.data{color:var(--accent);text-decoration:none;font-weight:400;font-size:11px} a{color:var(--accent)}
dl{display:grid;grid-template-columns:110px minmax(0,1fr);gap:7px 16px;margin:0} dt{color:var(--text2)}
dd{margin:0;overflow-wrap:anywhere}
svg text{font:11px Inter,"DejaVu Sans",system-ui,sans-serif;fill:var(--text2)}
svg text.num,svg text.mono{font-family:"JetBrains Mono","DejaVu Sans Mono",monospace}
svg text.num{font-size:10.5px} svg text.end{text-anchor:end} svg text.mid{text-anchor:middle} svg .labels{pointer-events:none}
svg .labels text{paint-order:stroke;stroke-width:3px;stroke-linejoin:round}
svg text.ok{fill:var(--ok)} svg text.bad{fill:var(--bad)} svg text.warn{fill:var(--warn)} svg text.top{fill:var(--text2)}
svg text.onpeak{fill:var(--on-accent)}
.free{fill:var(--free)} .hfree{stroke:var(--line);fill:none} .hbad{stroke:var(--bad);stroke-opacity:.35;fill:none}
.halias{stroke:var(--sel);stroke-opacity:.3;fill:none}
.axis{stroke:var(--line2);fill:none} .grid{stroke:var(--grid);fill:none} .band{fill:var(--warn);fill-opacity:.12}
.peaktag{fill:var(--warn)}
.ref{fill:none} .ref.bad{stroke:var(--bad);stroke-width:1.5} .ref.ok{stroke:var(--ok);stroke-width:1.25;stroke-dasharray:5 3}
.ref.top{stroke:var(--text2)}
.chipbox{fill:var(--well);stroke:var(--text2)} .chipbox.ok{stroke:var(--ok)} .chipbox.bad{stroke:var(--bad)}
.cliquebar{fill:var(--warn-soft);stroke:var(--warn);stroke-width:.75} .b:hover rect{stroke:var(--sel);stroke-width:2}
rect.over{stroke:var(--bad);stroke-width:1.5} .area{fill:var(--accent);fill-opacity:.18}
.curve{fill:none;stroke:var(--accent);stroke-width:1.5}
.track{fill:var(--hover)} .solid{fill:var(--edge)} .gap{fill:var(--warn)} svg.tablebar .over,svg.picture .over{fill:var(--bad)}
.boundmark{fill:var(--ok)} section.verdict .solid{fill:var(--main)} .capmark{fill:var(--bad)} .beforemark{fill:var(--warn)}
.cutmark{fill:none;stroke:var(--on-accent);stroke-width:1.4}
@page{size:A4;margin:10mm}
@media print{body{zoom:.66;background:none;-webkit-print-color-adjust:exact;print-color-adjust:exact}main{padding:0;
max-width:none}section{border-color:var(--line2)}a.data{display:none}section.long{break-inside:auto}}
@media screen and (max-width:1080px){main{padding:16px}.two{grid-template-columns:minmax(0,1fr)}}
)css";

} // namespace

std::string styleSheet()
{
    const Theme& t = Theme::lightTheme();
    std::string text = ":root{";
    const std::pair<const char*, QColor> tokens[] = {{"well", t.well},
                                                     {"base", t.base},
                                                     {"raised", t.raised},
                                                     {"hover", t.hover},
                                                     {"line", t.line},
                                                     {"line2", t.line2},
                                                     {"edge", t.edge},
                                                     {"grid", t.grid},
                                                     {"free", t.free},
                                                     {"text", t.text},
                                                     {"text2", t.text2},
                                                     {"text3", t.text3},
                                                     {"accent", t.accent},
                                                     {"on-accent", t.onAccent},
                                                     {"accent-soft", t.accentSoft},
                                                     {"ok", t.ok},
                                                     {"ok-soft", t.okSoft},
                                                     {"warn", t.warn},
                                                     {"warn-soft", t.warnSoft},
                                                     {"bad", t.bad},
                                                     {"bad-soft", t.badSoft},
                                                     {"sel", t.sel},
                                                     {"main", t.buffers[0]}};
    for (const auto& [name, colour] : tokens) text += fmt::format("--{}:{};", name, hexColour(colour));
    return text + "}" + rules;
}

std::string colourRules(const std::string& id, bool ordered)
{
    const Theme& t = Theme::lightTheme();
    std::string text;
    const std::size_t count = ordered ? orderedClasses : colourClasses;
    for (std::size_t i = 0; i < count; ++i) {
        const QColor fill = ordered ? t.rampAt(0.2 + 0.6 * double(i) / double(orderedClasses - 1)) : t.buffers[i];
        const QColor ink = ordered ? t.inkOn(fill) : t.bufferInks[i];
        text += fmt::format("#{0} .c{1}{{fill:{2};--c:{2}}}#{0} svg text.i{1}{{fill:{3};stroke:{2}}}", id, i, hexColour(fill),
                            hexColour(ink));
    }
    return text + "\n";
}

} // namespace stowage::report
