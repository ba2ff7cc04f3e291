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

// The place of the hull of the points that lies nearest to a point: the point itself when it is inside.
export function nearest(point, points) {
  const corners = hull(points);
  const edges = corners.map((corner, n) => [corner, corners[(n + 1) % corners.length]]);
  if (corners.length > 2 && edges.every(([a, b]) => turn(a, b, point) >= 0)) return point;
  const places = edges.map(([a, b]) => onEdge(a, b, point));
  const away = (place) => Math.hypot(place[0] - point[0], place[1] - point[1]);
  return places.reduce((best, place) => (away(place) < away(best) ? place : best));
}

// The point of the edge a b nearest to a point.
function onEdge(a, b, point) {
  const [along, there] = [b, point].map((end) => [end[0] - a[0], end[1] - a[1]]);
  const length = along[0] ** 2 + along[1] ** 2;
  const share = length > 0 ? (there[0] * along[0] + there[1] * along[1]) / length : 0;
  const step = Math.min(1, Math.max(0, share));
  return [a[0] + step * along[0], a[1] + step * along[1]];
}
