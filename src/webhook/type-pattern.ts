/** Whether an event's type fits a pattern; `*` stands for anything: `PAYMENT.CAPTURE.*`. */
export function matchesType(type: string, pattern: string): boolean {
  const parts = pattern.split('*').map(part => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`, 's').test(type)
}
