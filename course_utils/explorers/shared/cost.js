// The sizes of every matrix of the chain, and what it costs: the browser's twin of sizes.py.

// d_other is the number of columns of W_K; the chain breaks unless it equals d_k.
// state: "ok"; "broken" for the product that can't be formed; "waiting" for what would come after it.
export function costOf({ L, D, d_k, d_v, d_other }) {
  const fits = d_k === d_other;
  const after = fits ? "ok" : "waiting";
  const matrices = [
    ["X", L, D, "ok"],
    ["W_Q", D, d_k, "ok"],
    ["W_K", D, d_other, "ok"],
    ["W_V", D, d_v, "ok"],
    ["Q", L, d_k, "ok"],
    ["K", L, d_other, "ok"],
    ["V", L, d_v, "ok"],
    ["S", L, L, fits ? "ok" : "broken"],
    ["A", L, L, after],
    ["B", L, d_v, after],
  ].map(([name, rows, columns, state]) => ({ name, rows, columns, state }));
  return {
    matrices,
    parameters: D * (d_k + d_other + d_v),
    multiplications: fits ? L * D * (2 * d_k + d_v) + L * L * (d_k + d_v) : null,
    fault: fits
      ? null
      : `在 S = QKᵀ 这一步断了：Q 是 ${L}×${d_k}，Kᵀ 是 ${d_other}×${L}，Q 的列数 ${d_k} 不等于 Kᵀ 的行数 ${d_other}，点积要求两个向量一样长。`,
  };
}
