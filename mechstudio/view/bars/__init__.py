"""Bars and strips around the viewport: top bar, tools, banner, history, time bar, status line."""
