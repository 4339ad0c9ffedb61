"""The index store: what was read of a brain once, kept by Git object ids in the user's cache folder.

A store holds one brain: `index.sqlite` with every document of every file that was ever indexed, `text.log` with the
text of those files one after the other, and one row for each commit's tree that says which documents it holds.
"""
