"""Contacts: detection of touching points, and nonsmooth steps in which they stick, slide, roll and
bounce.

The package is imported and compiled by the first run with contacts, at no cost for other runs.

Two sets of arrays connect the search for contacts and the steps: `shapes.ShapeTable`, the shapes,
constant in a run but for working memory, and `work.ContactPoints`, the points of an instant, with
room to grow.  The search is one kernel, called by the kernel that steps:
`search.find_contacts(table, poses, velocities, margin, points, step=0.0) -> count`.
- poses (bodies, 7): body-frame origin in W [m], quaternion w x y z; velocities (bodies, 6): that
  origin's in W [m/s], angular velocity in W [rad/s];
- all pairs of surfaces closer than margin [m] are reported, and with step [s] > 0 those that come
  into touch within a step at these velocities, at any distance, with the remaining gap along the
  normal of the touch; velocities are ignored where step is 0;
- it sets points.count[0] and returns it; where the room, len(points.gap), is too small it returns
  more than that, and points must not be used: Python then calls
  `table, points = search.make_room(table, points, requested)` and searches again;
- points.normal points from A to B, shape_a < shape_b; body -1 is ground; points.point lies midway
  between the two surfaces; gap > 0 where they are apart;
- points.key identifies the touching features and is the same at the next instant; no shape is
  enlarged and no point shifted: margin is only the distance of the search.
A table is made by `shapes.shape_table(shapes, excluded)`, which also compiles the kernels of its
pairs of kinds, and no others.  From Python, `search.contacts_of(table, poses, velocities, margin,
points)` repeats the search until there is room.
All kernels of this package are made by `contact_kernels.kernel`, which keeps them in a cache folder
of their own.

geometry/ searches for contacts.  Bottom up: vectors; convex/ (clipping: common area of two
features; round_end: the same with a circle; gjk: distance; features; box and convex_pair: kernels
for pairs of kinds); round and mesh (kernels for the other pairs); hollow/ (those of meshes and
tubes, from inside too); placement; broad_phase (pairs by grid and sweep); surfaces (hulls and
meshes as arrays); shapes; work; search.
cone/ solves for the impulses.  Bottom up: cone (projections); problem (N = D^T W D + E and
its product); contact_operator and pile_operator (N in the axes of contacts and of W); apgd;
gauss_seidel (methods to compare); de_saxce; envelope and coordinates (matrices of Newton's method);
newton; law_newton (the same for Coulomb's law); paradox (jamming); islands; island_solution (one
island, and impacts one after the other).
stepping/ combines both in steps.  prediction (velocities without contacts); contact_rows
(right-hand side r); response (impulses to velocities); surface_motion (places of contacts within a
step); warm_start; energy_account; overlaps and overlap_correction; step (one step through all of
these).
runs/ makes the blocks of samples, events and notes, as engine.integration.smooth_run does.
Beside them: kernel_calls and kernel_table (kernels by their address), workspace (settings, memory,
totals), bodies (shapes and surfaces of a drawing), world (the arrays of a run), warmup (compilation
of all).
Joints are no rows of the cone problem: W is the factorisation of the smooth engine with all its
rows held, so that joints hold to rounding for every tolerance.
Kernels find the arrays of Stage and Problem by position, and a new array shifts the others.  Every
edit here therefore recompiles all kernels.
"""
