import {createUsageError} from '../../errors.js'
import {suggestNearest} from '../../language/nearest-word.js'
import type {Row, View} from '../../output/view.js'
import {type DescribedEntity, getFieldType} from './fields.js'

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
export function listFieldRows(
  root: DescribedEntity,
  named: (name: string) => DescribedEntity | undefined,
  path = '',
): Row[] {
  const steps = path === '' ? [] : path.split('.')
  const entity = steps.reduce((at, step) => describeTarget(at, step, named), root)
  const before = path === '' ? '' : `${path}.`
  const fields = entity.fields.flatMap(field => {
    const type = getFieldType(field)
    if (!type) return []
    return [{field: before + field.name, type, searched: field.ranking?.points ?? null, leadsTo: null}]
  })
  const associations = entity.associations
    .filter(({hidden}) => !hidden)
    .map(({name, target}) => ({field: before + name, type: 'association', searched: null, leadsTo: target}))
  return [...fields, ...associations]
}

function describeTarget(
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
    throw createUsageError('no_association', `The target of ${step} in a ${what} is unknown.`)
  const guess = suggestNearest(
    step,
    shown.map(({name}) => name),
  )
  throw createUsageError('no_association', `A ${what} has no association ${step}.${guess}`, [
    'storectl customer fields',
  ])
}

type Named = (name: string) => DescribedEntity | undefined

/**
 * The paths that could be meant by the beginning of one: fields of the entity that it leads to, and, with a dot behind,
 * what that is associated with.
 *
 * @param begun `def`, `defaultBillingAddress.`, `defaultBillingAddress.country.is`
 * @returns whole paths, fields before associations; none where the beginning leads nowhere
 */
export function completeFieldPath(begun: string, root: DescribedEntity, named: Named): string[] {
  const [before, entity] = followPath(begun, root, named)
  if (!entity) return []
  const shown = entity.fields.filter(({hidden}) => !hidden)
  return [
    ...shown.map(({name}) => before + name),
    ...listAssociations(entity).map(({name}) => `${before}${name}.`),
  ]
}

/** The same of associations alone, without the dot. */
export function completeAssociationPath(begun: string, root: DescribedEntity, named: Named): string[] {
  const [before, entity] = followPath(begun, root, named)
  return entity ? listAssociations(entity).map(({name}) => before + name) : []
}

function followPath(
  begun: string,
  root: DescribedEntity,
  named: Named,
): [string, DescribedEntity | undefined] {
  const steps = begun.split('.').slice(0, -1)
  const entity = steps.reduce<DescribedEntity | undefined>(
    (at, step) => at && findTargetEntity(at, step, named),
    root,
  )
  return [steps.map(step => `${step}.`).join(''), entity]
}

function findTargetEntity(entity: DescribedEntity, step: string, named: Named): DescribedEntity | undefined {
  const association = listAssociations(entity).find(({name}) => name === step)
  return association && named(association.target)
}

function listAssociations({associations}: DescribedEntity): DescribedEntity['associations'] {
  return associations.filter(({hidden}) => !hidden)
}
