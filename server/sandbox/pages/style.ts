import { Html } from '#server/http/html.ts';

/** The style sheet of the sandbox's pages: like the console's, in the visitor's light or dark colour scheme. */
export const style = new Html(`
  :root {
    color-scheme: light dark;
    --bg: #ffffff; --canvas: #f6f8fa; --sunk: #eef2f5; --fg: #14181c; --muted: #56616c; --line: #dfe5ea; --control: #7f8a95;
    --accent: #0a5a7d; --accent-fg: #ffffff; --accent-bg: #e6f2f8; --done: #176b34; --fail: #a8211a;
  }
  @media (prefers-color-scheme: dark) {
    :root {
      --bg: #101418; --canvas: #0b0e11; --sunk: #171c21; --fg: #e6eaee; --muted: #9fabb6; --line: #262e36; --control: #6f7b87;
      --accent: #6cc4e8; --accent-fg: #08222e; --accent-bg: #12303d; --done: #5fcf83; --fail: #ff968c;
    }
  }
  * { box-sizing: border-box; }
  body { margin: 0; background: var(--canvas); color: var(--fg); overflow-wrap: anywhere;
    font: 14px/20px Inter, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
  header { display: flex; align-items: center; gap: 10px; height: 48px; padding: 0 24px; background: var(--bg);
    border-bottom: 1px solid var(--line); font-weight: 600; }
  header i { width: 20px; height: 20px; border-radius: 6px; background: linear-gradient(135deg, #0a5a7d, #38a3c9); }
  main { max-width: 35rem; margin: 24px auto; padding: 24px 32px 32px; background: var(--bg);
    border: 1px solid var(--line); border-radius: 12px; }
  main.wide { max-width: 60rem; }
  @media (max-width: 640px) { main { margin: 0; padding: 20px; border: 0; border-radius: 0; } }
  h1 { margin: 0 0 8px; font: 600 28px/36px inherit; font-size: 28px; line-height: 36px; letter-spacing: -0.02em; }
  h2 { margin: 32px 0 8px; font-size: 16px; line-height: 24px; }
  p { margin: 0 0 16px; color: var(--muted); max-width: 60ch; } p[role=status] { color: var(--fg); }
  a { color: var(--accent); }
  label { display: block; margin: 0 0 16px; font-weight: 500; font-size: 13px; }
  input:not([type=hidden]), textarea { display: block; width: 100%; margin-top: 4px; padding: 7px 12px; color: var(--fg);
    background: var(--bg); border: 1px solid var(--control); border-radius: 8px; font: 14px/20px inherit; font-family: inherit; }
  button, .button { display: inline-flex; align-items: center; min-height: 36px; padding: 0 16px; border-radius: 8px;
    border: 1px solid var(--control); background: var(--bg); color: var(--fg); font: inherit; font-weight: 500;
    text-decoration: none; cursor: pointer; }
  button.primary { background: var(--accent); border-color: var(--accent); color: var(--accent-fg); }
  button.small { min-height: 28px; padding: 0 10px; font-size: 13px; border-radius: 6px; }
  :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
  .row { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; }
  fieldset { margin: 24px 0 0; padding: 16px 0 0; border: 0; border-top: 1px solid var(--line); }
  legend { float: left; width: 100%; margin-bottom: 4px; padding: 0; font-weight: 600; } legend + * { clear: both; }
  dl { display: grid; grid-template-columns: minmax(8rem, max-content) minmax(0, 1fr); gap: 8px 20px; margin: 0 0 20px;
    align-items: center; }
  @media (max-width: 640px) { dl { grid-template-columns: minmax(0, 1fr); gap: 2px; } dd { margin-bottom: 8px; } }
  dt { color: var(--muted); font-size: 13px; } dd { margin: 0; display: flex; gap: 8px; align-items: center; }
  code, td.mono { font: 13px/20px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
  dd code { flex: 1; min-width: 0; }
  table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
  th { text-align: left; color: var(--muted); font-weight: 500; font-size: 12px; }
  th, td { padding: 6px 12px 6px 0; border-bottom: 1px solid var(--line); font-size: 13px; }
  .end { text-align: right; } .failed { color: var(--fail); } .done { color: var(--done); }
`);
