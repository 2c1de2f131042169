// The remembered colour mode, else the system's, before the first paint; src/app/theme/colourMode.ts decides the same.
function remembered() {
  try {
    return localStorage.getItem('colourMode');
  } catch {
    return null; // the browser stores nothing for this site
  }
}
document.documentElement.className =
  ['light', 'dark'].find((mode) => mode === remembered()) ??
  (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
