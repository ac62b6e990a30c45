using System.Text.Json;

namespace Mux.Tool.Gateway;

/// <summary>
/// Reads the file of <c>mux gateway</c>: <c>{ "listen": "mux://0.0.0.0:7070", "allowPlaintext": true, "routes": { "shop.*": "mux://10.0.0.7:7070" } }</c>.
/// </summary>
internal sealed class GatewayFile
{
    private const string Known = "listen, allowPlaintext, certificate, certificateKey, routes";

    public string? Listen { get; private set; }

    public bool AllowPlaintext { get; private set; }

    public string? Certificate { get; private set; }

    public string? CertificateKey { get; private set; }

    public IReadOnlyList<GatewayTarget> Routes { get; private set; } = [];

    /// <exception cref="ToolException">The file cannot be read; the message says why and where.</exception>
    public static GatewayFile Read(string path)
    {
        try
        {
            using var document = JsonDocument.Parse(
                File.ReadAllBytes(path), new JsonDocumentOptions { AllowTrailingCommas = true, CommentHandling = JsonCommentHandling.Skip });
            var file = new GatewayFile();
            file.ReadAll(path, document.RootElement);
            return file;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException or JsonException)
        {
            throw new ToolException(ExitCode.Usage, $"--config: {path}: {error.Message}", error);
        }
    }

    private void ReadAll(string path, JsonElement root)
    {
        if (root.ValueKind != JsonValueKind.Object) throw Wrong(path, "the file", "an object with " + Known);
        foreach (var property in root.EnumerateObject())
        {
            switch (property.Name)
            {
                case "listen":
                    Listen = Text(path, property);
                    break;
                case "certificate":
                    Certificate = Text(path, property);
                    break;
                case "certificateKey":
                    CertificateKey = Text(path, property);
                    break;
                case "allowPlaintext":
                    if (property.Value.ValueKind is not (JsonValueKind.True or JsonValueKind.False)) throw Wrong(path, property.Name, "true or false");
                    AllowPlaintext = property.Value.GetBoolean();
                    break;
                case "routes":
                    if (property.Value.ValueKind != JsonValueKind.Object) throw Wrong(path, property.Name, "an object: each pattern with its address");
                    Routes = [.. property.Value.EnumerateObject().Select(route => new GatewayTarget(route.Name, Text(path, route)))];
                    break;
                default:
                    throw Wrong(path, property.Name, "one of " + Known);
            }
        }
    }

    private static string Text(string path, JsonProperty property) =>
        property.Value.ValueKind == JsonValueKind.String ? property.Value.GetString()! : throw Wrong(path, property.Name, "a text");

    private static ToolException Wrong(string path, string what, string expected) =>
        new(ExitCode.Usage, $"--config: {path}: '{what}' is not valid: expected {expected}.");
}
