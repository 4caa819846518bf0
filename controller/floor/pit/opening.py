"""Opens a pit's store by its address: the path of a file, or a URL of PostgreSQL."""

from __future__ import annotations

from pathlib import Path

from controller.common.extras import how_to_install
from controller.floor.pit.database import ALLOWED_STORES, POSTGRESQL, Database, StoreError, check_url
from controller.floor.pit.sqlite import SQLite


def open_database(url: str, *, writing: bool) -> Database:
    """Open a store. `url`: a path, or a URL of PostgreSQL. `writing`: True for the one pit that writes, False
    for a reader.

    Raises StoreTaken if another pit writes to the store, and StoreError for a URL with a password.
    """
    check_url(url)
    if url.startswith(POSTGRESQL):
        try:
            from controller.floor.pit.postgresql import PostgreSQL
        except ImportError as error:
            raise StoreError(f"store: PostgreSQL needs psycopg: {how_to_install('pit')}") from error
        return PostgreSQL(url, writing=writing)
    if "://" in url or not url:
        raise StoreError(f"store {url}: no store is kept there; {ALLOWED_STORES}")
    return SQLite(Path(url), writing=writing)
