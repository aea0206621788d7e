// What a script of the pages may name: its own, those it imports, the browser's.
import globals from "globals";

const rules = {
  "no-undef": "error",
  "no-unused-vars": ["error", { caughtErrors: "all" }],
  "no-redeclare": "error",
  "no-unreachable": "error",
  "no-dupe-keys": "error",
  "no-const-assign": "error",
  "no-eval": "error",
  "no-implied-eval": "error",
  "no-var": "error",
  "prefer-const": "error",
  eqeqeq: "error",
};

export default [
  { files: ["**/*.js"], languageOptions: { sourceType: "module", globals: globals.browser }, rules },
  { files: ["**/sw-*.js"], languageOptions: { sourceType: "script", globals: globals.serviceworker } },
];
