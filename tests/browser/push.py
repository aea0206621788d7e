"""A phone that receives notices: the test replaces the push service, the rest is the browser's own."""

from __future__ import annotations

import json
from typing import Any

PUSH = """
const point = crypto.subtle.generateKey({ name: "ECDH", namedCurve: "P-256" }, true, ["deriveBits"])
  .then((pair) => crypto.subtle.exportKey("raw", pair.publicKey));
let kept = null;
PushManager.prototype.getSubscription = async () => kept;
PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
  const keys = { p256dh: await point, auth: new Uint8Array(16).buffer };
  kept = {
    endpoint: "https://8.8.8.8/device", options: { applicationServerKey: applicationServerKey.buffer },
    getKey: (name) => keys[name], unsubscribe: async () => { kept = null; return true; },
  };
  return kept;
};
"""
"""Script for the page that subscribes without a push service."""
PUSHED = """async (told) => {
  const event = new PushEvent("push", { data: told });
  let waiting = null;
  event.waitUntil = (work) => { waiting = work; };
  self.dispatchEvent(event);
  await waiting;
  for (;;) {
    const [found] = await self.registration.getNotifications();
    if (found) return [found.title, found.body, found.data.path];
    await new Promise((next) => setTimeout(next, 100));
  }
}"""
"""Passes a message to the worker and returns title, text and page of the shown notice."""
AT_WORK = "self.serviceWorker.state === 'activated' ? self.registration.scope : ''"
CLICK = """async () => {
  const done = [];
  self.clients.openWindow = async (address) => { done.push(["open", new URL(address).pathname]); };
  WindowClient.prototype.focus = async function () { done.push(["focus", new URL(this.url).pathname]); };
  const [notification] = await self.registration.getNotifications();
  const event = new NotificationEvent("notificationclick", { notification });
  let waiting = null;
  event.waitUntil = (work) => { waiting = work; };
  self.dispatchEvent(event);
  await waiting;
  const left = await self.registration.getNotifications();
  return [done, left.length];
}"""
"""Clicks the notice; a window is recorded and not opened, because that needs a person's click."""


class Notices:
    """Push notices on a phone that has the pages of ``page`` open."""

    def __init__(self, page: Any, site_url: str) -> None:
        self.page, self.site_url = page, site_url
        page.add_init_script(PUSH)

    def arrive(self, message: dict[str, str], scope: str) -> list[str]:
        """Deliver a message to the service worker of ``scope``. Return title, text and page of each shown notice."""
        return list(self._worker(scope).evaluate(PUSHED, json.dumps(message)))

    def _worker(self, scope: str) -> Any:
        """Return the active service worker of a scope."""
        return next(
            each
            for each in self.page.context.service_workers
            if each.evaluate(AT_WORK) == self.site_url + scope
        )

    def click(self, scope: str) -> list[list[str]]:
        """Click the shown notice. Return the pages that were opened or focused; the notice disappears."""
        done, left = self._worker(scope).evaluate(CLICK)
        assert left == 0
        return list(done)
