namespace Mux.Description.Proto.Parsing.Text;

/// <summary>Splits a text into tokens, as protoc does. It continues after a fault with the next token.</summary>
internal sealed class ProtoLexer
{
    private static readonly string[] s_symbols = [.. Enumerable.Range(0, 128).Select(static code => ((char)code).ToString())];

    private readonly TextCursor _text;
    private readonly FileFaults _faults;
    private readonly CommentReader _comments;
    private ProtoTokenKind _previous = ProtoTokenKind.End;
    private int _previousEnd;

    public ProtoLexer(string text, FileFaults faults)
    {
        _text = new TextCursor(text);
        _faults = faults;
        _comments = new CommentReader(_text, faults);
    }

    /// <summary>Gets the comments before the first token; null for none.</summary>
    public string? FileComment => _comments.First;

    public ProtoToken Next()
    {
        string? comment = _comments.Skip();
        var position = _text.Position;
        if (_text.IsAtEnd) return new ProtoToken(ProtoTokenKind.End, string.Empty, position, comment);
        int start = _text.Index;
        var kind = Read(position);
        var text = kind == ProtoTokenKind.Symbol && _text.From(start) is { Length: 1 } symbol && symbol[0] < 128 ? s_symbols[symbol[0]] : _text.From(start);
        _previous = kind;
        _previousEnd = _text.Index;
        return new ProtoToken(kind, text, position, comment);
    }

    private ProtoTokenKind Read(ProtoPosition position)
    {
        char first = _text.Take();
        if (Characters.IsLetter(first))
        {
            while (Characters.IsLetterOrDigit(_text.Current)) _text.Take();
            return ProtoTokenKind.Identifier;
        }

        if (Characters.IsDigit(first)) return ReadNumber(position, first);
        if (first == '.' && Characters.IsDigit(_text.Current))
        {
            if (_previous == ProtoTokenKind.Identifier && _previousEnd == _text.Index - 1)
                _faults.Error(position, "A space must be between a name and a number that begins with a point.");
            return ReadNumber(position, first);
        }

        if (first is '"' or '\'')
        {
            ReadString(position, first);
            return ProtoTokenKind.String;
        }

        if (first > '~') _faults.Error(position, $"The character U+{(int)first:X4} is not allowed outside of texts and comments.");
        else if (first < ' ') _faults.Error(position, "Control characters are not allowed.");
        return ProtoTokenKind.Symbol;
    }

    private ProtoTokenKind ReadNumber(ProtoPosition position, char first)
    {
        bool isFloat = first == '.';
        if (first == '0' && _text.Current is 'x' or 'X')
        {
            _text.Take();
            if (!Characters.IsHexDigit(_text.Current)) _faults.Error(position, "Hexadecimal digits must follow '0x'.");
            while (Characters.IsHexDigit(_text.Current)) _text.Take();
        }
        else if (first == '0' && Characters.IsDigit(_text.Current))
        {
            bool isOctal = true;
            while (Characters.IsDigit(_text.Current)) isOctal &= _text.Take() < '8';
            if (!isOctal) _faults.Error(position, "Numbers that begin with 0 are octal: allowed are the digits 0 to 7.");
        }
        else
        {
            isFloat = ReadDecimals(position, isFloat);
        }

        if (Characters.IsLetter(_text.Current)) _faults.Error(_text.Position, "A space must be between a number and a name.");
        else if (_text.Current == '.') _faults.Error(_text.Position, "A number has at most one point; hexadecimal or octal numbers and exponents have none.");
        return isFloat ? ProtoTokenKind.Float : ProtoTokenKind.Integer;
    }

    private bool ReadDecimals(ProtoPosition position, bool isFloat)
    {
        while (Characters.IsDigit(_text.Current)) _text.Take();
        if (!isFloat && _text.Current == '.')
        {
            isFloat = true;
            _text.Take();
            while (Characters.IsDigit(_text.Current)) _text.Take();
        }

        if (_text.Current is not ('e' or 'E')) return isFloat;
        _text.Take();
        if (_text.Current is '-' or '+') _text.Take();
        if (!Characters.IsDigit(_text.Current)) _faults.Error(position, "Digits must follow the 'e' of an exponent.");
        while (Characters.IsDigit(_text.Current)) _text.Take();
        return true;
    }

    private void ReadString(ProtoPosition position, char quote)
    {
        while (true)
        {
            if (_text.IsAtEnd || _text.Current is '\n' or '\0')
            {
                _faults.Error(position, $"The text does not end on its line: {quote} is missing.");
                return;
            }

            var escape = _text.Position;
            char next = _text.Take();
            if (next == quote) return;
            if (next == '\\' && !SkipEscape())
                _faults.Error(escape, @"Not an escape: allowed are \a \b \f \n \r \t \v \\ \? \' \"" \0 \x0, \u with four and \U with eight digits.");
        }
    }

    private bool SkipEscape()
    {
        char next = _text.Current;
        if (next is 'a' or 'b' or 'f' or 'n' or 'r' or 't' or 'v' or '\\' or '?' or '\'' or '"' or (>= '0' and <= '7'))
        {
            _text.Take();
            return true;
        }

        if (next is not ('x' or 'X' or 'u' or 'U')) return false;
        _text.Take();
        int digits = next switch { 'u' => 4, 'U' => 8, _ => 1 };
        for (int i = 0; i < digits; i++)
        {
            if (!Characters.IsHexDigit(_text.Current) || (next == 'U' && i < 3 && _text.Current > (i < 2 ? '0' : '1'))) return false;
            _text.Take();
        }

        return true;
    }
}
