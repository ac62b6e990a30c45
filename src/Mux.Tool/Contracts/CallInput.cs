using System.Runtime.CompilerServices;
using System.Text;

namespace Mux.Tool.Contracts;

/// <summary>The JSON that a call sends: a text, a file, or the standard input.</summary>
/// <param name="data">The text, <c>@FILE</c>, or <c>@-</c>; null for the standard input where there is a request stream, else for no message.</param>
internal sealed class CallInput(string? data) : IDisposable
{
    public const string Name = "--data", StandardInput = "@-";

    private TextReader? _lines;
    private int _line;

    /// <summary>Gets what was wrong with an item: a call that ends because of it says less.</summary>
    public ToolException? Failure { get; private set; }

    /// <summary>Reads the one message of a method without a request stream.</summary>
    /// <exception cref="ToolException">The file or the message cannot be read.</exception>
    public async Task<byte[]> ReadAllAsync(MessageText text, CancellationToken cancellationToken)
    {
        if (data is null && text.IsEmpty) return [];
        if (data is null) throw new ToolException(ExitCode.Usage, $"The method has a request: expected it as {Name}, such as {Name} '{{}}'.");
        return Parse(text, await ReadTextAsync(cancellationToken).ConfigureAwait(false), place: "");
    }

    /// <summary>Reads all of it.</summary>
    /// <exception cref="ToolException">The file cannot be read.</exception>
    public async Task<string> ReadTextAsync(CancellationToken cancellationToken)
    {
        var reader = Open();
        return await Task.Run(reader.ReadToEnd, cancellationToken).WaitAsync(cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Reads the message before a request stream: the first line.</summary>
    /// <exception cref="ToolException">The file or the message cannot be read.</exception>
    public async Task<byte[]> ReadArgumentsAsync(MessageText? text, CancellationToken cancellationToken)
    {
        _lines = Open();
        if (text is null) return [];
        var line = await NextAsync(_lines, cancellationToken).ConfigureAwait(false)
            ?? throw new ToolException(ExitCode.Usage, "The method has a message before its stream: expected it in the first line.");
        return Parse(text, line, $"Line {_line}: ");
    }

    /// <summary>Reads the items of a request stream, one a line, each when it is there.</summary>
    public async IAsyncEnumerable<ReadOnlyMemory<byte>> ReadItemsAsync(MessageText text, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        while (true)
        {
            byte[] item;
            try
            {
                if (await NextAsync(_lines!, cancellationToken).ConfigureAwait(false) is not { } line) yield break;
                item = Parse(text, line, $"Line {_line}: ");
            }
            catch (ToolException failure)
            {
                Failure = failure;
                throw;
            }

            yield return item;
        }
    }

    public void Dispose()
    {
        if (data is not (null or StandardInput)) _lines?.Dispose(); // the console is that of the process
    }

    private async Task<string?> NextAsync(TextReader lines, CancellationToken cancellationToken)
    {
        while (true)
        {
            // On another thread: a console has no asynchronous reads, and a line may never come.
            var line = await Task.Run(lines.ReadLine, cancellationToken).WaitAsync(cancellationToken).ConfigureAwait(false);
            _line++;
            if (line is null || !string.IsNullOrWhiteSpace(line)) return line;
        }
    }

    private TextReader Open()
    {
        if (data is null or StandardInput) return _lines = Console.In;
        if (!data.StartsWith('@')) return _lines = new StringReader(data);
        try
        {
            return _lines = new StreamReader(data[1..], Encoding.UTF8);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException or ArgumentException)
        {
            throw new ToolException(ExitCode.Usage, $"{Name} '{data}' cannot be read: {error.Message}", error);
        }
    }

    private static byte[] Parse(MessageText text, string json, string place)
    {
        try
        {
            return text.Read(Encoding.UTF8.GetBytes(json));
        }
        catch (InvalidDataException error)
        {
            throw new ToolException(ExitCode.Usage, $"{Name}: {place}{error.Message}", error);
        }
    }
}
