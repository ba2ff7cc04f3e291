// Weights (not below 0, their sum 1) that give a wanted point: what dragging b in the plane asks for.
import { nearest } from "./hull.js";

const ROUNDING = 1e-9;

// The weights nearest to the present ones among all that give the point, or the place of the hull next to it.
// V: one point for each weight. Every set of weights that may be above 0 is tried; the best that is allowed wins.
export function weightsFor(point, V, present) {
  const wanted = [...nearest(point, V), 1];
  const size = Math.max(1, ...V.flat().map(Math.abs));
  let best = { distance: Infinity };
  for (let set = 1; set < 2 ** V.length; set++) {
    const free = V.map((_, j) => j).filter((j) => (set >> j) & 1);
    const weights = closest(wanted, V, present, free);
    if (Math.min(...weights) < -ROUNDING) continue;
    const reached = conditions(V, weights).map((value, r) => Math.abs(value - wanted[r]));
    if (Math.max(...reached) > ROUNDING * size) continue;
    const distance = Math.hypot(...weights.map((weight, j) => weight - present[j]));
    if (distance < best.distance - ROUNDING) best = { distance, weights };
  }
  return best.weights.map((weight) => Math.max(0, weight));
}

// With the weights outside free at 0: the others move by multiples of the conditions' coefficients, so by least.
function closest(wanted, V, present, free) {
  const start = present.map((weight, j) => (free.includes(j) ? weight : 0));
  const missing = conditions(V, start).map((value, r) => wanted[r] - value);
  const rows = free.map((j) => [...V[j], 1]);
  const products = missing.map((_, r) => missing.map((_, c) => rows.reduce((sum, a) => sum + a[r] * a[c], 0)));
  const multiples = solve(products, missing);
  free.forEach((j, n) => (start[j] += rows[n].reduce((sum, value, r) => sum + value * multiples[r], 0)));
  return start;
}

// What must have the wanted values: the coordinates of the fused point, and the sum of the weights.
function conditions(V, weights) {
  const rows = V.map((v) => [...v, 1]);
  return rows[0].map((_, r) => weights.reduce((sum, weight, j) => sum + weight * rows[j][r], 0));
}

// One solution of M x = y by elimination; M is symmetric, and what it leaves open is 0.
function solve(M, y) {
  const rows = M.map((row, r) => [...row, y[r]]);
  const scale = Math.max(...M.flat().map(Math.abs));
  const pivots = [];
  for (let c = 0; c < y.length; c++) {
    const open = rows.map((_, r) => r).filter((r) => !pivots.some(([, used]) => used === r));
    const pivot = open.reduce((a, b) => (Math.abs(rows[b][c]) > Math.abs(rows[a][c]) ? b : a));
    if (Math.abs(rows[pivot][c]) < 1e-10 * scale) continue;
    pivots.push([c, pivot]);
    rows.forEach((row, r) => {
      if (r === pivot) return;
      const factor = row[c] / rows[pivot][c];
      rows[r] = row.map((value, n) => value - factor * rows[pivot][n]);
    });
  }
  const x = y.map(() => 0);
  pivots.forEach(([c, r]) => (x[c] = rows[r].at(-1) / rows[r][c]));
  return x;
}
