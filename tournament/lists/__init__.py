"""Lists of people as secretaries keep them: workbooks, text files, address books, messages. Pure.

:mod:`.files` turns bytes into sheets of text, :mod:`.pasted` a message; :mod:`.reading` finds the
headings and the people, and names each row that is no player or that needs a decision.
"""
