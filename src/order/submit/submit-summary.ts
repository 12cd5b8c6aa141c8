import {type ExitName, StorectlError} from '../../errors.js'
import type {Result} from '../../runs/journal/item.js'
import {RESUME} from '../../runs/pool/circuit-breaker.js'
import {exitOfRun, haltedWith} from '../../runs/run-exit.js'

/** Outcomes in the order they are told. */
const WORDS = ['created', 'exists', 'new', 'rejected', 'conflict', 'failed', 'unknown']

/** References that are named at the end. */
const MOST_NAMED = 10

/** Counts what became of the orders of a run, and what exit that calls for. */
export class Summary {
  readonly counts = new Map<string, number>()
  readonly #exits = new Set<ExitName>()
  readonly #unknown: string[] = []
  #well = 0
  #ill = 0

  add(
    reference: string,
    {resultClass, outcome, exit}: Pick<Result, 'resultClass' | 'outcome' | 'exit'>,
  ): void {
    this.counts.set(outcome, (this.counts.get(outcome) ?? 0) + 1)
    if (resultClass === 'done') this.#well++
    else this.#ill++
    if (exit) this.#exits.add(exit)
    if (outcome === 'unknown' && this.#unknown.length < MOST_NAMED) this.#unknown.push(reference)
  }

  /** How the run ends. @param halt what stopped it before its end */
  exit(halt?: StorectlError): ExitName {
    return exitOfRun({done: this.#well, failed: this.#ill, held: 0, exits: this.#exits}, halt)
  }

  /** How many orders have ended. */
  get done(): number {
    return this.#well + this.#ill
  }

  /** How many orders the shop does not have, or nobody knows of. */
  get failed(): number {
    return this.#ill
  }

  /** `23 created, 1 exists, 1 rejected`; empty at the beginning. */
  get outcomes(): string {
    return WORDS.filter(word => this.counts.has(word))
      .map(word => `${this.counts.get(word)} ${word}`)
      .join(', ')
  }

  /** `25 orders: 23 created, 1 exists, 1 rejected`. @param total orders of the input */
  text(total: number): string {
    const told = this.outcomes === '' ? [] : [this.outcomes]
    const left = total - this.done
    if (left > 0) told.push(`${left} not sent`)
    const orders = `${total} ${total === 1 ? 'order' : 'orders'}`
    return told.length > 0 ? `${orders}: ${told.join(', ')}` : `${orders}: nothing to do`
  }

  /**
   * The last lines, for people.
   *
   * @param run `null` when nothing was to be sent
   * @param carryOn the command that carries on
   */
  closing(total: number, run: string | null, wasInterrupted: boolean, carryOn: string): string {
    const lines = [
      run === null ? `${this.text(total)}; nothing was sent` : `${this.text(total)} (run ${run})`,
    ]
    const unknown = this.counts.get('unknown') ?? 0
    if (unknown > 0) {
      const more = unknown > this.#unknown.length ? ` and ${unknown - this.#unknown.length} more` : ''
      lines.push(
        `the shop may have: ${this.#unknown.join(', ')}${more}; given again, they are looked for first`,
      )
    }
    const left = total - this.done
    const how = wasInterrupted ? 'interrupted' : 'stopped'
    if (left > 0 && run !== null) lines.push(`${how}; ${left} not sent; to carry on: ${carryOn}`)
    return lines.join('\n')
  }

  /** What stopped the run, with the exit that all of it together asks for, and how to carry on. */
  explained(halt: StorectlError, carryOn: string): StorectlError {
    const {code, message, cause, nextSteps} = haltedWith(halt, this.exit(halt))
    return new StorectlError(code, message, {
      cause,
      nextSteps: [...nextSteps.filter(step => step !== RESUME), carryOn],
    })
  }
}
