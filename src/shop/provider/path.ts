/** Where the bundled server plays the payment provider. */
export function providerPath(provider: string): string {
  return `/provider/${provider}`
}
