import {createRequire} from 'node:module'
import type {Plugin} from 'vitest/config'
import {bundleModule} from '../../bin/build/change-packages.js'

const {resolve} = createRequire(import.meta.url)

/** Gives tests that run without the bundle `cli-table3` as it is in the bundle. */
export function changedPackages(): Plugin {
  return {
    name: 'changed-packages',
    enforce: 'pre',
    resolveId: name => (name === 'cli-table3' ? '\0changed:cli-table3' : null),
    load: id => (id === '\0changed:cli-table3' ? bundleModule(resolve('cli-table3')) : null),
  }
}
