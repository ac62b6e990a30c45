using System.Runtime.CompilerServices;
using System.Text;
using System.Text.Unicode;

namespace Mux.Tool.Contracts;

/// <summary>
/// The JSON that a call sends: a text, a file, or the standard input. Always UTF-8: other bytes are refused.
/// </summary>
/// <param name="data">
/// The text, <c>@FILE</c>, or <c>@-</c>; null for the standard input where there is a request
/// stream, else for no message.
/// </param>
internal sealed class CallInput(string? data) : IDisposable
{
    public const string Name = "--data", StandardInputName = "@-";

    private Stream? _stream;
    private JsonSource? _values;

    /// <summary>Gets what was wrong with an item: a call that ends because of it says less.</summary>
    public ToolException? Failure { get; private set; }

    /// <summary>Gets a value indicating whether the command line has one.</summary>
    public bool IsGiven => data is not null;

    /// <summary>Reads all of it.</summary>
    /// <exception cref="ToolException">The file cannot be read, or is not UTF-8.</exception>
    public async Task<byte[]> ReadBytesAsync(CancellationToken cancellationToken)
    {
        var bytes = await Task.Run(ReadToEnd, cancellationToken).WaitAsync(cancellationToken).ConfigureAwait(false);
        return Utf8.IsValid(bytes) ? bytes : throw Wrong(Utf8Fault.Describe(bytes, start: 0, line: 1));
    }

    /// <summary>Reads the message before a request stream: the first value.</summary>
    /// <exception cref="ToolException">The file or the message cannot be read.</exception>
    public async Task<byte[]> ReadArgumentsAsync(MessageText? text, CancellationToken cancellationToken)
    {
        _values = new JsonSource(Open());
        if (text is null) return [];
        var value = await NextAsync(_values, cancellationToken).ConfigureAwait(false)
            ?? throw new ToolException(ExitCode.Usage,
                "The method has a message before its stream: expected it ahead of the items.");
        return Parse(text, value, $"Line {_values.Line}: ");
    }

    /// <summary>Reads the items of a request stream, each when its end is there.</summary>
    public async IAsyncEnumerable<ReadOnlyMemory<byte>> ReadItemsAsync(
        MessageText text, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        while (true)
        {
            byte[] item;
            try
            {
                if (await NextAsync(_values!, cancellationToken).ConfigureAwait(false) is not { } value) yield break;
                item = Parse(text, value, $"Line {_values!.Line}: ");
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
        if (data is not (null or StandardInputName)) _stream?.Dispose(); // the console is that of the process
    }

    // On another thread: a console has no asynchronous reads, and a value may never come.
    private async Task<byte[]?> NextAsync(JsonSource values, CancellationToken cancellationToken)
    {
        try
        {
            return await Task.Run(values.Read, cancellationToken).WaitAsync(cancellationToken).ConfigureAwait(false);
        }
        catch (InvalidDataException error)
        {
            throw Wrong(error.Message, error);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            throw Unreadable(error);
        }
    }

    private byte[] ReadToEnd()
    {
        try
        {
            using var bytes = new MemoryStream();
            Open().CopyTo(bytes);
            return bytes.ToArray();
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            throw Unreadable(error);
        }
    }

    private Stream Open()
    {
        if (data is null or StandardInputName) return _stream = new UnmarkedStream(StandardInput.Source());
        if (!data.StartsWith('@')) return _stream = new MemoryStream(Encoding.UTF8.GetBytes(data));
        try
        {
            return _stream = new UnmarkedStream(File.OpenRead(data[1..]));
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException or ArgumentException)
        {
            throw Unreadable(error);
        }
    }

    private static byte[] Parse(MessageText text, byte[] json, string place)
    {
        try
        {
            return text.Read(json);
        }
        catch (InvalidDataException error)
        {
            throw new ToolException(ExitCode.Usage, $"{Name}: {place}{error.Message}", error);
        }
    }

    private ToolException Unreadable(Exception error) =>
        new(ExitCode.Usage, $"{Name} '{data ?? StandardInputName}' cannot be read: {error.Message}", error);

    private ToolException Wrong(string message, Exception? error = null) =>
        new(ExitCode.Usage, $"{Name}{(data is ['@', ..] ? $" '{data}'" : "")}: {message}", error);
}

/// <summary>The standard input of the process, as bytes.</summary>
internal static class StandardInput
{
    /// <summary>Gets or sets what opens it. Set only by tests, which have no process of their own.</summary>
    public static Func<Stream> Source { get; set; } = FromConsole;

    // A terminal of Windows has a code page; what is redirected are the bytes of a file.
    private static Stream FromConsole()
    {
        var input = Console.OpenStandardInput();
        bool isText = !Console.IsInputRedirected && Console.InputEncoding.CodePage != Encoding.UTF8.CodePage;
        return isText ? Encoding.CreateTranscodingStream(input, Console.InputEncoding, Encoding.UTF8) : input;
    }
}
