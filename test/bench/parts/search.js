import {mkdir, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import process from 'node:process'
import {timeInTurn} from '../processes.js'
import {isInstalled, run, side} from '../programs.js'
import {compared, inTurn} from '../rounds.js'
import {bundledShop, signIn, storectlIn} from '../shops.js'

export const about = 'customers from the bundled server, against loops that read the same pages'

export const TWELVE =
  'id,customerNumber,firstName,lastName,email,company,active,guest,createdAt,orderCount,title,birthday'

export async function* bench(options) {
  const home = join(options.home, 'shop')
  await mkdir(home)
  const own = storectlIn(options, home)
  const shop = await bundledShop(options, home)
  try {
    await run(own('server', 'seed', '--customers', String(options.customers), '--orders', '0'))
    await signIn(options, home, shop)
    yield {title: 'one page, from start to exit', unit: 'ms', rows: await onePage(options, own)}
    yield await everything(options, own, shop, 'whole customers', [])
    yield await everything(options, own, shop, 'twelve fields', ['--fields', TWELVE])
  } finally {
    await shop.stop()
  }
}

async function onePage({rounds}, own) {
  const {stdout} = await run({
    ...own('customer', 'search', '--limit', '1', '-o', 'ndjson'),
    wantsOutput: true,
  })
  const {email} = JSON.parse(stdout)
  const search = (name, words, atMost) => ({...own('customer', 'search', ...words), name, atMost})
  const commands = [
    {name: 'node -e 0', argv: [process.execPath, '-e', '0'], env: own().env, isNode: true},
    search('customer search', [], 2.4),
    search('customer search --email …', ['--email', email], 2.4),
    search('customer search --email … -o json', ['--email', email, '-o', 'json'], 2.4),
  ]
  const rows = timeInTurn(commands, rounds)
  return rows.map((row, at) => ({...row, atMost: commands[at].atMost}))
}

/**
 * All customers of a freshly seeded shop as NDJSON.
 *
 * @param shop `{url}`, the one that `own` commands talk to
 * @param words `--fields` for instance
 */
export async function everything(options, own, shop, title, words) {
  const all = ['customer', 'search', '--all', '-o', 'ndjson', ...words]
  const file = await writePages(options, own, all)
  const token = (await run({...own('auth', 'token'), wantsOutput: true})).stdout.trim()
  const headers = {
    accept: 'application/json',
    'content-type': 'application/json',
    authorization: `Bearer ${token}`,
  }
  const url = `${shop.url}/api/search/customer`
  const sides = [
    {
      name: 'bare undici loop, pages only read',
      command: side('page-loop', file, url, JSON.stringify(headers)),
    },
    {name: 'customer search --all -o ndjson', command: own(...all), atLeast: 0.75},
  ]
  if (isInstalled('curl') && isInstalled('jq')) {
    const named = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
    const loop = 'while read -r page; do curl -s "$@" --data-binary "$page"; done < "$0" | jq -c ".data[]"'
    sides.push({name: 'curl | jq', isSlow: true, command: {argv: ['sh', '-c', loop, file, ...named, url]}})
  }
  const rows = await inTurn(
    sides.map(({command, ...rest}) => ({
      ...rest,
      count: options.customers,
      prepare: async () => ({command}),
    })),
    options.repeats,
  )
  const [bare, ours] = rows
  const memory = ours.memoryMiB / bare.memoryMiB
  ours.note = `peak ${memory.toFixed(2)} ×, aim ≤ 1.5${memory > 1.5 ? ' ✗' : ''}`
  return {
    title: `all ${options.customers}, ${title}`,
    unit: 'rows/s',
    rows: compared(rows, sides[1].name, 'curl | jq'),
  }
}

/**
 * The requests that a search of all makes of a shop that was seeded and not changed since, so that others can make the
 * same: pages by keyset, up to one that is not full.
 */
async function writePages({customers, home}, own, all) {
  const {stdout} = await run({...own(...all, '--show-request'), wantsOutput: true})
  const {body} = JSON.parse(stdout)
  const pages = Array.from({length: Math.floor(customers / body.limit) + 1}, (_, page) => ({
    ...body,
    ...(page > 0 && {filter: [{type: 'range', field: 'autoIncrement', parameters: {gt: page * body.limit}}]}),
  }))
  const file = join(home, `pages-${all.length}`)
  await writeFile(file, `${pages.map(page => JSON.stringify(page)).join('\n')}\n`)
  return file
}
