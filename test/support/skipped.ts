/** The name of tests that are left out for want of something, which `npm test` lists at its end; else their own name. */
export function nameOf(tests: string, missing: string | readonly string[] | false): string {
  const names = missing === false ? '' : [missing].flat().join(', ')
  return names === '' ? tests : `${tests} (skipped for want of ${names})`
}
