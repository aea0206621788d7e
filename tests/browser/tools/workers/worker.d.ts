/* The global scope of a service worker: the compiler's library knows it only by its interface. */
interface WorkerGlobalScope extends Pick<ServiceWorkerGlobalScope, "clients" | "registration" | "skipWaiting"> {
  addEventListener<Name extends keyof ServiceWorkerGlobalScopeEventMap>(name: Name, act: (event: ServiceWorkerGlobalScopeEventMap[Name]) => void): void;
  addEventListener(name: "sync", act: (event: ExtendableEvent & { readonly tag: string }) => void): void;
  /* Of table-queue.js, where the browser knows modules as workers. */
  sendAll?: () => Promise<void>;
}
/* Known by browsers, not yet by the library. */
interface NotificationOptions {
  renotify?: boolean;
}
