export declare const sandboxTypes: () => Promise<Record<string, string>>;
