import {once} from 'node:events'
import {createWriteStream} from 'node:fs'
import {mkdir} from 'node:fs/promises'
import {join} from 'node:path'
import process from 'node:process'
import {idOf} from '../payloads.js'
import {plainEnvironment, timeInTurn} from '../processes.js'
import {run} from '../programs.js'

export const about = 'an inbox of a million events: filling it, and what is asked of it, from start to exit'

const TYPES = ['PAYMENT.CAPTURE.COMPLETED', 'PAYMENT.CAPTURE.DENIED', 'CHECKOUT.ORDER.APPROVED']
const RARE_TYPE = 'CUSTOMER.DISPUTE.CREATED'

/** One event in so many is of the rare type. */
const RARE_IN = 100_000

/** What is asked for, newest first, and how long one may wait for it. */
const QUESTIONS = [
  {line: 'webhook list', note: 'aim < 150 ms'},
  {line: 'webhook list --status pending --status failed'},
  {line: `webhook list --type ${RARE_TYPE}`},
  {line: 'webhook list --where amount>498'},
  {line: 'webhook list --group-by type'},
  {line: 'webhook list --group-by hour'},
]

/** What works through all of it. */
const WORK = [
  {line: 'webhook list --all -o id'},
  {line: 'webhook diagnose --no-check-state --summary', exit: 3, note: 'aim ≤ 20 s'},
  {
    line: 'webhook replay --dry-run --no-check-state --max none --max-age none -o id',
    note: 'aim ≤ 30 s, ≤ 150 MiB',
  },
  {line: 'database backup BACKUP'},
  {line: 'webhook prune --older-than 1s --yes', note: 'aim ≤ 30 s'},
]

export async function* bench(options) {
  const home = join(options.home, 'inbox')
  await mkdir(home)
  const env = plainEnvironment({STORECTL_HOME: home, STORECTL_URL: 'https://shop.example'})
  const command = line => ({
    name: `storectl ${line}`,
    argv: [options.storectl, ...line.replace('BACKUP', join(home, 'backup.db')).split(' ')],
    env,
    isNode: true,
  })
  const file = await writeEvents(options.inbox, home)
  yield {title: 'import', unit: 'events/s', rows: [await filling(options, command, file)]}
  const bare = {name: 'node -e 0', argv: [process.execPath, '-e', '0'], env, isNode: true}
  const rows = timeInTurn([bare, ...QUESTIONS.map(({line}) => command(line))], options.rounds)
  const noted = rows.map(row => ({...row, note: QUESTIONS.find(({line}) => row.name.endsWith(line))?.note}))
  yield {title: 'what a person asks', unit: 'ms', rows: noted}
  yield {title: 'what goes through all of it', unit: 's', rows: await working(command)}
}

async function filling({inbox}, command, file) {
  const {ms, memoryMiB} = await run(command(`webhook import ${file}`))
  const note = 'aim ≥ 14,286, which is 70 s for a million; ≤ 150 MiB'
  return {name: `${inbox} events, the inbox empty`, value: inbox / (ms / 1000), memoryMiB, note}
}

async function working(command) {
  const rows = []
  for (const {line, exit, note} of WORK) {
    const {ms, memoryMiB} = await run({...command(line), exit})
    rows.push({name: `storectl ${line}`, value: ms / 1000, memoryMiB, note})
  }
  return rows
}

/** A line an event, a tenth of a second apart, the last of them now. @param toText gives the event of a number and a time */
export async function writeEvents(count, home, toText = eventText) {
  const file = join(home, 'events.ndjson')
  const stream = createWriteStream(file)
  const begin = Date.now() - count * 100
  let text = ''
  for (let at = 0; at < count; at++) {
    text += `${toText(at, new Date(begin + at * 100).toISOString())}\n`
    if (text.length < 1_000_000 && at < count - 1) continue
    if (!stream.write(text)) await once(stream, 'drain')
    text = ''
  }
  stream.end()
  await once(stream, 'close')
  return file
}

function eventText(at, createTime) {
  const id = idOf(`event ${at}`).toUpperCase()
  return JSON.stringify({
    id: `WH-${id.slice(0, 17)}-${id.slice(-17)}`,
    event_version: '1.0',
    create_time: createTime,
    resource_type: 'capture',
    resource_version: '2.0',
    event_type: at % RARE_IN === 7 ? RARE_TYPE : TYPES[at % TYPES.length],
    resource: {
      id: id.slice(0, 17),
      amount: {currency_code: 'EUR', value: `${at % 500}.00`},
      final_capture: true,
      custom_id: idOf(`transaction ${at}`),
      status: 'COMPLETED',
    },
  })
}
