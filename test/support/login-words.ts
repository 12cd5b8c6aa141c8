/** Words that sign in the profile "shop", whose client secret comes by stdin. */
export function loginWords(url: string): string[] {
  return ['login', '--profile', 'shop', '--url', url, '--client-id', 'SWIAX', '--client-secret-stdin']
}
