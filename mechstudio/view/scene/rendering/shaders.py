"""Shader texts (GLSL 1.20).  Poses, colours and states of all rows stand in one float texture, four
texels to a row: quaternion w x y z | place, length | colour, state | fade, state: 1 selected, 0.5
hovered, else 0; fade: 0 as it is, 1 gone in u_veil.  Rows that are hidden are placed far away.
u_ghost: how opaque faces are.  What lies beyond the plane of u_section, normal and offset, is cut
away; faces seen from inside are then hatched, which is what the cut shows of a closed body.
"""

ROWS_ACROSS = 64  # rows side by side in the texture

# a_row is the place of the row's first texel in the texture
LOOKUP = """
uniform sampler2D u_rows; attribute vec2 a_row;
vec4 texel(float column) { return texture2D(u_rows, vec2(a_row.x + column * 0.00390625, a_row.y)); }
vec3 turned(vec4 q, vec3 v) { return v + 2.0 * cross(q.yzw, cross(q.yzw, v) + q.x * v); }
"""

SOLID_VERTEX = (
    LOOKUP
    + """
attribute vec3 a_point; attribute vec3 a_normal; attribute vec2 a_key;
uniform mat4 u_matrix;
varying vec3 v_point; varying vec3 v_normal; varying vec4 v_color; varying float v_material;
varying float v_fade;
void main() {
    vec4 q = texel(0.0), p = texel(1.0);
    v_color = texel(2.0); v_material = a_key.x; v_fade = texel(3.0).x;
    v_point = turned(q, a_point + vec3(0.0, 0.0, a_key.y * p.w)) + p.xyz;
    v_normal = turned(q, a_normal);
    gl_Position = u_matrix * vec4(v_point, 1.0);
}"""
)

CUT = """
uniform vec4 u_section;
void cut(vec3 p) { if (dot(u_section.xyz, p) > u_section.w) discard; }
"""

SOLID_FRAGMENT = (
    CUT
    + """
uniform float u_hatch;
uniform vec3 u_eye; uniform vec3 u_back; uniform float u_perspective; uniform vec3 u_key;
uniform vec3 u_sky; uniform vec3 u_earth;
uniform vec3 u_steel; uniform vec3 u_cast; uniform vec3 u_accent; uniform float u_rim;
uniform vec2 u_ground; uniform float u_ghost; uniform vec3 u_veil;
varying vec3 v_point; varying vec3 v_normal; varying vec4 v_color; varying float v_material;
varying float v_fade;
void main() {
    cut(v_point);
    vec3 n = normalize(v_normal), view = u_perspective > 0.5 ? normalize(u_eye - v_point)
        : u_back, middle = normalize(u_key + view);
    vec3 base = v_material < 0.5 ? v_color.rgb : (v_material < 1.5 ? u_steel : u_cast);
    base = mix(base, u_accent, 0.16 * v_color.a * v_color.a
        + 0.03 * step(0.25, v_color.a) * step(v_color.a, 0.75)); base *= base;
    float metal = step(0.5, v_material) * step(v_material, 1.5), facing = max(dot(n, view), 0.0),
        shine = max(dot(n, middle), 0.0);
    float open = mix(0.72, 1.0, smoothstep(-0.02, 0.30, (v_point.z - u_ground.x) / u_ground.y
        + 0.18 * max(n.z, 0.0)));
    vec3 ambient = mix(u_earth * u_earth, u_sky * u_sky, 0.5 + 0.5 * n.z) * 0.60 * open;
    float wrap = max((dot(n, u_key) + 0.22) / 1.22, 0.0);
    float s2 = shine * shine, s4 = s2 * s2, s8 = s4 * s4, s16 = s8 * s8, s32 = s16 * s16;
    vec3 light = base * (ambient + wrap * 0.66) + s32 * s16 * s8 * mix(0.12, 0.40, metal)
        + s8 * s2 * mix(0.025, 0.10, metal);
    float graze = 1.0 - facing;
    light += u_sky * graze * graze * graze * sqrt(graze) * u_rim * (0.45 + 0.55 * n.z);
    if (u_hatch > 0.0 && !gl_FrontFacing) {
        float across = abs(fract((gl_FragCoord.x + gl_FragCoord.y) / u_hatch) - 0.5) * u_hatch;
        light = mix(0.16 * base, mix(base, vec3(1.0), 0.22), clamp(across - 0.4, 0.0, 1.0));
    }
    gl_FragColor = vec4(mix(sqrt(clamp(light, 0.0, 1.0)), u_veil, v_fade), u_ghost);
}"""
)

# the skin pushed outward by a constant number of pixels, seen from inside: what stands out beyond
# the body is its outline
HULL_VERTEX = (
    LOOKUP
    + """
attribute vec3 a_point; attribute vec3 a_normal; attribute vec2 a_key;
uniform mat4 u_matrix; uniform vec2 u_pixel; uniform float u_width; uniform float u_step;
uniform float u_behind; varying float v_fade; varying vec3 v_point;
void main() {
    vec4 q = texel(0.0), at = texel(1.0);
    v_fade = texel(3.0).x;
    v_point = turned(q, a_point + vec3(0.0, 0.0, a_key.y * at.w)) + at.xyz;
    vec4 p = u_matrix * vec4(v_point, 1.0);
    vec4 far = p + u_matrix * vec4(u_step * turned(q, a_normal), 0.0);
    vec2 d = (far.xy / far.w - p.xy / p.w) / u_pixel;
    p.xy += d / max(length(d), 1e-5) * u_pixel * u_width * p.w;
    p.z += u_behind * p.w;
    gl_Position = p;
}"""
)
HULL_FRAGMENT = (
    CUT
    + """
uniform vec3 u_ink; uniform vec3 u_veil; uniform float u_ghost; varying float v_fade;
varying vec3 v_point;
void main() { cut(v_point); gl_FragColor = vec4(mix(u_ink, u_veil, v_fade), u_ghost); }"""
)

# seen from below along a slanted light; the lowest surface wins; red: near the floor, green: high
# above it
SHADOW_VERTEX = (
    LOOKUP
    + """
attribute vec3 a_point; attribute vec2 a_key;
uniform vec4 u_map; uniform float u_floor; uniform vec2 u_lean; varying float v_height;
void main() {
    vec4 at = texel(1.0);
    vec3 p = turned(texel(0.0), a_point + vec3(0.0, 0.0, a_key.y * at.w)) + at.xyz;
    v_height = max(p.z - u_floor, 0.0);
    gl_Position = vec4((p.xy + v_height * u_lean - u_map.xy) / u_map.z,
        clamp(v_height / u_map.w, 0.0, 1.0) * 1.9 - 0.95, 1.0);
}"""
)
SHADOW_FRAGMENT = """uniform vec2 u_fall; varying float v_height;
void main() {
    gl_FragColor = vec4(exp(-v_height / u_fall.x), exp(-v_height / u_fall.y), 0.0, 1.0);
}"""

QUAD_VERTEX = (
    "attribute vec2 a_corner; varying vec2 v_at; void main() { v_at = a_corner * 0.5 + 0.5; "
    "gl_Position = vec4(a_corner, 0.0, 1.0); }"
)
SKY_FRAGMENT = """uniform vec3 u_top; uniform vec3 u_bottom; uniform float u_grain;
varying vec2 v_at;
void main() {
    // hides the steps of 8 bit
    float grain = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))))
        - 0.5;
    gl_FragColor = vec4(mix(u_top, u_bottom, smoothstep(0.15, 1.0, v_at.y))
        + u_grain * grain / 255.0, 1.0);
}"""
BLUR_FRAGMENT = """uniform sampler2D u_image; uniform vec2 u_stride; varying vec2 v_at;
void main() {
    vec2 sum = vec2(0.0); float total = 0.0;
    for (int k = -3; k <= 3; k++) {
        float w = exp(-float(k * k) / 3.9); total += w;
        sum += w * vec2(texture2D(u_image, v_at + float(k) * u_stride * 0.8).r,
            texture2D(u_image, v_at + float(k) * u_stride * 2.67).g);
    }
    gl_FragColor = vec4(sum / total, 0.0, 1.0);
}"""

FLOOR_VERTEX = """attribute vec2 a_corner; uniform mat4 u_matrix; uniform vec3 u_origin;
uniform vec3 u_across; uniform vec3 u_up;
uniform vec2 u_center; uniform float u_extent; varying vec2 v_at;
void main() {
    v_at = u_center + a_corner * u_extent;
    gl_Position = u_matrix * vec4(u_origin + u_across * v_at.x + u_up * v_at.y, 1.0);
}"""
FLOOR_FRAGMENT = """uniform vec4 u_grid; uniform vec3 u_axis_x; uniform vec3 u_axis_y;
uniform float u_cell; uniform float u_extent;
uniform vec2 u_center; uniform float u_axis_alpha; uniform vec4 u_slab; varying vec2 v_at;
vec2 lines(vec2 p, vec2 w, float width) {
    return clamp(width - abs(fract(p - 0.5) - 0.5) / w + 0.5, 0.0, 1.0)
        * clamp(0.45 / w - 0.4, 0.0, 1.0);
}
void main() {
    float fade = 1.0 - smoothstep(0.25, 0.98, length(v_at - u_center) / u_extent); fade *= fade;
    vec2 w = fwidth(v_at), cell = v_at / u_cell;
    vec2 fine = lines(cell, w / u_cell, 0.55), strong = lines(cell / 5.0, w / (5.0 * u_cell),
        0.7), a = abs(v_at) / w;
    vec4 line = vec4(u_grid.rgb, u_grid.a * max(0.50 * max(fine.x, fine.y),
        max(strong.x, strong.y)) * fade);
    line = mix(line, vec4(u_axis_x, u_axis_alpha), clamp(1.0 - a.y, 0.0, 1.0) * fade);
    line = mix(line, vec4(u_axis_y, u_axis_alpha), clamp(1.0 - a.x, 0.0, 1.0) * fade);
    // what bodies stand on, under its grid
    float slab = u_slab.a * fade, whole = line.a + slab * (1.0 - line.a);
    gl_FragColor = vec4((line.rgb * line.a + u_slab.rgb * slab * (1.0 - line.a))
        / max(whole, 1e-4), whole);
}"""
SHADE_VERTEX = """attribute vec2 a_corner; uniform mat4 u_matrix; uniform vec4 u_map;
uniform float u_floor; varying vec2 v_at;
void main() {
    v_at = a_corner * 0.5 + 0.5;
    gl_Position = u_matrix * vec4(u_map.xy + a_corner * u_map.z, u_floor, 1.0);
}"""
SHADE_FRAGMENT = """uniform sampler2D u_image; uniform vec4 u_dark; varying vec2 v_at;
void main() {
    vec2 s = texture2D(u_image, v_at).rg;
    gl_FragColor = vec4(u_dark.rgb, u_dark.a * clamp(0.62 * s.r + 0.58 * s.g, 0.0, 1.0));
}"""

LINE_VERTEX = (
    LOOKUP
    + """
attribute vec3 a_before; attribute vec3 a_point; attribute vec3 a_after; attribute vec3 a_style;
attribute vec3 a_along;
uniform mat4 u_matrix; uniform vec2 u_pixel; uniform float u_scale; uniform float u_push;
uniform float u_alpha; uniform vec4 u_halo;
uniform vec4 u_kind0; uniform vec4 u_kind1; uniform vec4 u_kind2; uniform vec4 u_kind3;
uniform vec3 u_accent;
varying vec4 v_color; varying vec2 v_side; varying vec3 v_point;
void main() {
    vec4 q = texel(0.0), at = texel(1.0);
    // of a stretched row
    vec3 reach = a_along * at.w;
    v_point = turned(q, a_point + vec3(0.0, 0.0, reach.y)) + at.xyz;
    vec4 p = u_matrix * vec4(v_point, 1.0);
    // relative to a_point
    vec4 b = p + u_matrix * vec4(turned(q, a_before + vec3(0.0, 0.0, reach.x)), 0.0);
    vec4 c = p + u_matrix * vec4(turned(q, a_after + vec3(0.0, 0.0, reach.z)), 0.0);
    vec2 s = p.xy / p.w, into = (s - b.xy / b.w) / u_pixel, onward = (c.xy / c.w - s) / u_pixel;
    if (dot(into, into) < 1e-8) into = onward;
    if (dot(onward, onward) < 1e-8) onward = into;
    into = normalize(into + 1e-9); onward = normalize(onward + 1e-9);
    vec2 tangent = normalize(into + onward + 1e-6), across = vec2(-tangent.y, tangent.x);
    float chosen = a_style.z > 0.5 ? step(0.25, texel(2.0).a) : 0.0;
    float half_width = 0.5 * (a_style.y + chosen * 0.9 + u_halo.w) * u_scale + 0.7;
    p.xy += across * a_style.x * half_width / max(dot(across, vec2(-into.y, into.x)), 0.55)
        * u_pixel * p.w;
    p.z -= u_push * p.w;
    vec4 tone = a_style.z < 0.5 ? u_kind0 : (a_style.z < 1.5 ? u_kind1
        : (a_style.z < 2.5 ? u_kind2 : u_kind3));
    tone.rgb = mix(tone.rgb, u_accent, chosen);
    if (u_halo.w > 0.0) tone.rgb = u_halo.rgb;
    v_color = vec4(tone.rgb, clamp(tone.a * u_alpha, 0.0, 1.0) * (1.0 - texel(3.0).x));
    v_side = vec2(a_style.x * half_width, half_width);
    gl_Position = p;
}"""
)
LINE_FRAGMENT = (
    CUT
    + """
varying vec4 v_color; varying vec2 v_side; varying vec3 v_point;
void main() {
    cut(v_point);
    gl_FragColor = vec4(v_color.rgb, v_color.a * clamp(v_side.y - abs(v_side.x), 0.0, 1.0));
}"""
)

FILL_VERTEX = (
    LOOKUP
    + """
attribute vec3 a_point; uniform mat4 u_matrix; uniform float u_push; uniform float u_alpha;
uniform vec4 u_kind1; uniform vec3 u_accent;
varying vec4 v_color;
void main() {
    vec4 p = u_matrix * vec4(turned(texel(0.0), a_point) + texel(1.0).xyz, 1.0);
    p.z -= u_push * p.w;
    v_color = vec4(mix(u_kind1.rgb, u_accent, step(0.25, texel(2.0).a)),
        clamp(u_kind1.a * u_alpha, 0.0, 1.0) * (1.0 - texel(3.0).x));
    gl_Position = p;
}"""
)
FILL_FRAGMENT = "varying vec4 v_color; void main() { gl_FragColor = v_color; }"

# seen where it lies, hidden as if it lay farther away by u_away: what is drawn in its plane stands
# wholly before it
PICTURE_VERTEX = """attribute vec2 a_corner; uniform mat4 u_matrix; uniform vec3 u_middle;
uniform vec3 u_across; uniform vec3 u_up; uniform vec3 u_away;
varying vec2 v_at;
void main() {
    v_at = vec2(0.5 + 0.5 * a_corner.x, 0.5 - 0.5 * a_corner.y);
    vec3 at = u_middle + u_across * a_corner.x + u_up * a_corner.y;
    vec4 p = u_matrix * vec4(at, 1.0), back = u_matrix * vec4(at + u_away, 1.0);
    gl_Position = vec4(p.xy, back.z / back.w * p.w, p.w);
}"""
PICTURE_FRAGMENT = """uniform sampler2D u_image; uniform float u_opacity; varying vec2 v_at;
void main() {
    vec4 tone = texture2D(u_image, v_at);
    gl_FragColor = vec4(tone.rgb, tone.a * u_opacity);
}"""
