import type {HttpClient} from '../../http/http.js'
import type {SignatureHeaders} from './signature.js'

const PATH = '/v1/notifications/verify-webhook-signature'

/**
 * Asks the provider whether it signed a body for a webhook id. The body is sent byte for byte.
 *
 * @returns `undefined` if it gives no answer
 * @throws StorectlError as `HttpClient` does
 * @see protocol.md §4.7
 */
export async function askProvider(
  provider: HttpClient,
  {transmissionId, transmissionTime, signature, certificateUrl, algorithm}: SignatureHeaders,
  body: Uint8Array,
  webhookId: string,
): Promise<boolean | undefined> {
  const head = JSON.stringify({
    auth_algo: algorithm,
    cert_url: certificateUrl,
    transmission_id: transmissionId,
    transmission_sig: signature,
    transmission_time: transmissionTime,
    webhook_id: webhookId,
  })
  const request = Buffer.concat([
    Buffer.from(`${head.slice(0, -1)},"webhook_event":`),
    body,
    Buffer.from('}'),
  ])
  const headers = {accept: 'application/json', 'content-type': 'application/json'}
  const answer = await provider.call({method: 'POST', path: PATH, headers, body: request})
  return answer.status === 200 ? readStatus(answer.body) : undefined
}

function readStatus(body: Buffer): boolean | undefined {
  try {
    const {verification_status: status} = JSON.parse(body.toString('utf8')) as {verification_status?: unknown}
    return status === 'SUCCESS' ? true : status === 'FAILURE' ? false : undefined
  } catch {
    return undefined
  }
}
