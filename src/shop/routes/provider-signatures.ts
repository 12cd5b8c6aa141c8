import type {RouteMethod, RouteResponse, ShopRequest, ShopRoute} from '../http/route.js'
import {listWebhooks} from '../provider/resend.js'
import {createJsonAnswer, createProviderErrorAnswer} from '../provider/sign-in.js'
import type {ProviderIdentity} from '../provider/signing/identity.js'
import {isSigned} from '../provider/signing/sign.js'
import type {ShopConnection} from '../store/schema/schema.js'

/** A handler of a provider's route. */
export type ProviderWork = (request: ShopRequest) => Promise<RouteResponse> | RouteResponse

interface SignatureDeps {
  readonly reads: ShopConnection
  readonly findIdentity: () => Promise<ProviderIdentity>
}

type BuildRoute = (method: RouteMethod, path: string, work: ProviderWork) => ShopRoute

/**
 * The provider's API for signatures: the certificate, which is public, the verification of a signature, and the
 * registered webhooks.
 *
 * @see protocol.md §4.7
 */
export function createSignatureRoutes(
  {reads, findIdentity}: SignatureDeps,
  route: BuildRoute,
  requireToken: (work: ProviderWork) => ProviderWork,
): ShopRoute[] {
  return [
    route('GET', '/v1/notifications/certs/:id', async ({params}) => {
      const {certificateId, certificate} = await findIdentity()
      if (params.id === certificateId) return {contentType: 'application/x-pem-file', body: certificate}
      return createProviderErrorAnswer(404, 'RESOURCE_NOT_FOUND', 'The specified resource does not exist.')
    }),
    route(
      'POST',
      '/v1/notifications/verify-webhook-signature',
      requireToken(async ({body}) => {
        const isVerified = isSigned(body, await findIdentity())
        if (isVerified !== undefined)
          return createJsonAnswer({verification_status: isVerified ? 'SUCCESS' : 'FAILURE'})
        const message = 'Request is not well-formed, syntactically incorrect, or violates schema.'
        return createProviderErrorAnswer(400, 'VALIDATION_ERROR', message)
      }),
    ),
    route(
      'GET',
      '/v1/notifications/webhooks',
      requireToken(async () => {
        const webhooks = await listWebhooks(reads)
        const all = webhooks.map(each => ({...each, event_types: [{name: '*'}], links: []}))
        return createJsonAnswer({webhooks: all})
      }),
    ),
  ]
}
