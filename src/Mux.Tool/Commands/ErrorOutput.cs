using System.Text;

namespace Mux.Tool.Commands;

/// <summary>
/// The standard error stream: lines that cannot be written are dropped. There is nowhere left to tell of it, and a full
/// disk that takes progress or errors changes neither the results of a command nor its exit code.
/// </summary>
/// <param name="inner">The stream of the console.</param>
internal sealed class ErrorOutput(TextWriter inner) : TextWriter
{
    public override Encoding Encoding => inner.Encoding;

    /// <summary>Puts it in the place of the standard error stream of this process.</summary>
    public static void Install() => Console.SetError(new ErrorOutput(Console.Error));

    public override void Write(char value) => Try(static (inner, value) => inner.Write(value), value);

    public override void Write(string? value) => Try(static (inner, value) => inner.Write(value), value);

    public override void Write(char[] buffer, int index, int count) => Write(new string(buffer, index, count));

    // In one piece: other processes may write to the same stream.
    public override void WriteLine(string? value) => Try(static (inner, value) => inner.WriteLine(value), value);

    public override void Flush() => Try(static (inner, _) => inner.Flush(), 0);

    private void Try<T>(Action<TextWriter, T> write, T value)
    {
        try
        {
            write(inner, value);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
        }
    }
}
