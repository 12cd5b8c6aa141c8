import type {FastifyInstance, FastifyReply, FastifyRequest} from 'fastify'
import type {ServedFolder} from '../../platform/files/files.js'
import type {ShopRoute} from '../http/route.js'
import {describeTarget} from '../http/shop-request.js'
import type {ShopRuntime} from '../runtime/runtime.js'
import {createHttpError, ShopError} from '../runtime/shop-error.js'

export interface ViewerDeps {
  readonly runtime: ShopRuntime
  /** What the page is to show. */
  readonly routes: readonly ShopRoute[]
  /** What the page is made of. */
  readonly files: ServedFolder
  /** Whether the server may be addressed by names that are not this machine's own. */
  readonly underAnyName: boolean
}

/** What the page shows. */
const DOCUMENT = 'openapi3.json'

const READ = ['GET', 'HEAD']
const OTHER = ['POST', 'PUT', 'PATCH', 'DELETE']

/**
 * A page to read and try the interface in a browser: `/`, and `/viewer/…` for what it loads. It stands beside the shop's
 * own routes: faults never strike it, and no other site's scripts may read it. Nothing is loaded before it is asked for.
 */
export function addViewer(app: FastifyInstance, deps: ViewerDeps): void {
  addPage(app, deps, '/', async (request, reply) =>
    (await import('./viewer-responses.js')).answerFile(deps.files, 'index.html', request, reply),
  )
  addPage(app, deps, '/viewer/:name', async (request, reply) => {
    const {answerDocument, answerFile} = await import('./viewer-responses.js')
    const {name} = request.params as {name: string}
    return name === DOCUMENT
      ? answerDocument(deps, request, reply)
      : answerFile(deps.files, name, request, reply)
  })
}

function addPage(
  app: FastifyInstance,
  {underAnyName}: ViewerDeps,
  url: string,
  answer: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>,
): void {
  app.route({
    method: READ,
    url,
    handler: (request, reply) => {
      if (!underAnyName && !isLocalHostName(request.headers.host)) throw createMisdirectedError()
      return answer(request, reply)
    },
  })
  app.route({
    method: OTHER,
    url,
    handler: request => {
      throw createNotAllowedError(request)
    },
  })
}

/** @see RFC 9110 §15.5.20 */
function createMisdirectedError(): ShopError {
  return createHttpError(
    421,
    'This page is for 127.0.0.1 and localhost; "--allow-remote" opens it to other names.',
  )
}

/** No page of a real shop, so `Allow` is said as well. @see RFC 9110 §15.5.6 */
function createNotAllowedError(request: FastifyRequest): ShopError {
  const allow = READ.join(', ')
  const {status, entries} = createHttpError(
    405,
    `No route found for "${describeTarget(request)}": Method Not Allowed (Allow: ${allow})`,
  )
  return new ShopError(status, entries, {allow})
}

/** What a browser on this machine calls it, with or without a port. */
const THIS_MACHINE = /^(localhost|[a-z0-9-]+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])\.?(:\d+)?$/i

/**
 * Whether a `Host` header names this machine. Under any other name the page would belong to somebody else's site, whose
 * name leads here for the moment, and who could read what is typed into it.
 *
 * @param host as it was sent; browsers always send one
 */
function isLocalHostName(host: string | undefined): boolean {
  return host === undefined || THIS_MACHINE.test(host)
}
