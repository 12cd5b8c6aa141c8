export const PARTS: Readonly<Record<string, readonly string[]>>
