using System.CommandLine;
using Mux.Tool.Reporting;
using Mux.Tool.Reporting.Results;

namespace Mux.Tool.Commands;

/// <summary>
/// Where the result of a command goes: the standard output in a format, and files. With another format than text, text for people goes to the error stream.
/// </summary>
internal sealed class ResultOutput : IAsyncDisposable
{
    private readonly OutputFormat _format;
    private readonly OutputFile _json;
    private readonly OutputFile _html;

    private ResultOutput(OutputFormat format, OutputFile json, OutputFile html) => (_format, _json, _html) = (format, json, html);

    /// <summary>True if the standard output is for people.</summary>
    public bool IsText => _format == OutputFormat.Text;

    /// <summary>Receives text for people.</summary>
    public TextWriter Text => IsText ? Console.Out : Console.Error;

    /// <summary>Creates the option for the format.</summary>
    public static Option<string> FormatOption()
    {
        var option = ChoiceOption.Create(
            "--output", OutputFormat.Text, "Format of the standard output; all but text move the text for people to the standard error stream");
        option.Aliases.Add("-o");
        return option;
    }

    /// <exception cref="ToolException">A file cannot be written.</exception>
    public static ResultOutput Open(OutputFormat format, string? json, string? html) =>
        new(format, OutputFile.Open("--json", json), OutputFile.Open("--html", html));

    public void WriteLines(IEnumerable<string> lines)
    {
        foreach (var line in lines) Text.WriteLine(PrintableText.Of(line));
    }

    /// <param name="result">The result.</param>
    /// <param name="report">Writes the text for people.</param>
    /// <param name="csv">Makes CSV of it.</param>
    /// <param name="prometheus">Makes metrics of it.</param>
    /// <param name="page">Makes a page of it.</param>
    /// <exception cref="ToolException">A file cannot be written.</exception>
    public Task WriteAsync<T>(
        T result, Action report, Func<T, string> csv, Func<T, string> prometheus, Func<T, byte[]> page)
        where T : class
    {
        var json = ResultJson.Write(result);
        return OutputFile.WriteAndPrintAsync(Print, (_json, json), (_html, page(result)));

        void Print()
        {
            report();
            switch (_format)
            {
                case OutputFormat.Csv: Console.Out.Write(csv(result)); break;
                case OutputFormat.Json: Console.Out.WriteLine(System.Text.Encoding.UTF8.GetString(json)); break;
                case OutputFormat.Prometheus: Console.Out.Write(prometheus(result)); break;
                default: break;
            }
        }
    }

    public async ValueTask DisposeAsync()
    {
        await _json.DisposeAsync().ConfigureAwait(false);
        await _html.DisposeAsync().ConfigureAwait(false);
    }
}
