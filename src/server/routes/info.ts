import type {Shop} from '../shop.js'
import type {Answer, ShopRoute} from './route.js'

/** The shop version whose interface this server speaks. @see protocol.md §1.7 */
export const SHOP_VERSION = '6.6.7.1'

const CONFIG = {
  version: SHOP_VERSION,
  versionRevision: '00000000000000000000000000000000',
  adminWorker: {
    enableAdminWorker: false,
    enableQueueStatsWorker: false,
    enableNotificationWorker: false,
    transports: [],
  },
  bundles: {},
  settings: {
    enableUrlFeature: true,
    appUrlReachable: true,
    appsRequireAppUrl: false,
    private_allowed_extensions: [],
    enableHtmlSanitizer: true,
    enableStagingMode: false,
    disableExtensionManagement: false,
  },
}

/** What the shop says about itself, and that it lives. @see protocol.md §1.7 */
export function infoRoutes(_shop: Shop): ShopRoute[] {
  const version = () => json({version: SHOP_VERSION})
  return [
    {method: 'GET', path: '/api/_info/version', handle: version},
    {method: 'GET', path: '/api/v1/_info/version', handle: version},
    {method: 'GET', path: '/api/_info/config', handle: () => json(CONFIG)},
    {method: 'GET', path: '/api/_info/health-check', auth: 'none', handle: () => ({})},
  ]
}

function json(value: unknown): Answer {
  return {contentType: 'application/json', body: JSON.stringify(value)}
}
