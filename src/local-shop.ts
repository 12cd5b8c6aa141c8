import type {Place} from './connect.js'
import type {Context} from './context.js'
import {StorectlError} from './errors.js'

/** The bundled shop. */
export async function localPlace(_context: Context): Promise<Place> {
  throw new StorectlError('unavailable.no_local_shop', 'The bundled shop is not part of this build yet.', {
    nextSteps: ['export STORECTL_URL=https://shop.example'],
  })
}
