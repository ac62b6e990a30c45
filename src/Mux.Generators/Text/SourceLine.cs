using System.Globalization;
using System.Runtime.CompilerServices;
using System.Text;

namespace Mux.Generators.Text;

/// <summary>A line being written: its parts go into the file as they are evaluated, so none of them may write lines.</summary>
[InterpolatedStringHandler]
internal readonly ref struct SourceLine
{
    private readonly StringBuilder _text;

    /// <param name="literalLength">Passed by the compiler; unused.</param>
    /// <param name="formattedCount">Passed by the compiler; unused.</param>
    /// <param name="writer">Writer of the file.</param>
    public SourceLine(int literalLength, int formattedCount, SourceWriter writer) => _text = writer.StartLine();

    public void AppendLiteral(string text) => _text.Append(text);

    public void AppendFormatted(string? text) => _text.Append(text);

    public void AppendFormatted<T>(T value, string? format = null)
        where T : IFormattable
    {
        _text.Append(value.ToString(format, CultureInfo.InvariantCulture));
    }
}
