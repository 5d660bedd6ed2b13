"""Commands that run one mechanism many times: studies, optimisation, fit, synthesis."""
