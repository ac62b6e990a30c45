using Mux;

namespace Chat;

/// <summary>Exports a history to a file. Its methods run one after the other; an object is for one call.</summary>
/// <param name="file">Path of the file. It is replaced, once the user has agreed.</param>
/// <param name="show">Shows a line. Any thread.</param>
/// <param name="confirm">Answers the question of the server. Any thread.</param>
public sealed class FileExport(string file, Action<string> show, Func<string, bool> confirm) : IExport
{
    private bool _isBegun;

    public ValueTask<bool> Confirm(string question, CancellationToken cancellationToken) => new(confirm(question));

    public async ValueTask Write(Line[] lines, CancellationToken cancellationToken)
    {
        var texts = lines.Select(line => $"{line.Name}: {line.Text}");
        try
        {
            if (_isBegun) await File.AppendAllLinesAsync(file, texts, cancellationToken);
            else await File.WriteAllLinesAsync(file, texts, cancellationToken);
            _isBegun = true;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            throw new MuxException(MuxStatus.Aborted, error.Message); // which the server gets; of other exceptions it learns nothing
        }
    }

    public ValueTask Report(int percent)
    {
        show($"* exported {percent}%");
        return default;
    }
}
