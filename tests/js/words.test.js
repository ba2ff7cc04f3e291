// Words of sentences as people write them; how they are divided is the browser's affair.
import assert from "node:assert/strict";
import test from "node:test";

import { needsDivision, wordsOf } from "../../course_utils/explorers/shared/words.js";

test("words spell the text, signs between them are gone", () => {
  const words = wordsOf("今天天气真好，我们去打篮球！");
  assert.equal(words.join(""), "今天天气真好我们去打篮球");
  assert.ok(words.includes("今天") && words.includes("我们"));
});

test("full-width letters count as usual ones, as in the kernel", () => assert.deepEqual(wordsOf("Ｈｅｌｌｏ"), ["Hello"]));

test("nothing but signs has no words", () => assert.deepEqual(wordsOf("！？—"), []));

test("blanks and slashes inside say that the words are known", () => {
  for (const text of ["我 爱 你", "我/爱/你", "我／爱"]) assert.equal(needsDivision(text), false);
  for (const text of ["今天天气真好", " 今天天气 "]) assert.equal(needsDivision(text), true);
  assert.equal(needsDivision("  "), false);
});

test("without a segmenter there are no words", () => {
  const { Segmenter } = Intl;
  delete Intl.Segmenter;
  try {
    assert.deepEqual(wordsOf("今天天气真好"), []);
  } finally {
    Intl.Segmenter = Segmenter;
  }
});
