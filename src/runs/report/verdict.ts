import {formatCount, formatCounted} from '../../output/cell.js'
import type {RunKind} from '../journal/run-store.js'
import type {GroupTotals} from './result-groups.js'

/** The result of a run, in a sentence. */
export interface Verdict {
  /** `good`: all was sent; `open`: the run is under way; `attention`: something was not sent; `bad`: something failed. */
  readonly tone: 'good' | 'open' | 'attention' | 'bad'
  readonly text: string
}

const NOUNS: Readonly<Record<RunKind, {one: string; many: string; sent: string}>> = {
  replay: {one: 'event', many: 'events', sent: 'delivered'},
  submit: {one: 'order', many: 'orders', sent: 'in the shop'},
  repair: {one: 'payment', many: 'payments', sent: 'repaired'},
  resolve: {one: 'event', many: 'events', sent: 'resolved'},
  undo: {one: 'event', many: 'events', sent: 'reopened'},
}

/**
 * `Stopped: 707 of 3,344 events delivered, 12 failed, 2,637 not sent.`
 *
 * @param run `state` as printed
 */
export function describeVerdict(
  run: {readonly kind: RunKind; readonly state: string},
  totals: GroupTotals,
): Verdict {
  const {failed, unknown, held, sent, skipped} = totals
  const notSent = totals['not-sent']
  const all = failed + unknown + held + sent + skipped + notSent
  const isOpen = isUnderWay(run)
  const others: [number, string][] = [
    [failed, 'failed'],
    [unknown, isOpen ? 'in flight' : 'unknown'],
    [held, 'held'],
    [skipped, 'skipped'],
    [notSent, isOpen ? 'not sent yet' : 'not sent'],
  ]
  const parts = others.flatMap(([count, word]) => (count > 0 ? [`${formatCount(count)} ${word}`] : []))
  const state = `${run.state.charAt(0).toUpperCase()}${run.state.slice(1)}`
  const text = `${state}: ${[describeSent(run.kind, sent, all), ...parts].join(', ')}.`
  return {text, tone: chooseTone(run.state, totals)}
}

/** Whether a run is active, or waits until a person lets it continue. @param run `state` as printed */
export function isUnderWay({state}: {readonly state: string}): boolean {
  return state === 'running' || state === 'paused'
}

function describeSent(kind: RunKind, sent: number, all: number): string {
  const noun = NOUNS[kind]
  if (all === 0) return `no ${noun.many}`
  const of = formatCounted(all, [noun.one, noun.many])
  if (sent === all) return all === 1 ? `the only ${noun.one} ${noun.sent}` : `all ${of} ${noun.sent}`
  return `${sent === 0 ? 'none' : formatCount(sent)} of ${of} ${noun.sent}`
}

function chooseTone(
  state: string,
  {failed, unknown, held, 'not-sent': notSent}: GroupTotals,
): Verdict['tone'] {
  if (isUnderWay({state})) return failed > 0 ? 'bad' : 'open'
  if (failed + unknown > 0 || state === 'unresponsive' || state === 'interrupted') return 'bad'
  return held + notSent > 0 ? 'attention' : 'good'
}
