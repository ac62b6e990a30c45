namespace Mux.Description.Proto.Parsing.Text;

/// <summary>A place in a text, which knows its line and column.</summary>
internal sealed class TextCursor
{
    private readonly string _text;
    private int _line = 1;
    private int _lineStart;

    public TextCursor(string text)
    {
        _text = text;
        if (text.Length > 0 && text[0] == '\uFEFF') Index = _lineStart = 1;
    }

    public int Index { get; private set; }

    public int Line => _line;

    public bool IsAtEnd => Index >= _text.Length;

    public char Current => Index < _text.Length ? _text[Index] : '\0';

    public char Following => Index + 1 < _text.Length ? _text[Index + 1] : '\0';

    public ProtoPosition Position => new(_line, Index - _lineStart + 1);

    public char Take()
    {
        char character = _text[Index++];
        if (character == '\n')
        {
            _line++;
            _lineStart = Index;
        }

        return character;
    }

    public string From(int start) => _text.Substring(start, Index - start);
}
