namespace Mux.Description.Proto.Parsing.Text;

/// <summary>
/// Skips spaces and comments between tokens. A comment belongs to the token after it if no empty line is between them, and if it does not follow a token
/// on the same line.
/// </summary>
internal sealed class CommentReader(TextCursor text, FileFaults faults)
{
    private readonly List<string> _lines = [];
    private readonly List<string> _first = [];
    private bool _hasToken;
    private bool _isLineComment;
    private int _end; // line on which the last comment ends

    /// <summary>Gets the comments before the first token; null for none.</summary>
    public string? First => _first.Count == 0 ? null : string.Join("\n\n", _first);

    /// <returns>The comment before the next token; null for none.</returns>
    public string? Skip()
    {
        int previous = _hasToken ? text.Line : 0;
        _lines.Clear();
        while (!text.IsAtEnd)
        {
            if (Characters.IsSpace(text.Current) || text.Current == '\n') text.Take();
            else if (text.Current != '/' || text.Following is not ('/' or '*')) break;
            else if (text.Following == '/') ReadLine(previous);
            else ReadBlock(previous);
        }

        if (!_hasToken && _lines.Count > 0) KeepFirst();
        _hasToken = true;
        return _lines.Count > 0 && text.Line <= _end + 1 ? CommentText.Join(_lines) : null;
    }

    private void KeepFirst()
    {
        if (CommentText.Join(_lines) is { } comment) _first.Add(comment);
    }

    private void ReadLine(int previous)
    {
        int line = text.Line;
        Begin(isLineComment: true);
        text.Take();
        text.Take();
        int start = text.Index;
        while (!text.IsAtEnd && text.Current is not ('\n' or '\0')) text.Take();
        Keep(text.From(start), line, previous);
    }

    private void ReadBlock(int previous)
    {
        var position = text.Position;
        Begin(isLineComment: false);
        text.Take();
        text.Take();
        for (int start = text.Index; ;)
        {
            if (text.IsAtEnd || text.Current == '\0')
            {
                faults.Error(position, "The comment has no end: '*/' is missing.");
                return;
            }

            if (text.Current == '/' && text.Following == '*') faults.Error(text.Position, "Comments of this kind cannot be nested: there is a '/*' inside.");
            bool isEnd = text.Current == '*' && text.Following == '/';
            if (isEnd || text.Current == '\n')
            {
                var kept = text.From(start).TrimStart();
                bool isFirst = text.Line == position.Line;
                if (!isFirst && kept.Length > 0 && kept[0] == '*') kept = kept.Substring(1);
                if (kept.Trim().Length > 0 || (!isEnd && !isFirst)) Keep(kept, text.Line, previous);
            }

            if (isEnd) break;
            if (text.Take() == '\n') start = text.Index;
        }

        text.Take();
        text.Take();
        _end = text.Line;
    }

    private void Begin(bool isLineComment)
    {
        if (_lines.Count > 0 && (!isLineComment || !_isLineComment || text.Line > _end + 1))
        {
            if (!_hasToken) KeepFirst();
            _lines.Clear();
        }

        _isLineComment = isLineComment;
    }

    private void Keep(string line, int number, int previous)
    {
        _end = number;
        if (number == previous) return;
        _lines.Add(CommentText.Line(line));
    }
}
