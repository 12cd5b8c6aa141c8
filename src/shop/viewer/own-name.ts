/** What a browser on this machine calls it, with or without a port. */
const THIS_MACHINE = /^(localhost|[a-z0-9-]+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])\.?(:\d+)?$/i

/**
 * Whether a `Host` header names this machine. Under any other name the page would belong to somebody else's site, whose
 * name leads here for the moment, and who could read what is typed into it.
 *
 * @param host as it was sent; browsers always send one
 */
export function namesThisMachine(host: string | undefined): boolean {
  return host === undefined || THIS_MACHINE.test(host)
}
