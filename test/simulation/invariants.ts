import type {Records} from '../../src/records/index.js'
import {verifyRun} from '../../src/runs/ledger/verify-run.js'
import {verifyRunLedger} from '../../src/runs/ledger/verify-run-ledger.js'
import type {Disk} from './disk.js'
import type {Sent} from './network.js'
import type {Scenario} from './scenario.js'
import {type Handled, isProbe, readBody, type ShopModel} from './shop-model.js'

/** A promise that was broken. */
export class Broken {
  constructor(
    readonly promise: string,
    readonly detail: string,
  ) {}

  get message(): string {
    return `${this.promise}: ${this.detail}`
  }
}

const MONEY: Readonly<Record<string, number>> = {
  ...{authorized: 1, paid_partially: 2, paid: 3, refunded_partially: 4, refunded: 5},
}

/** Something that others know of by now, so that no crash may take it back. */
export interface Fact {
  readonly kind: 'acknowledged' | 'sent'
  /** The event's id, or the order's reference. */
  readonly item: string
  readonly run: string | undefined
  readonly attempt: number
  /** Of the log, by then. */
  readonly syncedBytes: number
}

/** What storectl promises, checked at every call and at the end. */
export class Invariants {
  readonly broken: Broken[] = []
  readonly facts: Fact[] = []
  /** Of the run that most worked on, known at the end. */
  mostWorkers = 0
  readonly #inFlight = new Map<string, Sent>()
  /** Calls of the webhook and of orders, the shop may be at work on them. */
  readonly #begun: Sent[] = []
  readonly #acknowledged = new Set<string>()
  #handledChecked = 0

  constructor(
    private readonly scenario: Scenario,
    private readonly disk: Disk,
    private readonly shop: ShopModel,
  ) {}

  /** A call leaves. */
  checkSent(sent: Sent): void {
    if (sent.route !== 'webhook' && sent.route !== 'order') return
    if (sent.route === 'webhook' && isProbe(sent.call)) return
    if (sent.route === 'webhook') this.#checkEventSent(sent)
    else this.#checkOrderSent(sent)
    if (sent.route === 'order' || readEventCall(sent).run !== undefined) this.#checkNotAtWork(sent)
    this.#begun.push(sent)
  }

  /** What was given up is not sent again while the shop is at work on it. */
  #checkNotAtWork(sent: Sent): void {
    const {id, reference} = readBody(sent.call)
    const other = this.#begun.find(({isAtWork, route, call}) => {
      const body = readBody(call)
      return isAtWork && route === sent.route && body.id === id && body.reference === reference
    })
    if (other) this.#break('nothing is sent again that the shop is at work on', id ?? reference)
  }

  /** Its answer has come, or can come no more. */
  noteOver(sent: Sent): void {
    for (const [key, each] of this.#inFlight) if (each === sent) this.#inFlight.delete(key)
    this.#checkHandled()
  }

  /** Refused in the one text for everything, or at once by a 503, though it was done: only who compares states can see that. */
  noteHidden(sent: Sent): void {
    if (sent.route !== 'webhook') return
    const {id, run} = readEventCall(sent)
    if (run !== undefined && !this.#checksStates(run)) this.shop.forgetEffectOf(id)
  }

  /** The provider was answered 2xx. */
  noteAcknowledged(eventId: string): void {
    this.#acknowledged.add(eventId)
    this.#noteFact({kind: 'acknowledged', item: eventId, run: undefined, attempt: 0})
    this.#checkStored([eventId])
  }

  /** Nothing but a power cut takes events away: at one, and at the end, all of them must be there. */
  checkAcknowledged(): void {
    this.#checkStored(this.#acknowledged)
  }

  #checkStored(ids: Iterable<string>): void {
    for (const id of ids) {
      const found = this.disk.read('select 1 from webhook_event where id = ?', id)
      if (found.length === 0) this.#break('what capture answered 2xx is in the inbox', id)
    }
  }

  /** Everything that must hold once all is over and has been run again. */
  async checkEnd(records: Records): Promise<void> {
    this.checkAcknowledged()
    this.#checkHandled()
    this.#checkOrders()
    this.#checkRecords()
    this.#checkNamed()
    await this.#checkAuditLog(records)
    const [most] = this.disk.read<{count: number}>(
      'select count(*) as count from run_worker group by run_id order by 1 desc limit 1',
    )
    this.mostWorkers = most?.count ?? 0
  }

  #checkEventSent(sent: Sent): void {
    const {id, transactionId, run, attempt} = readEventCall(sent)
    const other = this.#inFlight.get(transactionId)
    if (other)
      this.#break(
        'one event of an ordering key in flight',
        `${id} of ${sent.process.name} beside ${readEventCall(other).id} of ${other.process.name}`,
      )
    this.#inFlight.set(transactionId, sent)
    if (run === undefined) return
    this.#noteFact({kind: 'sent', run, item: id, attempt})
    if (this.#isStoredAsDone('replay', id)) this.#break('nothing with a result is sent again', id)
    if (!this.#checksStates(run)) this.#checkNothingUnknownBefore(id, run)
    else if (this.shop.hasEffectOf(id))
      this.#break('nothing that the shop shows as applied is sent again', id)
    this.#checkIntent(run, id, attempt)
  }

  /** What an earlier run left unknown blocks what comes after it, where no state shows what came of it. */
  #checkNothingUnknownBefore(id: string, run: string): void {
    const [unknown] = this.disk.read<{id: string}>(
      `select other.id from webhook_event as event join webhook_event as other
        on other.target = event.target and other.transaction_key = event.transaction_key
        join ledger on ledger.kind = 'replay' and ledger.key = other.id
        where event.id = ? and other.id <> event.id and other.created_at_ms < event.created_at_ms
        and other.status = 'unknown' and ledger.result_class = 'unknown' and ledger.run_id <> ?`,
      ...[id, run],
    )
    if (unknown) this.#break('an unknown result blocks its ordering key', `${id} after ${unknown.id}`)
  }

  /** Whoever sends without comparing states has asked for it. */
  #checksStates(run: string): boolean {
    const [row] = this.disk.read<{options: string}>('select options from run where id = ?', run)
    return row !== undefined && JSON.parse(row.options).options?.checkState !== false
  }

  #checkOrderSent({call}: Sent): void {
    const {reference} = readBody(call)
    const isThere = this.shop.orders.some(({order}) => order.reference === reference)
    if (!this.shop.taken.has(reference) && this.#isStoredAsDone('submit', reference))
      this.#break('what is recorded of an order is so', reference)
    if (isThere && this.#isStoredAsDone('submit', reference))
      this.#break('nothing with a result is sent again', reference)
    const [last] = this.disk.read<{run_id: string; attempt: number; kind: string}>(
      `select run_id, attempt, kind from run_record where item = ? order by rowid desc limit 1`,
      reference,
    )
    if (last?.kind !== 'intent') this.#break('an intent is stored before each send', reference)
    else this.#noteFact({kind: 'sent', run: last.run_id, item: reference, attempt: last.attempt})
  }

  #isStoredAsDone(kind: string, key: string): boolean {
    const sql = `select 1 from ledger where kind = ? and key = ? and result_class = 'done'`
    if (this.disk.read(sql, kind, key).length > 0) return true
    return this.disk.read(`select 1 from webhook_event where id = ? and status = 'delivered'`, key).length > 0
  }

  #checkIntent(run: string, item: string, attempt: number): void {
    const sql = `select 1 from run_record where run_id = ? and item = ? and attempt = ? and kind = 'intent'`
    if (this.disk.read(sql, run, item, attempt).length === 0)
      this.#break('an intent is stored before each send', item)
  }

  /** No replay moves money back. */
  #checkHandled(): void {
    const {handled} = this.shop
    for (; this.#handledChecked < handled.length; this.#handledChecked++) {
      const one = handled[this.#handledChecked]
      if (!one?.run) continue
      if (isBack(one.from, one.to) && this.#checksStates(one.run) && !this.#wasOvertaken(one))
        this.#break('no money state moves back', `${one.eventId}: ${one.from} → ${one.to}`)
    }
  }

  /**
   * A call that was given up, and would not have moved money back when the shop began to work on it: what the provider
   * itself delivered meanwhile, and nothing else, has moved the payment on. A capture passes that whatever is in doubt.
   */
  #wasOvertaken({transactionId, since, to}: Handled): boolean {
    if (since === undefined) return false
    const meanwhile = this.shop.handled
      .slice(since, this.#handledChecked)
      .filter(each => each.transactionId === transactionId && each.from !== each.to)
    const [first] = meanwhile
    return first !== undefined && !isBack(first.from, to) && meanwhile.every(({run}) => run === undefined)
  }

  /** Whatever is recorded as delivered has come to the shop. */
  #checkRecords(): void {
    const reached = new Set(this.shop.handled.map(({eventId}) => eventId))
    const delivered = this.disk.read<{id: string}>(`select id from webhook_event where status = 'delivered'`)
    const done = this.disk.read<{id: string}>(
      `select key as id from ledger where kind = 'replay' and result_class = 'done'`,
    )
    for (const {id} of [...delivered, ...done])
      if (!reached.has(id) && !this.#passedForApplied(id))
        this.#break('what is recorded as delivered came to the shop', id)
  }

  /** A shop that is restored while an event is in doubt may come to the state that the event leads to. */
  #passedForApplied(id: string): boolean {
    if (!this.scenario.faults.some(({kind}) => kind === 'restore')) return false
    const sql = `select 1 from run_record where item = ? and result = 'applied' and detail like 'looked up%'`
    return this.disk.read(sql, id).length > 0
  }

  /** Every order is there once, or named in doubt; and as the same one is sent each time, none is in conflict. */
  #checkOrders(): void {
    for (const {item} of this.disk.read<{item: string}>(
      `select item from run_record where result = 'conflict'`,
    ))
      this.#break('the same order is no conflict', item)
    for (const reference of this.scenario.orders) {
      const count = this.shop.orders.filter(({order}) => order.reference === reference).length
      const [entry] = this.disk.read<{result: string}>(
        `select result from ledger where kind = 'submit' and key = ?`,
        reference,
      )
      const isInDoubt = entry?.result === 'unknown' || this.#isOutOfSight(entry?.result)
      if (count > 1) this.#break('every order exists once', `${reference} is there ${count} times`)
      if (count === 0 && !isInDoubt)
        this.#break('every order exists once', `${reference} is ${entry?.result ?? 'nowhere'}`)
    }
  }

  /** Where a shop cannot be asked, what was stored before it was restored counts. */
  #isOutOfSight(result: string | undefined): boolean {
    const {faults, shop} = this.scenario
    return result === 'exists' && !shop.hasOrderSearch && faults.some(({kind}) => kind === 'restore')
  }

  /** Of every run that is over, each item that was begun has a last word. */
  #checkNamed(): void {
    const rows = this.disk.read<{item: string; run_id: string; kind: string; result_class: string | null}>(
      `select item, run_id, kind, result_class from run_record order by rowid`,
    )
    const last = new Map(rows.map(row => [`${row.run_id} ${row.item}`, row]))
    for (const row of rows) if (row.kind === 'result') last.delete(`${row.run_id} ${row.item}`)
    for (const [name, {kind, result_class}] of last)
      if (kind === 'intent' || result_class === 'unknown') this.#break('what was in flight is named', name)
  }

  async #checkAuditLog({runs}: Records): Promise<void> {
    for (const {run, item, attempt} of this.facts)
      if (run !== undefined) this.#checkIntent(run, item, attempt)
    for await (const run of runs.list({})) {
      const {isWhole, damage, miscounted, differences} = await verifyRun(run, runs)
      if (!isWhole)
        this.#break('the audit log is whole', JSON.stringify({run: run.id, damage, miscounted, differences}))
      if (run.state === 'running') this.#break('every run has an end', run.id)
    }
    for (const problem of (await verifyRunLedger(runs)).problems)
      this.#break('the audit log is whole', `ledger of runs: ${problem}`)
  }

  #noteFact(fact: Omit<Fact, 'syncedBytes'>): void {
    this.facts.push({...fact, syncedBytes: this.disk.syncedBytes ?? 0})
  }

  #break(promise: string, detail: string): void {
    this.broken.push(new Broken(promise, detail))
  }
}

function isBack(from: string, to: string): boolean {
  return to === 'cancelled' ? rank(from) >= 2 : rank(to) < rank(from)
}

function rank(state: string): number {
  return MONEY[state] ?? 0
}

function readEventCall({call}: Sent) {
  const {id, resource} = readBody(call)
  const headers = call.headers ?? {}
  const run = headers['X-Replay-Run'] as string | undefined
  return {id, transactionId: resource?.custom_id as string, run, attempt: Number(headers['X-Replay-Attempt'])}
}
