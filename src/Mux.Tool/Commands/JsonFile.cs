using System.Text.Json;
using Mux.Tool.Load;
using Mux.Tool.Reporting.Results;

namespace Mux.Tool.Commands;

/// <summary>The file of <c>--json</c>. Opened before the run: a result that cannot be kept is not worth waiting for.</summary>
internal sealed class JsonFile : IAsyncDisposable
{
    private readonly FileStream _file;

    private JsonFile(FileStream file) => _file = file;

    /// <exception cref="ToolException">It cannot be written.</exception>
    public static JsonFile Open(string path)
    {
        if (path.Length == 0) throw new ToolException(ExitCode.Usage, "--json '': expected the path of a file.");
        if (Directory.Exists(path)) throw new ToolException(ExitCode.Usage, $"--json '{path}': this is a folder; expected the path of a file.");
        try
        {
            // Without a buffer: what it would hold could fail once more when the file is closed.
            return new JsonFile(new FileStream(path, FileMode.Create, FileAccess.Write, FileShare.Read, bufferSize: 0, useAsync: false));
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException or ArgumentException)
        {
            throw Failure(path, error);
        }
    }

    /// <exception cref="ToolException">It cannot be written.</exception>
    public async Task WriteAsync(BenchOutcome outcome)
    {
        try
        {
            await JsonSerializer.SerializeAsync(_file, ResultFile.Of(outcome), ResultJson.Readable.ResultFile).ConfigureAwait(false);
            await _file.FlushAsync().ConfigureAwait(false);
        }
        catch (IOException error)
        {
            throw Failure(_file.Name, error);
        }
    }

    public ValueTask DisposeAsync() => _file.DisposeAsync();

    private static ToolException Failure(string path, Exception error) => new(ExitCode.Usage, $"--json '{path}': it cannot be written: {error.Message}", error);
}
