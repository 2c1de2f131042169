export { ChartTab } from './ChartTab.tsx';
export { ChartPage } from './ChartPage.tsx';
export { MapPage } from './MapPage.tsx';
