// The phone's count of a table without a page: static/js/table-score.js, driven line by line by test_table_score.py.
import { createInterface } from "node:readline";

const { askDoubt, corrected, doubtsOf, linesOf, speak, speakWon, standing } = await import(process.argv[2]);
for await (const line of createInterface({ input: process.stdin })) {
  const { rules, words, match, dealers, forms, corrections } = JSON.parse(line);
  const now = corrected(rules, match, corrections || []);
  const told = { ...standing(rules, now.match, dealers, forms), corrected: now.deals };
  if (words) for (const deal of [...told.deals, ...Object.values(now.deals)]) deal.ended = speakWon(words, deal);
  const last = forms.at(-1);
  if (words && last && !last.passed) {
    const { dealer: before } = standing(rules, null, dealers, forms.slice(0, -1));
    const form = { ...last, dealer: last.dealer || before };
    told.asked = doubtsOf(rules, form, "").map((each) => [each.code, askDoubt(words, each)]);
    told.said = linesOf(rules, form).map((each) => speak(words, each));
  }
  process.stdout.write(`${JSON.stringify(told)}\n`);
}
