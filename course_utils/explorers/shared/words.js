// Where the words of a sentence end, as the browser knows it.

// A text with no blank or slash between its words, so that somebody else must find them.
export function needsDivision(text) {
  return text.trim() !== "" && !/[\s/]/.test(text.normalize("NFKC").trim());
}

// The words of a text, without signs between them; none where the browser has no segmenter.
export function wordsOf(text) {
  if (!Intl.Segmenter) return [];
  const pieces = new Intl.Segmenter("zh", { granularity: "word" }).segment(text.normalize("NFKC"));
  return Array.from(pieces, ({ segment }) => segment.replace(/[^\p{L}\p{N}\p{M}]/gu, "")).filter((word) => word !== "");
}
