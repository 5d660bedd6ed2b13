// The mechanism that moves in a report: a renderer of triangles and lines on a canvas, without a
// library.  It draws what the window draws, the same shapes in the same light, into an array of
// pixels with a depth for each.  Without JavaScript and in print the picture beside it is shown.
(function (world) {
  "use strict";

  const LENS = Math.tan((13 * Math.PI) / 180); // half height of the picture at distance one
  const LIGHT = unit([-0.42, 0.66, 0.62]); // right, up, back of the camera
  const EDGE_ALPHA = 0.45, HIDDEN = 0.3, HALO = 2.6;
  const INK = [0x23, 0x28, 0x2f], SKY = 1.0, EARTH = [0x8c / 255, 0x93 / 255, 0xa0 / 255];
  const RIM = 0.1, STEP = 0.03; // jump of depth, in sizes of the mechanism, that is an outline

  function unit(v) {
    const n = Math.hypot(v[0], v[1], v[2]) || 1;
    return [v[0] / n, v[1] / n, v[2] / n];
  }

  // ---- what comes along: numbers in one piece, packed by deflate (RFC 1951)

  function bytesOf(text) {
    const plain = atob(text), out = new Uint8Array(plain.length);
    for (let k = 0; k < plain.length; k++) out[k] = plain.charCodeAt(k);
    return out;
  }

  function huffman(lengths) {
    const count = new Uint16Array(16), next = new Uint16Array(16), order = [];
    for (const n of lengths) count[n]++;
    count[0] = 0;
    for (let n = 1; n < 16; n++) next[n] = next[n - 1] + count[n - 1];
    for (let k = 0; k < lengths.length; k++) if (lengths[k]) order[next[lengths[k]]++] = k;
    return { count, order };
  }

  function inflate(source, size) {
    const out = new Uint8Array(size);
    const LENGTHS = [3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67,
      83, 99, 115, 131, 163, 195, 227, 258];
    const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
    let at = 0, held = 0, have = 0, end = 0;

    function bits(n) {
      while (have < n) {
        held |= source[at++] << have;
        have += 8;
      }
      const value = held & ((1 << n) - 1);
      held >>>= n;
      have -= n;
      return value;
    }

    function symbol(code) {
      let word = 0, first = 0, index = 0;
      for (let n = 1; n < 16; n++) {
        word |= bits(1);
        const many = code.count[n];
        if (word - many < first) return code.order[index + (word - first)];
        index += many;
        first = (first + many) << 1;
        word <<= 1;
      }
      throw new Error("The motion in this page is damaged.");
    }

    function dynamic() {
      const literals = bits(5) + 257, distances = bits(5) + 1, codes = bits(4) + 4;
      const lengths = new Uint8Array(19);
      for (let k = 0; k < codes; k++) lengths[ORDER[k]] = bits(3);
      const code = huffman(lengths), all = [];
      while (all.length < literals + distances) {
        const s = symbol(code);
        if (s < 16) all.push(s);
        else {
          const value = s === 16 ? all[all.length - 1] : 0;
          const many = s === 16 ? 3 + bits(2) : s === 17 ? 3 + bits(3) : 11 + bits(7);
          for (let k = 0; k < many; k++) all.push(value);
        }
      }
      return [huffman(all.slice(0, literals)), huffman(all.slice(literals))];
    }

    function fixed() {
      const lengths = [];
      for (let k = 0; k < 288; k++) lengths.push(k < 144 ? 8 : k < 256 ? 9 : k < 280 ? 7 : 8);
      return [huffman(lengths), huffman(new Array(30).fill(5))];
    }

    for (let last = 0; !last; ) {
      last = bits(1);
      const kind = bits(2);
      if (kind === 0) {
        held = have = 0;
        const many = source[at] | (source[at + 1] << 8);
        out.set(source.subarray(at + 4, at + 4 + many), end);
        at += 4 + many;
        end += many;
        continue;
      }
      const [literal, distance] = kind === 1 ? fixed() : dynamic();
      for (let s = symbol(literal); s !== 256; s = symbol(literal)) {
        if (s < 256) {
          out[end++] = s;
          continue;
        }
        const n = s - 257, more = n < 8 || n === 28 ? 0 : (n - 4) >> 2;
        const length = LENGTHS[n] + bits(more);
        const d = symbol(distance), far = d < 4 ? 0 : (d - 2) >> 1;
        const back = (d < 4 ? d + 1 : ((2 + (d & 1)) << far) + 1) + bits(far);
        for (let k = 0; k < length; k++, end++) out[end] = out[end - back];
      }
    }
    return out;
  }

  const KINDS = { f4: Float32Array, i2: Int16Array, u2: Uint16Array, u4: Uint32Array, i1: Int8Array,
    u1: Uint8Array };

  // Arrays by their names, and the few numbers beside them, as moving_drawing.py packs them.
  function unpacked(data) {
    const buffer = inflate(bytesOf(data.packed), data.size).buffer, s = Object.assign({}, data);
    for (const [name, [kind, start, count]] of Object.entries(data.arrays)) {
      s[name] = new KINDS[kind](buffer, start, count);
    }
    delete s.packed;
    // places are whole numbers of a step of their row, indices are counted on from each other
    for (const part of ["solid", "edge", "mark", "fill"]) {
      const places = s[part + "Points"], row = s[part + "Row"];
      const out = new Float32Array(places.length);
      for (let k = 0; k < row.length; k++) {
        const step = s.rowStep[row[k]];
        for (let c = 0; c < 3; c++) out[3 * k + c] = places[3 * k + c] * step;
      }
      s[part + "Points"] = out;
    }
    s.rows = s.rowStep.length;
    s.length = s.loops ? s.duration : s.duration * (1 - 1e-9);
    return s;
  }

  // ---- motion

  function turned(q, i, x, y, z, out) {
    const w = q[i], a = q[i + 1], b = q[i + 2], c = q[i + 3];
    const u = b * z - c * y + w * x, v = c * x - a * z + w * y, t = a * y - b * x + w * z;
    out[0] = x + 2 * (b * t - c * v);
    out[1] = y + 2 * (c * u - a * t);
    out[2] = z + 2 * (a * v - b * u);
  }

  // Quaternion, place and length of every row (8 numbers each) at a time from the beginning [s].
  function posesAt(s, time) {
    const bodies = s.bodies, spots = s.frames - (s.loops ? 0 : 1);
    const at = spots > 0 ? Math.min(Math.max(time / s.duration, 0), 1) * spots : 0;
    const one = Math.min(Math.floor(at), s.frames - 1), part = at - one;
    const two = s.loops ? (one + 1) % s.frames : Math.min(one + 1, s.frames - 1);
    const P = new Float64Array(3 * (bodies + 1)), Q = new Float64Array(4 * (bodies + 1));
    Q[0] = 1;
    for (let k = 0; k < bodies; k++) {
      const a = one * bodies + k, b = two * bodies + k, p = 3 * (k + 1), q = 4 * (k + 1);
      for (let c = 0; c < 3; c++) {
        P[p + c] = s.places[3 * a + c] * (1 - part) + s.places[3 * b + c] * part;
      }
      let dot = 0, n = 0;
      for (let c = 0; c < 4; c++) dot += s.turns[4 * a + c] * s.turns[4 * b + c];
      const sign = dot < 0 ? -part : part;
      for (let c = 0; c < 4; c++) {
        Q[q + c] = s.turns[4 * a + c] * (1 - part) + s.turns[4 * b + c] * sign;
        n += Q[q + c] * Q[q + c];
      }
      n = Math.sqrt(n) || 1;
      for (let c = 0; c < 4; c++) Q[q + c] /= n;
    }
    const out = new Float64Array(8 * s.rows), v = [0, 0, 0];
    for (let r = 0; r < s.rows; r++) {
      const o = 8 * r, q = 4 * s.rowTurnBody[r], b = s.rowPlaceBody[r], t = s.rowTurn, i = 4 * r;
      const w = Q[q], x = Q[q + 1], y = Q[q + 2], z = Q[q + 3];
      out[o] = w * t[i] - x * t[i + 1] - y * t[i + 2] - z * t[i + 3];
      out[o + 1] = w * t[i + 1] + x * t[i] + y * t[i + 3] - z * t[i + 2];
      out[o + 2] = w * t[i + 2] - x * t[i + 3] + y * t[i] + z * t[i + 1];
      out[o + 3] = w * t[i + 3] + x * t[i + 2] - y * t[i + 1] + z * t[i];
      turned(Q, 4 * b, s.rowPlace[3 * r], s.rowPlace[3 * r + 1], s.rowPlace[3 * r + 2], v);
      for (let c = 0; c < 3; c++) out[o + 4 + c] = P[3 * b + c] + v[c];
    }
    for (let k = 0; k < s.stretched.length; k++) {
      // a spring points from its place to its end
      const r = s.stretched[k], o = 8 * r, b = s.endBody[k];
      turned(Q, 4 * b, s.end[3 * k], s.end[3 * k + 1], s.end[3 * k + 2], v);
      for (let c = 0; c < 3; c++) v[c] += P[3 * b + c] - out[o + 4 + c];
      const n = Math.hypot(v[0], v[1], v[2]), d = unit(v);
      const turn = 1 + d[2] < 1e-9 ? [0, 1, 0, 0] : [1 + d[2], -d[1], d[0], 0];
      const m = Math.hypot(turn[0], turn[1], turn[2]);
      for (let c = 0; c < 4; c++) out[o + c] = turn[c] / m;
      out[o + 7] = n;
    }
    return out;
  }

  // ---- camera

  function axesOf(view) {
    const a = (view.azimuth * Math.PI) / 180, e = (view.elevation * Math.PI) / 180;
    const ca = Math.cos(a), sa = Math.sin(a), ce = Math.cos(e), se = Math.sin(e);
    return [[-sa, ca, 0], [-ca * se, -sa * se, ce], [ca * ce, sa * ce, se]];
  }

  const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

  // Target and distance with which all that the motion comes to is in the picture.
  function fitted(s, view, width, height) {
    const axes = axesOf(view), low = [1e30, 1e30, 1e30], high = [-1e30, -1e30, -1e30], reach = [];
    for (let k = 0; k < s.reach.length; k += 3) {
      const p = [s.reach[k], s.reach[k + 1], s.reach[k + 2]];
      const seen = axes.map((axis) => dot(axis, p));
      reach.push(seen);
      for (let c = 0; c < 3; c++) {
        low[c] = Math.min(low[c], seen[c]);
        high[c] = Math.max(high[c], seen[c]);
      }
    }
    if (!reach.length) return { target: [0, 0, 0], distance: 1 };
    const middle = low.map((x, c) => (x + high[c]) / 2);
    const tall = LENS, wide = (LENS * width) / height;
    let distance = 1e-6;
    for (const p of reach) {
      const before = view.perspective ? p[2] - middle[2] : 0;
      distance = Math.max(distance, Math.abs(p[0] - middle[0]) / wide + before,
        Math.abs(p[1] - middle[1]) / tall + before);
    }
    const target = [0, 1, 2].map((c) => axes.reduce((sum, a, k) => sum + a[c] * middle[k], 0));
    return { target, distance: distance * 1.1 };
  }

  // ---- picture

  class Picture {
    // pixels: red, green, blue, alpha of width times height, white at first
    constructor(width, height) {
      this.width = width;
      this.height = height;
      this.pixels = new Uint8ClampedArray(4 * width * height);
      this.near = new Float32Array(width * height); // the greater the nearer, 0: nothing
      this.owner = new Uint16Array(width * height);
    }

    clear() {
      new Uint32Array(this.pixels.buffer).fill(0xffffffff);
      this.near.fill(0);
      this.owner.fill(0);
      this.top = this.height; // of what is drawn
      this.foot = 0;
    }

    // A triangle of corners x, y, nearness, red, green, blue at places i, j, k of an array.
    triangle(v, i, j, k, owner) {
      const ax = v[i], ay = v[i + 1], bx = v[j], by = v[j + 1], cx = v[k], cy = v[k + 1];
      const area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay);
      if (!(area !== 0) || !(v[i + 2] > 0 && v[j + 2] > 0 && v[k + 2] > 0)) return;
      const W = this.width, top = Math.max(0, Math.ceil(Math.min(ay, by, cy) - 0.5));
      const foot = Math.min(this.height - 1, Math.floor(Math.max(ay, by, cy) - 0.5));
      const left = Math.max(0, Math.ceil(Math.min(ax, bx, cx) - 0.5));
      const right = Math.min(W - 1, Math.floor(Math.max(ax, bx, cx) - 0.5));
      if (top > foot || left > right) return;
      this.top = Math.min(this.top, top);
      this.foot = Math.max(this.foot, foot);
      // each number of the corners as a plane over the picture
      const s = 1 / area, near = this.near, pixels = this.pixels, own = this.owner;
      const ex = s * (cy - ay), fx = s * (by - ay), ey = s * (bx - ax), fy = s * (cx - ax);
      const z0 = v[i + 2], r0 = v[i + 3], g0 = v[i + 4], b0 = v[i + 5];
      const zj = v[j + 2] - z0, rj = v[j + 3] - r0, gj = v[j + 4] - g0, bj = v[j + 5] - b0;
      const zk = v[k + 2] - z0, rk = v[k + 3] - r0, gk = v[k + 4] - g0, bk = v[k + 5] - b0;
      const zx = zj * ex - zk * fx, rx = rj * ex - rk * fx;
      const gx = gj * ex - gk * fx, blueX = bj * ex - bk * fx;
      const zy = zk * ey - zj * fy, ry = rk * ey - rj * fy;
      const gy = gk * ey - gj * fy, blueY = bk * ey - bj * fy;
      for (let y = top; y <= foot; y++) {
        const h = y + 0.5;
        let low = 1e9, high = -1e9;
        // where the line of the row meets the three sides
        if (ay <= h !== by <= h) {
          const x = ax + ((h - ay) * (bx - ax)) / (by - ay);
          low = x < low ? x : low; high = x > high ? x : high;
        }
        if (by <= h !== cy <= h) {
          const x = bx + ((h - by) * (cx - bx)) / (cy - by);
          low = x < low ? x : low; high = x > high ? x : high;
        }
        if (cy <= h !== ay <= h) {
          const x = cx + ((h - cy) * (ax - cx)) / (ay - cy);
          low = x < low ? x : low; high = x > high ? x : high;
        }
        const from = Math.max(left, Math.ceil(low - 0.5));
        const to = Math.min(right, Math.ceil(high - 0.5) - 1);
        if (from > to) continue;
        const dx = from + 0.5 - ax, dy = h - ay;
        let z = z0 + dx * zx + dy * zy, r = r0 + dx * rx + dy * ry;
        let g = g0 + dx * gx + dy * gy, b = b0 + dx * blueX + dy * blueY;
        for (let x = from, p = y * W + from; x <= to; x++, p++) {
          if (z > near[p]) {
            near[p] = z;
            own[p] = owner;
            const o = 4 * p;
            pixels[o] = r; pixels[o + 1] = g; pixels[o + 2] = b;
          }
          z += zx; r += rx; g += gx; b += blueX;
        }
      }
    }

    // Ink where one thing ends before another, or a thing before itself.
    outline(jump) {
      const W = this.width, H = this.height, near = this.near, own = this.owner, p = this.pixels;
      const ink = (k) => {
        p[4 * k] = INK[0]; p[4 * k + 1] = INK[1]; p[4 * k + 2] = INK[2];
      };
      const last = Math.min(H - 2, this.foot + 1);
      for (let y = Math.max(1, this.top - 1); y <= last; y++) {
        for (let k = y * W + 1, x = 1; x < W - 1; x++, k++) {
          for (let d = 0; d < 2; d++) {
            const step = d ? W : 1, next = k + step;
            if (own[k] !== own[next]) {
              ink(k);
              ink(next);
            } else if (own[k]) {
              const bend = near[k - step] - 2 * near[k] + near[next];
              if (Math.abs(bend) > jump(near[k])) ink(k);
            }
          }
        }
      }
    }

    // A line of a width [px]; alpha where it is seen, and where something stands before it.
    line(a, b, width, color, alpha, hidden, slack) {
      if (!(a[2] > 0 && b[2] > 0)) return;
      const dx = b[0] - a[0], dy = b[1] - a[1], flat = Math.abs(dx) >= Math.abs(dy);
      const long = flat ? dx : dy, many = Math.abs(long);
      if (many > 20000 || !(many >= 0)) return;
      const W = this.width, H = this.height, pixels = this.pixels, near = this.near;
      const across = (width * Math.hypot(dx, dy)) / Math.max(many, 1e-6);
      const wide = many < 1e-6 ? width : Math.min(across, 1.5 * width);
      const start = flat ? a[0] : a[1], sign = long < 0 ? -1 : 1;
      const first = Math.ceil(Math.min(start, start + long) - 0.5);
      const last = Math.ceil(Math.max(start, start + long) - 0.5) - 1;
      for (let u = Math.max(first, 0); u <= Math.min(last, (flat ? W : H) - 1); u++) {
        const t = many < 1e-6 ? 0 : ((u + 0.5 - start) * sign) / many;
        const middle = flat ? a[1] + t * dy : a[0] + t * dx, z = a[2] + t * (b[2] - a[2]);
        const low = middle - wide / 2, high = middle + wide / 2;
        const bound = (flat ? H : W) - 1;
        for (let w = Math.max(0, Math.floor(low)); w <= Math.min(bound, Math.floor(high)); w++) {
          const share = Math.min(high, w + 1) - Math.max(low, w);
          const p = flat ? w * W + u : u * W + w;
          const seen = z + slack(z) >= near[p] ? alpha : hidden;
          const f = seen * share, o = 4 * p;
          if (f <= 0) continue;
          for (let c = 0; c < 3; c++) pixels[o + c] += (color[c] - pixels[o + c]) * f;
        }
      }
    }
  }

  function smooth(x) {
    const t = Math.min(1, Math.max(0, x));
    return t * t * (3 - 2 * t);
  }

  // The picture of a scene at poses of its rows.  scale: pixels per unit of stroke width.
  function draw(s, poses, view, picture, scale) {
    const W = picture.width, H = picture.height, axes = axesOf(view), [right, upward, back] = axes;
    const tall = view.distance * LENS, wide = (tall * W) / H;
    const eye = view.target.map((t, c) => t + view.distance * axes[2][c]);
    const flat = !view.perspective, key = [0, 1, 2].map((c) =>
      axes.reduce((sum, a, k) => sum + a[c] * LIGHT[k], 0));
    const deepest = view.distance + 50 * s.extent;
    // x, y [px] and how near: a plane in space is a plane of these numbers
    const shown = (x, y, z, out, o) => {
      x -= eye[0]; y -= eye[1]; z -= eye[2];
      const depth = -(back[0] * x + back[1] * y + back[2] * z);
      const by = flat ? 1 : view.distance / depth;
      const across = (right[0] * x + right[1] * y + right[2] * z) * by;
      out[o] = (across / wide + 1) * W / 2;
      out[o + 1] = (1 - ((upward[0] * x + upward[1] * y + upward[2] * z) * by) / tall) * H / 2;
      out[o + 2] = flat ? (deepest - depth) / deepest : depth > 0.02 * view.distance ? by : 0;
    };
    // how much nearer a length towards the eye is, at some nearness
    const nearer = flat ? (length) => () => length / deepest
      : (length) => (z) => (z * z * length) / view.distance;
    const p = [0, 0, 0], n = [0, 0, 0];
    const place = (part, k, out, o) => {
      const q = 8 * s[part + "Row"][k], points = s[part + "Points"], along = s[part + "Along"];
      const more = along ? along[k] / 255 * poses[q + 7] : 0;
      turned(poses, q, points[3 * k], points[3 * k + 1], points[3 * k + 2] + more, p);
      p[0] += poses[q + 4]; p[1] += poses[q + 5]; p[2] += poses[q + 6];
      shown(p[0], p[1], p[2], out, o);
    };
    picture.clear();

    // faces, in the light of the window
    const count = s.solidRow.length, corners = new Float32Array(6 * count);
    for (let k = 0; k < count; k++) {
      const row = s.solidRow[k], o = 6 * k;
      if (!s.rowVisible[row]) continue;
      place("solid", k, corners, o);
      turned(poses, 8 * row, s.solidNormals[3 * k] / 127, s.solidNormals[3 * k + 1] / 127,
        s.solidNormals[3 * k + 2] / 127, n);
      const by = 1 / (Math.hypot(n[0], n[1], n[2]) || 1), nx = n[0] * by, ny = n[1] * by;
      const nz = n[2] * by;
      let tx = back[0], ty = back[1], tz = back[2];
      if (!flat) {
        tx = eye[0] - p[0]; ty = eye[1] - p[1]; tz = eye[2] - p[2];
        const far = 1 / Math.sqrt(tx * tx + ty * ty + tz * tz);
        tx *= far; ty *= far; tz *= far;
      }
      const mx = key[0] + tx, my = key[1] + ty, mz = key[2] + tz;
      const middle = Math.sqrt(mx * mx + my * my + mz * mz) || 1;
      const facing = Math.max(nx * tx + ny * ty + nz * tz, 0);
      const shine = Math.max((nx * mx + ny * my + nz * mz) / middle, 0);
      const kind = s.solidMaterial[k], metal = kind === 1 ? 1 : 0;
      const color = kind === 1 ? s.steel : kind === 2 ? s.cast : s.colors[s.rowColor[row]];
      const above = (p[2] - s.floor) / s.extent + 0.18 * Math.max(nz, 0);
      const open = 0.72 + 0.28 * smooth((above + 0.02) / 0.32);
      const lit = nx * key[0] + ny * key[1] + nz * key[2], up = 0.5 + 0.5 * nz;
      const wrap = Math.max((lit + 0.22) / 1.22, 0);
      const s10 = Math.pow(shine, 10), s56 = Math.pow(shine, 56);
      const graze = Math.pow(1 - facing, 3.5) * RIM * (0.45 + 0.55 * nz);
      for (let c = 0; c < 3; c++) {
        const base = (color[c] / 255) * (color[c] / 255);
        const ambient = (EARTH[c] * EARTH[c] * (1 - up) + SKY * up) * 0.6 * open;
        const light = base * (ambient + wrap * 0.66) + s56 * (metal ? 0.4 : 0.12)
          + s10 * (metal ? 0.1 : 0.025) + SKY * graze;
        corners[o + 3 + c] = 255 * Math.sqrt(Math.min(1, Math.max(0, light)));
      }
    }
    for (let k = 0, t = s.triangles; k < t.length; k += 3) {
      picture.triangle(corners, 6 * t[k], 6 * t[k + 1], 6 * t[k + 2], s.solidRow[t[k]] + 1);
    }
    picture.outline(nearer(STEP * s.extent));

    // edges of bodies, then signs: faint behind bodies, with a halo before them
    const slack = nearer(0.004 * s.extent);
    const strokes = (part, style) => {
      const rows = s[part + "Row"], at = new Float32Array(3 * rows.length);
      for (let k = 0; k < rows.length; k++) place(part, k, at, 3 * k);
      for (const k of s[part + "Pieces"]) {
        if (!s.rowVisible[rows[k]]) continue;
        style(k, at.subarray(3 * k, 3 * k + 3), at.subarray(3 * k + 3, 3 * k + 6));
      }
    };
    strokes("edge", (k, a, b) =>
      picture.line(a, b, s.edgeWidth[k] / 32 * scale, INK, EDGE_ALPHA, 0, slack));
    strokes("mark", (k, a, b) =>
      picture.line(a, b, (s.markWidth[k] / 32 + HALO) * scale, [255, 255, 255], 0.75, 0, slack));
    const lift = nearer(0.02 * s.extent);
    strokes("mark", (k, a, b) => {
      const kind = s.markKind[k], [color, alpha] = s.kinds[kind];
      const hidden = kind === 2 ? alpha : alpha * HIDDEN; // an arrow is seen through bodies
      picture.line(a, b, s.markWidth[k] / 32 * scale, color, alpha, hidden, lift);
    });
    const filled = new Float32Array(6 * s.fillRow.length), ink = s.kinds[1][0];
    for (let k = 0; k < s.fillRow.length; k++) {
      place("fill", k, filled, 6 * k);
      filled[6 * k + 2] += lift(filled[6 * k + 2]);
      for (let c = 0; c < 3; c++) filled[6 * k + 3 + c] = ink[c];
    }
    for (let k = 0, t = s.fillTriangles; k < t.length; k += 3) {
      picture.triangle(filled, 6 * t[k], 6 * t[k + 1], 6 * t[k + 2], 0);
    }
    const labels = s.labels.map(([text, row, x, y, z, above]) => {
      const spot = [0, 0, 0], q = 8 * row;
      turned(poses, q, x, y, z, p);
      shown(p[0] + poses[q + 4], p[1] + poses[q + 5], p[2] + poses[q + 6], spot, 0);
      const px = (above / tall) * (H / 2) * (flat ? 1 : spot[2]);
      return [text, spot[0], spot[1] - px, spot[2] > 0 && s.rowVisible[row]];
    });
    return labels;
  }

  // ---- in the page

  function player(figure) {
    const s = unpacked(JSON.parse(figure.querySelector("script").textContent));
    const canvas = figure.querySelector("canvas"), context = canvas.getContext("2d");
    const button = figure.querySelector("button"), slider = figure.querySelector("input");
    const clock = figure.querySelector("output");
    const calm = matchMedia("(prefers-reduced-motion: reduce)");
    let view = { azimuth: s.azimuth, elevation: s.elevation, perspective: s.perspective };
    let picture = null, image = null, time = 0, playing = false, seen = false, wanted = false;
    let last = 0, sharp = 2, slow = 0, held = null, own = false;

    function measure() {
      const box = canvas.getBoundingClientRect();
      if (!box.width) return;
      const width = Math.round(box.width * sharp), height = Math.round(box.height * sharp);
      if (picture && picture.width === width && picture.height === height) return;
      picture = new Picture(width, height);
      image = new ImageData(picture.pixels, width, height);
      canvas.width = width;
      canvas.height = height;
      if (!own) Object.assign(view, fitted(s, view, width, height));
    }

    function show() {
      wanted = false;
      measure();
      if (!picture) return;
      const begun = performance.now();
      const labels = draw(s, posesAt(s, time), view, picture, sharp);
      context.putImageData(image, 0, 0);
      context.font = `500 ${11 * sharp}px Inter, system-ui, Helvetica, Arial, sans-serif`;
      context.textAlign = "center";
      context.textBaseline = "bottom";
      context.lineJoin = "round";
      for (const [text, x, y, is] of labels) {
        if (!is) continue;
        context.lineWidth = 3 * sharp;
        context.strokeStyle = "rgba(255,255,255,0.85)";
        context.strokeText(text, x, y);
        context.fillStyle = "#4E5561";
        context.fillText(text, x, y);
      }
      slider.value = String(Math.round((1000 * time) / s.duration));
      clock.textContent = `${(s.begin + time).toFixed(s.digits)} s`;
      // a picture that takes too long is drawn with fewer pixels while it moves
      slow = playing && performance.now() - begun > 45 ? slow + 1 : 0;
      if (slow > 8 && sharp > 1) {
        sharp = sharp > 1.5 ? 1.5 : 1;
        slow = 0;
      }
    }

    function ask() {
      if (!wanted) {
        wanted = true;
        requestAnimationFrame(show);
      }
    }

    function tick(now) {
      if (!playing) return;
      const passed = Math.min((now - last) / 1000, 0.1);
      last = now;
      time += passed * s.speed;
      if (time >= s.duration) time %= s.duration;
      if (seen) show();
      requestAnimationFrame(tick);
    }

    function play(on) {
      playing = on;
      figure.classList.toggle("playing", on);
      button.setAttribute("aria-label", on ? s.words.pause : s.words.play);
      button.title = on ? s.words.pause : s.words.play;
      if (on) {
        last = performance.now();
        requestAnimationFrame(tick);
      }
    }

    function turn(dx, dy) {
      view.azimuth -= dx;
      view.elevation = Math.min(90, Math.max(-90, view.elevation + dy));
      if (!own) Object.assign(view, fitted(s, view, picture.width, picture.height));
      ask();
    }

    button.addEventListener("click", () => play(!playing));
    slider.addEventListener("input", () => {
      play(false);
      time = (slider.value / 1000) * s.length;
      ask();
    });
    canvas.addEventListener("pointerdown", (e) => {
      held = [e.clientX, e.clientY];
      canvas.setPointerCapture(e.pointerId);
    });
    canvas.addEventListener("pointermove", (e) => {
      if (!held) return;
      turn(0.4 * (e.clientX - held[0]), 0.4 * (e.clientY - held[1]));
      held = [e.clientX, e.clientY];
    });
    for (const name of ["pointerup", "pointercancel"]) {
      canvas.addEventListener(name, () => (held = null));
    }
    canvas.addEventListener("dblclick", () => {
      view.azimuth = s.azimuth;
      view.elevation = s.elevation;
      turn(0, 0);
    });
    canvas.addEventListener("keydown", (e) => {
      const ways = { ArrowLeft: [-8, 0], ArrowRight: [8, 0], ArrowUp: [0, -8], ArrowDown: [0, 8] };
      if (e.key === " ") play(!playing);
      else if (ways[e.key]) turn(...ways[e.key]);
      else return;
      e.preventDefault();
    });
    addEventListener("resize", ask);
    figure.classList.add("live");
    if (s.frames < 2) figure.classList.add("still");
    new IntersectionObserver((entries) => {
      const now = entries[entries.length - 1].isIntersecting;
      if (now && !seen && !calm.matches && s.frames > 1 && !figure.dataset.begun) {
        figure.dataset.begun = "1";
        play(true);
      }
      seen = now;
    }).observe(canvas);
    show();
  }

  if (typeof document === "undefined") {
    world.mechanism = { Picture, draw, fitted, inflate, posesAt, unpacked };
  } else {
    for (const figure of document.querySelectorAll("figure.moving")) {
      try {
        player(figure);
      } catch (error) {
        figure.classList.remove("live"); // the picture stays
        console.error(error);
      }
    }
  }
})(this);
