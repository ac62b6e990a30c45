namespace Mux.Tool.Commands;

/// <summary>A file of <c>--json</c> or <c>--html</c>. Opened before the run, so that a run is not wasted on a result that cannot be written.</summary>
internal sealed class OutputFile : IAsyncDisposable
{
    private readonly string _option;
    private readonly FileStream? _file;

    private OutputFile(string option, FileStream? file) => (_option, _file) = (option, file);

    /// <param name="option">Name of the option.</param>
    /// <param name="path">Null for no file; content is then dropped.</param>
    /// <exception cref="ToolException">The file cannot be written.</exception>
    public static OutputFile Open(string option, string? path)
    {
        if (path is null) return new OutputFile(option, null);
        if (path.Length == 0) throw new ToolException(ExitCode.Usage, $"{option} '': expected the path of a file.");
        if (Directory.Exists(path)) throw new ToolException(ExitCode.Usage, $"{option} '{path}': this is a folder; expected the path of a file.");
        try
        {
            // Unbuffered: buffered content could fail to be written when the file is closed.
            return new OutputFile(option, new FileStream(path, FileMode.Create, FileAccess.Write, FileShare.Read, bufferSize: 0, useAsync: false));
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException or ArgumentException)
        {
            throw Failure(option, path, error);
        }
    }

    /// <summary>Writes files and prints, so that one of both that fails does not cost the other its result.</summary>
    /// <exception cref="ToolException">A file cannot be written.</exception>
    public static async Task WriteAndPrintAsync(Action print, params IReadOnlyList<(OutputFile File, ReadOnlyMemory<byte> Content)> files)
    {
        ToolException? unwritten = null;
        foreach (var (file, content) in files)
        {
            try
            {
                await file.WriteAsync(content).ConfigureAwait(false);
            }
            catch (ToolException failure)
            {
                unwritten ??= failure;
            }
        }

        print();
        if (unwritten is not null) throw unwritten;
    }

    /// <exception cref="ToolException">The file cannot be written.</exception>
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
