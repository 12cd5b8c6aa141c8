// `npm run test:sim`: the simulation of docs/reliability.md.
import {createHash} from 'node:crypto'
import {availableParallelism} from 'node:os'
import {isMainThread, parentPort, Worker, workerData} from 'node:worker_threads'
import {readFlags} from '../../bin/build/read-flags.js'
import {renderFigures, writeFigures} from '../figures.js'
import {bundleSimulation} from './bundle.js'

const HELP = `Runs replays, submits and captures with faults and a crash, chosen by seeds (docs/reliability.md).

  npm run test:sim -- --seeds 10000

  --seeds N       how many seeds (10000)
  --from N        the first of them (0)
  --seed N        one seed, with its trace
  --only A,B      with --seed, only these parts, as a failing seed names them
  --outages S     outages with watches instead, of S seconds at most (259200 are 3 days)
  --write         put what was counted into docs/reliability.md, with commit and date
`

const COUNTED = [
  ...['seeds', 'events', 'calls', 'faults', 'crashes', 'with four workers'],
  ...['broken promises', 'seconds'],
]

/** Seeds that are explained; of the others only the number is said. */
const MOST_EXPLAINED = 3

if (isMainThread) process.exitCode = await main()
else await work(workerData)

async function main() {
  const {values} = readFlags(HELP, {
    options: {
      seeds: {type: 'string', default: '10000'},
      from: {type: 'string', default: '0'},
      seed: {type: 'string'},
      only: {type: 'string'},
      outages: {type: 'string'},
      write: {type: 'boolean'},
    },
  })
  const bundle = await bundleSimulation('simulation')
  if (values.outages !== undefined) {
    const isOne = values.seed !== undefined
    const seeds = {from: Number(values.seed ?? values.from), seeds: isOne ? 1 : Number(values.seeds)}
    return runOutages(bundle, Number(values.outages), seeds)
  }
  if (values.seed !== undefined) return showSeed(bundle, Number(values.seed), values.only?.split(','))
  return runSeeds(bundle, Number(values.from), Number(values.seeds), values.write)
}

async function runOutages(bundle, longestSeconds, {from, seeds}) {
  const workers = Math.min(availableParallelism(), 8)
  const tasks = Array.from({length: workers}, (_, at) => ({
    bundle,
    from: from + at,
    to: from + seeds,
    step: workers,
  }))
  const reports = (
    await Promise.all(tasks.map(task => start({...task, longestMs: longestSeconds * 1000})))
  ).flat()
  const broken = reports.filter(report => report.broken.length > 0)
  for (const {seed, broken: messages} of broken.slice(0, MOST_EXPLAINED))
    console.log(`npm run test:sim -- --outages ${longestSeconds} --seed ${seed}: ${messages[0]}`)
  const sum = name => reports.reduce((total, report) => total + report[name], 0)
  console.log(
    `${reports.length} seeds: ${sum('outages')} outages, ${sum('sends')} calls; ${broken.length} seeds break a promise`,
  )
  return broken.length === 0 ? 0 : 1
}

async function showSeed(bundle, seed, parts) {
  const {runSeed} = await import(bundle)
  const {trace, hash, broken} = await runSeed(seed, parts)
  console.log(trace.join('\n'))
  console.log(`seed ${seed}: trace ${hash}, ${broken.length} broken promises`)
  return broken.length === 0 ? 0 : 1
}

async function runSeeds(bundle, from, seeds, isWritten) {
  const begun = performance.now()
  const workers = Math.min(availableParallelism(), 8)
  const reports = (
    await Promise.all(
      Array.from({length: workers}, (_, at) =>
        start({bundle, from: from + at, to: from + seeds, step: workers}),
      ),
    )
  ).flat()
  reports.sort((one, other) => one.seed - other.seed)
  const broken = reports.filter(report => report.broken.length > 0)
  const {explainSeed} = await import(bundle)
  for (const {seed} of broken.slice(0, MOST_EXPLAINED)) console.log(await explainSeed(seed))
  const sum = name => reports.reduce((total, report) => total + report[name], 0)
  const shared = reports.filter(({workers}) => workers >= 4).length
  const hash = createHash('sha256')
    .update(reports.map(report => report.hash).join(''))
    .digest('hex')
  const seconds = ((performance.now() - begun) / 1000).toFixed(0)
  console.log(
    `${reports.length} seeds in ${seconds} s: ${sum('events')} events, ${sum('sends')} calls, ${sum('faults')} faults, ${sum('crashes')} crashes, ${shared} seeds with a run of four workers; ${broken.length} seeds break a promise; traces ${hash.slice(0, 16)}`,
  )
  const counts = [
    reports.length,
    sum('events'),
    sum('sends'),
    sum('faults'),
    sum('crashes'),
    shared,
    broken.length,
  ]
  if (isWritten)
    writeFigures(
      'simulation',
      `npm run test:sim -- --from ${from} --seeds ${seeds}`,
      renderFigures(COUNTED, [[...counts, seconds]]),
    )
  return broken.length === 0 ? 0 : 1
}

function start(task) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(import.meta.filename, {
      workerData: task,
      resourceLimits: {maxYoungGenerationSizeMb: 64},
    })
    worker.once('message', resolve)
    worker.once('error', reject)
  })
}

async function work({bundle, from, to, step, longestMs}) {
  const {runSeed, runOutages} = await import(bundle)
  const reports = []
  for (let seed = from; seed < to; seed += step) {
    const {trace: _, ...report} = await (longestMs ? runOutages(seed, longestMs) : runSeed(seed))
    reports.push(report)
  }
  parentPort.postMessage(reports)
}
