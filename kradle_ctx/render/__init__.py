"""From a value to text or a renderable; nothing here prints."""
