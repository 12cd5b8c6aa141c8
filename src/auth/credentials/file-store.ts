import type {JsonStore} from '../../platform/files/json-store.js'
import type {SecretStore} from './secret-store.js'
import {keptEntry, keptIn} from './stored-credentials.js'

/** Secrets in a file of their own, one entry a profile. */
export function fileStore(store: JsonStore): SecretStore {
  return {
    name: 'file',
    place: () => store.file,
    of: async owner => keptIn(owner, entryOf(owner.name, await store.read())),
    change: (owner, change) =>
      store.update(all => {
        const next = change(keptIn(owner, entryOf(owner.name, all)))
        return next && {...all, [owner.name]: keptEntry(owner, next)}
      }),
    forget: ({name}) =>
      store.update(all => {
        if (!Object.hasOwn(all, name)) return undefined
        const {[name]: _, ...others} = all
        return others
      }),
  }
}

function entryOf(name: string, all: Readonly<Record<string, unknown>>): unknown {
  return Object.hasOwn(all, name) ? all[name] : undefined
}
