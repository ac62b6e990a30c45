using System.Text;

namespace Mux.Description.Proto.Printing;

/// <summary>Text with indented blocks.</summary>
internal sealed class ProtoText
{
    private readonly StringBuilder _text = new();
    private int _depth;

    public override string ToString() => _text.ToString();

    public ProtoText Line(string line)
    {
        _text.Append(' ', _depth * 2).Append(line).Append('\n');
        return this;
    }

    /// <summary>Writes an empty line, unless a block or another one is just before it.</summary>
    public ProtoText Gap()
    {
        bool isFirst = _text.Length < 2 || _text[_text.Length - 2] is '{' or '\n';
        if (!isFirst) _text.Append('\n');
        return this;
    }

    public ProtoText Comment(string? comment)
    {
        if (comment is null) return this;
        foreach (var line in comment.Split('\n')) Line(line.Trim('\r').Length == 0 ? "//" : $"// {line.Trim('\r')}");
        return this;
    }

    /// <summary>Writes the beginning of a block, its content, and its end.</summary>
    public ProtoText Block(string start, Action content, string end = "}")
    {
        Line(start + " {");
        int length = _text.Length;
        _depth++;
        content();
        _depth--;
        if (_text.Length > length) return Line(end);
        _text.Length--; // nothing within: on one line
        _text.Append(end).Append('\n');
        return this;
    }
}
