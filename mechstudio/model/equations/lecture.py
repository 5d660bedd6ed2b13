"""A derivation as it is taught: chapters of steps, steps of equations and matrices, and the proofs
that stand beside them.

The worker sends these, the window folds and unfolds them, every printer writes them.  All formulas
are made of model/equations/terms.py.

    Lecture ── chapters ── steps ── equations, blocks
       └────── proofs
"""

import msgspec

from mechstudio.model.equations.terms import Block, Entry, Equations, Name
from mechstudio.translation import Words

# the three derivations, in the order in which they stand side by side
NEWTON_EULER, PROJECTED, LAGRANGE = "newton-euler", "projected", "lagrange"
METHODS = (NEWTON_EULER, PROJECTED, LAGRANGE)
METHOD_TITLES: dict[str, Words] = {
    NEWTON_EULER: "Newton-Euler",
    PROJECTED: "Projected Newton-Euler",
    LAGRANGE: "Lagrange",
}

# chapters beside the methods
CONSTRAINTS, PARTITION, KINEMATICS, TORSORS, EQUILIBRIA, RECURSIVE = (
    "constraints",
    "partition",
    "kinematics",
    "torsors",
    "equilibria",
    "recursive",
)
CONTACTS = "contacts"
CHAPTER_TITLES: dict[str, Words] = METHOD_TITLES | {
    CONSTRAINTS: "Constraints and multipliers",
    PARTITION: "Independent coordinates",
    KINEMATICS: "Joints and transforms",
    TORSORS: "Torsors and virtual power",
    EQUILIBRIA: "Equilibria and stability",
    RECURSIVE: "Recursive form",
    CONTACTS: "Contacts and friction",
}

# steps of a method, in their order; a method has those that it needs
STEPS = (
    "frames",
    "positions",
    "velocities",
    "accelerations",
    "jacobians",
    "energies",
    "cuts",
    "balances",
    "elimination",
    "loads",
    "assembly",
    "result",
)

# how a claim was proven
EXACT: Words = "exact"  # the difference is the zero of the ring, or the integers say so
RANDOM: Words = (
    "at a random point"  # modulo 2^61 - 1 (Schwartz-Zippel): wrong with a probability below 1e-15
)
SAMPLED: Words = "by numbers"  # at sampled states, to the tolerance in `detail`
UNPROVEN: Words = "not proven"  # not checked, or undecidable
DIFFERENT: Words = "different"  # it does not hold
HOW = (EXACT, RANDOM, SAMPLED, UNPROVEN, DIFFERENT)

# begins the keys of proofs about equations that somebody wrote down (Lesson.claims): CLAIM + number
CLAIM = "claim:"

# the claim about the simulator, whose proof is made apart from all others
ENGINE = "engine"
ENGINE_CLAIM: Words = "The simulator accelerates alike."


class Equality(msgspec.Struct, frozen=True):
    """One equation written out: left = right.  label: its meaning in words ("x", "moment about z of
    crank").  sources: ids.
    """

    left: Entry
    right: Entry
    label: str = ""
    sources: tuple[str, ...] = ()


class Step(msgspec.Struct, frozen=True):
    """One step of a chapter.

    key: unlike any other in its chapter, "cuts" or "cuts:b1" for one body.  kind: one of STEPS, or
    of the chapter's own.  sentences: what is done and why.  formula: key of FORMULAS, the step's
    formula in general, or "".  equations, blocks: the result here.
    depth: 0 for a step, 1 for a part of the step before it (one body, one load).  sources: ids of
    the elements that it is about.
    """

    key: str
    kind: str
    title: str
    sentences: tuple[str, ...] = ()
    formula: str = ""
    equations: tuple[Equality, ...] = ()
    blocks: tuple[Block, ...] = ()
    depth: int = 0
    sources: tuple[str, ...] = ()


class Chapter(msgspec.Struct, frozen=True):
    """A sequence of steps.  key: of CHAPTER_TITLES.  refusal: why there are no steps, with the
    cure; "" where there are.
    """

    key: str
    title: str
    steps: tuple[Step, ...] = ()
    refusal: str = ""

    def step(self, key: str) -> Step:
        """A step by key.  Raises KeyError."""
        for step in self.steps:
            if step.key == key:
                return step
        raise KeyError(key)


class Proof(msgspec.Struct, frozen=True):
    """A claim and how far it is proven.

    key: "M:newton-euler=lagrange", "h:…" (b + g - tau), "symmetric", "skew", "positive", "engine".
    claim: a sentence.  how: of HOW.  detail: a sentence: at what, to what tolerance, how large the
    difference.  difference: left minus right where it is not zero and was written out.
    between: the two methods that are compared, or ().  row: number of the derived equation that a
    claim is, counted from 1; 0 for none.
    """

    key: str
    claim: str
    how: str
    detail: str = ""
    difference: tuple[Block, ...] = ()
    between: tuple[str, ...] = ()
    row: int = 0

    @property
    def holds(self) -> bool:
        """True if the claim was found true, by whatever means."""
        return self.how in (EXACT, RANDOM, SAMPLED)


class Reaction(msgspec.Struct, frozen=True):
    """One component of the load that a cut joint transmits, on its second body.

    name: its symbol.  joint: id of the joint, coupling or drive.  moment: a torque, else a force.
    axis: 0 to 2, of the axes of `frame`;
    -1 where it is a multiplier along a row.  frame: id of the body in whose cut axes it is written,
    "" for W.  on, against: ids of the bodies.  meaning: in words.
    """

    name: Name
    joint: str
    moment: bool
    axis: int
    frame: str
    on: str
    against: str
    meaning: str


class Lecture(msgspec.Struct, frozen=True):
    """Everything that a derivation gives: the equations of its method, chapters, proofs and the
    reactions' names.
    """

    equations: Equations
    chapters: tuple[Chapter, ...] = ()
    proofs: tuple[Proof, ...] = ()
    reactions: tuple[Reaction, ...] = ()

    def chapter(self, key: str) -> Chapter:
        """A chapter by key.  Raises KeyError."""
        for chapter in self.chapters:
            if chapter.key == key:
                return chapter
        raise KeyError(key)


class Formula(msgspec.Struct, frozen=True):
    """A general formula in three notations: plain Unicode, LaTeX, Typst (both in math mode)."""

    text: str
    latex: str
    typst: str


def _f(text: str, latex: str, typst: str) -> Formula:
    return Formula(text, latex, typst)


FORMULAS: dict[str, Formula] = {
    "transform": _f(
        "T_0n = T_01 T_12 … T_(n−1)n",
        r"T_{0n} = T_{01} T_{12} \cdots T_{(n-1)n}",
        "T_(0n) = T_(01) T_(12) dots.c T_((n-1)n)",
    ),
    "velocity": _f(
        "v_P = v_S + ω × r_SP", r"v_P = v_S + \omega \times r_{SP}", "v_P = v_S + ω times r_(S P)"
    ),
    "acceleration": _f(
        "a_P = a_S + α × r + ω × (ω × r)",
        r"a_P = a_S + \alpha \times r + \omega \times (\omega \times r)",
        "a_P = a_S + α times r + ω times (ω times r)",
    ),
    "jacobians": _f(
        "v_G = J_P q̇,  ω = J_R q̇",
        r"v_G = J_P \dot q, \quad \omega = J_R \dot q",
        "v_G = J_P dot(q), quad ω = J_R dot(q)",
    ),
    "balances": _f(
        "m r̈ = ΣF,  Θ α + ω × Θ ω = ΣΓ",
        r"m \ddot r = \sum F, \quad \Theta \alpha + \omega \times \Theta \omega = \sum \Gamma",
        "m dot.double(r) = sum F, quad Θ α + ω times Θ ω = sum Γ",
    ),
    "projected M": _f(
        "M = Σ m J_Pᵀ J_P + J_Rᵀ Θ J_R",
        r"M = \sum m J_P^{\mathsf T} J_P + J_R^{\mathsf T} \Theta J_R",
        "M = sum m J_P^upright(T) J_P + J_R^upright(T) Θ J_R",
    ),
    "projected b": _f(
        "b = Σ m J_Pᵀ J̇_P q̇ + J_Rᵀ (Θ J̇_R q̇ + ω × Θ ω)",
        r"b = \sum m J_P^{\mathsf T} \dot J_P \dot q + J_R^{\mathsf T} (\Theta \dot J_R \dot q + "
        r"\omega \times \Theta \omega)",
        (
            "b = sum m J_P^upright(T) dot(J)_P dot(q) + J_R^upright(T) (Θ dot(J)_R dot(q) + ω "
            "times Θ ω)"
        ),
    ),
    "generalised": _f(
        "τ = J_Pᵀ F + J_Rᵀ Γ",
        r"\tau = J_P^{\mathsf T} F + J_R^{\mathsf T} \Gamma",
        "τ = J_P^upright(T) F + J_R^upright(T) Γ",
    ),
    "energy": _f(
        "2 T = Σ m v_G² + ω · Θ ω",
        r"2 T = \sum m v_G^2 + \omega \cdot \Theta \omega",
        "2 T = sum m v_G^2 + ω dot.c Θ ω",
    ),
    "lagrange": _f(
        "d/dt ∂T/∂q̇ − ∂T/∂q + ∂U/∂q = τ",
        r"\frac{d}{dt} \frac{\partial T}{\partial \dot q} - \frac{\partial T}{\partial q} + "
        r"\frac{\partial U}{\partial q} = \tau",
        (
            "dif/(dif t) (partial T)/(partial dot(q)) - (partial T)/(partial q) + (partial "
            "U)/(partial q) = τ"
        ),
    ),
    "christoffel": _f(
        "C_jk = ½ Σ (∂M_jk/∂q_l + ∂M_jl/∂q_k − ∂M_kl/∂q_j) q̇_l",
        r"C_{jk} = \tfrac12 \sum_l \left(\frac{\partial M_{jk}}{\partial q_l} + \frac{\partial "
        r"M_{jl}}{\partial q_k} - \frac{\partial M_{kl}}{\partial q_j}\right) \dot q_l",
        (
            "C_(j k) = 1/2 sum_l ((partial M_(j k))/(partial q_l) + (partial M_(j l))/(partial "
            "q_k) - (partial M_(k l))/(partial q_j)) dot(q)_l"
        ),
    ),
    "open": _f(
        "M(q) q̈ + b(q, q̇) + g(q) = τ",
        r"M(q) \ddot q + b(q, \dot q) + g(q) = \tau",
        "M(q) dot.double(q) + b(q, dot(q)) + g(q) = τ",
    ),
    "closed": _f(
        "M(q) q̈ + b(q, q̇) + g(q) = τ + C_qᵀ λ",
        r"M(q) \ddot q + b(q, \dot q) + g(q) = \tau + C_q^{\mathsf T} \lambda",
        "M(q) dot.double(q) + b(q, dot(q)) + g(q) = τ + C_q^upright(T) λ",
    ),
    "cyclic": _f(
        "p_j = Σ M_jk q̇_k,  ṗ_j = 0",
        r"p_j = \sum_k M_{jk} \dot q_k, \quad \dot p_j = 0",
        "p_j = sum_k M_(j k) dot(q)_k, quad dot(p)_j = 0",
    ),
    "augmented": _f(
        "[M −C_qᵀ; C_q 0] [q̈; λ] = [Q_ev; γ]",
        r"\begin{bmatrix} M & -C_q^{\mathsf T} \\ C_q & 0 \end{bmatrix} \begin{bmatrix} \ddot q \\ "
        r"\lambda \end{bmatrix} = \begin{bmatrix} Q_{ev} \\ \gamma \end{bmatrix}",
        "mat(M, -C_q^upright(T); C_q, 0) vec(dot.double(q), λ) = vec(Q_(e v), γ)",
    ),
    "velocity rows": _f(
        "Ċ = C_q q̇ + C_t", r"\dot C = C_q \dot q + C_t", "dot(C) = C_q dot(q) + C_t"
    ),
    "quadratic": _f(
        "Q_v = −Ṁ q̇ + (∂T/∂q)ᵀ",
        r"Q_v = -\dot M \dot q + (\partial T / \partial q)^{\mathsf T}",
        "Q_v = -dot(M) dot(q) + (partial T slash partial q)^upright(T)",
    ),
    "loads": _f(
        "Q_ev = Q_e + Q_v − C_d q̇ − K (q − q_0)",
        r"Q_{ev} = Q_e + Q_v - C_d \dot q - K (q - q_0)",
        "Q_(e v) = Q_e + Q_v - C_d dot(q) - K (q - q_0)",
    ),
    "partition": _f(
        "q = (q_i, q_d),  B = [I; −C_qd⁻¹ C_qi],  q̇ = B q̇_i + β",
        r"q = (q_i, q_d), \quad B = \begin{bmatrix} I \\ -C_{q_d}^{-1} C_{q_i} \end{bmatrix}, "
        r"\quad \dot q = B \dot q_i + \beta",
        "q = (q_i, q_d), quad B = vec(I, -C_(q_d)^(-1) C_(q_i)), quad dot(q) = B dot(q)_i + β",
    ),
    "embedded": _f(
        "Bᵀ M B q̈_i = Bᵀ (Q − M c)",
        r"B^{\mathsf T} M B \ddot q_i = B^{\mathsf T} (Q - M c)",
        "B^upright(T) M B dot.double(q)_i = B^upright(T) (Q - M c)",
    ),
    "null": _f("C_q N = 0", r"C_q N = 0", "C_q N = 0"),
    "moment": _f(
        "M(B) = M(A) + F × AB",
        r"M(B) = M(A) + F \times \overrightarrow{AB}",
        "M(B) = M(A) + F times arrow(A B)",
    ),
    "power": _f(
        "D • V_qi = Σ F • V_qi",
        r"D \bullet V_{q_i} = \sum F \bullet V_{q_i}",
        "D circle.filled.small V_(q_i) = sum F circle.filled.small V_(q_i)",
    ),
    "linear": _f(
        "M δq̈ + D δq̇ + K δq = 0",
        r"M \delta\ddot q + D \delta\dot q + K \delta q = 0",
        "M δ dot.double(q) + D δ dot(q) + K δ q = 0",
    ),
    "gap": _f(
        "Φ(q) = n · (p_B − p_A) ≥ 0,  Φ̇ = u_n,  (u_n, u_u, u_w) = Dᵀ q̇",
        r"\Phi(q) = n \cdot (p_B - p_A) \geq 0, \quad \dot\Phi = u_n, \quad (u_n, u_u, u_w) = "
        r"D^{\mathsf T} \dot q",
        (
            "Φ(q) = n dot.c (p_B - p_A) >= 0, quad dot(Φ) = u_n \\ (u_n, u_u, u_w) = "
            "D^upright(T) dot(q)"
        ),
    ),
    "signorini": _f(
        "0 ≤ γ_n ⟂ u_n⁺ + Φ/h ≥ 0",
        r"0 \leq \gamma_n \perp u_n^{+} + \Phi / h \geq 0",
        "0 <= γ_n perp u_n^+ + Φ slash h >= 0",
    ),
    "coulomb": _f(
        "‖γ_t‖ ≤ μ γ_n,  γ_t = argmin { u_t⁺ · x : ‖x‖ ≤ μ γ_n }",
        r"\|\gamma_t\| \leq \mu \gamma_n, \quad \gamma_t = \operatorname*{argmin}_{\|x\| \leq \mu "
        r"\gamma_n} u_t^{+} \cdot x",
        'norm(γ_t) <= μ γ_n \\ γ_t = limits("argmin")_(norm(x) <= μ γ_n) thin u_t^+ dot.c x',
    ),
    "kkt": _f(
        "u_t⁺ + s γ_t / ‖γ_t‖ = 0,  0 ≤ s ⟂ μ γ_n − ‖γ_t‖ ≥ 0,  s = ‖u_t⁺‖",
        r"u_t^{+} + s\, \gamma_t / \|\gamma_t\| = 0, \quad 0 \leq s \perp \mu \gamma_n - "
        r"\|\gamma_t\| \geq 0, \quad s = \|u_t^{+}\|",
        (
            "u_t^+ + s thin γ_t slash norm(γ_t) = 0, quad s = norm(u_t^+) \\ 0 <= s perp μ γ_n - "
            "norm(γ_t) >= 0"
        ),
    ),
    "cones": _f(
        (
            "K = { γ : ‖γ_t‖ ≤ μ γ_n },  K* = { u : u_n ≥ μ ‖u_t‖ },  K ∋ γ ⟂ u⁺ + b + μ ‖u_t⁺‖ "
            "e_n ∈ K*"
        ),
        r"\begin{gathered} K = \{\gamma : \|\gamma_t\| \leq \mu \gamma_n\}, \quad K^{*} = \{u : "
        r"u_n \geq \mu \|u_t\|\} \\ K \ni \gamma \perp u^{+} + b + \mu \|u_t^{+}\| e_n \in K^{*} "
        r"\end{gathered}",
        (
            "K = {γ : norm(γ_t) <= μ γ_n} \\ K^* = {u : u_n >= μ norm(u_t)} \\ K in.rev γ perp "
            "u^+ + b + μ norm(u_t^+) e_n in K^*"
        ),
    ),
    "contact step": _f(
        "M (v⁺ − v) = h (τ − b − g) + C_qᵀ Λ + D γ,  C_q v⁺ + C_t = 0,  q⁺ = q + h v⁺",
        r"\begin{gathered} M (v^{+} - v) = h (\tau - b - g) + C_q^{\mathsf T} \Lambda + D \gamma "
        r"\\ C_q v^{+} + C_t = 0, \quad q^{+} = q + h v^{+} \end{gathered}",
        (
            "M (v^+ - v) = h (τ - b - g) + C_q^upright(T) Λ + D γ \\ C_q v^+ + C_t = 0, quad q^+ "
            "= q + h v^+"
        ),
    ),
    "cone problem": _f(
        (
            "min ½ γᵀ N γ + rᵀ γ, γ ∈ K;  N = Dᵀ W D + E,  r = Dᵀ v* + b,  W = M⁻¹ − M⁻¹ C_qᵀ "
            "(C_q M⁻¹ C_qᵀ)⁻¹ C_q M⁻¹"
        ),
        r"\begin{gathered} \min_{\gamma \in K} \tfrac12 \gamma^{\mathsf T} N \gamma + r^{\mathsf "
        r"T} \gamma \\ N = D^{\mathsf T} W D + E, \quad r = D^{\mathsf T} v^{*} + b \\ "
        r"W = M^{-1} - M^{-1} C_q^{\mathsf T} (C_q M^{-1} C_q^{\mathsf T})^{-1} C_q M^{-1} "
        r"\end{gathered}",
        "min_(γ in K) 1/2 γ^upright(T) N γ + r^upright(T) γ \\ N = D^upright(T) W D + E, quad r = "
        "D^upright(T) v^* + b \\ W = M^(-1) - M^(-1) C_q^upright(T) (C_q M^(-1) "
        "C_q^upright(T))^(-1) C_q M^(-1)",
    ),
    "projection": _f(
        (
            "P(γ) = γ in K;  0 where μ ‖γ_t‖ ≤ −γ_n;  else (1, μ γ_t / ‖γ_t‖) (γ_n + μ ‖γ_t‖) / "
            "(1 + μ²)"
        ),
        r"P(\gamma) = \begin{cases} \gamma & \|\gamma_t\| \leq \mu \gamma_n \\ 0 & \mu "
        r"\|\gamma_t\| \leq -\gamma_n \\ "
        r"\dfrac{\gamma_n + \mu \|\gamma_t\|}{1 + \mu^2} \left(1, \mu "
        r"\dfrac{\gamma_t}{\|\gamma_t\|}\right) & \text{else} \end{cases}",
        "P(γ) = cases(γ quad & norm(γ_t) <= μ γ_n, 0 & μ norm(γ_t) <= -γ_n, (γ_n + μ norm(γ_t))/(1 "
        '+ μ^2) (1, μ γ_t / norm(γ_t)) quad & upright("else"))',
    ),
    "apgd": _f(
        (
            "γ⁺ = P(y − (N y + r) / L),  y⁺ = γ⁺ + β (γ⁺ − γ);  residual = max d ‖γ − P(γ − (N γ "
            "+ r) / d)‖"
        ),
        r"\begin{gathered} \gamma^{+} = P\bigl(y - (N y + r) / L\bigr), \quad y^{+} = \gamma^{+} + "
        r"\beta (\gamma^{+} - \gamma) \\ \max_i d_i \bigl\|\gamma_i - P(\gamma_i - (N \gamma + "
        r"r)_i / d_i)\bigr\| \end{gathered}",
        (
            "γ^+ = P(y - (N y + r) slash L) \\ y^+ = γ^+ + β (γ^+ - γ) \\ max_i d_i norm(γ_i - "
            "P(γ_i - (N γ + r)_i slash d_i))"
        ),
    ),
}
