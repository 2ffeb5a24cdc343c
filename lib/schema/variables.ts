/**
 * Variables in text: `{{name}}`, and `${name}` as older files have it.
 *
 * @module
 */

/**
 * Puts values in place of variables. `{{{{name}}}}` and `$${name}` stand for the literal text;
 * names without a value stay as they are.
 */
export function substitute(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(
    /\{\{\{\{([^{}]*)\}\}\}\}|\$\$\{([^{}]*)\}|\{\{([^{}]+)\}\}|\$\{([^{}]+)\}/g,
    (whole, literal, oldLiteral, name, oldName) => {
      if (literal !== undefined) return `{{${literal}}}`;
      if (oldLiteral !== undefined) return `\${${oldLiteral}}`;
      const key: string = name?.trim() ?? oldName;
      return Object.hasOwn(values, key) ? values[key] ?? whole : whole;
    },
  );
}
