import type {DescribedEntity} from './fields.js'

type Named = (name: string) => DescribedEntity | undefined

/**
 * The paths that could be meant by the beginning of one: fields of the entity that it leads to, and, with a dot behind,
 * what that is associated with.
 *
 * @param begun `def`, `defaultBillingAddress.`, `defaultBillingAddress.country.is`
 * @returns whole paths, fields before associations; none where the beginning leads nowhere
 */
export function fieldWords(begun: string, root: DescribedEntity, named: Named): string[] {
  const [before, entity] = reached(begun, root, named)
  if (!entity) return []
  const shown = entity.fields.filter(({hidden}) => !hidden)
  return [
    ...shown.map(({name}) => before + name),
    ...associationsOf(entity).map(({name}) => `${before}${name}.`),
  ]
}

/** The same of associations alone, without the dot. */
export function associationWords(begun: string, root: DescribedEntity, named: Named): string[] {
  const [before, entity] = reached(begun, root, named)
  return entity ? associationsOf(entity).map(({name}) => before + name) : []
}

function reached(begun: string, root: DescribedEntity, named: Named): [string, DescribedEntity | undefined] {
  const steps = begun.split('.').slice(0, -1)
  const entity = steps.reduce<DescribedEntity | undefined>((at, step) => at && beyond(at, step, named), root)
  return [steps.map(step => `${step}.`).join(''), entity]
}

function beyond(entity: DescribedEntity, step: string, named: Named): DescribedEntity | undefined {
  const association = associationsOf(entity).find(({name}) => name === step)
  return association && named(association.target)
}

function associationsOf({associations}: DescribedEntity): DescribedEntity['associations'] {
  return associations.filter(({hidden}) => !hidden)
}
