using Mux.Description.Proto.Parsing.Text;

namespace Mux.Description.Proto.Parsing.Grammar;

/// <summary>Reads the tokens of one file. A method that returns false has reported the fault.</summary>
internal sealed class TokenReader
{
    private readonly ProtoLexer _lexer;
    private readonly FileFaults _faults;
    private readonly ParseBudget _budget;
    private bool _isAborted;

    public TokenReader(string text, FileFaults faults, ParseBudget budget)
    {
        _lexer = new ProtoLexer(text, faults);
        _faults = faults;
        _budget = budget;
        Current = _lexer.Next();
    }

    public ProtoToken Current { get; private set; }

    public string? FileComment => _lexer.FileComment;

    public bool IsAtEnd => Current.Kind == ProtoTokenKind.End;

    public ProtoPosition Position => Current.Position;

    public void Next()
    {
        if (_faults.IsDone) Abort();
        if (!_isAborted) Current = _lexer.Next();
    }

    public bool Fault(string message) => FaultAt(Position, message);

    public bool FaultAt(ProtoPosition position, string message)
    {
        if (!_isAborted) _faults.Error(position, message);
        return false;
    }

    public void Warn(ProtoPosition position, string message) => _faults.Warn(position, message);

    public bool Is(string text) => Current.Text == text;

    public bool Is(ProtoTokenKind kind) => Current.Kind == kind;

    public bool TryTake(string text)
    {
        if (Current.Text != text) return false;
        Next();
        return true;
    }

    public bool Take(string text) => TryTake(text) || Fault($"Expected '{text}'{Found}.");

    public bool TakeName(string what, out ProtoToken name)
    {
        name = Current;
        if (!Is(ProtoTokenKind.Identifier)) return Fault($"Expected the name of {what}{Found}.");
        if (name.Text.Length > ProtoLimits.NameLength) Fault($"A name has {name.Text.Length} characters; allowed are {ProtoLimits.NameLength}.");
        Next();
        return true;
    }

    public bool TakeInteger(string what, ulong max, out ulong value)
    {
        value = 0;
        if (!Is(ProtoTokenKind.Integer)) return Fault($"Expected {what}{Found}.");
        if (!ProtoLiterals.TryInteger(Current.Text, max, out value))
        {
            Fault($"The number '{Shown(Current.Text)}' is out of range: allowed are 0 to {max}.");
            value = 0;
        }

        Next();
        return true;
    }

    public bool TakeInt32(string what, out int value)
    {
        bool isTaken = TakeInteger(what, int.MaxValue, out ulong taken);
        value = (int)taken;
        return isTaken;
    }

    public bool TakeSignedInt32(string what, out int value)
    {
        bool isNegative = TryTake("-");
        bool isTaken = TakeInteger(what, int.MaxValue + (isNegative ? 1UL : 0UL), out ulong taken);
        value = (int)(isNegative ? -(long)taken : (long)taken);
        return isTaken;
    }

    public bool TakeNumber(out double value)
    {
        value = 0;
        if (Is(ProtoTokenKind.Float))
        {
            value = ProtoLiterals.Float(Current.Text);
        }
        else if (Is(ProtoTokenKind.Integer))
        {
            if (ProtoLiterals.TryInteger(Current.Text, ulong.MaxValue, out ulong integer)) value = integer;
            else if (Current.Text[0] != '0') value = ProtoLiterals.Float(Current.Text);
            else Fault($"The number '{Shown(Current.Text)}' is out of range: hexadecimal and octal numbers have 64 bits.");
        }
        else if (Is("inf") || Is("nan"))
        {
            value = Is("inf") ? double.PositiveInfinity : double.NaN;
        }
        else
        {
            return Fault($"Expected a number{Found}.");
        }

        Next();
        return true;
    }

    public bool TakeString(string what, out byte[] bytes)
    {
        bytes = [];
        if (!Is(ProtoTokenKind.String)) return Fault($"Expected {what} in quotes{Found}.");
        using var stream = new MemoryStream();
        for (; Is(ProtoTokenKind.String); Next()) StringLiterals.Append(stream, Current.Text);
        bytes = stream.ToArray();
        return true;
    }

    public bool TakeText(string what, out string text)
    {
        var position = Position;
        text = string.Empty;
        if (!TakeString(what, out var bytes)) return false;
        if (StringLiterals.Decode(bytes) is { } decoded) text = decoded;
        else FaultAt(position, $"Expected {what} in UTF-8: its escapes give other bytes.");
        return true;
    }

    public bool TakeType()
    {
        if (_budget.TakeType() is not { } problem) return true;
        Fault(problem);
        return Abort();
    }

    public bool TakeMember()
    {
        if (_budget.TakeMember() is not { } problem) return true;
        Fault(problem);
        return Abort();
    }

    /// <summary>Skips what is left of a statement: up to its semicolon, or the block in braces; not the end of the block around it.</summary>
    public void SkipStatement()
    {
        for (; !IsAtEnd; Next())
        {
            if (TryTake(";") || Is("}")) return;
            if (!TryTake("{")) continue;
            for (int depth = 1; !IsAtEnd; Next())
            {
                if (Is("{")) depth++;
                else if (Is("}") && --depth == 0) break;
            }

            Next();
            return;
        }
    }

    private string Found => IsAtEnd ? "; the file ends here" : $", not '{Shown(Current.Text)}'";

    private static string Shown(string text) => text.Length <= 64 ? text : $"{text.Substring(0, 64)}...";

    private bool Abort()
    {
        _isAborted = true;
        Current = new ProtoToken(ProtoTokenKind.End, string.Empty, Position, null);
        return false;
    }
}
