/* What the compiler need not know: which element a selector finds. Everything else of the scripts is checked. */
interface ParentNode {
  querySelector(selectors: string): any;
  querySelectorAll(selectors: string): NodeListOf<any>;
}
interface Element {
  closest(selector: string): any;
}
interface NonElementParentNode {
  getElementById(elementId: string): any;
}
interface Document {
  getElementById(elementId: string): any;
}
/* A listener on the document learns by closest and matches what was pressed. */
interface EventTarget {
  closest(selector: string): any;
  matches(selector: string): boolean;
  querySelector(selectors: string): any;
  dataset: DOMStringMap;
}
interface Event {
  detail: any;
}
interface SubmitEvent {
  target: any;
}
/* The button that sent a form. */
interface HTMLElement {
  name: any;
  value: any;
}
interface PerformanceEntry {
  responseStatus?: number;
}
/* Background Sync, where the browser has it. */
interface ServiceWorkerRegistration {
  readonly sync?: { register(tag: string): Promise<void> };
}
interface NodeListOf<TNode> {
  at(index: number): TNode;
}
