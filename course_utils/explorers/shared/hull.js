// The convex hull of points in the plane: all that a weighted mean of them can reach.

// Its corners, counter-clockwise from the leftmost (Andrew's monotone chain).
export function hull(points) {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const apart = sorted.filter((point, n) => n === 0 || String(point) !== String(sorted[n - 1]));
  if (apart.length === 1) return apart;
  const half = (line) => {
    const corners = [];
    for (const c of line) {
      while (corners.length > 1 && turn(corners.at(-2), corners.at(-1), c) <= 0) corners.pop();
      corners.push(c);
    }
    return corners.slice(0, -1);
  };
  return [...half(apart), ...half(apart.reverse())];
}

// Positive when the way a -> b -> c turns to the left.
function turn(a, b, c) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}
