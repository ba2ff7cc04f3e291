// Colours of weights: light to dark blue, safe for colour-blind eyes, with black or white ink on top.
const SCALE = [
  [247, 251, 255],
  [198, 219, 239],
  [107, 174, 214],
  [33, 113, 181],
  [8, 48, 107],
];

// The colour [r, g, b] of a weight between 0 and 1.
export function heat(weight) {
  const place = Math.min(1, Math.max(0, weight)) * (SCALE.length - 1);
  const below = Math.min(SCALE.length - 2, Math.floor(place));
  return SCALE[below].map((channel, c) => Math.round(channel + (SCALE[below + 1][c] - channel) * (place - below)));
}

// Relative luminance of a colour, by WCAG 2.1.
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

// Black or white, whichever reads better; the worse case of this choice is 4.58:1.
export function ink(colour) {
  return contrast(colour, [0, 0, 0]) >= contrast(colour, [255, 255, 255]) ? "#000" : "#fff";
}
