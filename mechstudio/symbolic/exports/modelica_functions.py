"""Functions that exported Modelica models bring along."""

PIECEWISE = """  function piecewise "Value (0), slope (1) or curvature (2) of polynomial pieces: \
rows of where a piece begins and its coefficients; they repeat after a period, higher by an advance"
    input Real s;
    input Real x[:, 7];
    input Real period;
    input Real advance;
    input Integer order;
    output Real y;
  protected
    Integer k;
    Real u;
    Real turns;
  algorithm
    turns := 0.0;
    if period > 0.0 then
      turns := floor((s - x[1, 1])/period);
    end if;
    u := s - period*turns;
    k := 1;
    while k < size(x, 1) and u >= x[min(k + 1, size(x, 1)), 1] loop
      k := k + 1;
    end while;
    u := u - x[k, 1];
    if order == 0 then
      y := advance*turns + x[k, 2] + u*(x[k, 3] + u*(x[k, 4] + u*(x[k, 5] \
+ u*(x[k, 6] + u*x[k, 7]))));
    elseif order == 1 then
      y := x[k, 3] + u*(2.0*x[k, 4] + u*(3.0*x[k, 5] + u*(4.0*x[k, 6] + u*5.0*x[k, 7])));
    else
      y := 2.0*x[k, 4] + u*(6.0*x[k, 5] + u*(12.0*x[k, 6] + u*20.0*x[k, 7]));
    end if;
  end piecewise;
"""

# rows that repeat others: the choice of symbolic/exports/fmu/runtime.py at each pose
SOLVED = """  function solved "a and multipliers of M*a = f + transpose(A)*multipliers, A*a = c: \
of as many rows of A as are independent, each the one farthest from what those before it imply; \
multipliers of the others are zero"
    input Real M[:, :];
    input Real f[:];
    input Real A[:, :];
    input Real c[:];
    input Integer count;
    output Real x[size(f, 1) + size(c, 1)];
  protected
    Integer n;
    Integer best;
    Integer chosen[count];
    Boolean taken[size(c, 1)];
    Real R[size(A, 1), size(A, 2)];
    Real S[size(f, 1) + count, size(f, 1) + count];
    Real y[size(f, 1) + count];
    Real most;
    Real part;
  algorithm
    n := size(f, 1);
    R := A;
    taken := fill(false, size(c, 1));
    for k in 1:count loop
      most := 0.0;
      best := 1;
      for i in 1:size(c, 1) loop
        part := R[i, :]*R[i, :];
        if not taken[i] and part > 1.001*most then
          most := part;
          best := i;
        end if;
      end for;
      assert(most > 0.0, "The rows of C imply each other at a singular pose");
      chosen[k] := best;
      taken[best] := true;
      for i in 1:size(c, 1) loop
        if not taken[i] then
          for turn in 1:2 loop
            part := R[i, :]*R[best, :]/most;
            R[i, :] := R[i, :] - part*R[best, :];
          end for;
        end if;
      end for;
    end for;
    S := zeros(n + count, n + count);
    S[1:n, 1:n] := M;
    y[1:n] := f;
    for k in 1:count loop
      S[1:n, n + k] := -A[chosen[k], :];
      S[n + k, 1:n] := A[chosen[k], :];
      y[n + k] := c[chosen[k]];
    end for;
    for k in 1:n + count loop
      best := k;
      for i in k + 1:n + count loop
        if abs(S[i, k]) > abs(S[best, k]) then
          best := i;
        end if;
      end for;
      assert(abs(S[best, k]) > 0.0, "The equations have no solution here");
      if best <> k then
        for j in 1:n + count loop
          part := S[k, j];
          S[k, j] := S[best, j];
          S[best, j] := part;
        end for;
        part := y[k];
        y[k] := y[best];
        y[best] := part;
      end if;
      for i in k + 1:n + count loop
        part := S[i, k]/S[k, k];
        S[i, :] := S[i, :] - part*S[k, :];
        y[i] := y[i] - part*y[k];
      end for;
    end for;
    for k in n + count:-1:1 loop
      for j in k + 1:n + count loop
        y[k] := y[k] - S[k, j]*y[j];
      end for;
      y[k] := y[k]/S[k, k];
    end for;
    x := zeros(n + size(c, 1));
    x[1:n] := y[1:n];
    for k in 1:count loop
      x[n + chosen[k]] := y[n + k];
    end for;
  end solved;
"""
