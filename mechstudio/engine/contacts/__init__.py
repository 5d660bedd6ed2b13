"""Contacts: which points touch, and the nonsmooth steps in which they stick, slide, roll and bounce.

Imported by the first run with contacts, and compiled then: mechanisms without contacts never pay for it.

Between the search for contacts and the steps stand two tuples of arrays, so that kernels may hold them:
`shapes.ShapeTable`, what may touch, constant in a run, and `points.ContactPoints`, the points of an instant, with room to grow.
The search is one kernel, `search.find_contacts(table, poses, velocities, margin, points) -> count`, called from within the kernel that steps:
- poses (bodies, 7): body-frame origin in W [m], quaternion w x y z; velocities (bodies, 6): that origin's in W [m/s], angular velocity in W [rad/s];
- it sets points.count[0] and returns it; where the room is too small it returns the room that it wants and what stands in points is not to be used;
- points.normal points from A to B; body -1 is ground; points.point lies midway between the two surfaces; gap > 0 where they are apart.
All kernels here are made by `compiled.kernel`, which keeps them in a cache folder of their own.
"""
