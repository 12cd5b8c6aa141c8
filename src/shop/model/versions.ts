/** The shop version whose interface this server speaks. @see protocol.md §1.7 */
export const SHOP_VERSION = '6.6.7.1'

/** The version of the payment provider's plugin whose interface this server speaks. @see protocol.md §0 */
export const PLUGIN_VERSION = '9.6.2'
