export declare const sandboxTypes: () => Record<string, string>;
