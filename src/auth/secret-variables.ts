/** Environment variables that hold a secret. */
export const SECRET_VARIABLES = [
  'STORECTL_TOKEN',
  'STORECTL_CLIENT_SECRET',
  'STORECTL_PASSWORD',
  'STORECTL_WEBHOOK_TOKEN',
  'STORECTL_PROVIDER_CLIENT_SECRET',
] as const
