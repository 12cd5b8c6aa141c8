import type {Association, Entity, EntityModel} from '../../shopware/entity.js'
import {createShopError, type ShopError} from '../runtime/shop-error.js'
import {convertToHyphens} from './response/json-api.js'

/** Where a path such as `customer/{id}/addresses` leads. */
export interface NestedTarget {
  /** What is found there. */
  entity: Entity
  /** The thing that it hangs on: of several in the path the last one. */
  owner: {entity: string; association: Association; id: string}
  /** The entities on the way, the first one's name in front, the found one's at the end. */
  passed: readonly string[]
}

/** A path that ends with an id, behind the way or the kind that it is looked for by. */
const ONE = /^(.+)\/([0-9a-f]{32})$/

/** A path in two: the way, and the id of one thing behind it. @returns `undefined` where it does not end with an id */
export function splitPathOfOne(path: string): {way: string; id: string} | undefined {
  const [, way, id] = ONE.exec(path) ?? []
  return way === undefined || id === undefined ? undefined : {way, id}
}

const PATH = /^([a-z-]+)((?:\/[0-9a-f]{32}\/(?:extensions\/)?[A-Za-z-]+)+)\/?$/
const STEP = /\/([0-9a-f]{32})\/(?:extensions\/)?([A-Za-z-]+)/g

/** Whether a path has the form of a way over associations, from an entity that there is. */
export function isNestedPath(path: string, model: EntityModel): boolean {
  const [, first] = PATH.exec(path) ?? []
  return first !== undefined && findEntity(first, model) !== undefined
}

/**
 * Follows a path over associations; `extensions/` in front of one makes no difference.
 *
 * @param path `customer/{id}/addresses`, without what stands before it; `isNestedPath` must hold
 * @throws ShopError 404 for what is no association
 * @see protocol.md §6.1
 */
export function resolveNestedPath(path: string, model: EntityModel): NestedTarget {
  const [, first = '', rest = ''] = PATH.exec(path) ?? []
  let entity = findEntity(first, model) as Entity
  let owner: NestedTarget['owner'] | undefined
  const passed = [entity.name]
  const names = [entity.name]
  for (const [, id = '', name = ''] of rest.matchAll(STEP)) {
    const wanted = convertToCamelCase(name)
    names.push(wanted)
    const association = entity.associations.find(one => one.name === wanted && !one.hidden)
    if (!association) throw createNoRelationError(names.join('.'))
    owner = {entity: entity.name, association, id}
    entity = model.get(association.target)
    passed.push(entity.name)
  }
  return {entity, owner: owner as NestedTarget['owner'], passed}
}

function createNoRelationError(path: string): ShopError {
  const detail = `Resource at path "${path}" is not an existing relation.`
  return createShopError(404, 'FRAMEWORK__NOT_EXISTING_RELATION_EXCEPTION', detail, {parameters: {path}})
}

function findEntity(name: string, model: EntityModel): Entity | undefined {
  return model.entities.find(one => convertToHyphens(one.name) === name)
}

/** `default-billing-address` → `defaultBillingAddress` */
function convertToCamelCase(name: string): string {
  return name.replace(/-([a-zA-Z])/g, (_, letter: string) => letter.toUpperCase())
}
