// The mathematics of attention on plain arrays: the browser's twin of attention.py and saturation.py.
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

// Entropy in nats, 0 for a one-hot row, ln L for a uniform one.
export function entropy(weights) {
  return weights.reduce((sum, a) => (a > 0 ? sum - a * Math.log(a) : sum), 0);
}

// Frobenius norm of softmax's Jacobian J = diag(a) - a a^T.
// 1 - a is summed from the other weights: near saturation the subtraction would lose every digit.
export function jacobianNorm(weights) {
  let total = 0;
  weights.forEach((a, i) => {
    let others = 0;
    weights.forEach((b, j) => {
      if (j === i) return;
      others += b;
      total += (a * b) ** 2;
    });
    total += (a * others) ** 2;
  });
  return Math.sqrt(total);
}

// Standard deviation of all entries, with n - 1 below as torch.std has it.
export function deviation(M) {
  const values = M.flat();
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1));
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

// Rows first, first + 1, ... of a flat float32 buffer, each cut to its first d_k numbers.
export function rowsOf(buffer, first, count, stride, d_k) {
  const values = new Float32Array(buffer.buffer, buffer.byteOffset, buffer.byteLength / 4);
  return Array.from({ length: count }, (_, i) =>
    Array.from(values.subarray((first + i) * stride, (first + i) * stride + d_k)),
  );
}

// The state of a row in words, with the limits of saturation.py.
export function rowState(weights, [flat, saturated]) {
  if (Math.max(...weights) > saturated) return "饱和";
  return entropy(weights) > flat * Math.log(weights.length) ? "均匀" : "适中";
}

// Corners of the convex hull of points in the plane, counter-clockwise (Andrew's monotone chain).
export function hull(points) {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const half = (line) => {
    const corners = [];
    for (const c of line) {
      while (corners.length > 1 && turn(corners.at(-2), corners.at(-1), c) <= 0) corners.pop();
      corners.push(c);
    }
    return corners.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

// Positive when the way a -> b -> c turns to the left.
function turn(a, b, c) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}
