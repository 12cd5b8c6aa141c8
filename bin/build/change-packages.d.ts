import type {PackageChange} from './package-changes.js'

/** A module and what it imports, with the build's changes of packages, as one ES module. */
export declare function bundleModule(file: string): Promise<string>

/** Fails where a package in a `node_modules` no longer has what a change is about. */
export declare function checkChanges(changes?: readonly PackageChange[], folder?: string): void
