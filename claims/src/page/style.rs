//! The style sheet of the page: light and dark, wide and narrow, screen and paper.

pub(super) const SHEET: &str = "\
:root{color-scheme:light dark;--ink:#1b1d21;--soft:#5b616b;--paper:#fcfcfa;--panel:#f2f2ee;--rule:#dcdcd6;\
--grid:#d5d5d0;--link:#14599c;--light:#ece7da;--dark:#b3a284;--royal:#d6342c;--heat:#1f6fb2;\
--series-0:#1f6fb2;--series-1:#d9772b;--series-2:#8d8d97;--series-3:#3f9459;--series-4:#9654a0;\
--fails:#b3261e;--mostly:#8a6100;--holds:#1f7a3d;--open:#5b616b}\
@media screen and (prefers-color-scheme:dark){:root{--ink:#e6e6e3;--soft:#a3a8b0;--paper:#17191c;--panel:#212429;\
--rule:#363a41;--grid:#3a3e45;--link:#7db7ee;--light:#8d8878;--dark:#5c5646;--royal:#ff6b5f;--heat:#4d9be0;\
--series-0:#4d9be0;--series-1:#e8944f;--series-2:#85858f;--series-3:#62b57c;--series-4:#bd85c6;\
--fails:#ff8d84;--mostly:#e4b650;--holds:#7bcf96;--open:#a3a8b0}}\
*{box-sizing:border-box}\
body{margin:0 auto;max-width:60rem;padding:1.5rem 1.25rem 4rem;background:var(--paper);color:var(--ink);\
font:1rem/1.55 system-ui,-apple-system,'Segoe UI',Roboto,'Liberation Sans',sans-serif}\
.symbols{position:absolute}\
h1{font-size:1.9rem;line-height:1.2;margin:.5rem 0 1rem}h2{font-size:1.35rem;line-height:1.3;margin:.1rem 0 .6rem}\
h3{font-size:1rem;margin:1.4rem 0 .5rem}a{color:var(--link)}code{font-size:.82em;overflow-wrap:anywhere}\
.caveat,.kicker,figcaption,dd,.turn{color:var(--soft)}.kicker{margin:0;font-size:.85rem;letter-spacing:.03em}\
.verdict{display:inline-block;padding:.05rem .55rem;border:1.5px solid;border-radius:1rem;font-size:.85rem;\
font-weight:600;white-space:nowrap}\
.fails{color:var(--fails)}.holds-mostly{color:var(--mostly)}.holds{color:var(--holds)}.not-decidable{color:var(--open)}\
nav{margin:1.5rem 0 2.5rem}nav table{border-collapse:collapse;width:100%}\
nav td{padding:.35rem .6rem .35rem 0;border-bottom:1px solid var(--rule);vertical-align:top}\
nav .tag{white-space:nowrap}\
section{border-top:2px solid var(--rule);padding:1.6rem 0 1.2rem}.answer{font-size:1.06rem}\
figure{margin:1rem 0}figure.wide{overflow-x:auto}figure.wide svg{width:100%;min-width:36rem;height:auto}figure.square svg{width:min(100%,25rem);height:auto}\
figcaption{font-size:.88rem}\
.heat .cell{fill:var(--panel)}.heat .heat{fill:var(--heat)}.heat text{font-size:13px}\
.heat .under{fill:var(--ink)}.heat .over{fill:#fff}\
.scroll{overflow-x:auto}table.figures{border-collapse:collapse;font-size:.9rem;font-variant-numeric:tabular-nums}\
.figures th,.figures td{padding:.22rem .9rem .22rem 0;border-bottom:1px solid var(--rule);text-align:right;\
vertical-align:top}.figures td{white-space:nowrap}.figures td,.figures th:not(:first-child){padding-left:.6rem}.figures th:first-child{text-align:left}.figures tbody th{font-weight:500}\
.figures thead th{color:var(--soft);font-weight:600}\
details{margin:.8rem 0}summary{cursor:pointer;color:var(--link)}\
dl{display:grid;grid-template-columns:max-content 1fr;gap:.3rem 1rem;font-size:.92rem}dt{font-weight:600}dd{margin:0}\
.boards{display:grid;grid-template-columns:repeat(auto-fill,minmax(15rem,1fr));gap:1.2rem}\
.example{margin:0}.example svg{width:100%;max-width:19rem;height:auto;display:block}\
.example p{margin:.25rem 0}.line{font-variant-numeric:tabular-nums}\
.board text{font-size:11px;fill:var(--soft)}.board .light{fill:var(--light)}.board .dark{fill:var(--dark)}\
.board .royal{fill:none;stroke:var(--royal);stroke-width:2.5}\
.board .ep{fill:none;stroke:var(--royal);stroke-width:2;stroke-dasharray:3 2}\
.board .white{fill:#fff;stroke:#17191c;stroke-width:1.5;stroke-linejoin:round}\
.board .black{fill:#23262b;stroke:#f4f4f0;stroke-width:1.1;stroke-linejoin:round}\
symbol .line{fill:none}symbol .dot{fill:none}\
@media(max-width:34rem){body{padding:1rem .8rem 3rem}h1{font-size:1.5rem}nav td{display:inline-block;border:0;padding:.1rem .6rem .1rem 0}\
nav td:last-child{display:block}nav tr{display:block;border-bottom:1px solid var(--rule);padding:.4rem 0}dl{grid-template-columns:1fr}dt{margin-top:.4rem}}\
@media print{:root{color-scheme:light;--ink:#000;--soft:#444;--paper:#fff;--link:#000}\
body{max-width:none;padding:0;font-size:10pt}figure.wide svg{min-width:0}\
.about>summary{display:none}.about::details-content{content-visibility:visible;block-size:auto}\
section,figure,tr{break-inside:avoid}section{break-inside:auto}h2,h3,.answer{break-after:avoid}nav a{text-decoration:none}}\
";
