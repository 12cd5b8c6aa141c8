import {usageError} from '../../errors.js'
import {didYouMean} from '../../language/nearest-word.js'
import type {Row, View} from '../../output/view.js'
import {type DescribedEntity, typeOf} from './fields.js'

/** How fields are listed. */
export const FIELDS: View = {
  noun: ['field', 'fields'],
  columns: [{path: 'field'}, {path: 'type'}, {path: 'searched', kind: 'number'}, {path: 'leadsTo'}],
  id: 'field',
}

/**
 * What an entity has, fields before associations: `{field, type, searched, leadsTo}`, where `searched` is what a hit
 * counts for `--ranked` and `leadsTo` the entity of an association; `null` where there is neither.
 *
 * @param path associations with dots between, from the root; empty for the root's own
 * @throws StorectlError `usage.no_association`
 */
export function fieldRows(
  root: DescribedEntity,
  named: (name: string) => DescribedEntity | undefined,
  path = '',
): Row[] {
  const steps = path === '' ? [] : path.split('.')
  const entity = steps.reduce((at, step) => beyond(at, step, named), root)
  const before = path === '' ? '' : `${path}.`
  const fields = entity.fields.flatMap(field => {
    const type = typeOf(field)
    if (!type) return []
    return [{field: before + field.name, type, searched: field.ranking?.points ?? null, leadsTo: null}]
  })
  const associations = entity.associations
    .filter(({hidden}) => !hidden)
    .map(({name, target}) => ({field: before + name, type: 'association', searched: null, leadsTo: target}))
  return [...fields, ...associations]
}

function beyond(
  entity: DescribedEntity,
  step: string,
  named: (name: string) => DescribedEntity | undefined,
): DescribedEntity {
  const shown = entity.associations.filter(({hidden}) => !hidden)
  const target = shown.find(({name}) => name === step)?.target
  const found = target === undefined ? undefined : named(target)
  if (found) return found
  const what = entity.name.replaceAll('_', ' ')
  if (target !== undefined)
    throw usageError('no_association', `Nothing is known of what ${step} of a ${what} leads to.`)
  const guess = didYouMean(
    step,
    shown.map(({name}) => name),
  )
  throw usageError('no_association', `A ${what} has no association ${step}.${guess}`, [
    'storectl customer fields',
  ])
}
