"""Contacts: which points touch, and the nonsmooth steps in which they stick, slide, roll and
bounce.

Imported by the first run with contacts, and compiled then: mechanisms without contacts never pay
for it.

Between the search for contacts and the steps stand two tuples of arrays, so that kernels may hold
them:
`shapes.ShapeTable`, what may touch, constant in a run (but for its own working memory), and
`work.ContactPoints`, the points of an instant, with room to grow.  The search is one kernel,
`search.find_contacts(table, poses, velocities, margin, points, step=0.0) -> count`, called from
within the kernel that steps:
- poses (bodies, 7): body-frame origin in W [m], quaternion w x y z; velocities (bodies, 6): that
origin's in W [m/s], angular velocity in W [rad/s];
- all pairs of surfaces closer than margin [m] are reported, and with step [s] > 0 those that come
into touch within a step at these velocities, however
  far they are now, with the gap that is left along the normal of the touch; velocities are not
  looked at where step is 0;
- it sets points.count[0] and returns it; where the room is too small it returns more than the room,
len(points.gap), and what stands in points is not to
  be used: back in Python, `table, points = search.make_room(table, points, wanted)`, and search
      again;
- points.normal points from A to B, shape_a < shape_b; body -1 is ground; points.point lies midway
between the two surfaces; gap > 0 where they are apart;
- points.key names the features that touch, the same at the next instant; no shape is enlarged and
no point moved aside: margin only says how far one looks.
A table is made by `shapes.shape_table(shapes, excluded)`, which also compiles what pairs of its
kinds need, and nothing else.
From Python, `search.contacts_of(table, poses, velocities, margin, points)` searches until there is
room.
All kernels here are made by `contact_kernels.kernel`, which keeps them in a cache folder of their
own.

geometry/ searches for contacts.  Bottom up: vectors; convex/ (clipping: common area of two
features; gjk: distance; features; box and convex_pair: kernels for pairs of kinds); round and mesh
(kernels for the other pairs); hollow/ (those of meshes and tubes, from inside too); placement;
broad_phase (pairs by grid and sweep); surfaces (hulls and meshes as arrays); shapes; work; search.
cone/ solves for the impulses.  Bottom up: cone (projections); problem (N = D^T W D + E and
its product); apgd and block_apgd (the same for large islands); gauss_seidel (methods to compare);
newton; de_saxce; paradox (jamming); islands; island_solution (one island, and impacts one after the
other).
stepping/ makes steps of both.  prediction (velocities without contacts); contact_rows (right-hand
side r); response (impulses to velocities); surface_motion (places of contacts within a step);
warm_start; energy_account; overlaps and lifting; step (one step, all of these in turn).
Beside them: calling and standing (kernels by their address), workspace (settings, memory, tallies),
bodies (shapes and surfaces of a drawing), world (the arrays of a run), contact_run (blocks of
samples, as of engine.integration.smooth_run), warmup (compilation of all).
Joints are no rows of the cone problem: W is the factorisation of the smooth engine with all its
rows held, so that they hold to rounding whatever the tolerance.
An array more or less in Stage or Problem moves all others: kernels find them by place, which is why
every edit here compiles all kernels anew.
"""
