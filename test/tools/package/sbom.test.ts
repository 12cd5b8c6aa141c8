import {readFileSync} from 'node:fs'
import {createRequire} from 'node:module'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {temporaryFolder} from '../../support/home.js'

const root = join(import.meta.dirname, '../../..')
const {readPackageGraph} = createRequire(import.meta.url)('../../../tools/package/sbom.js') as {
  readPackageGraph(root: string, folder: string): Promise<Map<string, Set<string>>>
}

test('the graph of packages has those whose terms are handed on, and what each imports', async () => {
  const graph = await readPackageGraph(root, join(temporaryFolder(), 'bundle'))
  const nameOfPackage = (folder: string) =>
    JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).name as string
  const names = [...graph.keys()].map(nameOfPackage)
  const terms = readFileSync(join(root, 'dist/third-party-licences.txt'), 'utf8')
  const handedOn = [...terms.matchAll(/^-{80}\n(\S+) /gm)].map(([, name]) => name)
  expect(new Set([...names, 'swagger-ui-dist'])).toEqual(new Set([...handedOn, 'storectl']))
  const [pg = ''] = [...graph.keys()].filter(folder => nameOfPackage(folder) === 'pg')
  expect([...(graph.get(pg) ?? [])].map(nameOfPackage)).toEqual(expect.arrayContaining(['pg-protocol']))
  expect([...(graph.get(root) ?? [])].map(nameOfPackage)).toEqual(expect.arrayContaining(['pg', 'undici']))
})
