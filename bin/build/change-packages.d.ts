/** A module and what it imports, with the build's changes of packages, as one ES module. */
export declare function bundleModule(file: string): Promise<string>
