// Lighthouse's four scores of each address given, as a phone sees it: JSON on standard output.
// Chromium is the one of CHROME_PATH. An audit below what it should be is named with what it says.
import { launch } from "chrome-launcher";
import lighthouse from "lighthouse";

const chrome = await launch({ chromeFlags: ["--headless=new", "--no-sandbox", "--disable-gpu"] });
const found = {};
try {
  for (const address of process.argv.slice(2)) {
    const { lhr } = await lighthouse(address, {
      port: chrome.port,
      logLevel: "silent",
      output: "json",
      // Pages with the names of persons stay out of search engines on purpose (robots: noindex).
      skipAudits: ["is-crawlable"],
    });
    found[address] = {
      scores: Object.fromEntries(
        Object.values(lhr.categories).map((each) => [each.id, Math.round(each.score * 100)]),
      ),
      lost: Object.values(lhr.categories).flatMap((each) =>
        each.auditRefs
          .filter(({ id, weight }) => weight && lhr.audits[id].score !== null && lhr.audits[id].score < 0.9)
          .map(({ id }) => `${id} ${lhr.audits[id].displayValue ?? ""}`),
      ),
    };
  }
} finally {
  await chrome.kill();
}
process.stdout.write(JSON.stringify(found));
