"""The C that turns equations() and forces() into an FMU of FMI 3.0 for co-simulation: a Runge-Kutta
of fourth order that chooses its steps by halving them (Hairer, Norsett & Wanner, Solving ordinary
differential equations I, II.4) and closes the joints again after each.

Its messages are in English, whatever the language of the window: the FMU travels, and they stand in
the log of another program beside its own.
"""

HEAD = r"""/* Co-simulation by FMI 3.0 of the equations beside it, in C99 without other headers.
 *
 * A step of the importer is cut into steps of at most longest_step, each as long as lets a step and
 * its two halves agree to `tolerance`: what is stiff takes short ones by itself.  At each stage
 * [M -C_q^T; C_q 0] [a; lambda] = [tau - b - g_q; gamma] is solved with the independent rows, which
 * are chosen again before each step; after
 * each step q and v are brought back onto C = 0 and C_q v = u.
 */
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "equations.h"

#if defined(_WIN32)
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif

typedef void *fmi3Instance;
typedef void *fmi3Environment;
typedef void *fmi3FMUState;
typedef unsigned int fmi3VR;
typedef enum { fmi3OK, fmi3Warning, fmi3Discard, fmi3Error, fmi3Fatal } fmi3Status;
typedef void (*fmi3Log)(fmi3Environment, fmi3Status, const char *, const char *);
"""

BODY = r"""
typedef struct {
    double t, q[N + 1], v[N + 1], p[P + 1];
    /* places of drives that were set from outside, those before, and whether they were */
    double place[D + 1], before[D + 1], rate[D + 1];
    int is_set[D + 1], is_ready;
    int kept[K + 1]; /* the rows that imply the others here */
    double next; /* the step that it would take */
    fmi3Log log;
    fmi3Environment environment;
} Model;

typedef struct {
    double M[N*N + 1], b[N + 1], g_q[N + 1], tau[N + 1], C[R + 1], C_q[R*N + 1], gamma[R + 1];
    double a[N + 1];
} Work;

static void say(Model *m, fmi3Status status, const char *text)
{
    if (m->log) m->log(m->environment, status, "logStatusError", text);
}

/* f, f', f'' of a course at t: rows of where a piece begins and its coefficients. */
static void course_at(int k, double t, double *f)
{
    const double (*x)[7] = courses[k].rows;
    int i = 0, end = courses[k].count;
    while (end - i > 1) {
        const int middle = i + (end - i)/2;
        if (t >= x[middle][0]) i = middle;
        else end = middle;
    }
    const double w = t - x[i][0], *c = x[i] + 1;
    f[0] = c[0] + w*(c[1] + w*(c[2] + w*(c[3] + w*(c[4] + w*c[5]))));
    f[1] = c[1] + w*(2.0*c[2] + w*(3.0*c[3] + w*(4.0*c[4] + w*5.0*c[5])));
    f[2] = 2.0*c[2] + w*(6.0*c[3] + w*(12.0*c[4] + w*20.0*c[5]));
}

/* Put what follows the time or the motion into the parameters; rates: of the courses. */
static void follow(Model *m, const double *q, const double *v, double t, double *rates)
{
    for (int k = 0; k < D; k++) {
        double f[3];
        if (m->is_set[k]) {
            f[0] = m->place[k] + m->rate[k]*(t - m->t);
            f[1] = m->rate[k];
            f[2] = 0.0;
        } else
            course_at(k, t, f);
        m->p[courses[k].place] = f[0];
        if (courses[k].rate >= 0) m->p[courses[k].rate] = f[1];
        if (courses[k].acceleration >= 0) m->p[courses[k].acceleration] = f[2];
        rates[k] = f[1];
    }
    read_motion(q, v, t, m->p);
}

static void evaluate(Model *m, const double *q, const double *v, double t, Work *w, double *rates)
{
    follow(m, q, v, t, rates);
    equations(q, v, t, m->p, w->M, w->b, w->g_q, w->C, w->C_q, w->gamma);
    forces(q, v, t, m->p, w->tau);
}

/* Solve A x = x (n, n) in place by elimination with pivots; false where A is singular. */
static bool solve(double *A, double *x, int n)
{
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(A[i*n + k]) > fabs(A[best*n + k])) best = i;
        if (!(fabs(A[best*n + k]) > 1e-300)) return false;
        if (best != k) {
            for (int j = k; j < n; j++) {
                const double held = A[k*n + j];
                A[k*n + j] = A[best*n + j];
                A[best*n + j] = held;
            }
            const double held = x[k];
            x[k] = x[best];
            x[best] = held;
        }
        for (int i = k + 1; i < n; i++) {
            const double f = A[i*n + k]/A[k*n + k];
            if (f == 0.0) continue;
            for (int j = k; j < n; j++) A[i*n + j] -= f*A[k*n + j];
            x[i] -= f*x[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++) x[k] -= A[k*n + j]*x[j];
        x[k] /= A[k*n + k];
        if (!isfinite(x[k])) return false;
    }
    return true;
}

/* Solve M x = right + C_q^T lambda with the kept rows of C_q x = rows (K). */
static bool held(const Model *m, const Work *w, const double *right, const double *rows, double *x)
{
    enum { S = N + K };
    double A[S*S + 1], y[S + 1];
    memset(A, 0, sizeof A);
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) A[i*S + j] = w->M[i*N + j];
        y[i] = right[i];
    }
    for (int k = 0; k < K; k++) {
        for (int j = 0; j < N; j++) {
            A[j*S + N + k] = -w->C_q[m->kept[k]*N + j];
            A[(N + k)*S + j] = w->C_q[m->kept[k]*N + j];
        }
        y[N + k] = rows[k];
    }
    if (!solve(A, y, S)) return false;
    memcpy(x, y, N*sizeof(double));
    return true;
}

/* Accelerations at q, v, t. */
static bool accelerations(Model *m, const double *q, const double *v, double t, double *a)
{
    Work w;
    double rates[D + 1], right[N + 1], rows[K + 1];
    evaluate(m, q, v, t, &w, rates);
    for (int i = 0; i < N; i++) right[i] = w.tau[i] - w.b[i] - w.g_q[i];
    for (int k = 0; k < K; k++) rows[k] = w.gamma[m->kept[k]];
    return held(m, &w, right, rows, a);
}

/* The change of q (N), least of all, by which rows of C_q answer `miss` (K). */
static bool least(const Model *m, const Work *w, const double *miss, double *change)
{
    double A[K*K + 1], x[K + 1];
    int rows[K + 1], n = 0;
    for (int k = 0; k < K; k++)
        if (!rolling[m->kept[k]]) rows[n++] = k;
    for (int i = 0; i < n; i++) {
        x[i] = miss[rows[i]];
        for (int j = 0; j < n; j++) {
            A[i*n + j] = 0.0;
            for (int c = 0; c < N; c++)
                A[i*n + j] += w->C_q[m->kept[rows[i]]*N + c]*w->C_q[m->kept[rows[j]]*N + c];
        }
    }
    memset(change, 0, N*sizeof(double));
    if (n == 0) return true;
    if (!solve(A, x, n)) return false;
    for (int c = 0; c < N; c++)
        for (int i = 0; i < n; i++) change[c] += w->C_q[m->kept[rows[i]]*N + c]*x[i];
    return true;
}

/* Choose the rows to hold at q: each the one farthest from what those before it imply.  Three rows
 * of a spatial loop that imply the others at one pose may imply each other at the next. */
static void choose(Model *m, double t)
{
    Work w;
    double rates[D + 1];
    int is_taken[R + 1] = {0}, chosen[K + 1];
    if (K == 0 || K == OPEN) return;
    evaluate(m, m->q, m->v, t, &w, rates);
    for (int k = 0; k < K; k++) {
        double best = 0.0;
        chosen[k] = -1;
        for (int i = 0; i < R; i++) {
            double size = 0.0;
            for (int j = 0; j < N; j++) size += w.C_q[i*N + j]*w.C_q[i*N + j];
            if (!is_taken[i] && size > 1.001*best) {
                best = size;
                chosen[k] = i;
            }
        }
        if (chosen[k] < 0) return; /* a singular pose: those before are as good */
        is_taken[chosen[k]] = 1;
        const double *along = w.C_q + chosen[k]*N;
        for (int i = 0; i < R; i++) {
            if (is_taken[i]) continue;
            for (int turn = 0; turn < 2; turn++) {
                double part = 0.0;
                for (int j = 0; j < N; j++) part += w.C_q[i*N + j]*along[j];
                for (int j = 0; j < N; j++) w.C_q[i*N + j] -= part/best*along[j];
            }
        }
    }
    memcpy(m->kept, chosen, K*sizeof(int));
}

/* Bring q onto C = 0, and v onto C_q v = u by an impulse: where a law has a corner, v jumps. */
static bool project(Model *m, double t)
{
    Work w;
    double rates[D + 1], miss[K + 1], change[N + 1], none[N + 1] = {0.0};
    if (K == 0) {
        follow(m, m->q, m->v, t, rates);
        return true;
    }
    for (int turn = 0; turn < 20; turn++) {
        double worst = 0.0;
        evaluate(m, m->q, m->v, t, &w, rates);
        for (int k = 0; k < K; k++) {
            miss[k] = -w.C[m->kept[k]];
            if (!rolling[m->kept[k]] && fabs(miss[k]) > worst) worst = fabs(miss[k]);
        }
        if (worst < 1e-13) break;
        if (!least(m, &w, miss, change)) return false;
        for (int i = 0; i < N; i++) m->q[i] += change[i];
    }
    evaluate(m, m->q, m->v, t, &w, rates);
    for (int k = 0; k < R; k++) /* rows that repeated the others and do so no more */
        if (!rolling[k] && !(fabs(w.C[k]) < apart)) return false;
    for (int k = 0; k < K; k++) {
        miss[k] = driven[m->kept[k]] >= 0 ? rates[driven[m->kept[k]]] : 0.0;
        for (int j = 0; j < N; j++) miss[k] -= w.C_q[m->kept[k]*N + j]*m->v[j];
    }
    if (!held(m, &w, none, miss, change)) return false;
    for (int i = 0; i < N; i++) m->v[i] += change[i];
    return true;
}

static bool advance(Model *m, double t, double h)
{
    double q[N + 1], v[N + 1], kq[4][N + 1], kv[4][N + 1];
    static const double at[4] = {0.0, 0.5, 0.5, 1.0};
    for (int s = 0; s < 4; s++) {
        for (int i = 0; i < N; i++) {
            q[i] = m->q[i] + (s ? at[s]*h*kq[s - 1][i] : 0.0);
            v[i] = m->v[i] + (s ? at[s]*h*kv[s - 1][i] : 0.0);
            kq[s][i] = v[i];
        }
        if (!accelerations(m, q, v, t + at[s]*h, kv[s])) return false;
    }
    for (int i = 0; i < N; i++) {
        m->q[i] += h/6.0*(kq[0][i] + 2.0*kq[1][i] + 2.0*kq[2][i] + kq[3][i]);
        m->v[i] += h/6.0*(kv[0][i] + 2.0*kv[1][i] + 2.0*kv[2][i] + kv[3][i]);
    }
    return project(m, t + h);
}

/* Two halves of a step of h, if they agree with the whole one; the error over what is allowed. */
static bool halves(Model *m, double t, double h, double *error)
{
    double q[N + 1], v[N + 1], whole[2*N + 1];
    memcpy(q, m->q, sizeof q);
    memcpy(v, m->v, sizeof v);
    bool done = advance(m, t, h);
    memcpy(whole, m->q, N*sizeof(double));
    memcpy(whole + N, m->v, N*sizeof(double));
    memcpy(m->q, q, sizeof q);
    memcpy(m->v, v, sizeof v);
    done = done && advance(m, t, 0.5*h) && advance(m, t + 0.5*h, 0.5*h);
    *error = 0.0;
    for (int i = 0; done && i < N; i++) {
        const double x[2] = {m->q[i], m->v[i]}, y[2] = {whole[i], whole[N + i]};
        for (int k = 0; k < 2; k++) {
            const double miss = fabs(x[k] - y[k])/(15.0*tolerance*(size + fabs(x[k])));
            if (!(miss <= *error)) *error = miss;
        }
        done = isfinite(*error);
    }
    if (!done || *error > 1.0) {
        memcpy(m->q, q, sizeof q);
        memcpy(m->v, v, sizeof v);
    }
    return done;
}

static bool is_beyond_bounds(const Model *m)
{
    for (int i = 0; i < N; i++)
        if (!(fabs(m->v[i]) < 1e9)) return true;
    return false;
}

static void reset(Model *m)
{
    m->t = 0.0;
    memcpy(m->q, start_q, sizeof start_q);
    memcpy(m->v, start_v, sizeof start_v);
    memcpy(m->p, start_p, sizeof start_p);
    memcpy(m->kept, start_kept, sizeof start_kept);
    memset(m->is_set, 0, sizeof m->is_set);
    memset(m->rate, 0, sizeof m->rate);
    m->next = 0.1*longest_step;
    m->is_ready = 0;
}

/* values: of references: time, parameters, drives, q, v, kinetic and potential energy, gap */
enum { FIRST_P = 1, FIRST_D = FIRST_P + P, FIRST_Q = FIRST_D + D, FIRST_V = FIRST_Q + N,
       ENERGY = FIRST_V + N, POTENTIAL = ENERGY + 1, GAP = POTENTIAL + 1, VALUES = GAP + 1 };

static bool get(Model *m, fmi3VR r, double *value)
{
    if (r == 0) *value = m->t;
    else if (r < FIRST_D) *value = m->p[r - FIRST_P];
    else if (r < FIRST_Q) {
        double f[3];
        course_at((int)(r - FIRST_D), m->t, f);
        *value = m->is_set[r - FIRST_D] ? m->place[r - FIRST_D] : f[0];
    }
    else if (r < FIRST_V) *value = m->q[r - FIRST_Q];
    else if (r < ENERGY) *value = m->v[r - FIRST_V];
    else if (r == POTENTIAL) {
        double rates[D + 1], U[1] = {0.0}, drawn[1] = {0.0};
        potential(start_q, start_v, 0.0, start_p, drawn);
        follow(m, m->q, m->v, m->t, rates);
        potential(m->q, m->v, m->t, m->p, U);
        *value = U[0] - drawn[0] + start_potential;
    } else if (r < VALUES) {
        Work w;
        double rates[D + 1], sum = 0.0;
        evaluate(m, m->q, m->v, m->t, &w, rates);
        if (r == ENERGY) {
            for (int i = 0; i < N; i++)
                for (int j = 0; j < N; j++) sum += 0.5*m->v[i]*w.M[i*N + j]*m->v[j];
        } else {
            for (int k = 0; k < R; k++)
                if (!rolling[k]) sum += w.C[k]*w.C[k];
            sum = sqrt(sum);
        }
        *value = sum;
    } else
        return false;
    return true;
}

EXPORT const char *fmi3GetVersion(void) { return "3.0"; }

EXPORT fmi3Status fmi3SetDebugLogging(fmi3Instance m, bool on, size_t n, const char *const c[])
{
    (void)m; (void)on; (void)n; (void)c;
    return fmi3OK;
}

EXPORT fmi3Instance fmi3InstantiateCoSimulation(
    const char *name, const char *token, const char *resources, bool visible, bool logging,
    bool events, bool early, const fmi3VR intermediate[], size_t count,
    fmi3Environment environment, fmi3Log log, void *update)
{
    (void)name; (void)resources; (void)visible; (void)logging; (void)events; (void)early;
    (void)intermediate; (void)count; (void)update;
    if (!token || strcmp(token, TOKEN) != 0) {
        if (log) log(environment, fmi3Error, "logStatusError", "The token is of another FMU.");
        return NULL;
    }
    Model *m = calloc(1, sizeof(Model));
    if (!m) return NULL;
    m->log = log;
    m->environment = environment;
    reset(m);
    return m;
}

EXPORT void fmi3FreeInstance(fmi3Instance m) { free(m); }

EXPORT fmi3Status fmi3EnterInitializationMode(
    fmi3Instance m, bool has_tolerance, double tolerance, double start, bool has_stop, double stop)
{
    (void)has_tolerance; (void)tolerance; (void)has_stop; (void)stop;
    ((Model *)m)->t = start;
    return fmi3OK;
}

EXPORT fmi3Status fmi3ExitInitializationMode(fmi3Instance instance)
{
    Model *m = instance;
    for (int k = 0; k < D; k++) {
        double f[3];
        course_at(k, m->t, f);
        m->before[k] = f[0];
        if (!m->is_set[k]) m->place[k] = f[0];
    }
    choose(m, m->t);
    if (!project(m, m->t)) {
        say(m, fmi3Error, "The mechanism cannot be closed with these parameters.");
        return fmi3Error;
    }
    m->is_ready = 1;
    return fmi3OK;
}

EXPORT fmi3Status fmi3Terminate(fmi3Instance m) { (void)m; return fmi3OK; }

EXPORT fmi3Status fmi3Reset(fmi3Instance m) { reset(m); return fmi3OK; }

EXPORT fmi3Status fmi3GetFloat64(
    fmi3Instance m, const fmi3VR r[], size_t n, double values[], size_t count)
{
    if (count != n) return fmi3Error;
    for (size_t i = 0; i < n; i++)
        if (!get(m, r[i], values + i)) {
            say(m, fmi3Error, "There is no variable with this reference.");
            return fmi3Error;
        }
    return fmi3OK;
}

EXPORT fmi3Status fmi3SetFloat64(
    fmi3Instance instance, const fmi3VR r[], size_t n, const double values[], size_t count)
{
    Model *m = instance;
    if (count != n) return fmi3Error;
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(values[i]) || r[i] < FIRST_P || r[i] >= FIRST_Q) {
            say(m, fmi3Error, "Only parameters and inputs can be set, to finite numbers.");
            return fmi3Error;
        }
        if (r[i] < FIRST_D) m->p[r[i] - FIRST_P] = values[i];
        else {
            m->place[r[i] - FIRST_D] = values[i];
            m->is_set[r[i] - FIRST_D] = 1;
        }
    }
    return fmi3OK;
}

EXPORT fmi3Status fmi3DoStep(
    fmi3Instance instance, double t, double length, bool no_earlier, bool *event, bool *terminate,
    bool *early, double *last)
{
    Model *m = instance;
    (void)no_earlier;
    *event = *terminate = *early = false;
    *last = t;
    if (!(length > 0.0)) return length == 0.0 ? fmi3OK : fmi3Error;
    if (!(length < 1e7*longest_step)) {
        say(m, fmi3Error, "The step is too long.");
        return fmi3Error;
    }
    for (int k = 0; k < D; k++)
        if (!m->is_set[k] && t + length > course_ends*(1.0 + 1e-9)) {
            say(m, fmi3Error, "The laws over the time are not known beyond the stop time of this "
                "FMU. Export it with a longer duration.");
            return fmi3Error;
        }
    double aim[D + 1], gone = 0.0;
    bool is_led = false;
    m->t = t;
    for (int k = 0; k < D; k++) {
        /* a place that is set is reached at the end of the step at an even speed */
        aim[k] = m->place[k];
        m->rate[k] = m->is_set[k] ? (aim[k] - m->before[k])/length : 0.0;
        m->place[k] = m->before[k];
        is_led = is_led || m->is_set[k];
    }
    /* another even speed begins with an impulse: without it both halves of a step never agree */
    if (is_led && !project(m, t)) {
        say(m, fmi3Error, "The inputs cannot be followed from here: a dead point.");
        return fmi3Error;
    }
    for (long i = 0; gone < length; i++) {
        const double left = length - gone;
        double h = m->next < left ? m->next : left, error;
        if (h < left && left < 2.0*h) h = 0.5*left;
        choose(m, m->t); /* once for all three, whose ends are compared */
        const bool done = halves(m, m->t, h, &error);
        if (done && error <= 1.0) {
            const double longer = h*fmin(4.0, 0.9*pow(fmax(error, 1e-6), -0.2));
            if (h == m->next || longer > m->next) m->next = fmin(longer, longest_step);
            for (int k = 0; k < D; k++) m->place[k] += m->rate[k]*h;
            gone = h < left ? gone + h : length;
            m->t = t + gone;
        } else
            m->next = h*(done ? fmax(0.2, 0.9*pow(error, -0.2)) : 0.25);
        if (m->next < shortest_step || i >= most_steps) {
            say(m, fmi3Error, done || i >= most_steps || is_beyond_bounds(m)
                ? "A spring or damper is so stiff that the steps of this FMU become too short. "
                  "Make it softer."
                : "The equations have no solution here: a dead point, or no inertia.");
            return fmi3Error;
        }
    }
    for (int k = 0; k < D; k++) {
        double f[3];
        course_at(k, m->t, f);
        m->place[k] = m->is_set[k] ? aim[k] : f[0];
        m->before[k] = m->place[k];
        m->rate[k] = 0.0;
    }
    m->t = *last = t + length;
    return fmi3OK;
}

EXPORT fmi3Status fmi3GetFMUState(fmi3Instance m, fmi3FMUState *state)
{
    if (!*state) *state = malloc(sizeof(Model));
    if (!*state) return fmi3Error;
    memcpy(*state, m, sizeof(Model));
    return fmi3OK;
}

EXPORT fmi3Status fmi3SetFMUState(fmi3Instance m, fmi3FMUState state)
{
    if (!state) return fmi3Error;
    memcpy(m, state, sizeof(Model));
    return fmi3OK;
}

EXPORT fmi3Status fmi3FreeFMUState(fmi3Instance m, fmi3FMUState *state)
{
    (void)m;
    free(*state);
    *state = NULL;
    return fmi3OK;
}

/* what FMI asks for and this FMU does not offer: modelDescription.xml says so */
#define MISSING(name) EXPORT fmi3Status name(fmi3Instance m) { (void)m; return fmi3Error; }
#define NONE(name) EXPORT fmi3Instance name(const char *n) { (void)n; return NULL; }
"""

MISSING = (
    "EnterEventMode EnterConfigurationMode ExitConfigurationMode EnterContinuousTimeMode "
    "EnterStepMode CompletedIntegratorStep EvaluateDiscreteStates UpdateDiscreteStates "
    "GetFloat32 SetFloat32 GetInt8 SetInt8 GetUInt8 SetUInt8 GetInt16 SetInt16 GetUInt16 SetUInt16 "
    "GetInt32 SetInt32 GetUInt32 SetUInt32 GetInt64 SetInt64 GetUInt64 SetUInt64 GetBoolean "
    "SetBoolean GetString SetString GetBinary SetBinary GetClock SetClock "
    "GetNumberOfVariableDependencies GetVariableDependencies SerializedFMUStateSize "
    "SerializeFMUState DeserializeFMUState GetDirectionalDerivative GetAdjointDerivative "
    "GetIntervalDecimal GetIntervalFraction GetShiftDecimal GetShiftFraction SetIntervalDecimal "
    "SetIntervalFraction SetShiftDecimal SetShiftFraction SetTime SetContinuousStates "
    "GetContinuousStateDerivatives GetEventIndicators GetContinuousStates "
    "GetNominalsOfContinuousStates GetNumberOfEventIndicators GetNumberOfContinuousStates "
    "GetOutputDerivatives ActivateModelPartition"
).split()


def source(data: str) -> str:
    """The file, with the model's own numbers in between."""
    missing = "".join(f"MISSING(fmi3{name})\n" for name in MISSING)
    none = "NONE(fmi3InstantiateModelExchange)\nNONE(fmi3InstantiateScheduledExecution)\n"
    return HEAD + data + BODY + missing + none
