import {PRESUME_LOST_MS} from '../../src/auth/profile/profile.js'
import {Stopped} from '../../src/platform/interruption.js'
import {buildWebhookPath} from '../../src/webhook/delivery/delivery.js'
import {type Capture, joinRunning, openCapture, runReplay, runSubmit} from './actors.js'
import type {Disk} from './disk.js'
import {Broken, type Fact} from './invariants.js'
import {SimulatedMachine} from './machine.js'
import {Random} from './random.js'
import type {Command, Scenario, SentEvent} from './scenario.js'
import type {SimulatedProcess} from './scheduler.js'
import {TOKEN} from './shop-model.js'
import {SimulatedDisk} from './storage.js'
import {installVirtualGlobals} from './virtual-globals.js'

/** What a seed came to. */
export interface Outcome {
  readonly seed: number
  /** Of everything that happened. */
  readonly hash: string
  readonly broken: readonly Broken[]
  readonly facts: readonly Fact[]
  readonly trace: readonly string[]
  readonly counts: Readonly<Record<'events' | 'sends' | 'faults' | 'crashes' | 'workers', number>>
}

const WEBHOOK_PATH = buildWebhookPath({profile: {provider: 'paypal'}})

let disk: Promise<SimulatedDisk> | undefined

/** Runs a scenario to its end, on a disk in memory unless another is given. The same scenario always comes to the same outcome. */
export async function simulate(scenario: Scenario, files?: Disk): Promise<Outcome> {
  disk ??= SimulatedDisk.create()
  const shared = files ?? (await disk)
  const machine = new SimulatedMachine(scenario, shared)
  const restore = installVirtualGlobals(machine.scheduler, new Random(scenario.seed + 15_485_863))
  const {trace} = machine.scheduler
  const {broken} = machine.invariants
  try {
    await new Simulation(machine).run()
  } catch (error) {
    broken.push(new Broken('it ends', String((error as Error).stack)))
  } finally {
    restore()
    shared.end()
  }
  for (const bug of machine.scheduler.bugs) broken.push(new Broken('no program has a bug', String(bug.stack)))
  for (const {message} of broken) trace.add(machine.scheduler.nowMs, message)
  const counts = {
    events: scenario.events.length,
    sends: machine.network.calls,
    faults: scenario.faults.length,
    crashes: machine.hasCrashed ? 1 : 0,
    workers: machine.invariants.mostWorkers,
  }
  return {
    seed: scenario.seed,
    hash: trace.hash,
    broken,
    facts: machine.invariants.facts,
    trace: trace.lines,
    counts,
  }
}

/** When everything that is planned has begun. */
const CALM_MS = 150_000

const RESTART_MS = 1_000
const AGAIN_MS = 5_000

/** Longer than a lost call may be at work. */
const LATE_MS = PRESUME_LOST_MS + 60_000

/** Commands as at the end, when nothing goes wrong any more. */
const LAST: Omit<Command, 'kind' | 'atMs'> = {
  operator: 'ada',
  ratePerSecond: 0,
  concurrency: 2,
  canary: 0,
  retries: 2,
  checkState: true,
}

class Simulation {
  #capture: {take: Capture; process: SimulatedProcess} | undefined
  #captureProcess: SimulatedProcess | undefined
  #attempts = new Map<string, number>()
  #isCalm = false

  constructor(private readonly machine: SimulatedMachine) {}

  async run(): Promise<void> {
    const {machine} = this
    const {scenario, scheduler, network} = machine
    network.isDown = route =>
      route === 'webhook' &&
      scheduler.nowMs >= scenario.outage.fromMs &&
      scheduler.nowMs < scenario.outage.toMs
    machine.onPowerCut = () => this.#startCapture(RESTART_MS)
    this.#startCapture(0)
    for (const sent of scenario.events) scheduler.schedule(sent.atMs, () => this.#send(sent))
    for (const command of scenario.commands) this.#plan(command, command.atMs)
    this.#planFaults()
    let isOver = false
    scheduler.schedule(CALM_MS, () => {
      this.#calmDown(() => {
        isOver = true
      })
    })
    await scheduler.runUntil(() => isOver)
  }

  #startCapture(afterMs: number): void {
    const {machine} = this
    machine.scheduler.schedule(afterMs, () => {
      this.#captureProcess = machine.spawn('capture', async process => {
        this.#capture = {take: await openCapture(machine, process), process}
        await new Promise(() => {})
      })
    })
  }

  /** The provider sends an event, and again while it is not taken. */
  #send(sent: SentEvent): void {
    const {machine} = this
    const {scheduler, network} = machine
    const {id} = sent.event
    const attempt = (this.#attempts.get(id) ?? 0) + 1
    this.#attempts.set(id, attempt)
    const again = () => {
      if (attempt < 2 && !this.#isCalm) scheduler.schedule(10_000 * attempt, () => this.#send(sent))
    }
    const fault = network.takeFault('capture')
    if (fault === 'lost-before') {
      again()
      return
    }
    if (fault === 'duplicated') scheduler.schedule(5, () => this.#call(sent, again, false))
    scheduler.schedule(fault === 'late-call' ? 8_000 : 10, () =>
      this.#call(sent, again, fault === 'lost-after'),
    )
  }

  #call({event}: SentEvent, again: () => void, isLost: boolean): void {
    const {scheduler, invariants} = this.machine
    const capture = this.#capture
    if (!capture?.process.isAlive) {
      again()
      return
    }
    const headers = Object.entries(event.headers)
    const body = Buffer.from(event.body)
    const incoming = {path: WEBHOOK_PATH, headers, query: `sw-token=${TOKEN}`, body}
    scheduler.schedule(
      0,
      () => {
        capture.take(incoming).then(
          ({status}) => {
            if (!capture.process.isAlive) return
            scheduler.trace.add(scheduler.nowMs, `capture answers ${event.id} ${status}`)
            if (status < 300 && !isLost) invariants.noteAcknowledged(event.id)
            else scheduler.schedule(0, again, PROVIDER)
          },
          error => scheduler.trace.add(scheduler.nowMs, `capture throws ${error}`),
        )
      },
      capture.process,
    )
  }

  #plan(command: Command, delayMs: number): void {
    const {machine} = this
    machine.scheduler.schedule(delayMs, () => {
      if (this.#isCalm) return
      const process = this.#begin(command)
      this.#whenOver(process, isKilled => {
        if (isKilled) this.#plan(command, AGAIN_MS)
      })
    })
  }

  #begin(command: Command): SimulatedProcess {
    const {machine} = this
    return machine.spawn(`${command.operator}-${command.kind}-${Math.round(command.atMs)}`, async process => {
      if (command.kind === 'replay') await runReplay(machine, process, command)
      else if (command.kind === 'submit') await runSubmit(machine, process, command)
      else await joinRunning(machine, process, command)
    })
  }

  #whenOver(process: SimulatedProcess, then: (isKilled: boolean) => void): void {
    const look = () => {
      if (process.isAlive) this.machine.scheduler.schedule(500, look)
      else then(process.isKilled)
    }
    this.machine.scheduler.schedule(500, look)
  }

  #planFaults(): void {
    const {machine} = this
    const {scheduler, shop, scenario} = machine
    for (const fault of scenario.faults) {
      if (fault.kind === 'clock')
        scheduler.schedule(fault.atMs, () => {
          scheduler.clockOffsetMs += fault.byMs
        })
      if (fault.kind === 'interrupt')
        scheduler.schedule(fault.atMs, () => {
          for (const process of machine.processes)
            if (process.isAlive && process !== this.#captureProcess)
              scheduler.schedule(0, () => process.stopping.abort(new Stopped('SIGINT')), process)
        })
      if (fault.kind === 'restore')
        scheduler.schedule(fault.backupMs, () => {
          const putBack = shop.backUp()
          scheduler.schedule(Math.max(0, fault.atMs - scheduler.nowMs), putBack)
        })
    }
  }

  /** Faults are over: what is under way ends, and everything is run again. */
  #calmDown(end: () => void): void {
    const {machine} = this
    this.#isCalm = true
    machine.network.faults = []
    machine.network.isDown = () => false
    const isBusy = () => [...machine.processes].some(each => each.isAlive && each !== this.#captureProcess)
    const wait = () => {
      if (isBusy()) machine.scheduler.schedule(1_000, wait)
      else this.#runAgain(end)
    }
    wait()
  }

  #runAgain(end: () => void): void {
    const {machine} = this
    if (!machine.hasCrashed && machine.scenario.crash) machine.crash(undefined)
    const steps: Command['kind'][] = ['replay', 'submit', 'replay', 'submit']
    const next = () => {
      const kind = steps.shift()
      if (!kind) return this.#check(end)
      this.#whenOver(this.#begin({...LAST, kind, atMs: steps.length}), next)
    }
    machine.scheduler.schedule(machine.scenario.endsLate ? LATE_MS : 2_000, next)
  }

  #check(end: () => void): void {
    const {machine} = this
    machine.spawn('check', async process => {
      await machine.invariants.checkEnd(await machine.openRecords(process))
      end()
    })
  }
}

/** What the provider does goes on when a capture is killed. */
const PROVIDER: SimulatedProcess = {
  name: 'provider',
  pid: 0,
  isAlive: true,
  isKilled: false,
  stopping: new AbortController(),
}
