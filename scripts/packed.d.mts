export declare const installed: string[];
