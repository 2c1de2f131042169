import { createHash } from 'node:crypto';
import type { JWK } from 'jose';

/** Ids that follow from a seed: the same calls of `next` give the same UUIDs. */
export function seededIds(seed: string) {
  let count = 0;
  return {
    next: (): string => {
      count += 1;
      const digits = createHash('sha256').update(`${seed} ${count}`).digest('hex');
      const variant = ((parseInt(digits[16] ?? '', 16) & 3) | 8).toString(16);
      const parts = [digits.slice(0, 8), digits.slice(8, 12), `4${digits.slice(13, 16)}`];
      return [...parts, variant + digits.slice(17, 20), digits.slice(20, 32)].join('-');
    },
    count: (): number => count,
    goTo: (before: number): void => void (count = before),
  };
}

/** Which ids an application issues next. */
interface IdState {
  /** Absent if they follow from no seed. */
  seed?: number;
  /** The number of ids that were issued with the seed. */
  ids: number;
}

/** The ids of an application: those of a seed, or of `random` without one. A situation file brings another seed. */
export function applicationIds(name: string, own: number | undefined, random: () => string) {
  const of = (seed: number) => ({ seed, ids: seededIds(`${seed} ${name}`) });
  const first = () => (own === undefined ? undefined : of(own));
  let current = first();
  return {
    next: (): string => current?.ids.next() ?? random(),
    state: (): IdState => (current ? { seed: current.seed, ids: current.ids.count() } : { ids: 0 }),
    goTo({ seed, ids }: IdState): void {
      current = seed === undefined ? first() : of(seed);
      current?.ids.goTo(ids);
    },
  };
}

/** The key with which every sandbox with a seed signs its tokens. It is public and protects nothing. */
export const seededKey: JWK = {
  kty: 'RSA',
  n: 'nvO59bb-nTpJv7eytrx_TF7vUEN4rGbtdpOHNc_Cn_BNGzVSdeKAiJr5xun-Hr-piZ-xD0--I2qnGj8PiRxY4VHvrf1fQ7R89l67xxlW_-Lliwksug7vPDcVsSusVRUOjGZcMI6V2MPs0YiX7_AT6eI5mUaabfK30toQYQeXwevcxQzU_oRayBV2PQJ1dsJ00uXAb7DLqPC4Bq7HkGswvpZmA9g8_S3Ea7WYnf3c2Ws1Z4drNvN1BlDzUQeJiZOEQarxzDKDEyxiMSJ8pzkIDOvTtb4tIcp1fKYvEf5JhkttehJLwNmCLsrvocQN7axaxZYqY1H5i05ZQcvXlykoHw',
  e: 'AQAB',
  d: 'Df_RRP7U9ewISsZXCxkW7Rb_ZMZMfoKiL2tW4TpnHccAQ4Eyvgcw4tcjYI2DQBoJSIG0CnEvgdcG2JztNVo1ycJ5pY1HMqNWziwRxbtJmkfVh6VLNyfRkjAXzP7XsrakDWGGhRBJykmXNe0d1JgEaPjvsbwyJbTW08842hLdHssPc8gfOfeFITQOaPycVHnBlHJKTyoCURLufc097j94sty3Di4U-LPN2Uk4lZPbwbHEfw6UH8Vg8oakxPydm5XO1oXbkqfXFpN7Ms1dHBeGpi0sL424fss4GxE6JYqWFSqQiNToWekeU4IOtXzTTwoGMAcjUuxryfKnZnOmyFQGgQ',
  p: '3yiPxMFDjPxkMF7dQVUbugLE-bL_tpiCypZ_fYLav346bYCzZvDCw_I7AAChuGs9mET2-usskHnfOV9IOMMgrH5B7rMX1K7qdAQyVO_ZVqv1CHHzHQ5DTVjoVaXjxSaNwNe-zhRtTpl6GsQh9HHq1HmHFRZiZVh8Hm9Rx0zUUJE',
  q: 'tlg0jCeqOXNKZLDFsxuG4ewqDoXbxaBAh8A1J9X5KPFZlFNe4uA1fSTlfYZG-LgW_F3cDQVHe1mL1isqiEuH2NAnGciWQeNYYev7VfSNKkuu1sOetWXbpuKS3Nj_7CszCwrBbngFpilB1LVh16vGQp0TXqf1IrrI8du-fQrfRa8',
  dp: 'wExZpzjLFwCe7Tex_YxzehTM3EctJ5HAkwahEezix0Tk4FuZPMmXa_aedOAWe66dw0sacRqaqlz6yJucxp0O2NVrx1-412NrUVIUdTDB3ngLjJ1028LgqBRHERcEcW1JlbXUDA16K9MBb3M3t0c7DqEykC9b1u0q96cBl3ZTNqE',
  dq: 'XvJM4lHhDCshKI73UozZzhfXylofFqecElOeGhELvSr29wn2VXJjx7cHnDXoDKhmp6AD7e-6ydrVun4dlnylztqMEZvlyYckxVBIPfip7MUd1AxmPpQ8LIi76i1ADWxtFqnSEMCESIIhGi4cNV3nTVZW-KnCNgRGj9FZPekEW1c',
  qi: 'h0W_YGH2lkbMPyF70QhcOATPTEgVK5hWWnW3D_eeDIPedlFIfLZFxXw_UKuo0CCHlE_BqLZEJ0qIbFd4QkXqtZB8rkN-eOkw0CS8ZKSUj9-VCt-WH_rZJGvvMdPnu83UMF9ksdwJpvs96bj1YmKKHBUmANqmigZTiVVYyx0NH_I',
  kid: 'el0G8B8mmC_YgVhEjgpxLVxloNLAE7QqYBS4LoDRFps',
  alg: 'RS256',
  use: 'sig',
};
