using System.Text.Json;
using Mux.Tool.Reporting.Results;

namespace Mux.Tool.Comparing;

/// <summary>Reads files of <c>mux bench --json</c>.</summary>
internal static class ResultReader
{
    /// <exception cref="ToolException">The file cannot be read, or has another format.</exception>
    public static ResultFile Read(string path)
    {
        try
        {
            var bytes = File.ReadAllBytes(path);
            using var document = JsonDocument.Parse(bytes);
            var schema = document.RootElement.ValueKind == JsonValueKind.Object && document.RootElement.TryGetProperty("schema", out var name)
                && name.ValueKind == JsonValueKind.String ? name.GetString() : null;
            if (schema is null) throw Wrong(path, "it is not a result: it names no schema", null);
            if (schema != ResultFile.CurrentSchema) throw Wrong(path, $"its schema is {schema}", null);
            var result = JsonSerializer.Deserialize(bytes, ResultJson.Readable.ResultFile);
            if (result is not { Ci: not null, Results: { HistogramUs: not null, Series: not null }, Configuration: not null, Environment.Client: not null })
            {
                throw Wrong(path, "parts of it are missing", null);
            }

            return result;
        }
        catch (JsonException error)
        {
            throw Wrong(path, "it is not a result: " + error.Message, error);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException or ArgumentException)
        {
            throw new ToolException(ExitCode.Usage, $"'{path}': it cannot be read: {error.Message}", error);
        }
    }

    private static ToolException Wrong(string path, string reason, Exception? error) =>
        new(ExitCode.Usage, $"'{path}': {reason}. Expected a file of 'mux bench --json', schema {ResultFile.CurrentSchema}.", error);
}
