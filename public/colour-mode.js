// The remembered colour mode, else the system's, before the first paint; src/app/theme/colourMode.ts decides the same.
document.documentElement.className =
  localStorage.getItem('colourMode') ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
