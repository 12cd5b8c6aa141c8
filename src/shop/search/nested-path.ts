import type {Association, Entity, EntityModel} from '../../shopware/entity.js'
import {createShopError, type ShopError} from '../runtime/shop-error.js'
import {convertToHyphens} from './response/json-api.js'

/** The target of a path such as `customer/{id}/addresses`. */
export interface NestedTarget {
  /** The entity found there. */
  entity: Entity
  /** The entity that owns it: the last one in the path. */
  owner: {entity: string; association: Association; id: string}
  /** The entities on the path, from the first to the target. */
  passed: readonly string[]
}

/** A path that ends with an id, after the path or entity to search. */
const ONE = /^(.+)\/([0-9a-f]{32})$/

/** Splits a path into the path before and the id at its end. @returns `undefined` where it does not end with an id */
export function splitPathOfOne(path: string): {way: string; id: string} | undefined {
  const [, way, id] = ONE.exec(path) ?? []
  return way === undefined || id === undefined ? undefined : {way, id}
}

const PATH = /^([a-z-]+)((?:\/[0-9a-f]{32}\/(?:extensions\/)?[A-Za-z-]+)+)\/?$/
const STEP = /\/([0-9a-f]{32})\/(?:extensions\/)?([A-Za-z-]+)/g

/** Whether a path has the form of associations from a known entity. */
export function isNestedPath(path: string, model: EntityModel): boolean {
  const [, first] = PATH.exec(path) ?? []
  return first !== undefined && findEntity(first, model) !== undefined
}

/**
 * Resolves a path over associations; `extensions/` before one is ignored.
 *
 * @param path `customer/{id}/addresses`, without its prefix; `isNestedPath` must be true for it
 * @throws ShopError 404 for an unknown association
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
