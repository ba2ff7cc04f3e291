// Numbers that the kernel sends as bytes: float32, row by row.

// buffer is a DataView, as a widget's model holds it.
export function floats(buffer) {
  return new Float32Array(buffer.buffer, buffer.byteOffset, buffer.byteLength / 4);
}

// Rows first, first + 1, ... of a matrix with stride columns, each cut to its first d_k numbers.
export function rowsOf(buffer, first, count, stride, d_k) {
  const values = floats(buffer);
  return Array.from({ length: count }, (_, i) =>
    Array.from(values.subarray((first + i) * stride, (first + i) * stride + d_k)),
  );
}
