import type {ShopVersions, VersionPair} from '../../../shopware/versions/version-range.js'
import {isInRange} from '../../../shopware/versions/versions.js'
import type {Cell, Outcome} from '../../effects.js'
import {type EventKind, OUTCOMES, STATES} from './outcome-table.js'

/** Cells by kind and state, cached for the versions of a run: it needs the same few for every event. */
const kept = new WeakMap<ShopVersions, Map<string, readonly Cell[]>>()

/**
 * The possible cells for a shop: one where its versions are covered, else those of every measured version, so that the
 * caller sees whether they agree.
 *
 * @param versions never changed afterwards
 * @returns distinct cells, at least one; empty for a state that a shop does not have by default
 */
export function findCells(kind: EventKind, state: string, versions: ShopVersions): readonly Cell[] {
  const cells = kept.get(versions) ?? new Map<string, readonly Cell[]>()
  kept.set(versions, cells)
  const key = `${kind} ${state}`
  const known = cells.get(key)
  if (known) return known
  const index = (STATES as readonly string[]).indexOf(state)
  // Unknown states may be any text, so they are not cached.
  if (index < 0) return []
  const found = selectCells(kind, index, versions)
  cells.set(key, found)
  return found
}

function selectCells(kind: EventKind, index: number, versions: ShopVersions): readonly Cell[] {
  const rows = OUTCOMES.filter(row => row.kind === kind)
  const all = rows.flatMap(({pairs, cells}) => pairs.map(pair => ({pair, text: cells[index] as string})))
  const covered = isKnown(versions) ? all.filter(({pair}) => covers(pair, versions)) : []
  const chosen = covered.length > 0 ? covered : all.filter(({pair}) => pair.isMeasured)
  const different = chosen.filter(({text}, at) => chosen.findIndex(other => other.text === text) === at)
  return different.map(({pair, text}) => ({pair, outcomes: parseCell(text)}))
}

function isKnown({shop, plugin}: ShopVersions): boolean {
  return shop !== null || plugin !== null
}

/** An unknown version may be any. */
function covers({shop, plugin}: VersionPair, versions: ShopVersions): boolean {
  const isShop = versions.shop === null || isInRange(versions.shop, shop)
  return isShop && (versions.plugin === null || isInRange(versions.plugin, plugin))
}

function parseCell(text: string): Outcome[] {
  return text.split('|').map(each => {
    if (each === '=') return {isRefused: false, to: undefined}
    if (each === '400') return {isRefused: true, to: undefined}
    return {isRefused: each.endsWith('!'), to: each.replace('!', '')}
  })
}
