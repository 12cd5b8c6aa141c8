import type {Target} from '../target.js'

/** Made when the first row of a file asks for it, and shared with the others. */
export function once<T>(make: (shop: Target) => Promise<T>): (shop: Target) => Promise<T> {
  let made: Promise<T> | undefined
  return shop => {
    made ??= make(shop)
    return made
  }
}
