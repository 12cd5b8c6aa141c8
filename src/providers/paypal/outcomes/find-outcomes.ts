import type {ShopVersions, VersionPair} from '../../../versions/version-range.js'
import {isInRange} from '../../../versions/versions.js'
import type {Cell, Outcome} from '../../effects.js'
import {type EventKind, OUTCOMES, STATES} from './outcome-table.js'

/**
 * The cells that may hold for a shop: one where its versions are covered, else those of every measured version, so that
 * the caller sees whether they agree.
 *
 * @returns different cells only, at least one; empty for a state that no shop has by itself
 */
export function findCells(kind: EventKind, state: string, versions: ShopVersions): readonly Cell[] {
  const index = (STATES as readonly string[]).indexOf(state)
  if (index < 0) return []
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

/** What is not known may be anything. */
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
