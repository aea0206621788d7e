/* Keeps parts of a page fresh. Without script the page is as true as its last load.
 *
 * <section data-live-src="/e/x/standings/rows"      the fragment (HTML) that replaces the content of the element
 *          data-live-url="/e/x/live"                optional: EventSource that tells of new versions
 *          data-live-topic="standings"              optional: the key of this element in the versions
 *          data-live-soon="mine"                    optional: a second key, whose news are fetched at once, without the spread
 *          data-live-version="41"                   optional: the version that the page already shows
 *          data-live-poll="10">                     optional: seconds between polls when there is no stream (10)
 *
 * A message of the stream is JSON, {"standings": 42, "round": 3}: topic → version. An element fetches when the version
 * of its topic differs from its own; without a topic, at every message. Elements with the same address share a stream.
 * Where EventSource is missing or refused, the stream's versions are polled instead (../version/ of its address), one
 * small answer for all elements; an element without a stream polls itself with If-None-Match. Failures back off
 * (×2 up to a minute), and [data-live-status] says that the page stands still. A hidden page rests; when it is looked at
 * again it asks at once. Fetches are spread over data-live-spread milliseconds (250), so that a hall of phones
 * does not ask in the same instant.
 *
 * The version heard last goes along as X-Live-Version, so that the answer is never older than what we were told.
 *
 * While somebody types inside the element (or it carries data-live-hold) the swap waits. After a swap the element
 * sends "live:swapped" (bubbles); every answer's Date header is passed on as "live:time" for clock.js.
 * A response header X-Live-Stop: 1 ends it (a job is done); a redirect or 404 leaves the element as it is. X-Live-Go: an
 * address ends it too, and the page goes on to that address: what was waited for.
 */

const MINUTE = 60_000;
const streams = new Map();

class Fresh {
  constructor(element) {
    this.element = element;
    this.etag = "";
    this.failures = 0;
    this.timer = 0;
    this.due = 0;
    this.asking = false;
    this.again = false;
    this.stopped = false;
    this.pending = null;
    this.told = "";
    this.wanted = element.dataset.liveVersion || "";
    this.mine = null;
    element.addEventListener("focusout", () => this.pending !== null && setTimeout(() => this.swap(this.pending), 0));
  }

  get poll() {
    return Number(this.element.dataset.livePoll || 10) * 1000;
  }

  /** The stream has spoken: ask if the version of our topic is new. */
  hear(versions) {
    if (versions.event) this.told = String(versions.event);
    const { liveTopic: topic, liveSoon: soon } = this.element.dataset;
    let spread = Number(this.element.dataset.liveSpread || 250);
    let news = !topic;
    if (topic && topic in versions && String(versions[topic]) !== this.wanted) {
      this.wanted = String(versions[topic]);
      news = true;
    }
    if (soon && soon in versions) {
      const mine = String(versions[soon]);
      if (this.mine !== null && this.mine !== mine) {
        news = true;
        spread = 250;
      }
      this.mine = mine;
    }
    if (news) this.later(Math.random() * spread, true);
  }

  /** Ask in so many milliseconds; with sooner, a question that is already due before then stands. */
  later(milliseconds, sooner = false) {
    const due = Date.now() + milliseconds;
    if (sooner && this.timer && this.due <= due) return;
    this.rest();
    if (this.stopped) return;
    this.due = due;
    this.timer = setTimeout(() => { this.timer = 0; this.ask(); }, milliseconds);
  }

  rest() {
    clearTimeout(this.timer);
    this.timer = 0;
  }

  async ask() {
    if (this.stopped || document.hidden) return;
    if (this.asking) {
      this.again = true;
      return;
    }
    this.asking = true;
    try {
      const headers = { "X-Requested-With": "live" };
      if (this.etag) headers["If-None-Match"] = this.etag;
      if (this.told) headers["X-Live-Version"] = this.told;
      const sent = Date.now();
      const answer = await fetch(this.element.dataset.liveSrc, { headers, credentials: "same-origin", cache: "no-store", signal: within(8_000) });
      tellTime(answer, sent);
      if (answer.status === 404 || answer.status === 403 || answer.redirected) this.stopped = true;
      else if (answer.status !== 304) {
        if (!answer.ok) throw new Error(String(answer.status));
        const html = await answer.text();
        this.etag = answer.headers.get("ETag") || "";
        if (answer.headers.get("X-Live-Stop") === "1") this.stopped = true;
        this.swap(html);
        const onward = answer.headers.get("X-Live-Go");
        if (onward) {
          this.stopped = true;
          location.replace(onward);
        }
      }
      this.failures = 0;
      status.well(this);
    } catch {
      this.failures += 1;
      status.ill(this);
    } finally {
      this.asking = false;
    }
    this.next();
  }

  next() {
    if (this.again) {
      this.again = false;
      this.later(0);
    } else if (this.failures) {
      this.later(Math.min(MINUTE, 1000 * 2 ** this.failures) * (0.75 + Math.random() / 2));
    } else if (!followed(this)) {
      this.later(this.poll * (0.9 + Math.random() / 5), true);
    }
  }

  swap(html) {
    const active = document.activeElement;
    const typing = active && active !== this.element && this.element.contains(active) && active.matches("input, select, textarea");
    if (typing || this.element.querySelector("[data-live-hold], details[open] form") || "liveHold" in this.element.dataset) {
      this.pending = html;
      return;
    }
    this.pending = null;
    const focused = active && this.element.contains(active) ? active.id : "";
    const template = document.createElement("template");
    template.innerHTML = html;
    this.element.replaceChildren(template.content);
    if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
    this.element.dispatchEvent(new CustomEvent("live:swapped", { bubbles: true }));
  }
}

/** AbortSignal.timeout where the browser has it. */
function within(milliseconds) {
  if (typeof AbortSignal !== "undefined" && AbortSignal.timeout) return AbortSignal.timeout(milliseconds);
  const controller = new AbortController();
  setTimeout(() => controller.abort(), milliseconds);
  return controller.signal;
}

/** The Date header has whole seconds: half a second is added, and half of the way there and back. */
function tellTime(answer, sent) {
  const server = Date.parse(answer.headers.get("Date") || "");
  const age = Number(answer.headers.get("Age") || 0);
  if (Number.isNaN(server) || age > 0) return;
  const offset = server + 500 - (sent + Date.now()) / 2;
  document.dispatchEvent(new CustomEvent("live:time", { detail: { offset } }));
}

/** What [data-live-status] says: nothing while all is well. */
const status = {
  bad: new Set(),
  since: Date.parse(document.lastModified) || Date.now(), // of a page kept by sw-event.js; else of this load
  well(fresh) {
    this.bad.delete(fresh);
    if (!this.bad.size) this.since = Date.now();
    this.show();
  },
  ill(fresh) {
    this.bad.add(fresh);
    this.show();
  },
  show() {
    const bad = this.bad.size > 0 || navigator.onLine === false;
    for (const chip of document.querySelectorAll("[data-live-status]")) {
      const time = new Date(this.since).toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
      chip.textContent = bad ? (chip.dataset.textOffline || "{time}").replace("{time}", time) : "";
      chip.hidden = !bad;
    }
    document.documentElement.toggleAttribute("data-offline", bad);
  },
};

/** Whether the element's stream, or the poll in its place, will tell it of news. */
function followed(fresh) {
  return Boolean(streams.get(fresh.element.dataset.liveUrl || "")?.well);
}

/** One stream for all elements of the same address. Where it is refused, its versions are polled until it opens again. */
class Stream {
  constructor(url) {
    this.url = url;
    this.members = new Set();
    this.source = null;
    this.refused = 0;
    this.timer = 0;
    this.polling = 0;
    this.well = false;
  }

  open() {
    if (this.source || document.hidden) return;
    if (typeof EventSource === "undefined") {
      this.poll(0);
      return;
    }
    const source = new EventSource(this.url);
    this.source = source;
    source.onopen = () => {
      this.refused = 0;
      this.well = true;
      clearTimeout(this.polling);
      for (const fresh of this.members) {
        if (fresh.failures) fresh.later(Math.random() * 1000);
        else fresh.rest();
      }
    };
    source.onmessage = (event) => {
      let versions;
      try {
        versions = JSON.parse(event.data);
      } catch {
        return;
      }
      this.tell(versions);
    };
    source.onerror = () => {
      this.refused += 1;
      this.well = false;
      this.poll(this.refused === 1 ? 250 + Math.random() * 1000 : undefined);
      if (source.readyState === EventSource.CLOSED || this.refused >= 3) {
        source.close();
        this.source = null;
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.open(), Math.min(MINUTE, 5000 * this.refused) * (0.75 + Math.random() / 2));
      }
    };
  }

  tell(versions) {
    for (const fresh of this.members) fresh.hear(versions);
  }

  /** Without a stream: ask for the versions now and then; when even that fails, each element asks for itself and says so. */
  poll(milliseconds = 10_000 * (0.9 + Math.random() / 5)) {
    clearTimeout(this.polling);
    this.polling = setTimeout(async () => {
      if (document.hidden || this.source?.readyState === 1) return;
      try {
        const url = new URL(this.url, location.href);
        url.pathname = url.pathname.replace(/live\/$/, "version/");
        const answer = await fetch(url, { headers: { "X-Requested-With": "live" }, credentials: "same-origin", cache: "no-store", signal: within(8_000) });
        if (!answer.ok) throw new Error(String(answer.status));
        const versions = await answer.json();
        this.well = true;
        this.tell(versions);
        for (const fresh of this.members) status.well(fresh);
      } catch {
        this.well = false;
        for (const fresh of this.members) fresh.later(0, true);
      }
      this.poll();
    }, milliseconds);
  }

  close() {
    clearTimeout(this.timer);
    clearTimeout(this.polling);
    this.source?.close();
    this.source = null;
    this.well = false;
  }
}

const all = new Set();

/** Take up the elements with data-live-src under root that are not yet followed.
 * @param {any} root
 */
export function follow(root = document) {
  for (const element of root.querySelectorAll("[data-live-src]")) {
    if (element.dataset.liveOn) continue;
    element.dataset.liveOn = "1";
    const fresh = new Fresh(element);
    all.add(fresh);
    const url = element.dataset.liveUrl;
    if (url) {
      if (!streams.has(url)) streams.set(url, new Stream(url));
      streams.get(url).members.add(fresh);
    }
    fresh.later(url ? 3000 + fresh.poll * Math.random() : fresh.poll);
  }
  for (const stream of streams.values()) stream.open();
}

function wake() {
  for (const fresh of all) {
    if (!fresh.element.isConnected) {
      fresh.stopped = true;
      fresh.rest();
      all.delete(fresh);
      for (const stream of streams.values()) stream.members.delete(fresh);
    } else fresh.later(Math.random() * 250);
  }
  for (const stream of streams.values()) stream.open();
}

document.addEventListener("visibilitychange", () => {
  if (document.hidden) for (const stream of streams.values()) stream.close();
  else wake();
});
document.addEventListener("live:swapped", (event) => follow(event.target));
window.addEventListener("online", wake);
window.addEventListener("offline", () => status.show());
window.addEventListener("pagehide", () => { for (const stream of streams.values()) stream.close(); });
window.addEventListener("pageshow", (event) => event.persisted && wake());
follow();
