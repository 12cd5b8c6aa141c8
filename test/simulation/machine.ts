import {createResponseError} from '../../src/http/response-errors.js'
import {createRetryingClient, readRetryAfterMs} from '../../src/http/retry.js'
import type {Records} from '../../src/records/index.js'
import type {Machine} from '../../src/runs/workers/liveness.js'
import type {Disk} from './disk.js'
import {Invariants} from './invariants.js'
import {BASE_URL, Network} from './network.js'
import {Random} from './random.js'
import type {Scenario} from './scenario.js'
import {START_MS} from './scenario.js'
import {Scheduler, type SimulatedProcess} from './scheduler.js'
import {ShopModel} from './shop-model.js'

export const TARGET = 'https://shop.example'

/** The simulated machine with its processes, its disk, and its way to the shop. */
export class SimulatedMachine {
  readonly random: Random
  readonly scheduler: Scheduler
  readonly shop: ShopModel
  readonly network: Network
  readonly invariants: Invariants
  readonly processes = new Set<SimulatedProcess>()
  /** Told when the machine comes up again. */
  onPowerCut: () => void = () => {}
  hasCrashed = false
  #operations = 0
  #syncs = 0

  constructor(
    readonly scenario: Scenario,
    readonly disk: Disk,
  ) {
    this.random = new Random(scenario.seed + 7919)
    this.scheduler = new Scheduler(new Random(scenario.seed + 104_729), START_MS)
    this.shop = new ShopModel(scenario.shop, scenario.transactions)
    this.invariants = new Invariants(scenario, disk, this.shop)
    this.network = new Network(this.scheduler, new Random(scenario.seed + 1_299_709), this.shop, {
      onOperation: process => this.#countOperation(process),
      onSent: sent => this.invariants.checkSent(sent),
      onOver: sent => this.invariants.noteOver(sent),
      onHidden: sent => this.invariants.noteHidden(sent),
    })
    this.shop.onHandled = what => this.scheduler.trace.add(this.scheduler.nowMs, what)
    this.network.faults = [...scenario.faults]
    disk.begin(this.scheduler, {
      onStatement: process => this.#countOperation(process),
      onSync: () => this.#sync(),
      longestSyncMs: scenario.longestSyncMs,
    })
  }

  spawn(name: string, main: (process: SimulatedProcess) => Promise<void>): SimulatedProcess {
    const process = this.scheduler.spawn(name, main)
    this.processes.add(process)
    return process
  }

  openRecords(process: SimulatedProcess): Promise<Records> {
    return this.disk.openRecords(process, this.scheduler, this.describe(process))
  }

  /** Everything that a process has of the shop. */
  connect(process: SimulatedProcess) {
    const {clock} = this.scheduler
    const unsigned = this.network.connect(process)
    const patient = createRetryingClient(unsigned, {retries: 3, clock, random: Math.random})
    const profile = {name: 'shop', url: BASE_URL, provider: 'paypal', tokenPrefix: 'sw', protected: false}
    const fixes = {signIn: '', atUrl: () => '', basicAuth: '', header: ''}
    return {
      ...{profile, unsigned, signed: unsigned, patient},
      confirmWrite: async () => {},
      refusal: (answer: Parameters<typeof createResponseError>[0], doing: string) =>
        createResponseError(answer, {baseUrl: BASE_URL, doing, now: clock.now(), fixes}),
      describeErrors: () => 'refused',
      retryAfterMs: (answer: Parameters<typeof readRetryAfterMs>[0]) => readRetryAfterMs(answer, clock.now()),
    }
  }

  /** The machine as a process sees it. */
  describe(process: SimulatedProcess): Machine {
    const isAlive = (pid: number) => [...this.processes].some(each => each.pid === pid && each.isAlive)
    const [who = ''] = process.name.split('-')
    return {who, host: 'desk', pid: process.pid, processStart: '1', isAlive}
  }

  kill(process: SimulatedProcess): void {
    if (!process.isAlive) return
    this.scheduler.kill(process)
    this.disk.dropTransaction(process)
    this.network.drop(process)
  }

  cutPower(): void {
    this.scheduler.trace.add(this.scheduler.nowMs, 'power cut')
    for (const process of this.processes) this.kill(process)
    this.disk.cutPower()
    this.invariants.checkAcknowledged()
    this.onPowerCut()
  }

  crash(process: SimulatedProcess | undefined): void {
    if (this.hasCrashed) return
    this.hasCrashed = true
    if (this.scenario.crash?.kind === 'kill' && process) this.kill(process)
    else this.cutPower()
  }

  #countOperation(process: SimulatedProcess): void {
    if (this.#operations++ === this.scenario.crash?.nth) this.crash(process)
  }

  #sync(): 'ok' | 'fails' {
    const {scheduler, network} = this
    if (scheduler.currentProcess) this.#countOperation(scheduler.currentProcess)
    const nth = this.#syncs++
    return network.faults.some(fault => fault.kind === 'sync' && fault.nth === nth) ? 'fails' : 'ok'
  }
}
