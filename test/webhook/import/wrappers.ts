import {HERE, writeAround} from './reading.js'

/** What a record says of the event besides. */
export interface KnownBesides {
  readonly answer?: number
  /** ISO 8601. */
  readonly at?: string
  /** Names of the provider's headers. */
  readonly headers?: readonly string[]
}

/** How a tool writes an event: from the text of its body to the text of a file. */
export interface Wrapper {
  readonly tool: string
  readonly write: (body: string) => string
  readonly besides?: KnownBesides
}

export const AT = '2026-11-25T17:50:06.000Z'
const MS = Date.parse(AT)
const PATH = '/api/_action/paypal/webhook/execute'
const HEADERS = {'content-type': 'application/json', 'paypal-transmission-id': 'b7fb38b0-1'}
const SIGNED = ['content-type', 'paypal-transmission-id']

/** A value in which `HERE` stands for the event as an object. */
const around = (value: unknown, indent?: number) => (body: string) => writeAround(value, body, indent)
/** A value in which the event is text. */
const text = (value: (body: string) => unknown) => (body: string) => JSON.stringify(value(body))
/** Text before and behind the event in one line. */
const line =
  (before: string, behind = '') =>
  (body: string) =>
    `${before}${body}${behind}`

const REFUSED = {answer: 400, at: AT}

const LOGGERS: Wrapper[] = [
  {
    tool: 'pino',
    write: around({
      ...{level: 30, time: MS, pid: 1, hostname: 'web1'},
      req: {id: 1, method: 'POST', url: PATH, headers: HEADERS, body: HERE},
      ...{res: {statusCode: 400}, responseTime: 12, msg: 'request completed'},
    }),
    besides: {...REFUSED, headers: SIGNED},
  },
  {tool: 'winston, a member', write: around({level: 'info', message: 'webhook', timestamp: AT, event: HERE})},
  {
    tool: 'winston, text',
    write: text(body => ({level: 'info', message: `webhook refused: ${body}`, timestamp: AT})),
  },
  {
    tool: 'Serilog, text',
    write: text(body => ({
      ...{'@t': '2026-11-25T17:50:06.0000000Z', '@mt': 'HTTP {RequestMethod} {RequestPath}'},
      ...{RequestMethod: 'POST', RequestPath: PATH, StatusCode: 400, Body: body, Elapsed: 12.5},
    })),
    besides: REFUSED,
  },
  {
    tool: 'Serilog, an object',
    write: around({'@t': '2026-11-25T17:50:06.0000000Z', '@m': 'got', Event: HERE}),
  },
  {
    tool: 'journald',
    write: text(body => ({
      ...{__CURSOR: 's=1;i=2', __REALTIME_TIMESTAMP: `${MS}000`, PRIORITY: '4', _HOSTNAME: 'web1'},
      MESSAGE: `webhook refused 400 ${body}`,
    })),
  },
  {
    tool: 'journald, a text with control characters',
    write: text(body => ({PRIORITY: '4', MESSAGE: [...Buffer.from(`\u001b[31mrefused\u001b[0m ${body}`)]})),
  },
  {
    tool: 'Bunyan',
    write: around({name: 'shop', pid: 1, level: 30, msg: '', time: AT, v: 0, payload: {event: HERE}}),
  },
  {
    tool: 'Graylog',
    write: text(body => ({
      ...{version: '1.1', host: 'web1', short_message: 'webhook', timestamp: MS / 1000, level: 4},
      full_message: `webhook refused\n${body}`,
    })),
  },
  {
    tool: 'Graylog, a search',
    write: text(body => ({messages: [{index: 'g_1', message: {_id: 'a', message: body, timestamp: AT}}]})),
  },
  {tool: 'Fluent Bit', write: text(body => ({date: MS / 1000, stream: 'stdout', log: `got ${body}\n`}))},
  {tool: 'Fluentd', write: around([MS / 1000, {container: 'web', event: HERE}])},
  {
    tool: 'Fluentd, a file',
    write: body => `2026-11-25T17:50:06+00:00\tshop.web\t${JSON.stringify({log: body})}`,
  },
]

const CLOUDS: Wrapper[] = [
  {
    tool: 'CloudWatch, get-log-events',
    write: text(body => ({
      events: [
        {timestamp: MS - 1, message: 'START RequestId: 1', ingestionTime: MS},
        {timestamp: MS, message: `INFO ${body}\n`, ingestionTime: MS + 9},
      ],
      ...{nextForwardToken: 'f/1', nextBackwardToken: 'b/1'},
    })),
  },
  {
    tool: 'CloudWatch, a subscription',
    write: text(body => ({
      ...{
        messageType: 'DATA_MESSAGE',
        owner: '1',
        logGroup: '/shop',
        logStream: 'a',
        subscriptionFilters: [],
      },
      logEvents: [{id: '3', timestamp: MS, message: body}],
    })),
  },
  {
    tool: 'CloudWatch Insights',
    write: text(body => ({
      status: 'Complete',
      results: [
        [
          {field: '@timestamp', value: '2026-11-25 17:50:06.000'},
          {field: '@message', value: body},
        ],
      ],
    })),
  },
  {
    tool: 'Google Cloud, jsonPayload',
    write: around(
      [
        {
          ...{insertId: '1a', logName: 'projects/p/logs/run', severity: 'WARNING', timestamp: AT},
          resource: {type: 'cloud_run_revision', labels: {service_name: 'shop'}},
          httpRequest: {requestMethod: 'POST', requestUrl: `https://shop.example${PATH}`, status: 400},
          jsonPayload: {message: 'webhook', event: HERE},
        },
      ],
      2,
    ),
    besides: REFUSED,
  },
  {
    tool: 'Google Cloud, textPayload',
    write: text(body => ({
      ...{insertId: '1a', logName: 'projects/p/logs/stdout', timestamp: AT, severity: 'INFO'},
      ...{resource: {type: 'k8s_container', labels: {}}, textPayload: `received ${body}\n`},
    })),
  },
  {
    tool: 'Datadog',
    write: around({
      data: [
        {
          ...{id: 'AQAAAY', type: 'log'},
          attributes: {
            ...{timestamp: AT, status: 'warn', service: 'shop', message: 'webhook', tags: ['env:prod']},
            attributes: {http: {method: 'POST', status_code: 400, url: PATH}, body: HERE},
          },
        },
      ],
      meta: {status: 'done', elapsed: 9},
    }),
    besides: REFUSED,
  },
  {
    tool: 'Loki',
    write: text(body => ({
      status: 'success',
      data: {
        ...{resultType: 'streams', stats: {}},
        result: [{stream: {app: 'shop'}, values: [[`${MS}000000`, `level=info got=${body}`]]}],
      },
    })),
  },
  {
    tool: 'Loki, its command line',
    write: text(body => ({labels: {app: 'shop'}, line: body, timestamp: AT})),
  },
  {
    tool: 'Splunk, an export',
    write: text(body => ({
      ...{preview: false, offset: 0, lastrow: true},
      result: {_raw: `INFO ${body}`, _time: '2026-11-25T17:50:06.000+00:00', host: 'web1'},
    })),
  },
  {
    tool: 'Splunk, a collector',
    write: around({time: MS / 1000, host: 'web1', sourcetype: '_json', event: HERE}),
  },
  {
    tool: 'Azure Application Insights, rows',
    write: text(body => ({
      tables: [
        {
          name: 'PrimaryResult',
          columns: [
            {name: 'timestamp', type: 'datetime'},
            {name: 'customDimensions', type: 'dynamic'},
          ],
          rows: [[AT, JSON.stringify({RequestBody: body})]],
        },
      ],
    })),
  },
  {
    tool: 'Azure Application Insights, a record',
    write: text(body => ({
      ...{timestamp: AT, name: `POST ${PATH}`, resultCode: '400', success: 'False'},
      customDimensions: {RequestBody: body},
    })),
  },
  {
    tool: 'Elasticsearch, hits',
    write: text(body => ({
      ...{took: 3, timed_out: false, _shards: {total: 1, failed: 0}},
      hits: {
        ...{total: {value: 1, relation: 'eq'}, max_score: 1},
        hits: [{_index: 'logs', _id: 'a1', _score: 1, _source: {'@timestamp': AT, message: body}}],
      },
    })),
  },
  {
    tool: 'Elasticsearch, hits with fields of its schema',
    write: around({
      hits: {
        hits: [
          {
            _source: {
              ...{'@timestamp': AT, http: {request: {method: 'POST'}, response: {status_code: 400}}},
              ...{url: {path: PATH}, webhook: HERE},
            },
          },
        ],
      },
    }),
    besides: REFUSED,
  },
  {
    tool: 'Elasticsearch, bulk',
    write: body =>
      `{"index":{"_index":"logs","_id":"1"}}\n${writeAround({'@timestamp': AT, webhook: HERE}, body)}\n`,
  },
  {
    tool: 'New Relic',
    write: text(body => ({
      data: {actor: {account: {nrql: {results: [{message: body, timestamp: MS}]}}}},
    })),
  },
  {
    tool: 'Cloudflare Workers',
    write: text(body => ({
      ...{outcome: 'ok', scriptName: 'hook', exceptions: [], eventTimestamp: MS},
      logs: [{message: ['received', body], level: 'log', timestamp: MS}],
      event: {request: {url: `https://shop.example${PATH}`, method: 'POST'}},
    })),
  },
  {
    tool: 'Vercel',
    write: text(body => ({
      ...{id: '1795', timestamp: MS, source: 'lambda', deploymentId: 'dpl_1', projectId: 'prj_1'},
      ...{level: 'info', host: 'shop.example', path: PATH, message: `received ${body}\n`},
    })),
  },
  {
    tool: 'Fly',
    write: text(body => ({
      ...{event: {provider: 'app'}, fly: {app: {instance: '148e', name: 'shop'}, region: 'fra'}},
      ...{host: 'a1', log: {level: 'info'}, message: body, timestamp: AT},
    })),
  },
]

const QUEUES: Wrapper[] = [
  {
    tool: 'SQS',
    write: text(body => ({
      Messages: [
        {
          ...{MessageId: 'm', ReceiptHandle: 'r', MD5OfBody: 'd', Body: body},
          Attributes: {SentTimestamp: String(MS)},
        },
      ],
    })),
  },
  {
    tool: 'SQS to Lambda',
    write: text(body => ({
      Records: [{messageId: 'm', receiptHandle: 'r', body, attributes: {}, eventSource: 'aws:sqs'}],
    })),
  },
  {
    tool: 'SNS',
    write: text(body => ({
      Records: [
        {
          ...{EventVersion: '1.0', EventSource: 'aws:sns'},
          Sns: {Type: 'Notification', MessageId: 'm', Subject: null, Message: body, Timestamp: AT},
        },
      ],
    })),
  },
  {
    tool: 'SNS inside SQS',
    write: text(body => ({
      Messages: [
        {MessageId: 'm', Body: JSON.stringify({Type: 'Notification', Message: body, Timestamp: AT})},
      ],
    })),
  },
  {
    tool: 'EventBridge',
    write: around({
      ...{version: '0', id: '6a7e8feb-b491-4cf7-a9f1-bf3703467718', 'detail-type': 'webhook', source: 'shop'},
      ...{account: '1', time: AT, region: 'eu-central-1', resources: [], detail: HERE},
    }),
  },
  {tool: 'Kafka, a console', write: line(`CreateTime:${MS}\tkey-1\t`)},
  {
    tool: 'Kafka, kcat',
    write: text(body => ({
      ...{topic: 'hooks', partition: 0, offset: 11, tstype: 'create', ts: MS, broker: 1, key: null},
      payload: body,
    })),
  },
  {
    tool: 'Kafka, REST',
    write: around([{topic: 'hooks', key: null, value: HERE, partition: 0, offset: 11}]),
  },
  {
    tool: 'RabbitMQ',
    write: text(body => [
      {payload_bytes: body.length, redelivered: false, payload: body, payload_encoding: 'string'},
    ]),
  },
  {
    tool: 'Redis, monitor',
    write: body => `1795629006.123456 [0 127.0.0.1:5] "LPUSH" "hooks" ${JSON.stringify(body)}`,
  },
  {tool: 'DynamoDB', write: text(body => ({Item: {pk: {S: 'a'}, body: {S: body}}}))},
  {tool: 'MongoDB', write: around({_id: {$oid: '65f'}, event: HERE, createdAt: {$date: AT}})},
]

const RECEIVERS: Wrapper[] = [
  {
    tool: 'Hookdeck',
    write: around({
      models: [
        {
          ...{id: 'evt_1', status: 'FAILED', response_status: 400, created_at: AT},
          data: {path: PATH, headers: HEADERS, body: HERE},
        },
      ],
      count: 1,
    }),
    besides: {...REFUSED, headers: SIGNED},
  },
  {
    tool: 'Pipedream',
    write: around({
      steps: {trigger: {event: {method: 'POST', path: PATH, query: {}, headers: HEADERS, body: HERE}}},
    }),
    besides: {headers: SIGNED},
  },
  {tool: 'n8n', write: around([{json: {headers: HEADERS, params: {}, query: {}, body: HERE}}])},
  {tool: 'smee', write: around({...HEADERS, body: HERE, timestamp: MS})},
  {
    tool: 'Lambda, base64',
    write: text(body => ({
      ...{version: '2.0', rawPath: PATH, headers: HEADERS, requestContext: {http: {method: 'POST'}}},
      ...{body: Buffer.from(body).toString('base64'), isBase64Encoded: true},
    })),
    besides: {headers: SIGNED},
  },
  {
    tool: 'base64 in lines, as Python writes it',
    write: text(body => ({
      body: Buffer.from(body)
        .toString('base64')
        .replace(/.{76}|.+$/g, '$&\n'),
    })),
  },
  {
    tool: 'Lambda, text',
    write: text(body => ({
      ...{resource: '/{proxy+}', path: PATH, httpMethod: 'POST', headers: HEADERS},
      ...{requestContext: {requestTimeEpoch: MS}, body, isBase64Encoded: false},
    })),
    besides: {headers: SIGNED},
  },
  {
    tool: 'Lambda in a log',
    write: text(body => ({
      ...{timestamp: AT, level: 'INFO'},
      message: {body: Buffer.from(body).toString('base64'), isBase64Encoded: true},
    })),
  },
  {tool: 'a list under data', write: around({data: [HERE], has_more: false})},
  {tool: 'an event under event', write: around({event: HERE})},
  {tool: 'an event under event, as text', write: text(event => ({event}))},
  {
    tool: 'Sentry, an object',
    write: around({
      ...{event_id: 'fc6d8c0c43fc4630ad850ee518f1b9d0', timestamp: AT, platform: 'php', level: 'error'},
      request: {url: PATH, method: 'POST', headers: Object.entries(HEADERS), data: HERE},
    }),
  },
  {
    tool: 'Sentry, text',
    write: text(body => ({event_id: 'fc6d8c', request: {url: PATH, method: 'POST', data: body}})),
  },
  {
    tool: 'Bugsnag',
    write: around([
      {
        id: '5f',
        severity: 'error',
        request: {httpMethod: 'POST', url: PATH},
        metaData: {request: {body: HERE}},
      },
    ]),
  },
  {
    tool: 'Rollbar',
    write: text(body => ({
      err: 0,
      result: {instances: [{id: 1, data: {request: {url: PATH, method: 'POST', body}, server: {}}}]},
    })),
  },
  {
    tool: 'nginx, its own names',
    write: text(body => ({
      ...{time_iso8601: '2026-11-25T17:50:06+00:00', request: `POST ${PATH} HTTP/1.1`, status: '400'},
      ...{http_paypal_transmission_id: 'b7fb38b0-1', request_body: body},
    })),
    besides: {...REFUSED, headers: ['paypal-transmission-id']},
  },
  {
    tool: 'Traefik',
    write: text(body => ({
      ...{ClientHost: '192.0.2.1', RequestMethod: 'POST', RequestPath: PATH, DownstreamStatus: 400},
      ...{StartUTC: '2026-11-25T17:50:06Z', 'request_Content-Type': 'application/json', request_body: body},
    })),
    besides: REFUSED,
  },
  {
    tool: 'Caddy',
    write: text(body => ({
      ...{level: 'info', ts: MS / 1000, logger: 'http.log.access', msg: 'handled request'},
      request: {remote_ip: '192.0.2.1', proto: 'HTTP/2.0', method: 'POST', host: 'shop.example', uri: PATH},
      ...{status: 400, duration: 0.02, size: 181, body},
    })),
    besides: REFUSED,
  },
]

const STRUCTURED = '<165>1 2026-11-25T17:50:06.003Z web1 shop 42 ID47 [origin@32473 ip="192.0.2.1" x="a\\"]"]'

/** A text in parts, as Kubernetes stores a line that is too long for one. */
const inParts = (body: string, between = '') => {
  const at = Math.floor(body.length / 3)
  const parts = [body.slice(0, at), body.slice(at, 2 * at), body.slice(2 * at)]
  return parts
    .map((part, n) => `2026-11-25T17:50:06.00000000${n}Z stdout ${n < 2 ? 'P' : 'F'} ${part}\n`)
    .join(between)
}

const LINES: Wrapper[] = [
  {
    tool: 'docker, json-file',
    write: text(body => ({log: `got ${body}\n`, stream: 'stdout', time: '2026-11-25T17:50:06.000000000Z'})),
  },
  {tool: 'containerd', write: line('2026-11-25T17:50:06.000000001Z stdout F ')},
  {tool: 'containerd, in parts', write: body => inParts(body)},
  {
    tool: 'containerd, in parts, with errors between',
    write: body => inParts(body, '2026-11-25T17:50:06.000000009Z stderr F warning: slow\n'),
  },
  {
    tool: 'containerd, a text with quotes in parts',
    write: body => inParts(JSON.stringify({level: 30, msg: body})),
  },
  {tool: 'kubectl with prefixes', write: line('[pod/shop-7d/php] ')},
  {tool: 'docker compose', write: line('web-1  | ')},
  {tool: 'Heroku', write: line('2026-11-25T17:50:06.000000+00:00 app[web.1]: received ')},
  {
    tool: 'Heroku, logplex',
    write: line('<190>1 2026-11-25T17:50:06.000000+00:00 host app web.1 - received '),
  },
  {tool: 'Fly, lines', write: line('2026-11-25T17:50:06Z app[148e] fra [info] received ')},
  {tool: 'syslog, RFC 5424', write: line(`${STRUCTURED} `, ' in 12 ms')},
  {tool: 'syslog, RFC 3164', write: line('<34>Nov 25 17:50:06 web1 shop[42]: got ')},
  {tool: 'logfmt', write: body => `ts=${AT} level=info body=${JSON.stringify(body)} status=400`},
  {tool: 'GitHub Actions', write: line('2026-11-25T17:50:06.0000000Z ')},
  {tool: 'Python', write: line('INFO:shop:webhook ')},
]

/** Tools that operators bring files of, in the shapes that these tools write. */
export const WRAPPERS: readonly Wrapper[] = [...LOGGERS, ...CLOUDS, ...QUEUES, ...RECEIVERS, ...LINES]
