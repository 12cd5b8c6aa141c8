/** Whether a name can stand in a statement as it is. */
export function isPlainName(name: string): boolean {
  return /^[A-Za-z0-9_-]{1,64}$/.test(name)
}
