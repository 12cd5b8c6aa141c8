// Bundles the simulation with the sources, so that it runs without vitest: at full speed, and with a mutation if asked.
import {mkdirSync} from 'node:fs'
import {join} from 'node:path'
import {pathToFileURL} from 'node:url'
import {rolldown} from 'rolldown'

const root = join(import.meta.dirname, '../..')

/**
 * @param {string} name of the bundle
 * @param {{file: string, from: string, to: string}[]} changes made to the sources on the way
 * @returns {Promise<string>} the address of the bundle
 */
export async function bundleSimulation(name, changes = []) {
  const folder = join(root, 'node_modules/.simulation')
  mkdirSync(folder, {recursive: true})
  const made = new Set()
  const bundled = await rolldown({
    input: join(root, 'test/simulation/entry.ts'),
    cwd: root,
    platform: 'node',
    external: [/^node:/, '@photostructure/sqlite'],
    resolve: {extensionAlias: {'.js': ['.ts', '.js']}, conditionNames: ['node', 'import']},
    plugins: [
      {
        name: 'changed-sources',
        transform(code, id) {
          let changed = code
          for (const change of changes.filter(({file}) => id.endsWith(file))) {
            if (!changed.includes(change.from))
              throw new Error(`${change.file} does not hold: ${change.from}`)
            changed = changed.replace(change.from, () => change.to)
            made.add(change)
          }
          return changed === code ? null : {code: changed}
        },
      },
    ],
    logLevel: 'silent',
  })
  const file = join(folder, `${name}.mjs`)
  await bundled.write({file, format: 'esm', codeSplitting: false})
  await bundled.close()
  if (made.size < changes.length) throw new Error('a change is to a file that the simulation does not load')
  return pathToFileURL(file).href
}
