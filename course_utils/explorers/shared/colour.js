// The course's palette and what is readable on it.

// The colours of style.py: a test holds the two together.
export const PALETTE = {
  INPUT: "#76680F",
  QUERY: "#0A68B0",
  KEY: "#B45309",
  VALUE: "#087A5C",
  WEIGHT: "#4B1F8A",
  OUTPUT: "#0077A3",
  ZERO: "#F3F4F6",
  NEGATIVE: "#64748B",
  MARK: "#BE123C",
};
const ZERO = channels(PALETTE.ZERO);
const NEGATIVE = channels(PALETTE.NEGATIVE);
export const ACCENTS = {
  X: channels(PALETTE.INPUT),
  Q: channels(PALETTE.QUERY),
  K: channels(PALETTE.KEY),
  V: channels(PALETTE.VALUE),
  S: channels(PALETTE.WEIGHT),
  A: channels(PALETTE.WEIGHT),
  B: channels(PALETTE.OUTPUT),
};

// [r, g, b], 0 to 255 each, of a colour with six hexadecimal digits.
export function channels(colour) {
  return [1, 3, 5].map((start) => parseInt(colour.slice(start, start + 2), 16));
}

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

// The figures' rule: white where that gives a contrast of 4.5, else black, which then gives more than that.
export function ink(colour) {
  return contrast([255, 255, 255], colour) >= 4.5 ? "white" : "black";
}

export function css(colour) {
  return `rgb(${colour.join(",")})`;
}
