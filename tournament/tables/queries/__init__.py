"""What pages and the API show of tables and sheets; nothing here writes."""
