const PLACEHOLDER = /:([A-Za-z]+)(?:\(\^[^/]*?\$\))?/g

/** `/api/order/:id(^[0-9a-f]{32}$)` → `/api/order/{id}`; a star at the end stands for any further path. */
export function templated(path: string): string {
  return path.replace(PLACEHOLDER, '{$1}').replace(/\*$/, '{path}')
}

/** The names in braces. */
export function placeholders(path: string): string[] {
  return [...templated(path).matchAll(/\{([A-Za-z]+)\}/g)].map(([, name]) => name as string)
}
