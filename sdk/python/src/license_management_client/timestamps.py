"""Times as the service writes them."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Optional

# In some versions, fromisoformat reads 24:00 as the next day.
TIME = r"[0-9]{4}-[0-9]{2}-[0-9]{2}T(?!24)[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z"


def parse_time(value: object) -> Optional[datetime]:
    """A time such as 2026-07-31T10:15:00.000Z, in the years 0001 to 9999."""
    if not isinstance(value, str) or not re.fullmatch(TIME, value):
        return None
    try:
        return datetime.fromisoformat(value[:-1] + "+00:00")
    except ValueError:
        return None


def parse_day(value: object) -> Optional[datetime]:
    """The start of a day in UTC, written as `YYYY-MM-DD`."""
    return parse_time(f"{value}T00:00:00.000Z") if isinstance(value, str) else None
