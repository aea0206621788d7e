// Phones without a page: the queue of static/js/table-deals.js, driven line by line by test_table_queue.py.
// One JSON object in, one out. "drain" and "answer" reply with the next thing the phone posts, or with how it ended.
import { createInterface } from "node:readline";

const { answered, decide, decisions, drain, nextNumber, takeBack } = await import(process.argv[2]);
let phones = {};
let keys = 0;

function phone(name) {
  if (phones[name]) return phones[name];
  const made = { items: [], ids: 0, answer: null, event: null };
  made.store = {
    items: async () => made.items,
    answer: async (item, result) => {
      const kept = made.items.find((each) => each.id === item.id);
      const now = answered(result === null || result.status ? kept : item, result, () => `new-${(keys += 1)}`);
      made.items = made.items.map((each) => (each.id === item.id ? now : each));
      return now;
    },
  };
  phones[name] = made;
  return made;
}

const next = (made) => new Promise((resolve) => { made.event = resolve; });

const verbs = {
  forget() {
    phones = {};
    return {};
  },
  keep(made, { item }) {
    made.ids += 1;
    made.items = [...made.items, { ...item, id: made.ids, state: "waiting" }];
    return { id: made.ids };
  },
  next: (made, { written }) => ({ number: nextNumber(written, made.items) }),
  items: (made) => ({ items: made.items.map((item) => ({ ...item, decisions: item.state === "refused" ? decisions(item) : [] })) }),
  seen(made, { version }) {
    made.items = made.items.filter((item) => item.state !== "sent" || item.version > version);
    return {};
  },
  decide(made, { id, decision, fields }) {
    made.items = decide(made.items, id, decision, fields || null);
    return {};
  },
  takeBack(made, { id }) {
    made.items = takeBack(made.items, id);
    return {};
  },
  drain(made) {
    const event = next(made);
    const post = (item) => new Promise((resolve) => { made.answer = resolve; made.event({ post: item }); });
    drain(made.store, post).then((ended) => made.event({ ended }));
    return event;
  },
  answer(made, { result }) {
    const event = next(made);
    made.answer(result);
    return event;
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const asked = JSON.parse(line);
  process.stdout.write(`${JSON.stringify(await verbs[asked.verb](phone(asked.phone), asked))}\n`);
}
