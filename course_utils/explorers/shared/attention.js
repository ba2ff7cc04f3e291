// The mathematics of attention on plain arrays: the browser's twin of attention.py.
// A matrix is an array of rows. Numbers are float64, so the screen agrees with torch to far below 1e-5.

export function dot(q, k) {
  return q.reduce((sum, value, t) => sum + value * k[t], 0);
}

// S = Q K^T / d_k^p, where d_k is the length of a row.
export function scores(Q, K, p) {
  const divisor = Q[0].length ** p;
  return Q.map((q) => K.map((k) => dot(q, k) / divisor));
}

// Weights of one row. The largest score is subtracted first: exp(89) no longer fits a float32, exp(710) no float64.
export function softmax(row) {
  const largest = Math.max(...row);
  const exponentials = row.map((score) => Math.exp(score - largest));
  const total = exponentials.reduce((sum, value) => sum + value, 0);
  return exponentials.map((value) => value / total);
}

export function transpose(M) {
  return M[0].map((_, j) => M.map((row) => row[j]));
}

// One token's fusion: the sum of a_j v_j.
export function fuse(weights, V) {
  return V[0].map((_, c) => weights.reduce((sum, weight, j) => sum + weight * V[j][c], 0));
}

// The weights after one of them was set by hand: the others keep their proportions and share what is left.
export function rebalance(weights, changed) {
  const value = Math.min(1, Math.max(0, weights[changed]));
  const rest = weights.reduce((sum, weight, j) => (j === changed ? sum : sum + Math.max(0, weight)), 0);
  return weights.map((weight, j) => {
    if (j === changed) return value;
    return rest > 0 ? (Math.max(0, weight) * (1 - value)) / rest : (1 - value) / (weights.length - 1);
  });
}
