// The phone's count of a table without a page: static/js/table-score.js, driven line by line by test_table_score.py.
import { createInterface } from "node:readline";

const { standing } = await import(process.argv[2]);
for await (const line of createInterface({ input: process.stdin })) {
  const { rules, match, dealer, forms } = JSON.parse(line);
  process.stdout.write(`${JSON.stringify(standing(rules, match, dealer, forms))}\n`);
}
