// A strip of Saturation: a quantity over d_k.
import { element, setAttributes, showNumber } from "./shared/dom.js";
import { scientific } from "./shared/format.js";

// Below this power of ten the bar and the strip of ‖J‖ end.
const SMALLEST_POWER = -10;

// A quantity over d_k: the median and the band of many draws, and where the sliders stand now.
export function drawStrip(title, stops, scale, marks) {
  const [left, right, top, bottom] = [58, 486, 26, 112];
  const x = (n) => left + ((right - left) * Math.log2(stops[n])) / Math.log2(stops.at(-1));
  const y = (value) => bottom - (bottom - top) * Math.min(1, Math.max(0, scale(value)));
  const band = element("path", { class: "sa-band" });
  const median = element("path", { class: "sa-median" });
  const marker = element("line", { class: "sa-marker", y1: top, y2: bottom });
  const heading = element("text", { x: left, y: 14 });
  const levels = marks.map((mark, n) => {
    const height = bottom - ((bottom - top) * n) / (marks.length - 1);
    return element(
      "g",
      {},
      element("line", { class: "sa-axis", x1: left, x2: right, y1: height, y2: height }),
      element("text", { x: left - 6, y: height + 5, "text-anchor": "end" }, mark),
    );
  });
  const ticks = stops.flatMap((d_k, n) =>
    [1, 4, 16, 64, 256].includes(d_k)
      ? [element("text", { x: x(n), y: bottom + 18, "text-anchor": "middle" }, String(d_k))]
      : [],
  );
  const unit = element("text", { x: right, y: bottom + 18, "text-anchor": "middle" }, "dₖ");
  const node = element(
    "svg",
    { viewBox: "0 0 500 134", role: "img", "aria-label": title },
    heading,
    ...levels,
    ...ticks,
    unit,
    band,
    median,
    marker,
  );
  const show = ([low, middle, high], stop, L) => {
    const points = (values) => Array.from(values, (value, n) => `${x(n).toFixed(1)},${y(value).toFixed(1)}`);
    band.setAttribute("d", `M${points(low).join("L")}L${points(high).reverse().join("L")}Z`);
    median.setAttribute("d", `M${points(middle).join("L")}`);
    setAttributes(marker, { x1: x(stop), x2: x(stop) });
    showNumber(heading, middle[stop], `L = ${L}，${title}：中位数 ${scientific(middle[stop])}`);
  };
  return { node, show };
}

export function onLogScale(value) {
  return value > 0 ? 1 - Math.log10(value) / SMALLEST_POWER : 0;
}
