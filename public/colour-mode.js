// On paper light, else the remembered colour mode or the system's, before the first paint; src/app/theme/colourMode.ts decides the same.
function remembered() {
  try {
    return localStorage.getItem('colourMode');
  } catch {
    return null; // the browser stores nothing for this site
  }
}
const paper = matchMedia('print');
function draw() {
  document.documentElement.className = paper.matches
    ? 'light'
    : (['light', 'dark'].find((mode) => mode === remembered()) ??
      (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'));
}
draw();
paper.addEventListener('change', draw);
