// How numbers are written.

// Three digits, a true minus sign.
export function fixed(value) {
  return value.toFixed(3).replace("-", "−");
}

// Integers whole, others with three digits.
export function short(value) {
  return Number.isInteger(value) ? String(value).replace("-", "−") : fixed(value);
}

// 0.0000021 -> 2.1×10⁻⁶
export function scientific(value) {
  if (value === 0 || value >= 1e-3) return value.toFixed(3);
  const [digits, exponent] = value.toExponential(1).split("e-");
  return `${digits}×10⁻${[...exponent].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]).join("")}`;
}
