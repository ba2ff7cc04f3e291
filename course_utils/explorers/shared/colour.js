// The course's palette, that of style.py, and what is readable on it.
const ZERO = [0xf3, 0xf4, 0xf6];
const NEGATIVE = [0x64, 0x74, 0x8b];
const INPUT = [0x76, 0x68, 0x0f];
const QUERY = [0x0a, 0x68, 0xb0];
const KEY = [0xb4, 0x53, 0x09];
const VALUE = [0x08, 0x7a, 0x5c];
const WEIGHT = [0x4b, 0x1f, 0x8a];
const OUTPUT = [0x00, 0x77, 0xa3];
export const ACCENTS = { X: INPUT, Q: QUERY, K: KEY, V: VALUE, S: WEIGHT, A: WEIGHT, B: OUTPUT };

// Cell colour [r, g, b] for a share of the largest size, -1 to 1: pale at 0, accent at 1, grey-blue at -1.
export function tint(share, accent) {
  const full = share > 0 ? accent : NEGATIVE;
  const mix = Math.min(1, Math.abs(share));
  return ZERO.map((channel, c) => Math.round(channel + mix * (full[c] - channel)));
}

// Relative luminance, by WCAG 2.
export function luminance(colour) {
  const [r, g, b] = colour.map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

export function contrast(one, other) {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

// Black or white, whichever stands out more: the contrast is never below 4.58.
export function ink(colour) {
  return contrast(colour, [0, 0, 0]) > contrast(colour, [255, 255, 255]) ? "#000" : "#fff";
}

export function css(colour) {
  return `rgb(${colour.join(",")})`;
}
