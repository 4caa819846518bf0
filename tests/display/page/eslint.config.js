// What eslint holds for the pages' JavaScript and its tests. Names and types are tsc's part.

import js from "@eslint/js";

export default [
  { ignores: ["**/node_modules/**", "**/static/uplot/**"] },
  js.configs.recommended,
  {
    languageOptions: { ecmaVersion: 2023, sourceType: "module" },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "no-undef": "off",
      "no-unused-vars": "off",
      eqeqeq: "error",
      "max-len": ["error", { code: 160, ignoreStrings: true }],
      "max-lines": ["error", 400],
      "max-lines-per-function": ["error", 40],
      "no-implicit-coercion": "error",
      "no-restricted-properties": ["error", { property: "innerHTML", message: "Text goes in as text." }],
      "no-shadow": "error",
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
      "prefer-template": "off",
      "require-await": "error",
    },
  },
];
