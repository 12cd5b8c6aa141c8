export {Server} from '@modelcontextprotocol/server'
export {StdioServerTransport, serveStdio} from '@modelcontextprotocol/server/stdio'
