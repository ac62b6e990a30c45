namespace Mux.Tool.Commands;

/// <summary>A file of <c>--json</c> or <c>--html</c>. Opened before the run: a result that cannot be kept is not worth waiting for.</summary>
internal sealed class OutputFile : IAsyncDisposable
{
    private readonly string _option;
    private readonly FileStream? _file;

    private OutputFile(string option, FileStream? file) => (_option, _file) = (option, file);

    /// <param name="option">Which asks for it.</param>
    /// <param name="path">Null for no file, which takes what is written to it and keeps nothing.</param>
    /// <exception cref="ToolException">It cannot be written.</exception>
    public static OutputFile Open(string option, string? path)
    {
        if (path is null) return new OutputFile(option, null);
        if (path.Length == 0) throw new ToolException(ExitCode.Usage, $"{option} '': expected the path of a file.");
        if (Directory.Exists(path)) throw new ToolException(ExitCode.Usage, $"{option} '{path}': this is a folder; expected the path of a file.");
        try
        {
            // Without a buffer: what it would hold could fail once more when the file is closed.
            return new OutputFile(option, new FileStream(path, FileMode.Create, FileAccess.Write, FileShare.Read, bufferSize: 0, useAsync: false));
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException or ArgumentException)
        {
            throw Failure(option, path, error);
        }
    }

    /// <exception cref="ToolException">It cannot be written.</exception>
    public async Task WriteAsync(ReadOnlyMemory<byte> content)
    {
        if (_file is null) return;
        try
        {
            await _file.WriteAsync(content).ConfigureAwait(false);
            await _file.FlushAsync().ConfigureAwait(false);
        }
        catch (IOException error)
        {
            throw Failure(_option, _file.Name, error);
        }
    }

    public ValueTask DisposeAsync() => _file?.DisposeAsync() ?? default;

    private static ToolException Failure(string option, string path, Exception error) =>
        new(ExitCode.Usage, $"{option} '{path}': it cannot be written: {error.Message}", error);
}
