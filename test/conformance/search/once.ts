import type {Target} from '../target.js'

/** Made when the first row of a file asks for it, and shared with the others. */
export function once<T>(make: (shop: Target) => Promise<T>): (shop: Target) => Promise<T> {
  const made = new WeakMap<Target, Promise<T>>()
  return shop => {
    const known = made.get(shop) ?? make(shop)
    made.set(shop, known)
    return known
  }
}
