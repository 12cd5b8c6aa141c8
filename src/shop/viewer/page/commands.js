/** The operations at the top of the page, by operation id. */
const SHOWN = [
  {id: 'token', title: 'Get an access token', text: 'It expires after ten minutes.', write: writeToken},
  {
    id: 'executeWebhook',
    title: 'Deliver a payment event',
    text: 'The webhook token in the URL is the only credential. 200: handled, or nothing to do.',
    write: writeWebhook,
  },
  {
    id: 'submitFulfillmentOrder',
    title: 'Submit a fulfillment order',
    text: 'Exactly once: the same reference with the same content creates nothing new.',
    write: writeOrder,
  },
  {
    id: 'searchCustomer',
    title: 'Search customers',
    text: 'By any field, with sorting and paging.',
    write: writeSearch,
  },
]

/** Sets the variables that the commands use. */
export const SETUP = [
  'CLIENT_ID=$(storectl server credentials --fields clientId -o tsv --no-header)',
  'CLIENT_SECRET=$(storectl server credentials --fields clientSecret -o tsv --no-header)',
  'WEBHOOK_TOKEN=$(storectl server credentials --fields webhookToken -o tsv --no-header)',
  'TOKEN=$(storectl auth token --profile local)',
].join('\n')

/**
 * Shell commands for the four operations, from the document, so that URL and body are the server's.
 *
 * @param document OpenAPI 3.1
 * @param origin scheme, host and port, without a slash at the end
 * @returns in the order of the page
 */
export function describeCommands(document, origin) {
  const operations = new Map()
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(methods))
      operations.set(operation.operationId, {method: method.toUpperCase(), path, operation})
  return SHOWN.map(({id, title, text, write}) => {
    const {method, path, operation} = operations.get(id)
    return {id, title, text, method, path, tag: operation.tags[0], command: write(origin + path, operation)}
  })
}

function writeToken(url) {
  return joinLines(`curl -s ${url}`, [
    '-d grant_type=client_credentials',
    '-d "client_id=$CLIENT_ID"',
    '-d "client_secret=$CLIENT_SECRET"',
  ])
}

function writeWebhook(url, operation) {
  const {name} = operation.parameters.find(parameter => parameter.in === 'query')
  const {id, event_type, resource_type, resource} = readExample(operation)
  const {dispute_id, status} = resource
  return joinLines(`curl -i "${url}?${name}=$WEBHOOK_TOKEN"`, [
    `-H 'Content-Type: application/json'`,
    writeBody({id, event_type, resource_type, resource: {dispute_id, status}}),
  ])
}

function writeOrder(url, operation) {
  const {reference, lines, shipTo} = readExample(operation)
  const {name, street, postalCode, city, country} = shipTo
  return joinLines(`curl -s ${url}`, [
    '-H "Authorization: Bearer $TOKEN"',
    `-H 'Content-Type: application/json'`,
    writeBody({reference, lines: lines.slice(1), shipTo: {name, street, postalCode, city, country}}),
  ])
}

function writeSearch(url, operation) {
  return joinLines(`curl -s ${url}`, [
    '-H "Authorization: Bearer $TOKEN"',
    `-H 'Content-Type: application/json'`,
    `-H 'Accept: application/json'`,
    writeBody(readExample(operation)),
  ])
}

/** The first example of the body. */
function readExample({requestBody}) {
  return Object.values(requestBody.content['application/json'].examples)[0].value
}

function writeBody(value) {
  return `-d '${JSON.stringify(value).replaceAll("'", "'\\''")}'`
}

function joinLines(first, rest) {
  return [first, ...rest.map(line => `  ${line}`)].join(' \\\n')
}
