// What is measured of scores and of rows of weights: the browser's twin of saturation.py.

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

// The state of a row, a key of STATES in saturation.py, with the limits that stand there.
export function rowState(weights, [flat, saturated]) {
  if (Math.max(...weights) > saturated) return "saturated";
  return entropy(weights) > flat * Math.log(weights.length) ? "uniform" : "moderate";
}
