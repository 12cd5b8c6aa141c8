import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {bundleModule} from '../../../bin/build/change-packages.js'
import {median} from '../processes.js'
import {run, side} from '../programs.js'

export const about = '500 rows of 4 cells laid out by cli-table3, without the start of the process'

/** What a person does not notice. */
const AIM_MS = 40

export async function* bench({root, home, rounds}) {
  const file = join(home, 'table.mjs')
  await writeFile(file, await bundleModule(join(root, 'src/output/table/table.ts')))
  const runs = []
  for (let round = 0; round < rounds; round++) {
    const {stdout} = await run({...side('table-loop', file), wantsOutput: true})
    runs.push(JSON.parse(stdout))
  }
  const row = (name, read) => ({name, value: median(runs.map(read))})
  yield {
    title: 'a table on a terminal of 100 columns',
    unit: 'ms',
    rows: [
      {name: 'aim', value: AIM_MS},
      {...row('ASCII', ({asciiMs}) => asciiMs), atMost: 1},
      row('wide, joined and right-to-left', ({mixedMs}) => mixedMs),
      row('the code loaded, without its cache', ({loadMs}) => loadMs),
    ],
  }
}
