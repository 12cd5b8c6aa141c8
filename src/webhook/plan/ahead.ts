import {NameTable} from '../../runs/pool/hash-table.js'

/**
 * The states that a plan leads transactions to, by what names them. Two names that match by chance do no harm: the state
 * is looked at again before anything is sent.
 */
export class StatesAhead {
  readonly #states: string[] = []
  readonly #places = new NameTable()

  get(name: string): string | undefined {
    const place = this.#places.get(name)
    return place === undefined ? undefined : this.#states[place]
  }

  set(name: string, state: string): void {
    this.#places.set(name, this.#placeOf(state))
  }

  #placeOf(state: string): number {
    const place = this.#states.indexOf(state)
    return place >= 0 ? place : this.#states.push(state) - 1
  }
}
