declare module 'undici/lib/dispatcher/agent.js' {
  import {Agent} from 'undici'
  export default Agent
}
declare module 'undici/lib/dispatcher/proxy-agent.js' {
  import {ProxyAgent} from 'undici'
  export default ProxyAgent
}
declare module 'undici/lib/api/api-request.js' {
  import type {Dispatcher} from 'undici'
  /** The dispatcher is `this`; undici's own entry file adds the function to every dispatcher's prototype. */
  export default function request(
    this: Dispatcher,
    options: Dispatcher.RequestOptions,
  ): Promise<Dispatcher.ResponseData>
}
declare module 'undici/lib/core/util.js' {
  import type {IncomingHttpHeaders} from 'node:http'
  export function parseHeaders(raw: Buffer[]): IncomingHttpHeaders
}
declare module 'undici/lib/api/api-connect.js' {
  export default function connect(...given: unknown[]): unknown
}
declare module 'undici/lib/dispatcher/dispatcher.js' {
  import {Dispatcher} from 'undici'
  export default Dispatcher
}
declare module 'undici/lib/dispatcher/pool.js' {
  import {Pool} from 'undici'
  export default Pool
}
declare module 'undici/lib/core/connect.js' {
  import type {buildConnector} from 'undici'
  export default function build(options?: buildConnector.BuildOptions): buildConnector.connector
}
