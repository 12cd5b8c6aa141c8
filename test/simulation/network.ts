import {StorectlError} from '../../src/errors.js'
import type {Call, HttpClient, HttpResponse} from '../../src/http/http.js'
import type {CallFault, Fault, Route} from './faults.js'
import type {Random} from './random.js'
import type {Scheduler, SimulatedProcess} from './scheduler.js'
import {readBody, refuse, type ShopModel} from './shop-model.js'

/** A call on its way, as those who check it see it. */
export interface Sent {
  readonly process: SimulatedProcess
  readonly route: Route
  readonly call: Call
  /** Whether the shop has done what it was asked. */
  isDone: boolean
  isOver: boolean
  /** Whether it was given up, and the shop is at work on it. */
  isAtWork: boolean
}

/** Told of every call: when its first byte leaves, and when its answer has come or can come no more. */
export interface NetworkObserver {
  onOperation(process: SimulatedProcess, what: string): void
  onSent(sent: Sent): void
  onOver(sent: Sent): void
  /** Told when the answer to a call that was done says that it was not. */
  onHidden(sent: Sent): void
}

export const BASE_URL = new URL('https://shop.example/')

const TIMEOUT_MS = 30_000

/** The shop ends so long after a call was given up at most, milliseconds. */
const LONGEST_WORK_MS = 40_000

/** What is on its way belongs to no process, and arrives where its sender is gone. */
const NETWORK: SimulatedProcess = {
  name: 'network',
  pid: 0,
  isAlive: true,
  isKilled: false,
  stopping: new AbortController(),
}

/** The way from the programs to the shop, with what goes wrong on it. */
export class Network {
  readonly #counts = new Map<Route, number>()
  readonly #pending = new Set<Sent>()
  readonly #answers = new Map<Route, HttpResponse>()
  /** Answers before the shop does; `undefined` for its own answer. */
  isDown: (route: Route) => boolean = () => false
  /** What goes wrong with every call of a route for a while. */
  findOutage: (route: Route) => CallFault | undefined = () => undefined
  /** Told of each call of the webhook, and of what was answered; nothing where there was no answer. */
  onWebhookCall: (sent: Sent) => (answer: HttpResponse | undefined) => void = () => () => {}
  /** Calls that have left. */
  calls = 0
  /** Faults that have not come true yet. */
  faults: Fault[] = []

  constructor(
    private readonly scheduler: Scheduler,
    private readonly random: Random,
    private readonly shop: ShopModel,
    private readonly observer: NetworkObserver,
  ) {}

  /** The shop as a process reaches it. */
  connect(process: SimulatedProcess): HttpClient {
    return {baseUrl: BASE_URL, call: call => this.#call(process, call)}
  }

  /** Takes the fault of this call of a route, if there is one. */
  takeFault(route: Route): CallFault | undefined {
    const nth = this.#counts.get(route) ?? 0
    this.#counts.set(route, nth + 1)
    const at = this.faults.findIndex(
      fault => fault.kind === 'call' && fault.route === route && fault.nth === nth,
    )
    const [fault] = at < 0 ? [] : this.faults.splice(at, 1)
    return fault?.kind === 'call' ? fault.what : undefined
  }

  /** What a killed process has on its way is done by the shop at once, or never. */
  drop(process: SimulatedProcess): void {
    for (const sent of [...this.#pending].filter(each => each.process === process)) {
      if (!sent.isDone && !sent.isAtWork && this.random.chance(0.5)) this.#do(sent)
      this.#end(sent)
    }
  }

  #call(process: SimulatedProcess, call: Call): Promise<HttpResponse> {
    return new Promise((resolve, reject) => {
      this.observer.onOperation(process, `${call.method} ${call.path.split('?')[0]}`)
      if (!process.isAlive) return
      const sent: Sent = {
        process,
        route: findRoute(call.path),
        call,
        isDone: false,
        isOver: false,
        isAtWork: false,
      }
      const fault = this.takeFault(sent.route) ?? this.findOutage(sent.route)
      const onAnswer = sent.route === 'webhook' ? this.onWebhookCall(sent) : () => {}
      this.scheduler.trace.add(
        this.scheduler.nowMs,
        `${process.name} ${describeCall(sent)}${fault ? ` ${fault}` : ''}`,
      )
      if (fault === 'not-connected') {
        onAnswer(undefined)
        this.#after(5, () => reject(createError('not_connected')), process)
        return
      }
      this.calls++
      this.#pending.add(sent)
      this.observer.onSent(sent)
      this.#travel(sent, fault, answer => {
        if (sent.isOver) return
        this.#end(sent)
        onAnswer(answer)
        if (answer) resolve(answer)
        else reject(createError('no_answer'))
      })
    })
  }

  #travel(sent: Sent, fault: CallFault | undefined, end: (answer: HttpResponse | undefined) => void): void {
    const {random} = this
    const outMs =
      random.between(2, 60) +
      (fault === 'late-call' ? random.between(1_000, 12_000) : fault === 'slow-down' ? 3_000 : 0)
    const backMs = random.between(2, 60) + (fault === 'late-answer' ? random.between(1_000, 12_000) : 0)
    if (fault === 'given-up' || fault === 'timed-out') {
      this.#giveUp(sent, fault, outMs, end)
      return
    }
    this.#after(outMs, () => {
      if (sent.isOver) return
      const early = this.#answerEarly(sent, fault)
      if (early === 'nothing')
        return this.#after(random.chance(0.5) ? 20 : TIMEOUT_MS, () => end(undefined), sent.process)
      const answer = early ?? this.#do(sent)
      if (fault === 'duplicated' && this.shop.isTwiceHarmless(sent.route)) this.#do(sent)
      // The answer to the first of two is the one that is seen.
      const isHidden = early ? fault === 'duplicated' : fault === 'opaque-after' || fault === 'down-after'
      if (isHidden) this.observer.onHidden(sent)
      const late = early ?? this.#changeAnswer(sent, fault, answer)
      this.#after(backMs, () => end(late === 'nothing' ? undefined : late), sent.process)
    })
  }

  /** Something before the shop loses its patience, and the shop goes on. */
  #giveUp(
    sent: Sent,
    fault: 'given-up' | 'timed-out',
    outMs: number,
    end: (answer: HttpResponse | undefined) => void,
  ): void {
    const {random} = this
    const waitedMs = random.between(2_000, 5_000)
    const status = random.pick([504, 504, 502, 503])
    const isTimeOut = fault === 'timed-out'
    let since = 0
    this.#after(outMs, () => {
      since = this.shop.handled.length
      if (!sent.isOver) sent.isAtWork = true
    })
    const answer = isTimeOut ? undefined : {status, headers: {}, body: Buffer.from('<h1>gateway</h1>')}
    this.#after(outMs + (isTimeOut && random.chance(0.5) ? 20 : waitedMs), () => end(answer), sent.process)
    this.#after(outMs + waitedMs + random.between(0, LONGEST_WORK_MS), () => {
      if (!sent.isAtWork) return
      sent.isAtWork = false
      this.#do(sent, since)
    })
  }

  /** An answer from whoever stands before the shop, or the shop before it has done anything. */
  #answerEarly({route}: Sent, fault: CallFault | undefined): HttpResponse | 'nothing' | undefined {
    if (fault === 'lost-before') return 'nothing'
    if (fault === 'busy') return refuse(429, 'slow down', this.random.chance(0.5) ? {'retry-after': '2'} : {})
    if (fault === 'down-before') return refuse(503, 'down')
    if (fault === 'slow-down') return {status: 503, headers: {}, body: Buffer.from('<h1>busy</h1>')}
    if (fault === 'wrong-token') return refuse(400, 'Shopware token is invalid')
    if (fault === 'opaque-before') return refuse(400)
    if (fault === 'bad-gateway') return {status: 502, headers: {}, body: Buffer.from('<h1>bad gateway</h1>')}
    if (fault === 'given-up-before') return {status: 504, headers: {}, body: Buffer.alloc(0)}
    const cached = this.#answers.get(route)
    if (fault === 'swapped' && cached && this.random.chance(0.5)) return cached
    return this.isDown(route) ? refuse(400) : undefined
  }

  #changeAnswer({route}: Sent, fault: CallFault | undefined, answer: HttpResponse): HttpResponse | 'nothing' {
    const other = this.#answers.get(route)
    this.#answers.set(route, answer)
    if (fault === 'lost-after' || (fault === 'half' && route === 'webhook')) return 'nothing'
    if (fault === 'down-after') return refuse(503, 'down')
    if (fault === 'opaque-after') return refuse(400)
    if (fault === 'half') return {...answer, body: answer.body.subarray(0, answer.body.length / 2)}
    return fault === 'swapped' && other ? other : answer
  }

  /** @param since how many notifications the shop had handled when it began, of a call that was given up */
  #do(sent: Sent, since?: number): HttpResponse {
    sent.isDone = true
    const answer = this.shop.answer(sent.call, since)
    this.scheduler.trace.add(this.scheduler.nowMs, `shop ${describeCall(sent)} ${answer.status}`)
    return answer
  }

  #end(sent: Sent): void {
    sent.isOver = true
    this.#pending.delete(sent)
    this.observer.onOver(sent)
  }

  #after(ms: number, run: () => void, owner: SimulatedProcess = NETWORK): void {
    this.scheduler.schedule(ms, run, owner)
  }
}

function describeCall({route, call}: Sent): string {
  const {id, reference} = route === 'webhook' || route === 'order' ? readBody(call) : {}
  return `${route} ${id ?? reference ?? ''}`
}

function findRoute(path: string): Route {
  if (path.includes('/webhook/execute')) return 'webhook'
  if (path === '/api/fulfillment/order') return 'order'
  return path === '/api/search/fulfillment-order' ? 'orders' : 'transactions'
}

function createError(code: 'no_answer' | 'not_connected'): StorectlError {
  return new StorectlError(`unavailable.${code}`, `https://shop.example: ${code}`)
}
